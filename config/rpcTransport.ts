import { BaseError, fallback, isHex, ResponseBodyTooLargeError, type Transport } from "viem";
import { urlTransport } from "./urlTransport.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/** Time limit for a complete answer of one URL, for which an answer of the API or the next refresh of prices waits. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long a URL whose answer was late comes after the others. Otherwise each request would wait for it again. */
const LAST_MS = 60_000;

/**
 * Maximum size of an answer with the logs of several blocks, which is about thirty thousand logs. Its bytes, its text
 * and its objects are in memory at the same time.
 */
const MAXIMUM_LOGS_BYTES = 32 * 2 ** 20;

/**
 * Combines the RPC URLs of a network into one viem transport. Requests go to the first URL, and to the next when it
 * fails. A URL whose answer was late comes last for a minute.
 *
 * Ponder would spread requests over all URLs of an array, and a node one block behind would look like a reorganization.
 * Retries are left to Ponder. URLs contain keys, so no error thrown here contains one.
 *
 * An answer with the logs or traces of several blocks is refused above a number of bytes, with an error that makes
 * Ponder request fewer blocks at once. Other answers may have any size. viem's own limit of 10 MiB is disabled, because
 * Ponder does not recognize that refusal, and indexing would end with it.
 * @param answerTimeoutMs time limit for a complete answer of one URL
 * @param maximumLogsBytes maximum size of an answer with the logs of several blocks, in bytes
 */
export function rpcTransport(
  urls: readonly string[],
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  maximumLogsBytes = MAXIMUM_LOGS_BYTES,
): Transport {
  const nodes = urls.map((url) => nodeOf(url, answerTimeoutMs, maximumLogsBytes));
  const inOrder = (limit: "unlimited" | "limited") => {
    const ordered = nodes.toSorted((one, other) => Number(one.isLast()) - Number(other.isLast()));
    return fallback(
      ordered.map((node) => node[limit]),
      { retryCount: 0 },
    );
  };
  return (parameters) => {
    const transport = inOrder("unlimited")(parameters);
    // The cast keeps viem's generic request signature, which a wrapper function cannot restate.
    const request = (async (...args: Parameters<typeof transport.request>) => {
      const limit = isDivisible(args[0]) ? "limited" : "unlimited";
      try {
        return await inOrder(limit)(parameters).request(...args);
      } catch (error) {
        if (limit === "limited" && isTooManyBytes(error)) {
          throw new RangeTooLargeError(`the answer to ${args[0].method} has more than ${maximumLogsBytes} bytes`);
        }
        throw error;
      }
    }) as typeof transport.request;
    return { ...transport, request };
  };
}

/** The transports of one URL, with and without a limit of bytes. */
function nodeOf(url: string, answerTimeoutMs: number, maximumLogsBytes: number) {
  let lastUntil = 0;
  const noteSilence = () => {
    lastUntil = performance.now() + LAST_MS;
  };
  const limits = { retryCount: 0, headersTimeoutMs: REQUEST_TIMEOUT_MS, answerTimeoutMs, noteSilence };
  return {
    isLast: () => performance.now() < lastUntil,
    unlimited: urlTransport(url, { ...limits, maximumBytes: false }),
    limited: urlTransport(url, { ...limits, maximumBytes: maximumLogsBytes }),
  };
}

/**
 * Returns whether a request is for the logs or traces of several blocks, so that fewer blocks can be requested at once.
 */
export function isDivisible({ method, params }: { readonly method: string; readonly params?: unknown }): boolean {
  if ((method !== "eth_getLogs" && method !== "trace_filter") || !Array.isArray(params)) return false;
  const { fromBlock, toBlock } = (params[0] ?? {}) as { readonly fromBlock?: unknown; readonly toBlock?: unknown };
  return isHex(fromBlock) && isHex(toBlock) && fromBlock !== toBlock;
}

/**
 * A request for the logs or traces of several blocks that no answer can serve. Ponder recognizes it by the end of the
 * message, and then requests half of the blocks.
 */
export class RangeTooLargeError extends BaseError {
  override name = "RangeTooLargeError";

  constructor(reason: string) {
    super(`${reason}: block range too large`);
  }
}

function isTooManyBytes(error: unknown): boolean {
  return error instanceof BaseError && error.walk((cause) => cause instanceof ResponseBodyTooLargeError) !== null;
}
