import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { WantedPrice } from "../../src/api/prices/observe.ts";
import { createRefresher } from "../../src/api/prices/refresher.ts";
import { schedulePriceRefresh } from "../../src/api/prices/schedule.ts";
import type { PriceStore } from "../../src/api/prices/store.ts";
import { wantedPricesReader } from "../../src/api/prices/wanted.ts";
import { insertRows, openEngine, pricesOf, type TestEngine } from "./support/engine.ts";
import { startAdapterNode } from "./support/node.ts";
import { addressOf, hashOf, NOW, networkOf } from "./support/world.ts";

const [TBILL, GOLD] = ["TBILL", "GOLD"].map((symbol) => ({
  rwaId: hashOf(symbol),
  priceAdapter: addressOf(`${symbol} adapter`),
})) as [WantedPrice, WantedPrice];
const HOUR = 3_600n;
const DAY = 24n * HOUR;

let node: Awaited<ReturnType<typeof startAdapterNode>>;
let engine: TestEngine;
let store: PriceStore;
let wanted: WantedPrice[];
/** The time, in seconds. */
let clock: bigint;
/** By how many seconds the clock of this machine is ahead. */
let aheadBy: bigint;
let warnings: string[];

beforeAll(async () => {
  node = await startAdapterNode();
  engine = await openEngine("prices_test");
});
afterAll(async () => {
  await node.stop();
  await engine.close();
});
beforeEach(async () => {
  store = await pricesOf(engine);
  wanted = [TBILL, GOLD];
  clock = NOW;
  aheadBy = 0n;
  warnings = [];
  await node.setPrice(TBILL.priceAdapter, 105n);
  await node.setPrice(GOLD.priceAdapter, 2n ** 255n);
});

/** The genesis is in each of the node's chains. */
const newestBlock = async () => {
  const { number, hash } = await node.client.getBlock({ blockNumber: 0n });
  return { number, hash };
};

const refresher = (readWanted = async () => ({ wanted, isBackfilling: false, newestBlock: await newestBlock() })) =>
  createRefresher({
    chainId: 1,
    client: node.client,
    store,
    readWanted,
    now: () => clock + aheadBy,
    clock: () => Number(clock) * 1_000,
    logWarning: (message) => warnings.push(message),
  });

/** The cached prices of the adapters that are wanted. */
async function cachedPrices() {
  const adapters = new Set(wanted.map(({ priceAdapter }) => priceAdapter));
  const prices = (await store.read(1)).filter(({ priceAdapter }) => adapters.has(priceAdapter));
  return Object.fromEntries(prices.map(({ rwaId, priceUsdWad }) => [rwaId, priceUsdWad]));
}

