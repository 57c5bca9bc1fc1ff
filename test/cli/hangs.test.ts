/** Nothing that stalls stops `core` or its keeper for ever: a node, a source of NAVs, or the keeper that leads. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WALLETS } from "../../localnet/wallets.ts";
import { createNodeClient } from "../../packages/cli/src/chain/connect.ts";
import { LockLeadership } from "../../packages/cli/src/keeper/leader.ts";
import { readNavSource } from "../../packages/cli/src/keeper/navSource.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { type PostgresServer, startPostgres } from "../e2e/harness/postgres.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const ACCOUNT = WALLETS.client2.address;
let postgres: PostgresServer;
/** Sends headers and the beginning of a body, and then a byte now and then. */
let server: Server;
let url: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
    const dripping = setInterval(() => response.write(" "), 1_000);
    response.once("close", () => clearInterval(dripping));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await postgres?.stop();
});

test("a node that never completes an answer fails after its time-out", async () => {
  // Its time-out is twenty seconds, and it asks twice.
  await expect(createNodeClient(url).getChainId()).rejects.toThrow("took too long");
}, 120_000);

test("a source that never completes its NAV is a problem after its time-out, and stops nothing else", async () => {
  const collecting = setInterval(collectGarbage, 500);
  try {
    const reading = readNavSource(url, { signer: ACCOUNT, adapter: ACCOUNT, chainId: 1 });
    const late = pause(60_000, "it is still read", { ref: false });
    expect(await Promise.race([reading, late])).toMatchObject({
      problem: expect.stringMatching(/^it did not answer \(/),
      isTransient: true,
    });
  } finally {
    clearInterval(collecting);
  }
}, 120_000);

test("a leader that no longer asks for its lock loses it, and then sends nothing", async () => {
  // Longer than a busy machine keeps this process from asking.
  const SILENCE_SECONDS = 30;
  const keeper = () => new LockLeadership(postgres.databaseUrl, 1, ACCOUNT, SILENCE_SECONDS);
  const [stalled, other] = [keeper(), keeper()];
  expect(await stalled.standing("take")).toEqual({ kind: "leader" });
  // A leader that asks keeps it, however long.
  for (const start = performance.now(); performance.now() - start < (SILENCE_SECONDS + 2) * 1_000; ) {
    await pause(500);
    await stalled.require();
    expect((await other.standing("take")).kind).not.toBe("leader");
  }
  await waitUntil(
    "the other one leads",
    async () => {
      const { kind } = await other.standing("take");
      return kind === "leader" ? null : kind;
    },
    { deadlineMs: 150_000 },
  );
  await expect(stalled.require()).rejects.toThrow("does not hold the lock");
  expect(await stalled.standing("take")).toEqual({ kind: "standby" });
}, 300_000);
