/** Tests `/v1/status/indexing`, and how `/v1/status` shows the same rows. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IndexingAnswer } from "../../src/api/status/indexing.schema.ts";
import { INDEXING_STATES } from "../../src/api/status/state.ts";
import {
  createStatusTable,
  readConfirmedBlock,
  readStatusRows,
  type StatusRecord,
} from "../../src/api/status/table.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { appOver, hashOf, insertStatus, LIVE, NOW, networkOf } from "./support/world.ts";

const PATH = "/v1/status/indexing";
const EMPTY: StatusRecord = {
  state: "backfill",
  stateSince: NOW,
  reason: null,
  head: null,
  indexed: null,
  finalNumber: null,
  reorganizations: 0,
  audit: null,
  confirmed: null,
};

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("indexing_status_test");
  // Every start of an indexer creates this table too.
  await createStatusTable(engine.database);
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.execute("TRUNCATE core_offchain.indexing_status");
  api = appOver(engine);
});

async function ask(query = "") {
  const { response, body } = await checkedRequest(api, PATH + query);
  return { status: response.status, headers: response.headers, networks: (body as IndexingAnswer).networks };
}

describe("the answer", () => {
  it("contains what the indexer wrote, with the current lag", async () => {
    const indexed = { blockNumber: 3_990n, timestamp: NOW - 120n };
    await insertStatus(engine, { mainnet: { ...LIVE, indexed }, sepolia: LIVE });
    const { status, networks } = await ask();
    expect(status).toBe(200);
    expect(networks.map(({ network }) => network)).toEqual(["evm-mainnet", "evm-sepolia"]);
    expect(networks[0]).toEqual({
      network: "evm-mainnet",
      chainId: 1,
      state: "live",
      stateSince: "2027-01-15T07:00:00Z",
      reason: null,
      head: {
        blockNumber: "4000",
        blockHash: hashOf("block 4000"),
        timestamp: "2027-01-15T07:59:48Z",
        asOf: "2027-01-15T07:59:58Z",
      },
      newestIndexedBlock: { blockNumber: "3990", timestamp: "2027-01-15T07:58:00Z" },
      newestFinalBlock: "3935",
      lagSeconds: 120,
      lagBlocks: { blocks: "10", asOf: "2027-01-15T07:59:58Z" },
      reorganizations: 2,
      audit: {
        fromBlock: "100",
        toBlock: "3935",
        finishedAt: "2027-01-15T07:59:59Z",
        result: "passed",
        difference: null,
      },
      writtenAt: expect.stringMatching(/Z$/),
    });
  });

  it("has an age by the clock, not by the indexer", async () => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
    api = appOver(engine, { now: () => NOW + 30n });
    expect((await ask()).networks.map(({ lagSeconds }) => lagSeconds)).toEqual([30, 30]);
  });

  it("has no negative lag, although a chain's clock may be ahead and a head may be older than the index", async () => {
    const indexed = { blockNumber: 4_005n, timestamp: NOW + 9n };
    await insertStatus(engine, { mainnet: { ...LIVE, indexed }, sepolia: LIVE });
    expect((await ask()).networks[0]).toMatchObject({ lagSeconds: 0, lagBlocks: { blocks: "0" } });
  });

  it("has null for a value that is not known yet", async () => {
    await insertStatus(engine, { mainnet: EMPTY });
    const [mainnet, sepolia] = (await ask()).networks;
    const unknown = {
      head: null,
      newestIndexedBlock: null,
      newestFinalBlock: null,
      lagSeconds: null,
      lagBlocks: null,
      audit: null,
    };
    expect(mainnet).toMatchObject({ ...unknown, state: "backfill", stateSince: "2027-01-15T08:00:00Z" });
    expect(sepolia).toMatchObject({ ...unknown, state: "stopped", stateSince: null, writtenAt: null });
  });

  it("is for one network when the request names it, and a 400 when that network is disabled", async () => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
    expect((await ask("?network=evm-sepolia")).networks).toMatchObject([{ network: "evm-sepolia", chainId: 11155111 }]);
    api = appOver(engine, { networks: [networkOf(engine, "mainnet")] });
    expect((await ask("?network=evm-sepolia")).status).toBe(400);
    expect((await ask()).networks).toHaveLength(1);
  });

  it("is read from the schema of the network", async () => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
    api = appOver(engine, { networks: [{ ...networkOf(engine, "mainnet"), schema: "another" }] });
    expect((await ask()).networks).toMatchObject([{ state: "stopped", writtenAt: null }]);
  });

  it("may be reused for a second, and its tag depends on its whole content", async () => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
    const { headers } = await ask();
    expect(headers.get("cache-control")).toBe("public, max-age=1, must-revalidate");
    const condition = { headers: { "If-None-Match": headers.get("etag") ?? "" } };
    expect((await checkedRequest(api, PATH, condition)).response.status).toBe(304);
    api = appOver(engine, { now: () => NOW + 1n });
    expect((await checkedRequest(api, PATH, condition)).response.status).toBe(200);
  });
});

describe("a row that no indexer updates", () => {
  it.each([
    [15, "live", 200],
    [25, "stopped", 503],
  ])("%i seconds old is %s", async (ageSeconds, state, status) => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE }, ageSeconds);
    expect((await ask()).networks.map((network) => network.state)).toEqual([state, state]);
    expect((await ask("?maxLagSeconds=3600")).status).toBe(status);
  });

  it("keeps a fault of the indexed rows", async () => {
    await insertStatus(engine, { mainnet: { ...LIVE, state: "damaged", reason: "swap 1 differs" }, sepolia: LIVE }, 25);
    expect((await ask()).networks[0]).toMatchObject({ state: "damaged", reason: "swap 1 differs" });
  });
});

describe("maxLagSeconds", () => {
  it("gives a 503 with the same body for a longer lag, which caches must not store", async () => {
    const indexed = { blockNumber: 3_990n, timestamp: NOW - 120n };
    await insertStatus(engine, { mainnet: { ...LIVE, indexed }, sepolia: LIVE });
    const plain = await ask();
    expect((await ask("?maxLagSeconds=120")).status).toBe(200);
    const beyond = await ask("?maxLagSeconds=119");
    expect(beyond.status).toBe(503);
    expect(beyond.networks).toEqual(plain.networks);
    expect(beyond.headers.get("cache-control")).toBe("no-store");
    expect(beyond.headers.get("etag")).toBeNull();
    expect((await ask("?maxLagSeconds=119&network=evm-sepolia")).status).toBe(200);
    expect((await ask("?maxLagSeconds=119&network=evm-mainnet")).status).toBe(503);
  });

  it.each(INDEXING_STATES)("requires the state live or backfill, whatever the lag: %s", async (state) => {
    await insertStatus(engine, { mainnet: { ...LIVE, state }, sepolia: LIVE });
    expect((await ask()).status).toBe(200);
    const expected = state === "live" || state === "backfill" ? 200 : 503;
    expect((await ask("?maxLagSeconds=60")).status).toBe(expected);
  });

  it("gives a 503 when the newest block is far in the future, because the clock of this process is behind", async () => {
    const at = (timestamp: bigint) => ({ ...LIVE, indexed: { blockNumber: 3_990n, timestamp } });
    await insertStatus(engine, { mainnet: at(NOW + 20n), sepolia: LIVE });
    expect((await ask("?maxLagSeconds=60")).status).toBe(200);
    await insertStatus(engine, { mainnet: at(NOW + 3_600n), sepolia: LIVE });
    expect((await ask("?maxLagSeconds=31536000")).status).toBe(503);
  });

  it("gives a 503 when the lag is not known", async () => {
    await insertStatus(engine, { mainnet: EMPTY, sepolia: LIVE });
    expect((await ask("?maxLagSeconds=31536000")).status).toBe(503);
  });
});

describe("maxAgeSeconds", () => {
  it("gives a 503 when no state is as young, whatever the states are", async () => {
    await insertStatus(engine, { mainnet: { ...LIVE, state: "unreachable" }, sepolia: LIVE });
    await engine.execute(`
      UPDATE core_offchain.indexing_status SET written_at = now() - interval '500 s';
      UPDATE core_offchain.indexing_status SET written_at = now() - interval '4000 s' WHERE chain_id <> 1`);
    expect((await ask("?maxAgeSeconds=600")).status).toBe(200);
    const old = await ask("?maxAgeSeconds=499");
    expect([old.status, old.headers.get("cache-control")]).toEqual([503, "no-store"]);
    // The other indexer has stopped, which is not a reason to leave this replica out.
    expect((await ask("?maxAgeSeconds=3999&network=evm-sepolia")).status).toBe(503);
    expect((await ask("?maxAgeSeconds=600&maxLagSeconds=3600")).status).toBe(503);
  });

  it("gives a 503 when the time of the state is far in the future, which says nothing about its age", async () => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE }, -20);
    expect((await ask("?maxAgeSeconds=5")).status).toBe(200);
    await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE }, -3_600);
    const { status, networks } = await ask("?maxAgeSeconds=5");
    expect(status).toBe(503);
    expect(networks.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
  });

  it("gives a 503 when nothing was ever written", async () => {
    await engine.execute("DELETE FROM core_offchain.indexing_status");
    expect((await ask("?maxAgeSeconds=31536000")).status).toBe(503);
  });
});

describe("/v1/status", () => {
  const textOf = async () => (await checkedRequest(api, "/v1/status")).body;

  it("names every state except live, and begins with the worst unless all are live", async () => {
    await insertStatus(engine, { mainnet: LIVE, sepolia: { ...LIVE, state: "backfill" } });
    expect(await textOf()).toBe("ok\nevm-mainnet on\nevm-sepolia on, backfill\n");
    await insertStatus(engine, { mainnet: { ...LIVE, state: "stalled" }, sepolia: { ...LIVE, state: "damaged" } });
    api = appOver(engine);
    expect(await textOf()).toBe("damaged\nevm-mainnet on, stalled\nevm-sepolia on, damaged\n");
  });

  it("reports stopped if no indexer writes", async () => {
    await insertStatus(engine, { sepolia: LIVE });
    expect(await textOf()).toBe("stopped\nevm-mainnet on, stopped\nevm-sepolia on\n");
  });
});

describe("a row", () => {
  it("is read as it was written, and replaced by the next one", async () => {
    const place = networkOf(engine, "mainnet");
    for (const record of [LIVE, EMPTY, { ...LIVE, state: "forked" as const, reason: 'it\'s "quoted"' }]) {
      await insertStatus(engine, { mainnet: record }, 0);
      const [row] = await readStatusRows(engine.database, [place]);
      const { confirmed, ...shown } = record;
      expect(row).toMatchObject(shown);
      // An indexer that has not confirmed a block yet keeps the one of the run before.
      expect(await readConfirmedBlock(engine.database, place)).toEqual({ number: 3_935n, hash: LIVE.confirmed?.hash });
      expect(row?.ageSeconds).toBeGreaterThanOrEqual(0);
      expect(row?.ageSeconds).toBeLessThan(60);
    }
  });
});
