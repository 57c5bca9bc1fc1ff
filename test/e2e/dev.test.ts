/** `ponder dev` as a developer uses it: on PGlite, with growing chains and with handlers that are edited. */

import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { randomOf } from "../../localnet/plan.ts";
import { freePort, HOST } from "../../localnet/ports.ts";
import { type ManagedProcess, startProcess } from "../../localnet/processes.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { ApiClient } from "./harness/api.ts";
import { verifyNetwork, waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { Stack } from "./harness/stack.ts";
import { consultOracle } from "./oracle/network.ts";

/** The part of this project that Ponder reads. */
const PROJECT = ["abis", "config", "src", "package.json", "ponder.config.ts", "ponder.schema.ts", "tsconfig.json"];

let stack: Stack;
let project: string;
let dev: ManagedProcess;
let baseUrl: string;

beforeAll(async () => {
  stack = await Stack.build({ name: "dev", networks: ["mainnet"], seed: 13, transactionCount: 100 });
  // A copy, so that its files can be edited.
  project = resolve(stack.directory, "project");
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  for (const path of PROJECT) cpSync(path, join(project, path), { recursive: true });
  symlinkSync(resolve("node_modules"), join(project, "node_modules"));
  const port = await freePort();
  baseUrl = `http://${HOST}:${port}`;
  dev = await startProcess({
    name: "ponder dev",
    command: process.execPath,
    args: ["tools/ponder.ts", "dev", "--disable-ui", "--root", project, "--hostname", HOST, "--port", String(port)],
    env: {
      ...process.env,
      DATABASE_URL: "",
      DEPLOYMENTS_DIR: stack.deploymentsDirectory,
      PGLITE_DIRECTORY: join(stack.directory, "dev.pglite"),
      [`PONDER_RPC_URL_${CHAIN_IDS.mainnet}`]: stack.deployed("mainnet").rpcUrl,
      PONDER_TELEMETRY_DISABLED: "1",
    },
    logFile: join(stack.directory, "dev.log"),
  });
  stack.endWithStack(() => dev.stop());
});

afterAll(() => stack?.stop());

async function waitWhileAlive(what: string, probe: () => Promise<string | null>): Promise<void> {
  await waitUntil(what, async () => {
    if (dev.end() !== undefined) throw new Error(readFileSync(dev.logFile, "utf8").slice(-2_000));
    return probe();
  });
}

test("ponder dev serves GraphQL and SQL over HTTP for exploration", async () => {
  const ask = (query: string) =>
    fetch(`${baseUrl}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    });
  await waitWhileAlive("GraphQL answers with rows", async () => {
    const text = await (await ask("{ stablecoins(limit: 1) { items { chainId symbol } } }")).text();
    return /"symbol":"/.test(text) ? null : text;
  });
  expect((await fetch(`${baseUrl}/sql/db?sql=${encodeURIComponent('{"json":{"sql":"SELECT 1"}}')}`)).status).not.toBe(
    404,
  );
  expect((await fetch(`${baseUrl}/nothing`)).status).toBe(404);
});

test("ponder dev indexes a live swap, starts over when a handler is edited, and indexes the next swap", async () => {
  const deployed = stack.deployed("mainnet");
  const random = randomOf(13, deployed.chainId);
  const api = new ApiClient(baseUrl);
  const logged = (text: string) => readFileSync(dev.logFile, "utf8").split(text).length - 1;
  const isLive = (starts: number) =>
    waitWhileAlive("live blocks are indexed", async () =>
      logged("Started live indexing chain=mainnet") >= starts ? null : "the backfill is on",
    );
  const sendAndVerify = async () => {
    await sendOne({ deployed, random });
    await waitUntilCaughtUp(api, "mainnet", stack.source("mainnet"));
    await verifyNetwork(api, "mainnet", await consultOracle(stack.source("mainnet")));
    expect(dev.end()).toBeUndefined();
  };
  await isLive(1);
  await sendAndVerify();
  appendFileSync(join(project, "src/handlers/coreSwap.ts"), "// Edited.\n");
  await isLive(2);
  await sendAndVerify();
});
