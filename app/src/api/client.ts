/** Requests to the API that served this page. */
import { ApiError, apiErrorOf, createClient } from "@coreswap/client";

export type { Schemas } from "@coreswap/client";
export { ApiError } from "@coreswap/client";

/**
 * The API answers from its database within seconds, or not at all. A request without a limit would keep old figures on
 * the page.
 */
const TIMEOUT_MS = 15_000;

/** What the API reads from a node takes longer while a URL of it hangs and the next one is asked. */
const NODE_TIMEOUT_MS = 60_000;
const READ_FROM_NODE = /^\/v1\/(quote$|lps\/|treasury\/summary$|treasury\/accounts\/)|\/revert$/;

/**
 * The browser asks whether its copy is current each time, which a 304 answers. Without that, a request made right after
 * an event could show the answer of before it, which the browser may reuse for two seconds. A proxy before the API may
 * keep answers, too, unless a request demands a block.
 */
const PAST_CACHES = { cache: "no-cache", headers: { "Min-Indexed-Block": "0" } } as const;

export const api = createClient("", {
  ...PAST_CACHES,
  fetch: (request) => {
    const timeoutMs = READ_FROM_NODE.test(new URL(request.url).pathname) ? NODE_TIMEOUT_MS : TIMEOUT_MS;
    return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
  },
});

/** The headers of a file, which is not requested itself. */
export async function headersOfFile(path: string): Promise<Headers> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { ok, status, headers } = await fetch(path, { ...PAST_CACHES, method: "HEAD", signal });
  if (!ok) throw new Error(`${path} was answered with ${status}`);
  return headers;
}

/** Whether the API refused what was asked, so that asking again changes nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** The server gave no answer, or not all of one. */
export class NoAnswerError extends Error {
  constructor(cause: unknown) {
    super("The server gave no answer.", { cause });
  }
}

/**
 * The data of an answer.
 * @throws ApiError with the API's error message, or NoAnswerError
 */
export async function dataOf<Data>(
  answering: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await answering.catch((failure: unknown) => {
    const { name } = failure as Error;
    // What browsers throw when they reach no server, and after the time above.
    throw name === "TypeError" || name === "TimeoutError" ? new NoAnswerError(failure) : failure;
  });
  if (data !== undefined) return data;
  throw apiErrorOf(response, error);
}