describe("refresher", () => {
  it("reads every wanted price at the latest block, and stores that block with it", async () => {
    await refresher().refreshDue();
    const block = await node.client.getBlock();
    const observed = { chainId: 1, fetchedAt: NOW, blockNumber: block.number, blockHash: block.hash };
    const prices = [...(await store.read(1))].sort((a, b) => (a.priceUsdWad < b.priceUsdWad ? -1 : 1));
    expect(prices).toEqual([
      { ...TBILL, ...observed, priceUsdWad: 105n },
      { ...GOLD, ...observed, priceUsdWad: 2n ** 255n },
    ]);
    expect(warnings).toEqual([]);
    expect(await store.read(11155111)).toEqual([]);
  });

  it("keeps a price for 24 hours, and reads the price of a new asset or adapter at once", async () => {
    const { refreshDue } = refresher();
    wanted = [TBILL];
    await refreshDue();
    await node.setPrice(TBILL.priceAdapter, 106n);
    clock += DAY - 1n;
    wanted = [TBILL, GOLD];
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 105n, [GOLD.rwaId]: 2n ** 255n });
    clock += 1n;
    await refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 106n });

    const replacement = addressOf("another adapter");
    await node.setPrice(replacement, 107n);
    wanted = [{ ...TBILL, priceAdapter: replacement }];
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 107n });

    await node.setPrice(TBILL.priceAdapter, 108n);
    wanted = [TBILL];
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 108n });
  });

  it("does not read an adapter that was retired while it backfills past it beside another index", async () => {
    const retired = { ...TBILL, priceAdapter: addressOf("retired adapter") };
    await node.setPrice(retired.priceAdapter, 50n);
    let backfilled = [retired];
    const backfill = refresher(async () => ({
      wanted: backfilled,
      isBackfilling: true,
      newestBlock: await newestBlock(),
    }));
    await backfill.refreshDue();
    backfilled = [TBILL];
    await backfill.refreshDue();
    wanted = [retired, TBILL];
    expect((await store.read(1)).map(({ priceUsdWad }) => priceUsdWad).sort()).toEqual([105n, 50n]);

    backfilled = [{ ...TBILL, priceAdapter: addressOf("an adapter retired before") }];
    const another = refresher(async () => ({
      wanted: backfilled,
      isBackfilling: true,
      newestBlock: await newestBlock(),
    }));
    await another.refreshDue();
    expect(warnings).toEqual([]);
    expect(await store.read(1)).toHaveLength(2);
  });

  it("keeps the price of each adapter when two live indexes know different ones", async () => {
    const former = { ...TBILL, priceAdapter: addressOf("former adapter") };
    await node.setPrice(former.priceAdapter, 50n);
    wanted = [TBILL];
    const ahead = refresher();
    const behind = refresher(async () => ({
      wanted: [former],
      isBackfilling: false,
      newestBlock: await newestBlock(),
    }));
    for (const one of [ahead, behind, ahead, behind]) {
      await one.refreshDue();
      expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 105n });
    }
  });

  it("reads all prices again when a new process starts", async () => {
    await refresher().refreshDue();
    await node.setPrice(TBILL.priceAdapter, 106n);
    clock += 1n;
    await refresher().refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 106n });
  });

  it.each([
    ["the same process", false],
    ["a new process", true],
  ])("reads a price from a clock that was ahead again in %s, and then keeps it for 24 hours", async (_what, isNew) => {
    aheadBy = 365n * DAY;
    const ahead = refresher();
    await ahead.refreshDue();
    aheadBy = 0n;
    const { refreshDue } = isNew ? refresher() : ahead;
    await node.setPrice(TBILL.priceAdapter, 106n);
    await refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 106n });
    await node.setPrice(TBILL.priceAdapter, 107n);
    clock += DAY - 1n;
    await refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 106n });
    clock += 1n;
    await refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 107n });
  });

  it.each([
    ["replaced", [107n], 107n],
    ["taken back", [], 105n],
  ] as const)("reads a price again when its block was %s, and only then", async (_what, pricesAfter, expected) => {
    wanted = [TBILL];
    const { refreshDue } = refresher();
    const before = await node.client.snapshot();
    await node.setPrice(TBILL.priceAdapter, 110n);
    await refreshDue();
    await node.setPrice(TBILL.priceAdapter, 111n);
    clock += 30n;
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 110n });
    // The chain never had that price.
    await node.client.revert({ id: before });
    for (const price of pricesAfter) await node.setPrice(TBILL.priceAdapter, price);
    clock += 30n;
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: expected });
    expect(warnings).toEqual([]);
  });

  it.each([
    ["set back", 365n * DAY, 0n],
    ["set forward", 0n, 365n * DAY],
  ])("retries one minute after a failure, also when the clock is %s meanwhile", async (_what, before, after) => {
    wanted = [TBILL];
    await node.setReverting(TBILL.priceAdapter);
    aheadBy = before;
    const { refreshDue } = refresher();
    await refreshDue();
    aheadBy = after;
    await node.setPrice(TBILL.priceAdapter, 106n);
    clock += 59n;
    await refreshDue();
    expect(await cachedPrices()).toEqual({});
    clock += 1n;
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 106n });
  });

  it.each([
    ["reverts", () => node.setReverting(TBILL.priceAdapter)],
    ["answers zero", () => node.setPrice(TBILL.priceAdapter, 0n)],
  ])("keeps the earlier price of an adapter that %s, and retries after 1 to 60 minutes", async (_what, spoil) => {
    const { refreshDue } = refresher();
    await refreshDue();
    await spoil();
    clock += DAY;
    await refreshDue();
    expect(await cachedPrices()).toEqual({ [TBILL.rwaId]: 105n, [GOLD.rwaId]: 2n ** 255n });
    for (const minutes of [1n, 2n, 4n, 8n, 16n, 32n, 60n, 60n]) {
      const before = warnings.length;
      clock += minutes * 60n - 1n;
      await refreshDue();
      expect(warnings).toHaveLength(before);
      clock += 1n;
      await refreshDue();
      expect(warnings).toHaveLength(before + 1);
      expect(warnings.at(-1)).toContain(TBILL.priceAdapter);
    }
    await node.setPrice(TBILL.priceAdapter, 108n);
    clock += HOUR;
    await refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 108n });
  });

  it("forgets the failures of an adapter that answers again, and waits one minute after its next failure", async () => {
    const { refreshDue } = refresher();
    await node.setReverting(TBILL.priceAdapter);
    for (const minutes of [0n, 1n, 2n]) {
      clock += minutes * 60n;
      await refreshDue();
    }
    expect(warnings).toHaveLength(3);
    await node.setPrice(TBILL.priceAdapter, 108n);
    clock += 4n * 60n;
    await refreshDue();
    expect(await cachedPrices()).toMatchObject({ [TBILL.rwaId]: 108n });

    await node.setReverting(TBILL.priceAdapter);
    clock += DAY;
    await refreshDue();
    expect(warnings).toHaveLength(4);
    clock += 60n;
    await refreshDue();
    expect(warnings).toHaveLength(5);
  });

  it("continues after a failure of the node, and with an empty set of wanted prices", async () => {
    wanted = [];
    const { refreshDue } = refresher();
    await refreshDue();
    expect(await store.read(1)).toEqual([]);

    const dead = await startAdapterNode();
    await dead.stop();
    const unreachable = createRefresher({
      chainId: 1,
      client: dead.client,
      store,
      readWanted: async () => ({ wanted: [TBILL], isBackfilling: false, newestBlock: await newestBlock() }),
      now: () => clock + aheadBy,
      clock: () => Number(clock) * 1_000,
      logWarning: (message) => warnings.push(message),
    });
    await unreachable.refreshDue();
    await unreachable.refreshDue();
    expect(warnings).toEqual(["prices of chain 1 could not be read"]);
  });
});

