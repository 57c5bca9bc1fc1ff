import { BaseError, http, TimeoutError } from "viem";
import { hideUrls } from "./urlSecrets.ts";

interface UrlTransportOptions {
  /** How often a request that failed is repeated. */
  readonly retryCount: number;
  /** Time limit for the headers of an answer. */
  readonly headersTimeoutMs: number;
  /**
   * Time limit for a complete answer. viem's own limit ends with the headers, so viem would wait minutes or forever for a
   * body that does not arrive.
   */
  readonly answerTimeoutMs: number;
  /** Maximum size of an answer, in bytes. */
  readonly maximumBytes: number | false;
  /** Called when an answer is late. */
  readonly noteSilence?: () => void;
}

/**
 * The transport of one URL. A request whose answer is late is cancelled, and ends with a TimeoutError. Errors contain
 * neither the URL, nor a part of it that a node repeats: it can have a key.
 */
export function urlTransport(
  url: string,
  { retryCount, headersTimeoutMs, answerTimeoutMs, maximumBytes, noteSilence }: UrlTransportOptions,
) {
  const untilHeaders = http(url, {
    retryCount,
    timeout: headersTimeoutMs,
    maxResponseBodySize: maximumBytes,
    fetchFn: (input, init) => {
      const signals = [AbortSignal.timeout(answerTimeoutMs), ...(init?.signal ? [init.signal] : [])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const isLate = (error: unknown) => error instanceof DOMException && error.name === "TimeoutError";
  return ((parameters) => {
    const transport = untilHeaders(parameters);
    // The cast keeps viem's generic request signature, which a wrapper function cannot restate.
    const request = (async (...args: Parameters<typeof transport.request>) => {
      try {
        return await transport.request(...args);
      } catch (cause) {
        const error =
          cause instanceof BaseError && cause.walk(isLate) !== null
            ? new TimeoutError({ body: { method: args[0].method }, url: "<RPC URL>" })
            : cause;
        if (error instanceof TimeoutError) noteSilence?.();
        throw hideUrls(error, [url]);
      }
    }) as typeof transport.request;
    return { ...transport, request };
  }) as typeof untilHeaders;
}
