import { expect, inject, test } from "vitest";
import { firstDifference } from "./harness/compare.ts";
import type { HistoryTransaction } from "./oracle/history.ts";
import { consultOracle } from "./oracle/network.ts";
import { recomputeVolume } from "./oracle/volume.ts";

type Path = readonly (string | number)[];

/** A transaction with every kind of field, read from the chain. */
async function richestTransactions(): Promise<HistoryTransaction[]> {
  const { transactions } = await consultOracle(inject("sharedStack").networks.mainnet);
  const swap = transactions.find(({ activities, directCall }) => activities.length > 1 && directCall);
  const allowlist = transactions.find(({ activities }) => activities[0]?.type === "allowlist");
  if (!swap || !allowlist) throw new Error("the fixture has no batch of several legs or no allowlist change");
  return [swap, allowlist];
}

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, Array.isArray(value) ? +key : key]));
}

function withLeaf(value: unknown, [key, ...rest]: Path, change: (leaf: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withLeaf(item, rest, change) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: withLeaf(object[key], rest, change) };
}

function pathText(path: Path): string {
  return path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}.${key}`), "$");
}

test("the comparator reports each changed field of an answer with its path", async () => {
  const expected = await richestTransactions();
  const leaves = leavesOf(expected);
  expect(leaves.length).toBeGreaterThan(50);
  for (const path of leaves) {
    const actual = withLeaf(expected, path, (leaf) => (leaf === null ? "0x" : `${leaf}0`));
    expect(firstDifference(expected, actual)?.path).toBe(pathText(path));
  }
});

test("the comparator reports missing, added, repeated and reordered elements", async () => {
  const expected = await richestTransactions();
  const [first, second] = expected as [HistoryTransaction, HistoryTransaction];
  const { nonce: _nonce, ...withoutNonce } = first;
  expect(firstDifference(expected, structuredClone(expected))).toBeNull();
  expect(firstDifference(expected, [first])?.path).toBe("$[1]");
  expect(firstDifference(expected, [first, second, second])?.path).toBe("$[2]");
  expect(firstDifference(expected, [second, first])?.path).toMatch(/^\$\[0\]/);
  expect(firstDifference(expected, [withoutNonce, second])?.path).toBe("$[0].nonce");
  expect(firstDifference(expected, [{ ...first, extra: null }, second])?.path).toBe("$[0].extra");
  expect(firstDifference("1", 1)).not.toBeNull();
  expect(firstDifference(null, undefined)).not.toBeNull();
});

test("the recomputed volume changes when a leg, a bound or a price changes", async () => {
  const { legs } = await consultOracle(inject("sharedStack").networks.mainnet);
  const whole = { from: 0n, to: 2n ** 40n };
  const rwaIds = legs.flatMap(({ worth }) => (worth.kind === "rwa" ? [worth.assetId] : []));
  const prices = new Map(rwaIds.map((id) => [id, 10n ** 18n]));
  const all = recomputeVolume(legs, whole, prices);
  for (const leg of legs.slice(0, 50)) {
    const others = legs.filter((other) => other !== leg);
    expect(recomputeVolume(others, whole, prices).totalLegCount).toBe(all.totalLegCount - 1);
    const sameSecond = legs.filter(({ timestamp }) => timestamp === leg.timestamp).length;
    const atSecond = (from: bigint, to: bigint) => recomputeVolume(legs, { from, to }, prices).totalLegCount;
    expect(atSecond(leg.timestamp, leg.timestamp + 1n)).toBe(sameSecond);
    expect(atSecond(leg.timestamp, whole.to)).toBe(atSecond(leg.timestamp + 1n, whole.to) + sameSecond);
  }
  expect(rwaIds.length).toBeGreaterThan(0);
  for (const id of prices.keys()) {
    const doubled = new Map(prices).set(id, 2n * 10n ** 18n);
    expect(recomputeVolume(legs, whole, doubled).pricedVolumeUsd).not.toBe(all.pricedVolumeUsd);
    prices.delete(id);
    expect(recomputeVolume(legs, whole, prices).missingPriceAssetIds).toContain(id);
  }
});
