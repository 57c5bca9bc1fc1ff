import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { scheduleGauges } from "../../src/api/status/gauges.ts";
import { readNetworkStatuses } from "../../src/api/status/statuses.ts";
import { insertRows, openEngine, pricesOf, type TestEngine } from "./support/engine.ts";
import { GOLD, insertPricedAssets, tbillPrice } from "./support/legs.ts";
import { addressOf, hashOf, insertStatus, LIVE, NOW, networkOf } from "./support/world.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("gauges_test");
  await insertPricedAssets(engine);
  await insertStatus(engine, {
    mainnet: { ...LIVE, indexed: { blockNumber: 3_990n, timestamp: NOW - 120n } },
    sepolia: { ...LIVE, head: null, indexed: null, audit: null, state: "damaged" },
  });
});
afterAll(() => engine.close());

it("shows ages that grow with the clock, and the state of each network", async () => {
  await pricesOf(engine, tbillPrice);
  const networks = [networkOf(engine, "mainnet"), networkOf(engine, "sepolia")];
  const registry = new Registry();
  const warnings: unknown[] = [];
  let now = NOW;
  const options = {
    database: engine.database,
    networks,
    readStatuses: () =>
      readNetworkStatuses({ database: engine.database, networks, forkOf: () => null, now: () => now }),
    registry,
    now: () => now,
    logWarning: (message: string, error?: unknown) => warnings.push(message, error),
  };
  // A reload of the API module starts the gauges a second time.
  scheduleGauges(options);
  const schedule = scheduleGauges(options);
  const seriesValue = async (series: string) =>
    (await registry.metrics())
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")[1];

  await vi.waitFor(
    async () => expect(await seriesValue('coreswap_reorganizations{chain="sepolia"}')).toBe("2"),
    60_000,
  );
  expect(await seriesValue("coreswap_start_time_seconds")).toBe(String(Math.floor(performance.timeOrigin / 1000)));
  expect(await seriesValue('coreswap_head_age_seconds{chain="mainnet"}')).toBe("12");
  expect(await seriesValue('coreswap_indexing_lag_seconds{chain="mainnet"}')).toBe("120");
  expect(await seriesValue('coreswap_price_age_seconds{chain="mainnet"}')).toBe("60");
  expect(await seriesValue('coreswap_audit_age_seconds{chain="mainnet"}')).toBe("1");
  expect(await seriesValue('coreswap_indexing_state{chain="mainnet",state="live"}')).toBe("1");
  expect(await seriesValue('coreswap_indexing_state{chain="mainnet",state="damaged"}')).toBe("0");
  expect(await seriesValue('coreswap_indexing_state{chain="sepolia",state="damaged"}')).toBe("1");
  for (const age of ["head_age", "indexing_lag", "price_age", "audit_age"]) {
    expect(await seriesValue(`coreswap_${age}_seconds{chain="sepolia"}`)).toBeUndefined();
  }
  now += 30n;
  expect(await seriesValue('coreswap_indexing_lag_seconds{chain="mainnet"}')).toBe("150");
  schedule.stop();
  expect(warnings).toEqual([]);
});

it("does not show a price as fresh that a clock ahead dated after now", async () => {
  const gold = { ...tbillPrice, rwaId: GOLD, priceAdapter: addressOf("GOLD adapter") };
  const networks = [networkOf(engine, "mainnet")];
  for (const [fetchedAt, age] of [
    [NOW + 86_400n * 365n, String(86_400 * 365)],
    [NOW + 5n, "60"],
    [NOW - 70n, "70"],
  ] as const) {
    // The other price is a minute old.
    await pricesOf(engine, tbillPrice, { ...gold, fetchedAt });
    const registry = new Registry();
    const warnings: unknown[] = [];
    const schedule = scheduleGauges({
      database: engine.database,
      networks,
      readStatuses: () =>
        readNetworkStatuses({ database: engine.database, networks, forkOf: () => null, now: () => NOW }),
      registry,
      now: () => NOW,
      logWarning: (message, error) => warnings.push(message, error),
    });
    await vi.waitFor(
      async () => expect(await registry.metrics()).toContain(`\ncoreswap_price_age_seconds{chain="mainnet"} ${age}\n`),
      60_000,
    );
    schedule.stop();
    expect(warnings).toEqual([]);
  }
});

it("counts RWAs whose adapter was not read, with the age of the former price in use, and of a state that no indexer renews", async () => {
  const registered = { chainId: 1, rwaId: hashOf("SILVER"), tokenAddress: addressOf("SILVER"), accepted: true };
  // No price is wanted without an adapter.
  await insertRows(engine, "rwa", [registered, { ...registered, rwaId: hashOf("COPPER") }]);
  await engine.execute(
    `UPDATE "${engine.schema}".rwa SET price_adapter = token_address WHERE rwa_id = '${hashOf("SILVER")}'`,
  );
  const former = { ...tbillPrice, rwaId: registered.rwaId, priceAdapter: addressOf("former"), fetchedAt: NOW - 7_200n };
  await insertRows(engine, "price_adapter_change", [
    {
      ...{ chainId: 1, rwaId: former.rwaId, adapterAddress: former.priceAdapter, transactionHash: hashOf("adapter") },
      ...{ second: 1_700_000_000n, blockNumber: 1, logIndex: 0 },
    },
  ]);
  await pricesOf(engine, tbillPrice, former);
  await engine.execute(`UPDATE core_offchain.indexing_status SET written_at = to_timestamp(${NOW - 40n})`);
  const networks = [networkOf(engine, "mainnet")];
  const registry = new Registry();
  let now = NOW;
  const schedule = scheduleGauges({
    database: engine.database,
    networks,
    readStatuses: () =>
      readNetworkStatuses({ database: engine.database, networks, forkOf: () => null, now: () => now }),
    registry,
    now: () => now,
    logWarning: (message, error) => expect.unreachable(`${message} ${error}`),
  });
  await vi.waitFor(
    async () => expect(await registry.metrics()).toContain('\ncoreswap_status_age_seconds{chain="mainnet"} 40\n'),
    60_000,
  );
  expect(await registry.metrics()).toContain('\ncoreswap_unpriced_rwas{chain="mainnet"} 1\n');
  expect(await registry.metrics()).toContain('\ncoreswap_price_age_seconds{chain="mainnet"} 7200\n');
  now += 30n;
  expect(await registry.metrics()).toContain('\ncoreswap_status_age_seconds{chain="mainnet"} 70\n');
  schedule.stop();
});
