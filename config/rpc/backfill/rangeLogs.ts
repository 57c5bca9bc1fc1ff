/** Logs of a range of blocks, accepted when two answers that were split differently agree. */
import { setTimeout as sleep } from "node:timers/promises";
import { BaseError, hexToBigInt } from "viem";
import { RangeTooLargeError } from "../../rpcTransport.ts";
import { isTooLarge, NodeFailure } from "../failures.ts";
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
} from "../logRange.ts";
import { proveBlock } from "./blockProof.ts";
import type { RequestOptions, RpcNetwork } from "./rpcNetwork.ts";
import type { RpcNode } from "./rpcNode.ts";

/** Number of comparisons that start with the first URL before one starts with the next. */
const COMPARISONS_OF_FIRST_URL = 3;

/** An answer to a part of a range. */
interface Part {
  readonly range: LogRange;
  readonly logs: readonly RpcLog[];
  readonly node: RpcNode;
}

/**
 * Returns the logs of a range after two requests: one for the whole range, and one to the next URL (if there is one) in
 * other parts.
 *
 * While the answers differ, they are requested again, the last time starting with the next URL. Then a block in which
 * they differ decides which URL is wrong: if its header, logs and receipts prove its content, a URL that returned
 * something else is distrusted. If no block can be proven, the network is reported as damaged, and the range is
 * requested slowly until the answers agree. Logs without agreement are never indexed.
 *
 * A single block whose logs are refused can have more of them than a node returns at once. They are then taken from the
 * block, if its hash proves its receipts.
 * @throws Error of viem with which a node refused the range, so that Ponder requests fewer blocks
 */
export async function agreedLogs(network: RpcNetwork, range: LogRange): Promise<readonly RpcLog[]> {
  const { report } = network;
  const key = `logs ${JSON.stringify(paramsOf(range))}`;
  try {
    return await untilAgreed(network, range, key);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    if (range.from < range.to) throw inWordsOfPonder(error);
    const proven = await proveBlock(network, range.from);
    if (typeof proven === "string") throw error;
    return proven.logs.filter((log) => isWanted(range, log));
  } finally {
    // After a refusal, Ponder requests the range in parts, which are compared by themselves.
    report.clear(key);
  }
}

/** Ponder recognizes neither the code "limit exceeded" nor each text with it, and would repeat the range unchanged. */
function inWordsOfPonder(refusal: BaseError): BaseError {
  // The node's text may suggest a range.
  return isTooLarge(refusal) ? new RangeTooLargeError(refusal.details) : refusal;
}

/** Returns the logs of a range once two answers agree. Raises a report under the key while they do not. */
async function untilAgreed(network: RpcNetwork, range: LogRange, key: string): Promise<readonly RpcLog[]> {
  const { report, retryDelays } = network;
  for (let attempt = 1; ; attempt += 1) {
    const avoid = attempt > COMPARISONS_OF_FIRST_URL && attempt % 2 === 0 ? network.inOrder()[0] : undefined;
    const whole = await requestPart(network, range, { avoid });
    const parts = await requestInParts(network, range, whole.node);
    const others = parts.flatMap(({ logs }) => logs).filter(({ blockNumber }) => hexToBigInt(blockNumber) <= range.to);
    const block = firstDifference(whole.logs, others);
    if (block === null) {
      // A node of another chain returns no indexed logs, however the range is split.
      if (await areOfChain([whole, ...parts])) return whole.logs;
      await sleep(retryDelays.disagreementMs);
      continue;
    }
    if (attempt <= COMPARISONS_OF_FIRST_URL) {
      await sleep(attempt * retryDelays.disagreementMs);
      continue;
    }
    if (await distrustWrongNodes(network, block, [whole, ...parts])) continue;
    const [here, there] = [whole.logs, others].map((logs) =>
      logs.filter((log) => hexToBigInt(log.blockNumber) === block),
    );
    report.raise(
      key,
      "damaged",
      `two answers with the logs of blocks ${range.from} to ${range.to} differ first in block ${block}: ` +
        `${here?.length} logs and ${there?.length} logs`,
    );
    await sleep(retryDelays.damagedMs);
  }
}

/** Returns whether the nodes that answered still report the right chain. */
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
 * Distrusts URLs that were wrong about the block. Returns whether at least one was distrusted that others can replace.
 */
async function distrustWrongNodes(network: RpcNetwork, block: bigint, parts: readonly Part[]): Promise<boolean> {
  const proven = await proveBlock(network, block);
  if (typeof proven === "string") return false;
  const trusted = network.inOrder();
  const wrongNodes = parts
    .filter(({ range, logs }) => {
      if (block < range.from || block > range.to) return false;
      const right = proven.logs.filter((log) => isWanted(range, log));
      return !sameLogs(
        right,
        logs.filter((log) => hexToBigInt(log.blockNumber) === block),
      );
    })
    .map(({ node }) => node);
  // At least one of several URLs must remain.
  if (trusted.every((node) => wrongNodes.includes(node))) return false;
  for (const wrong of wrongNodes) wrong.distrust();
  return wrongNodes.length > 0;
}

/** Requests a part of a range from a URL that has its last block, or at least the last one needed. */
async function requestPart(
  network: RpcNetwork,
  range: LogRange,
  { needed = range.to, ...options }: RequestOptions & { readonly needed?: bigint },
): Promise<Part> {
  const { answer, node } = await network.request(
    {
      method: "eth_getLogs",
      params: paramsOf(range),
      problemOf: (found) => logsProblem(range, found),
      block: needed < range.to ? needed : range.to,
    },
    options,
  );
  return { range, logs: inChainOrder(answer as readonly RpcLog[]), node };
}

/** Requests the same logs in other parts. Parts that are refused are split further. */
async function requestInParts(network: RpcNetwork, range: LogRange, avoid: RpcNode): Promise<Part[]> {
  // A refusal because of blocks beyond the range, for example by a URL that is behind, is treated like any other.
  const waiting = cutDifferently(range, avoid.newestBlock);
  const parts: Part[] = [];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    try {
      parts.push(await requestPart(network, part, { avoid, needed: range.to }));
    } catch (error) {
      // A refused part that extends beyond the requested range is first requested without the extension.
      const smaller = part.to > range.to ? [{ ...part, to: range.to }] : halves(part);
      if (smaller === null) throw error;
      waiting.unshift(...smaller);
    }
  }
  return parts;
}