describe("wanted prices", () => {
  it("are those of RWAs that were ever registered and have an adapter now", async () => {
    const readWanted = wantedPricesReader(engine.database, networkOf(engine, "mainnet"));
    expect(await readWanted()).toEqual({ wanted: [], isBackfilling: true, newestBlock: null });
    const token = { tokenAddress: addressOf("token"), decimals: 6 };
    await insertRows(engine, "rwa", [
      { chainId: 1, ...TBILL, ...token, accepted: true },
      { chainId: 1, ...GOLD, ...token, accepted: false },
      { chainId: 1, rwaId: hashOf("no adapter"), ...token, accepted: true },
      { chainId: 1, rwaId: hashOf("not registered"), priceAdapter: addressOf("x"), accepted: false },
      { chainId: 11155111, rwaId: hashOf("elsewhere"), ...token, priceAdapter: addressOf("x"), accepted: true },
    ]);
    const sorted = [TBILL, GOLD].sort((a, b) => (a.rwaId < b.rwaId ? -1 : 1));
    await engine.execute(`INSERT INTO "${engine.schema}"._ponder_meta VALUES ('app', '{"is_ready": 1}')`);
    const block = { number: 7n, hash: hashOf("block 7") };
    await insertRows(engine, "chain_state", [
      { chainId: 1, blockNumber: block.number, blockHash: block.hash, eventId: "7", seriesCount: 0 },
      { chainId: 11155111, blockNumber: 9n, blockHash: hashOf("block 9"), eventId: "9", seriesCount: 0 },
    ]);
    expect(await readWanted()).toEqual({ wanted: sorted, isBackfilling: false, newestBlock: block });
  });
});

describe("schedule", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("runs at once and then every 30 seconds, and continues after a failure", async () => {
    let runs = 0;
    const failures: unknown[] = [];
    const failing = {
      refreshDue: async () => {
        runs += 1;
        throw new Error(`run ${runs}`);
      },
    };
    const schedule = schedulePriceRefresh([failing], (_message, error) => failures.push(error));
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(2);
    expect(failures.map(String)).toEqual(["Error: run 1", "Error: run 2"]);
    schedule.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for a slow cycle instead of starting another", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const slow = {
      refreshDue: () => {
        runs += 1;
        return promise.then(() => ({ isBackfilling: false }));
      },
    };
    const schedule = schedulePriceRefresh([slow], () => {});
    await vi.advanceTimersByTimeAsync(90_000);
    expect(runs).toBe(1);
    resolve();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(runs).toBe(2);
    schedule.stop();
  });

  it("checks every second during the backfill", async () => {
    let runs = 0;
    const schedule = schedulePriceRefresh([{ refreshDue: async () => ({ isBackfilling: ++runs < 4 }) }], () => {});
    await vi.advanceTimersByTimeAsync(3_000);
    expect(runs).toBe(4);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(runs).toBe(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(5);
    schedule.stop();
  });

  it("replaces the schedule that an earlier load of the module started", async () => {
    const runs: string[] = [];
    const named = (name: string) => ({
      refreshDue: async () => {
        runs.push(name);
        return { isBackfilling: false };
      },
    });
    schedulePriceRefresh([named("first"), named("also first")], () => {});
    const schedule = schedulePriceRefresh([named("second")], () => {});
    await vi.advanceTimersByTimeAsync(30_000);
    expect(runs).toEqual(["first", "also first", "second", "second"]);
    schedule.stop();
  });
});
