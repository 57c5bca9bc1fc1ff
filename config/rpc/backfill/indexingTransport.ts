/** The transport with which a network is indexed. */
import { type Address, type BaseError, hexToBigInt, hexToNumber, isHex, RpcRequestError, type Transport } from "viem";
import type { CallsFrom } from "../../callsFrom.ts";
import { readNumberedBlock, receiptsProblem } from "../answers.ts";
import { isAnswer, isExecutionFailure } from "../failures.ts";
import type { EventsOf } from "../indexedData.ts";
import { logRangeOf } from "../logRange.ts";
import type { NetworkReport } from "../networkReport.ts";
import { blockProblem } from "../verifyBlock.ts";
import { type Backfill, createBackfill } from "./backfill.ts";
import { agreedLogs } from "./rangeLogs.ts";
import { RETRY_DELAYS, type RetryDelays, RpcNetwork } from "./rpcNetwork.ts";
import { RpcNode, type RpcRequest } from "./rpcNode.ts";

export interface IndexingOptions {
  readonly chainId: number;
  readonly rpcUrls: readonly string[];
  readonly report: NetworkReport;
  readonly retryDelays?: Partial<RetryDelays>;
  /** Events that a backfill searches the bloom of each block for. By default it searches for none. */
  readonly searched?: readonly EventsOf[];
  /** From where a backfill learns of calls to the proxies. */
  readonly callsFrom: CallsFrom;
  /** Addresses of the proxies, in lower case. */
  readonly proxies: readonly Address[];
}

/** A transport with the additional functions that Ponder's patch calls. */
export type IndexingTransport = Transport & { readonly backfill: Backfill };

/**
 * A viem transport over the RPC URLs of a network that never fails because of a node. Requests go to the first URL, to
 * the next when it fails, and around again until one answers. Problems are reported meanwhile.
 *
 * - Logs of a range of blocks are returned only when two answers, split differently, agree (`agreedLogs`).
 * - The newest block is that of the first URL whose newest block is not old.
 * - Blocks by number must exist, be the requested block, and have their transactions.
 * - Receipts of a block must each have an outcome and the gas that was paid.
 * - A URL that turns out to serve another chain is skipped.
 * - A node's refusal of a request, such as a range too wide or an unknown method, goes to Ponder immediately; that of
 *   the receipts of a block becomes null (`blockReceipts`). URLs contain keys, so no error and no report contains one.
 */
export function indexingTransport(options: IndexingOptions): IndexingTransport {
  const { chainId, rpcUrls, report, retryDelays, searched = [], callsFrom, proxies } = options;
  const nodes = rpcUrls.map((url, index) => new RpcNode(url, `RPC URL ${index + 1} of chain ${chainId}`, chainId));
  const network = new RpcNetwork(nodes, report, { ...RETRY_DELAYS, ...retryDelays });
  // The cast restores viem's generic signature, which names the result of each method.
  const request = ((body: RpcRequest) => answerOf(network, body)) as ReturnType<Transport>["request"];
  const config = { key: "indexing", name: "Indexing", type: "indexing", request, retryCount: 0 };
  const transport: Transport = () => ({ config, request });
  return Object.assign(transport, { backfill: createBackfill(network, { chainId, searched, callsFrom, proxies }) });
}

async function answerOf(network: RpcNetwork, { method, params }: RpcRequest): Promise<unknown> {
  const request = params === undefined ? { method } : { method, params };
  const range = logRangeOf(request);
  if (range !== null) return agreedLogs(network, range);
  if (method === "eth_getBlockReceipts") return blockReceipts(network, request);
  try {
    const checked = { ...request, problemOf: (found: unknown) => problemOf(request, found) };
    return (await network.request(checked, isNewestBlock(request) ? { worthOf: worthOfNewest } : {})).answer;
  } catch (error) {
    throw method === "eth_call" && isExecutionFailure(error) ? asRevert(error) : error;
  }
}

/**
 * Age in seconds from which a newest block is old: the time in which 65 blocks follow, with which a block becomes
 * final. A node that stopped longer ago can lack blocks that were final for the previous run, so that no start on it
 * would succeed. One that is behind by less has them in time for a later start, or becomes old.
 */
const OLD_SECONDS = 65 * 12;

function isNewestBlock({ method, params }: RpcRequest): boolean {
  return method === "eth_getBlockByNumber" && params?.[0] === "latest";
}

/** If all URLs are old, by our clock, the highest block counts. A URL after a current one is not asked. */
function worthOfNewest(answer: unknown): number {
  const { number, timestamp } = readNumberedBlock(answer);
  const isOld = Date.now() / 1000 - hexToNumber(timestamp) > OLD_SECONDS;
  return isOld ? hexToNumber(number) : Number.POSITIVE_INFINITY;
}

/** The code of a revert. Ponder repeats a call for a minute, unless its error has a code and says "revert". */
const REVERT_CODE = 3;

function asRevert(error: BaseError): BaseError {
  if (error.message.includes("revert")) return error;
  const message = `execution reverted: ${error.details}`;
  return new RpcRequestError({ body: { method: "eth_call" }, url: "<RPC URL>", error: { code: REVERT_CODE, message } });
}

function problemOf({ method, params }: RpcRequest, answer: unknown): string | null {
  const [first] = params ?? [];
  if (method === "eth_getBlockByNumber") return blockProblem(isHex(first) ? hexToBigInt(first) : null, answer);
  return answer === null ? "null" : null;
}

/**
 * Requests all receipts of a block. Returns null when a node has none, because the block may have been replaced, or
 * when all nodes refuse. Ponder's patch then has the block proven, which requests it again, and its receipts one by one.
 */
async function blockReceipts(network: RpcNetwork, request: RpcRequest): Promise<unknown> {
  const problemOf = (found: unknown) => (found === null ? null : receiptsProblem(found));
  try {
    return (await network.request({ ...request, problemOf })).answer;
  } catch (error) {
    if (isAnswer(error, request.method)) return null;
    throw error;
  }
}
