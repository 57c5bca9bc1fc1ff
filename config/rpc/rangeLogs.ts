/** Logs of a range of blocks, believed when two answers that were cut differently say the same. */
import { setTimeout as sleep } from "node:timers/promises";
import { hexToBigInt } from "viem";
import { proveBlock } from "./blockProof.ts";
import { NodeFailure } from "./failures.ts";
import {
  cutDifferently,
  firstDifference,
  halves,
  inChainOrder,
  isWanted,
  type LogRange,
  logsProblem,
  paramsOf,
  type RpcLog,
  sameLogs,
} from "./logRange.ts";
import type { AskOptions, RpcNetwork } from "./rpcNetwork.ts";
import type { RpcNode } from "./rpcNode.ts";

/** Comparisons that begin with the first URL, before one begins with the next. */
const COMPARISONS_OF_FIRST_URL = 3;

/** An answer to a part of a range. */
interface Part {
  readonly range: LogRange;
  readonly logs: readonly RpcLog[];
  readonly node: RpcNode;
}

/**
 * The logs of a range, asked for twice: as a whole, and of the next URL (if there is one) in other parts.
 *
 * While the answers differ they are asked for again, at last once beginning with the next URL. Then a block that they
 * differ in decides which URL is wrong: if its header, logs and receipts prove what it holds, a URL that said otherwise
 * is distrusted. If no block can be proven the network is reported as damaged, and the range is asked for slowly until the
 * answers agree: what is not agreed upon is never indexed.
 * @throws Error of viem that refuses the range as it was asked for, for Ponder to ask for fewer blocks
 */
export async function agreedLogs(network: RpcNetwork, range: LogRange): Promise<readonly RpcLog[]> {
  const { report, patience } = network;
  const key = `logs ${JSON.stringify(paramsOf(range))}`;
  for (let attempt = 1; ; attempt += 1) {
    const avoid = attempt > COMPARISONS_OF_FIRST_URL && attempt % 2 === 0 ? network.inOrder()[0] : undefined;
    const whole = await askPart(network, range, { avoid });
    const parts = await askInParts(network, range, whole.node);
    const others = parts.flatMap(({ logs }) => logs).filter(({ blockNumber }) => hexToBigInt(blockNumber) <= range.to);
    const block = firstDifference(whole.logs, others);
    if (block === null) {
      // A node of another chain has no logs of ours, twice.
      if (await areOfChain([whole, ...parts])) {
        report.clear(key);
        return whole.logs;
      }
      await sleep(patience.disagreementMs);
      continue;
    }
    if (attempt <= COMPARISONS_OF_FIRST_URL) {
      await sleep(attempt * patience.disagreementMs);
      continue;
    }
    if (await distrustLiars(network, block, [whole, ...parts])) continue;
    const [here, there] = [whole.logs, others].map((logs) =>
      logs.filter((log) => hexToBigInt(log.blockNumber) === block),
    );
    report.raise(
      key,
      "damaged",
      `two answers with the logs of blocks ${range.from} to ${range.to} differ first in block ${block}: ` +
        `${here?.length} logs and ${there?.length} logs`,
    );
    await sleep(patience.damagedMs);
  }
}

/** Whether those who answered still say that they are nodes of the chain. */
async function areOfChain(parts: readonly Part[]): Promise<boolean> {
  try {
    for (const node of new Set(parts.map((part) => part.node))) await node.confirmChain();
    return true;
  } catch (error) {
    if (error instanceof NodeFailure) return false;
    throw error;
  }
}

/**
 * Whether a URL that others may replace was found to be wrong about the block.
 */
async function distrustLiars(network: RpcNetwork, block: bigint, parts: readonly Part[]): Promise<boolean> {
  const proven = await proveBlock(network, block);
  if (typeof proven === "string") return false;
  const trusted = network.inOrder();
  const liars = parts
    .filter(({ range, logs }) => {
      if (block < range.from || block > range.to) return false;
      const right = proven.logs.filter((log) => isWanted(range, log));
      return !sameLogs(
        right,
        logs.filter((log) => hexToBigInt(log.blockNumber) === block),
      );
    })
    .map(({ node }) => node);
  // Of several one must be left that can be asked.
  if (trusted.every((node) => liars.includes(node))) return false;
  for (const liar of liars) liar.distrust();
  return liars.length > 0;
}

/** Asks for a part of a range of a URL that has its last block, or at least the one needed. */
async function askPart(
  network: RpcNetwork,
  range: LogRange,
  { needed = range.to, ...options }: AskOptions & { readonly needed?: bigint },
): Promise<Part> {
  const { answer, node } = await network.ask(
    {
      method: "eth_getLogs",
      params: paramsOf(range),
      problemOf: (found) => logsProblem(range, found),
      block: needed < range.to ? needed : range.to,
      isDivisible: range.from < range.to,
    },
    options,
  );
  return { range, logs: inChainOrder(answer as readonly RpcLog[]), node };
}

/** The same logs in other parts; parts that are refused are cut further. */
async function askInParts(network: RpcNetwork, range: LogRange, avoid: RpcNode): Promise<Part[]> {
  // A refusal of what lies beyond the range, be it for a URL that is less far, is like any other.
  const waiting = cutDifferently(range, avoid.newestBlock);
  const parts: Part[] = [];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    try {
      parts.push(await askPart(network, part, { avoid, needed: range.to }));
    } catch (error) {
      // A range that goes on beyond the one that was granted is first asked for without that.
      const smaller = part.to > range.to ? [{ ...part, to: range.to }] : halves(part);
      if (smaller === null) throw error;
      waiting.unshift(...smaller);
    }
  }
  return parts;
}
