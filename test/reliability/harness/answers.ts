/**
 * All answers of an API about two chains without new blocks, and their digest. Two indexes of the same chains have the
 * same digest, whatever happened to them. Only their progress and the times of price reads are omitted.
 */
import { createHash } from "node:crypto";
import type { NetworkName } from "../../../config/networks.ts";
import { type ApiClient, apiNetwork, type VolumeAnswer } from "../../e2e/harness/api.ts";
import { describeDifference, firstDifference } from "../../e2e/harness/compare.ts";
import { probingRanges } from "../../e2e/harness/verify.ts";
import type { HistoryTransaction } from "../../e2e/oracle/history.ts";
import type { NetworkOracle } from "../../e2e/oracle/network.ts";
import type { Range } from "../../e2e/oracle/volume.ts";
import { timeText } from "../../support/time.ts";
import type { Comparison } from "./figures.ts";

export const NETWORKS: readonly NetworkName[] = ["mainnet", "sepolia"];

/** The contents of the chains themselves, by network. */
export type Oracles = Readonly<Record<NetworkName, NetworkOracle>>;

export interface Answers {
  /** Every transaction of each network, newest first. */
  readonly histories: ReadonlyMap<NetworkName, readonly HistoryTransaction[]>;
  /** Number of legs in the volume over the whole time, by network. */
  readonly legCounts: ReadonlyMap<NetworkName, number>;
  /** Volumes, series and metadata, by request. */
  readonly others: ReadonlyMap<string, unknown>;
}

const RANGES = 11;
const RANGE_SEED = 5;
const DAY_SECONDS = 86_400n;

interface AssetsAnswer {
  readonly coverage: unknown;
  readonly rwas: readonly { readonly price: { readonly priceUsdWad: string } | null }[];
}

/**
 * Walks every page of every network, and requests the volume of fixed ranges in total, per LP and as a series, as well
 * as the metadata and terms. The ranges follow from the chains, so every index of them gets the same requests.
 */
export async function takeAnswers(api: ApiClient, oracles: Oracles): Promise<Answers> {
  const histories = new Map<NetworkName, readonly HistoryTransaction[]>();
  const legCounts = new Map<NetworkName, number>();
  const others = new Map<string, unknown>();
  for (const network of NETWORKS) {
    const oracle = oracles[network];
    histories.set(network, await api.wholeHistory(apiNetwork(network)));
    const whole = wholeRange(oracle);
    const { totalLegCount } = await api.volume(apiNetwork(network), textOf(whole));
    legCounts.set(network, totalLegCount);
    for (const path of volumePaths(network, oracle, whole)) {
      others.set(path, comparable(await api.json<Partial<VolumeAnswer>>(path)));
    }
  }
  others.set("/v1/info", await api.json("/v1/info"));
  for (const network of NETWORKS) {
    const path = `/v1/assets?network=${apiNetwork(network)}`;
    const { coverage: _coverage, rwas, ...terms } = await api.json<AssetsAnswer>(path);
    others.set(path, {
      ...terms,
      rwas: rwas.map(({ price, ...rwa }) => ({ ...rwa, priceUsdWad: price?.priceUsdWad })),
    });
  }
  return { histories, legCounts, others };
}

/** SHA-256 of all answers, in hex. */
export function digestOf({ histories, legCounts, others }: Answers): string {
  return createHash("sha256")
    .update(JSON.stringify([[...histories], [...legCounts], [...others]]))
    .digest("hex");
}

/** Everything that the reference has and the index lacks, and everything that differs or does not add up. */
export function compareAnswers(reference: Answers, index: Answers): Comparison {
  const lost: string[] = [];
  const wrong: string[] = [];
  const differences: string[] = [];
  for (const [network, expectedRows] of reference.histories) {
    const rows = index.histories.get(network) ?? [];
    const byHash = new Map(rows.map((row) => [row.transactionHash, row]));
    for (const expected of expectedRows) {
      const key = `${network} ${expected.transactionHash}`;
      const row = byHash.get(expected.transactionHash);
      const difference = row && firstDifference(expected, row);
      if (row === undefined) {
        lost.push(key);
        differences.push(`${key} of block ${expected.inclusion.blockNumber} is missing`);
      } else if (difference) {
        wrong.push(key);
        differences.push(`${key}: ${describeDifference(difference)}`);
      }
    }
    const known = new Set(expectedRows.map(({ transactionHash }) => transactionHash));
    for (const { transactionHash } of rows.filter((row) => !known.has(row.transactionHash))) {
      wrong.push(`${network} ${transactionHash}`);
      differences.push(`${network} ${transactionHash} is in the history and not in the chain`);
    }
    const positions = (list: readonly HistoryTransaction[]) => String(list.map((row) => row.transactionHash));
    if (differences.length === 0 && positions(expectedRows) !== positions(rows)) {
      wrong.push(`${network} order`);
      differences.push(`the history of ${network} is in another order, or repeats a row`);
    }
  }
  for (const [asked, expected] of reference.others) {
    const difference = firstDifference(expected, index.others.get(asked));
    if (!difference) continue;
    wrong.push(asked);
    differences.push(`${asked}: ${describeDifference(difference)}`);
  }
  for (const contradiction of contradictionsOf(index)) {
    wrong.push(contradiction);
    differences.push(contradiction);
  }
  return { lost, wrong, first: differences[0] ?? null };
}

/** Contradictions between the history and the volume of one index, which are wrong whatever the reference contains. */
function contradictionsOf({ histories, legCounts }: Answers): string[] {
  return [...histories].flatMap(([network, rows]) => {
    const legs = rows.flatMap(({ activities }) => activities.filter(({ type }) => type === "swap")).length;
    const counted = legCounts.get(network);
    return counted === legs ? [] : [`${network}: ${legs} legs in the history, ${counted} in the volume`];
  });
}

/** The range from a day before the first leg to a day after the newest block. */
function wholeRange({ legs }: NetworkOracle): Range {
  const [first, last] = [legs.at(0), legs.at(-1)];
  if (first === undefined || last === undefined) throw new Error("the chain holds no legs");
  return { from: first.timestamp - DAY_SECONDS, to: last.timestamp + DAY_SECONDS };
}

function volumePaths(network: NetworkName, oracle: NetworkOracle, whole: Range): string[] {
  const lps = [...new Set(oracle.legs.map(({ lpAddress }) => lpAddress))].sort();
  const path = (endpoint: string, range: Range, more: Readonly<Record<string, string>> = {}) =>
    `${endpoint}?${new URLSearchParams({ network: apiNetwork(network), ...textOf(range), ...more })}`;
  return [
    ...[whole, ...probingRanges(oracle, RANGES, RANGE_SEED)].map((range) => path("/v1/volume", range)),
    ...lps.map((lpAddress) => path("/v1/volume", whole, { lpAddress })),
    path("/v1/volume/series", whole, { interval: "day" }),
  ];
}

function textOf({ from, to }: Range): { from: string; to: string } {
  return { from: timeText(from), to: timeText(to) };
}

/** Omits the progress of the index and the times of price reads. */
function comparable({ coverage: _coverage, usedPrices = [], ...figures }: Partial<VolumeAnswer>) {
  return { ...figures, usedPrices: usedPrices.map(({ assetId, priceUsdWad }) => ({ assetId, priceUsdWad })) };
}
