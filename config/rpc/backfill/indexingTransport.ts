/** The transport with which a network is indexed. */
import { type Address, hexToBigInt, isHex, type Transport } from "viem";
import { receiptsProblem } from "../answers.ts";
import { NodeFailure } from "../failures.ts";
import type { EventsOf } from "../indexedData.ts";
import { logRangeOf } from "../logRange.ts";
import type { NetworkReport } from "../networkReport.ts";
import { type Backfill, createBackfill } from "./backfill.ts";
import { blockProblem } from "./numberedBlock.ts";
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
  /** Recipients, in lower case, whose calls a backfill takes from traces. By default it takes all calls from blocks. */
  readonly traced?: readonly Address[] | null;
  /** Whether traces are used only where a measurement finds them faster than blocks. */
  readonly isMeasured?: boolean;
}

/** A transport with the additional functions that Ponder's patch calls. */
export type IndexingTransport = Transport & { readonly backfill: Backfill };

/** Number of requests for receipts while the answer is null, one URL after the other. */
const NULL_RECEIPTS = 3;

/**
 * A viem transport over the RPC URLs of a network that never fails because of a node. Requests go to the first URL, to
 * the next when it fails, and around again until one answers. Problems are reported meanwhile.
 *
 * - Logs of a range of blocks are returned only when two answers, split differently, agree (`agreedLogs`).
 * - Blocks by number must exist, be the requested block, and have their transactions.
 * - Receipts must have an outcome and the gas that was paid.
 * - A URL that turns out to serve another chain is skipped.
 * - A node's refusal of a request, such as a range too wide or an unknown method, goes to Ponder immediately. URLs
 *   contain keys, so no error and no report contains one.
 *
 * Requests for the newest block and for blocks by hash are made only once, because the block may no longer exist.
 */
export function indexingTransport(options: IndexingOptions): IndexingTransport {
  const { chainId, rpcUrls, report, retryDelays } = options;
  const { searched = [], traced = null, isMeasured = false } = options;
  const nodes = rpcUrls.map((url, index) => new RpcNode(url, `RPC URL ${index + 1} of chain ${chainId}`, chainId));
  const network = new RpcNetwork(nodes, report, { ...RETRY_DELAYS, ...retryDelays });
  // The cast restores viem's generic signature, which names the result of each method.
  const request = ((asked: RpcRequest) => answerOf(network, asked)) as ReturnType<Transport>["request"];
  const config = { key: "indexing", name: "Indexing", type: "indexing", request, retryCount: 0 };
  const transport: Transport = () => ({ config, request });
  return Object.assign(transport, { backfill: createBackfill(network, { chainId, searched, traced, isMeasured }) });
}

async function answerOf(network: RpcNetwork, { method, params }: RpcRequest): Promise<unknown> {
  const request = params === undefined ? { method } : { method, params };
  const range = logRangeOf(request);
  if (range !== null) return agreedLogs(network, range);
  if (method === "eth_getBlockReceipts" || method === "eth_getTransactionReceipt") return receipts(network, request);
  if (isAskedOnce(request)) {
    try {
      return (await network.ask(request, { rounds: 1 })).answer;
    } catch (error) {
      // Ponder recognizes rate limits and timeouts by viem's errors.
      throw (error instanceof NodeFailure && error.cause) || error;
    }
  }
  const { answer } = await network.ask({ ...request, problemOf: (found) => problemOf(request, found) });
  return answer;
}

/**
 * Returns whether a request is made only once: the newest block is soon requested again, and a block requested by hash
 * may have been replaced.
 */
function isAskedOnce({ method, params }: RpcRequest): boolean {
  const [first, isWhole] = params ?? [];
  if (method === "eth_getBlockByNumber") return !isHex(first) && isWhole === true;
  return method === "eth_getBlockByHash" || method === "eth_getLogs";
}

function problemOf({ method, params }: RpcRequest, answer: unknown): string | null {
  const [first] = params ?? [];
  if (method === "eth_getBlockByNumber" && isHex(first)) return blockProblem(hexToBigInt(first), answer);
  return answer === null ? "null" : null;
}

/** Requests receipts. Returns null when the URLs repeatedly return null, because the block may have been replaced. */
async function receipts(network: RpcNetwork, request: RpcRequest): Promise<unknown> {
  const checked = { ...request, problemOf: receiptsProblem };
  let last = await network.ask(checked);
  for (let times = 1; times < NULL_RECEIPTS && last.answer === null; times += 1) {
    last = await network.ask(checked, { avoid: last.node });
  }
  return last.answer;
}
