import {
  BaseError,
  fallback,
  hexToBigInt,
  http,
  isHex,
  numberToHex,
  ResponseBodyTooLargeError,
  TimeoutError,
  type Transport,
} from "viem";
import { hideUrls } from "./urlSecrets.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Time limit for a complete answer of one URL. viem's own limit ends with the headers, so viem would wait minutes or
 * forever for a body that does not arrive, and so would an answer of the API or the next refresh of prices.
 */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long a URL whose answer was late comes after the others. Otherwise each request would wait for it again. */
const LAST_MS = 60_000;

/**
 * Maximum size of an answer with the logs of several blocks, which is about thirty thousand logs. Its bytes, its text
 * and its objects are in memory at the same time.
 */
const MAXIMUM_LOGS_BYTES = 32 * 2 ** 20;

/**
 * Checks the number of requests per second that a node allows. Ponder's patch reads it from the environment itself.
 * @throws Error unless it is unset or a number from 1 to 999999
 */
export function verifyRequestRate(env: NodeJS.ProcessEnv = process.env): void {
  const rate = env.PONDER_RPC_REQUESTS_PER_SECOND;
  if (rate && !/^[1-9]\d{0,5}$/.test(rate)) {
    throw new Error(`PONDER_RPC_REQUESTS_PER_SECOND is "${rate}", expected a number of requests from 1 to 999999`);
  }
}

/**
 * Combines the RPC URLs of a network into one viem transport. Requests go to the first URL, and to the next when it
 * fails. A URL whose answer was late comes last for a minute.
 *
 * Ponder would spread requests over all URLs of an array, and a node one block behind would look like a reorganization.
 * Retries are left to Ponder. URLs contain keys, so no error thrown here contains one.
 *
 * An answer with the logs of several blocks is refused above a number of bytes, with a message that makes Ponder
 * request fewer blocks at once. Other answers may have any size. viem's own limit of 10 MiB is disabled, because Ponder
 * does not recognize that refusal, and indexing would end with it.
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
      const range = blockRangeOf(args[0]);
      try {
        return await inOrder(range === null ? "unlimited" : "limited")(parameters).request(...args);
      } catch (error) {
        throw (range && narrowerRange(range, error)) ?? hideUrls(error, urls);
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
  return {
    isLast: () => performance.now() < lastUntil,
    unlimited: urlTransport(url, false, answerTimeoutMs, noteSilence),
    limited: urlTransport(url, maximumLogsBytes, answerTimeoutMs, noteSilence),
  };
}

/**
 * The transport of one URL. A request whose answer is late is cancelled, and ends with a TimeoutError.
 * @param noteSilence called when an answer is late
 */
function urlTransport(
  url: string,
  maxResponseBodySize: number | false,
  answerTimeoutMs: number,
  noteSilence: () => void,
): Transport {
  const untilHeaders = http(url, {
    retryCount: 0,
    timeout: REQUEST_TIMEOUT_MS,
    maxResponseBodySize,
    fetchFn: (input, init) => {
      const signals = [AbortSignal.timeout(answerTimeoutMs), ...(init?.signal ? [init.signal] : [])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const isLate = (error: unknown) => error instanceof DOMException && error.name === "TimeoutError";
  return (parameters) => {
    const transport = untilHeaders(parameters);
    // The cast is that of `rpcTransport`.
    const request = (async (...args: Parameters<typeof transport.request>) => {
      try {
        return await transport.request(...args);
      } catch (cause) {
        const error =
          cause instanceof BaseError && cause.walk(isLate) !== null
            ? new TimeoutError({ body: { method: args[0].method }, url: "<RPC URL>" })
            : cause;
        if (error instanceof TimeoutError) noteSilence();
        throw error;
      }
    }) as typeof transport.request;
    return { ...transport, request };
  };
}

interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Returns the blocks of a request for the logs or traces of several blocks. Null for any other request, because one
 * block cannot be split.
 */
function blockRangeOf({ method, params }: { readonly method: string; readonly params?: unknown }): BlockRange | null {
  if ((method !== "eth_getLogs" && method !== "trace_filter") || !Array.isArray(params)) return null;
  const { fromBlock, toBlock } = (params[0] ?? {}) as { readonly fromBlock?: unknown; readonly toBlock?: unknown };
  if (!isHex(fromBlock) || !isHex(toBlock) || fromBlock === toBlock) return null;
  return { fromBlock: hexToBigInt(fromBlock), toBlock: hexToBigInt(toBlock) };
}

/** An answer with the logs of several blocks that has more bytes than allowed. */
export class LogsTooLargeError extends BaseError {
  override name = "LogsTooLargeError";
}

/**
 * Returns the refusal of an answer that was too large, in Infura's wording, or null for any other error. The range that
 * it proposes should have logs of half the allowed bytes.
 */
function narrowerRange({ fromBlock, toBlock }: BlockRange, error: unknown): LogsTooLargeError | null {
  const cause = error instanceof BaseError ? error.walk((inner) => inner instanceof ResponseBodyTooLargeError) : null;
  if (!(cause instanceof ResponseBodyTooLargeError)) return null;
  const share = Math.max(2, Math.ceil((2 * cause.size) / cause.maxSize));
  const last = fromBlock + (toBlock - fromBlock) / BigInt(share);
  return new LogsTooLargeError(
    `Logs of blocks ${fromBlock} to ${toBlock} have more than ${cause.maxSize} bytes. ` +
      `Try with this block range [${numberToHex(fromBlock)}, ${numberToHex(last)}].`,
  );
}
