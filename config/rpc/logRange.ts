/** Ranges of `eth_getLogs`: splits them, and checks the format of their answers. */
import { type Address, type Hash, type Hex, hexToBigInt, isHex, numberToHex } from "viem";
import { ADDRESS, DATA, HASH, SMALL_QUANTITY } from "./hex.ts";

/** The parts of a log that are compared. Nodes add other fields, which are kept as they are. */
export interface RpcLog {
  readonly blockNumber: Hex;
  readonly blockHash: Hash;
  readonly logIndex: Hex;
  readonly transactionHash: Hash;
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
}

/** A filter of `eth_getLogs` over blocks by their numbers. */
export interface LogRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly address?: Address | readonly Address[] | undefined;
  readonly topics?: readonly (Hash | readonly Hash[] | null)[] | undefined;
}

/** Returns the range of a request. Null for any other request, including one for the logs of a block by hash. */
export function logRangeOf({
  method,
  params,
}: {
  readonly method: string;
  readonly params?: unknown;
}): LogRange | null {
  if (method !== "eth_getLogs" || !Array.isArray(params)) return null;
  const { fromBlock, toBlock, ...filter } = (params[0] ?? {}) as Record<string, unknown>;
  if (!isHex(fromBlock) || !isHex(toBlock)) return null;
  return {
    ...(filter as Pick<LogRange, "address" | "topics">),
    from: hexToBigInt(fromBlock),
    to: hexToBigInt(toBlock),
  };
}

export function paramsOf({ from, to, ...filter }: LogRange): [Record<string, unknown>] {
  return [{ ...filter, fromBlock: numberToHex(from), toBlock: numberToHex(to) }];
}

/**
 * Splits the same blocks into two uneven parts. The second part extends beyond the range, as far as the node certainly
 * has blocks, but never covers more blocks than were requested. If an answer omits its last log, the two answers then
 * omit different logs.
 * @param newest newest block that may be requested
 */
export function cutDifferently(range: LogRange, newest: bigint): LogRange[] {
  const { from, to } = range;
  if (from === to) return [range];
  const firstEnd = from + ((to - from) * 3n) / 8n;
  const furthest = to + (firstEnd - from);
  const beyond = newest < to ? to : newest;
  return [
    { ...range, to: firstEnd },
    { ...range, from: firstEnd + 1n, to: furthest < beyond ? furthest : beyond },
  ];
}

/** Returns two halves, or null for a single block. */
export function halves(range: LogRange): [LogRange, LogRange] | null {
  const { from, to } = range;
  if (from === to) return null;
  const middle = (from + to) / 2n;
  return [
    { ...range, to: middle },
    { ...range, from: middle + 1n },
  ];
}

/**
 * Returns what cannot be right in an answer to this range, whatever the chain contains, or null if nothing is wrong.
 */
export function logsProblem(range: LogRange, answer: unknown): string | null {
  if (!Array.isArray(answer)) return "no list of logs";
  const hashes = new Map<number, string>();
  const seen = new Set<string>();
  for (const log of answer as readonly unknown[]) {
    if (!isLog(log)) return "a log that lacks something, or that was removed";
    const block = Number(log.blockNumber);
    if (block < range.from || block > range.to) return `a log of block ${block}, which was not requested`;
    if (!isWanted(range, log)) return `a log of block ${block} that the filter leaves out`;
    const known = hashes.get(block);
    if (known !== undefined && known !== log.blockHash) return `logs of two blocks ${block}`;
    hashes.set(block, log.blockHash);
    const place = `${block}/${Number(log.logIndex)}`;
    if (seen.has(place)) return `log ${Number(log.logIndex)} of block ${block} twice`;
    seen.add(place);
  }
  return null;
}

/**
 * Checks a log without a schema: a range has up to tens of thousands of logs, and a schema takes twenty times as long.
 */
function isLog(value: unknown): value is RpcLog {
  if (typeof value !== "object" || value === null) return false;
  const log = value as Readonly<Record<string, unknown>>;
  const matches = (pattern: RegExp, field: unknown) => typeof field === "string" && pattern.test(field);
  return (
    matches(SMALL_QUANTITY, log.blockNumber) &&
    matches(SMALL_QUANTITY, log.logIndex) &&
    matches(HASH, log.blockHash) &&
    matches(HASH, log.transactionHash) &&
    matches(ADDRESS, log.address) &&
    matches(DATA, log.data) &&
    Array.isArray(log.topics) &&
    log.topics.every((topic) => matches(HASH, topic)) &&
    log.removed !== true
  );
}

/** Whether the filter matches the log. */
export function isWanted({ address, topics }: LogRange, log: Pick<RpcLog, "address" | "topics">): boolean {
  const takes = (wanted: string | readonly string[] | null | undefined, found: string | undefined): boolean =>
    wanted === null ||
    wanted === undefined ||
    (found !== undefined && [wanted].flat().some((item) => item.toLowerCase() === found.toLowerCase()));
  return takes(address, log.address) && (topics ?? []).every((topic, index) => takes(topic, log.topics[index]));
}

/** Sorts logs in the order of the chain. */
export function inChainOrder<Log extends RpcLog>(logs: readonly Log[]): Log[] {
  return logs.toSorted(
    (a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
  );
}

/** The fields of a log in which two answers must agree. */
function identityOf({ blockHash, logIndex, transactionHash, address, topics, data }: RpcLog): string {
  return [blockHash, Number(logIndex), transactionHash, address, data, ...topics].join(" ").toLowerCase();
}

export function sameLogs(one: readonly RpcLog[], other: readonly RpcLog[]): boolean {
  return (
    one.length === other.length && one.every((log, index) => identityOf(log) === identityOf(other[index] as RpcLog))
  );
}

/** Returns the first block for which two lists of logs in chain order differ, or null when they are equal. */
export function firstDifference(one: readonly RpcLog[], other: readonly RpcLog[]): bigint | null {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [a, b] = [one[index], other[index]];
    if (a !== undefined && b !== undefined && identityOf(a) === identityOf(b)) continue;
    return BigInt(
      Math.min(...[a, b].map((log) => (log === undefined ? Number.POSITIVE_INFINITY : Number(log.blockNumber)))),
    );
  }
  return null;
}
