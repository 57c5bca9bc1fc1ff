/** Per-client request limits, kept in the memory of this process. */
import type { Context, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { TooManyRequests } from "./errors.ts";

/** Maximum number of clients remembered. Beyond it, the client that has been idle longest is forgotten. */
const MAXIMUM_CLIENTS = 10_000;

const MINUTE_MS = 60_000;

interface Bucket {
  /** Requests that may still be made, including fractions. */
  tokens: number;
  filledAt: number;
}

/** Identifies the client of a request. */
export type ClientOf = (c: Context) => string;

/**
 * Refuses requests of a client beyond a number per minute. An idle client may send that many at once. Its allowance
 * then refills at a constant rate.
 * @param now returns the milliseconds of a monotonic clock
 */
export function rateLimit(
  requestsPerMinute: number,
  clientOf: ClientOf,
  now = () => performance.now(),
): MiddlewareHandler {
  const buckets = new LRUCache<string, Bucket>({ max: MAXIMUM_CLIENTS });
  const take = (client: string): number => {
    const at = now();
    const known = buckets.get(client);
    const refill = known ? ((at - known.filledAt) * requestsPerMinute) / MINUTE_MS : 0;
    const tokens = known ? Math.min(requestsPerMinute, known.tokens + refill) : requestsPerMinute;
    const isAllowed = tokens >= 1;
    buckets.set(client, { tokens: isAllowed ? tokens - 1 : tokens, filledAt: at });
    return isAllowed ? 0 : Math.ceil(((1 - tokens) * 60) / requestsPerMinute);
  };
  return async (c, next) => {
    const waitSeconds = take(clientOf(c));
    if (waitSeconds > 0) {
      throw new TooManyRequests(`too many requests, at most ${requestsPerMinute} per minute are answered`, waitSeconds);
    }
    await next();
  };
}
