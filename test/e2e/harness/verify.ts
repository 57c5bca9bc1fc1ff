/** Compares a whole API with the oracle. Each function throws an Error that names the first difference. */
import type { Address, Hex } from "viem";
import { Random } from "../../../localnet/random.ts";
import { timeText } from "../../support/time.ts";
import { type NetworkOracle, readPrice } from "../oracle/network.ts";
import { type Range, recomputeVolume } from "../oracle/volume.ts";
import type { ApiClient, ApiNetwork, UsedPrice, VolumeAnswer } from "./api.ts";
import { assertSame } from "./compare.ts";

const DAY_SECONDS = 86_400n;
const MAX_RANGE_SECONDS = 365n * DAY_SECONDS;

export interface VolumeExpectation {
  /** RWAs that may have no price. Default: none. */
  readonly unpriced?: readonly Hex[];
  /**
   * The block at which adapter prices are read for comparison: the block that the answer names or, when that block may
   * have been replaced by a reorganization, the head. Default "observation".
   */
  readonly pricesAt?: "observation" | "head";
}

/** Checks that the paged history is the recomputed one: each transaction once, in order, with equal fields. */
export async function verifyHistory(api: ApiClient, network: ApiNetwork, oracle: NetworkOracle): Promise<void> {
  assertSame(`history of ${network}`, oracle.transactions, await api.wholeHistory(network));
}

/** Checks that one volume answer equals the recomputation from the legs in every field except the coverage. */
export async function verifyVolume(
  api: ApiClient,
  network: ApiNetwork,
  oracle: NetworkOracle,
  range: Range,
  lpAddress?: Address,
  expectation: VolumeExpectation = {},
): Promise<VolumeAnswer> {
  const from = timeText(range.from);
  const to = timeText(range.to);
  const answer = await api.volume(network, { from, to, ...(lpAddress ? { lpAddress } : {}) });
  await assertVolume(`volume of ${network} over [${from}, ${to}) for ${lpAddress ?? "all LPs"}`, answer, oracle, {
    range,
    network,
    ...(lpAddress ? { lpAddress } : {}),
    ...expectation,
  });
  return answer;
}

export async function assertVolume(
  what: string,
  answer: VolumeAnswer,
  oracle: NetworkOracle,
  {
    range,
    network,
    lpAddress,
    unpriced = [],
    pricesAt = "observation",
  }: VolumeExpectation & { readonly range: Range; readonly network: ApiNetwork; readonly lpAddress?: Address },
): Promise<void> {
  const prices = new Map<Hex, bigint>();
  for (const used of answer.usedPrices) prices.set(used.assetId, await verifiedPrice(what, used, oracle, pricesAt));
  const { usedPriceAssetIds, ...figures } = recomputeVolume(oracle.legs, range, prices, lpAddress);
  const { coverage: _coverage, usedPrices, ...rest } = answer;
  assertSame(
    what,
    {
      network,
      chainId: oracle.chain.chainId,
      from: timeText(range.from),
      to: timeText(range.to),
      ...figures,
    },
    rest,
  );
  assertSame(
    `${what}: ids of usedPrices`,
    usedPriceAssetIds,
    usedPrices.map(({ assetId }) => assetId),
  );
  for (const assetId of answer.missingPriceAssetIds) {
    if (!unpriced.includes(assetId)) throw new Error(`${what}: the price of ${assetId} is missing`);
  }
}

/** Prices that were read, by RWA and block. An oracle knows the hash of each block, so they never change. */
const pricesRead = new WeakMap<NetworkOracle, Map<string, ReturnType<typeof readPrice>>>();

function priceOnce(oracle: NetworkOracle, rwaId: Hex, blockNumber: bigint): ReturnType<typeof readPrice> {
  const prices = pricesRead.get(oracle) ?? new Map<string, ReturnType<typeof readPrice>>();
  pricesRead.set(oracle, prices);
  const key = `${rwaId} ${blockNumber}`;
  const price = prices.get(key) ?? readPrice(oracle, rwaId, blockNumber);
  prices.set(key, price);
  return price;
}

/** Compares an entry of the answer with the price that the asset's adapter returns, and returns that price. */
async function verifiedPrice(
  what: string,
  used: UsedPrice,
  oracle: NetworkOracle,
  pricesAt: "observation" | "head",
): Promise<bigint> {
  const head = BigInt(oracle.chain.blockHashes.length - 1);
  const observed = BigInt(used.observation.blockNumber);
  const { priceAdapter, priceUsdWad } = await priceOnce(
    oracle,
    used.assetId,
    pricesAt === "observation" ? observed : head,
  );
  assertSame(
    `${what}: usedPrices of ${used.assetId}`,
    {
      priceAdapter,
      priceUsdWad: String(priceUsdWad),
      ...(pricesAt === "observation" ? { blockHash: oracle.chain.blockHashes[Number(observed)] } : {}),
    },
    {
      priceAdapter: used.priceAdapter,
      priceUsdWad: used.priceUsdWad,
      ...(pricesAt === "observation" ? { blockHash: used.observation.blockHash } : {}),
    },
  );
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(used.fetchedAt) || Date.parse(used.fetchedAt) > Date.now()) {
    throw new Error(`${what}: fetchedAt is ${used.fetchedAt}`);
  }
  return priceUsdWad;
}

/**
 * Returns ranges that probe the edges of the legs: from or to the exact second of a leg, one second long, between two
 * legs, before the first leg, after the last one, of the longest allowed length, and arbitrary ones.
 */
export function probingRanges(oracle: NetworkOracle, count: number, seed: number): Range[] {
  const random = new Random(BigInt(seed));
  const seconds = [...new Set(oracle.legs.map(({ timestamp }) => timestamp))].sort((a, b) => (a < b ? -1 : 1));
  const first = seconds.at(0);
  const last = seconds.at(-1);
  if (first === undefined || last === undefined) throw new Error("there are no legs");
  const jitter = (span: bigint) => random.between(0n, span - 1n);
  const shapes: (() => Range)[] = [
    () => ordered(random.pick(seconds), random.pick(seconds)),
    () => ordered(random.pick(seconds), random.pick(seconds) + 1n),
    () => ((second) => ({ from: second, to: second + 1n }))(random.pick(seconds)),
    () => ((second) => ({ from: second - 1n, to: second }))(random.pick(seconds)),
    () => between(seconds, random.integer(0, seconds.length - 2)),
    () => ({ from: first - 1n - jitter(30n * DAY_SECONDS), to: first }),
    () => ({ from: last, to: last + 1n + jitter(30n * DAY_SECONDS) }),
    () => ({ from: last + 1n, to: last + 2n + jitter(100n * DAY_SECONDS) }),
    () => ((to) => ({ from: to - MAX_RANGE_SECONDS, to }))(random.pick(seconds) + jitter(2n)),
    () => ordered(first + jitter(last - first), first + jitter(last - first)),
    () => ordered(first + jitter(last - first), first + jitter(last - first)),
  ];
  return Array.from({ length: count }, (_, index) => shapes[index % shapes.length]?.() ?? { from: first, to: last });
}

function ordered(one: bigint, other: bigint): Range {
  if (one === other) return { from: one, to: one + 1n };
  return one < other ? { from: one, to: other } : { from: other, to: one };
}

/** A range from just after one leg to the second of the next leg, which is outside the range. */
function between(seconds: readonly bigint[], index: number): Range {
  return ordered((seconds[index] ?? 0n) + 1n, seconds[index + 1] ?? 1n);
}
