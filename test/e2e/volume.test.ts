import type { Address } from "viem";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { timeText } from "../support/time.ts";
import { ApiClient } from "./harness/api.ts";
import { assertVolume, probingRanges, verifyVolume } from "./harness/verify.ts";
import { consultOracle, type NetworkOracle } from "./oracle/network.ts";
import { type Range, recomputeVolume } from "./oracle/volume.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const RANGE_COUNT = 50;
const UNKNOWN_LP: Address = "0x00000000000000000000000000000000000000a1";
const THIRTY_DAYS = 30n * 86_400n;

describe.each([
  { network: "evm-mainnet", source: stack.networks.mainnet, seed: 1 },
  { network: "evm-sepolia", source: stack.networks.sepolia, seed: 2 },
] as const)("volume of $network", ({ network, source, seed }) => {
  let oracle: NetworkOracle;
  let ranges: Range[];

  beforeAll(async () => {
    oracle = await consultOracle(source);
    ranges = probingRanges(oracle, RANGE_COUNT, seed);
  });

  test("the history has legs of every kind and several LPs", () => {
    const kinds = new Set(oracle.legs.map(({ worth }) => worth.kind));
    expect([...kinds].sort()).toEqual(["rwa", "stablecoin"]);
    expect(lpsOf(oracle).length).toBeGreaterThanOrEqual(2);
    expect(oracle.legs.length).toBeGreaterThan(400);
  });

  test("X1: over random ranges, the volume equals the recomputed volume to the last digit, in total and per LP", async () => {
    for (const range of ranges) await verifyVolume(api, network, oracle, range);
    const counts = ranges.map((range) => recomputeVolume(oracle.legs, range, new Map()).totalLegCount);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(RANGE_COUNT / 2);
    expect(counts).toContain(0);
  });

  test("fees of every kind occur, also between RWAs, and at several LPs", async () => {
    const between = oracle.legs.filter(({ worth }) => worth.kind === "rwa");
    expect(between.some(({ feesWad }) => feesWad.lp > 0n)).toBe(true);
    const last = oracle.legs.at(-1)?.timestamp ?? 0n;
    const answer = await verifyVolume(api, network, oracle, { from: last - 300n * 86_400n, to: last + 1n });
    for (const fee of ["issuerFeeWad", "spreadFeeWad", "lpFeeWad"] as const) {
      expect(BigInt(answer[fee])).toBeGreaterThan(0n);
      expect(answer.lpVolumes.filter((line) => BigInt(line[fee]) > 0n).length).toBeGreaterThanOrEqual(2);
      expect(answer.lpVolumes.reduce((sum, line) => sum + BigInt(line[fee]), 0n)).toBe(BigInt(answer[fee]));
    }
  });

  test("prefund and sweep legs count like any other leg", async () => {
    const swaps = oracle.transactions.flatMap(({ activities }) => activities.filter(({ type }) => type === "swap"));
    const derived = swaps.filter((swap) => swap.type === "swap" && swap.operator === swap.contract);
    expect(derived.length).toBeGreaterThan(50);
    const last = oracle.legs.at(-1)?.timestamp ?? 0n;
    const answer = await verifyVolume(api, network, oracle, { from: last - 300n * 86_400n, to: last + 1n });
    const counted = answer.lpVolumes.map(({ totalLegCount }) => Number(totalLegCount));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(swaps.length);
  });

  test("the volume of one LP equals the recomputed volume, and an address that is not an LP has no volume", async () => {
    for (const range of ranges) {
      for (const lpAddress of lpsOf(oracle)) await verifyVolume(api, network, oracle, range, lpAddress);
    }
    const [range] = ranges;
    if (!range) throw new Error("there are no ranges");
    const answer = await verifyVolume(api, network, oracle, range, UNKNOWN_LP);
    expect(answer).toMatchObject({ lpVolumes: [], pricedVolumeUsd: "0.000000", pricingComplete: true });
  });

  test("an omitted upper bound is the request time, and an omitted lower bound is 30 days before the upper one", async () => {
    const before = nowSeconds();
    const answer = await api.volume(network);
    const to = seconds(answer.to);
    expect(to).toBeGreaterThanOrEqual(before);
    expect(to).toBeLessThanOrEqual(nowSeconds());
    await assertVolume("volume without bounds", answer, oracle, { network, range: { from: to - THIRTY_DAYS, to } });

    const chosen = ranges.map((range) => range.to).find((bound) => bound <= before);
    if (chosen === undefined) throw new Error("no range ends before now");
    const withTo = await api.volume(network, { to: timeText(chosen) });
    const range = { from: chosen - THIRTY_DAYS, to: chosen };
    await assertVolume("volume with to alone", withTo, oracle, { network, range });

    const from = before - 86_400n;
    const withFrom = await api.volume(network, { from: timeText(from) });
    await assertVolume("volume with from alone", withFrom, oracle, {
      network,
      range: { from, to: seconds(withFrom.to) },
    });
  });

  test("prices equal those of the adapters, and every registered RWA has one", async () => {
    const last = oracle.legs.at(-1)?.timestamp ?? 0n;
    const answer = await verifyVolume(api, network, oracle, { from: last - 300n * 86_400n, to: last + 1n });
    expect(answer.usedPrices.length).toBeGreaterThanOrEqual(2);
    expect(answer.pricingComplete).toBe(true);
  });
});

function lpsOf(oracle: NetworkOracle): Address[] {
  return [...new Set(oracle.legs.map(({ lpAddress }) => lpAddress))];
}

function nowSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1000));
}

function seconds(timestamp: string): bigint {
  return BigInt(Date.parse(timestamp) / 1000);
}
