/** Per-client request limits, kept in the memory of this process. */
import type { Context, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import type { KeyOf } from "./apiKeys.ts";
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

/** A limit of its own count. */
interface RateLimit {
  /** Names the limit in the headers. */
  readonly name: string;
  /** Of a client without a key. */
  readonly requestsPerMinute: number;
  readonly clientOf: ClientOf;
  readonly keyOf: KeyOf;
  /** Whether a request counts. Every request does by default. */
  readonly appliesTo?: (c: Context) => boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Refuses requests of a client beyond a number per minute. An idle client may send that many at once; its allowance
 * then refills at a constant rate. Responses tell the client its limit and how many requests it may send now, in the
 * headers of draft-ietf-httpapi-ratelimit-headers-10, which list all limits that apply to a request.
 */
export function rateLimit(options: RateLimit) {
  const { name, requestsPerMinute, clientOf, keyOf, appliesTo = () => true, now = () => performance.now() } = options;
  const buckets = new LRUCache<string, Bucket>({ max: MAXIMUM_CLIENTS });
  const fill = (client: string, limit: number): Bucket => {
    const filledAt = now();
    const known = buckets.get(client);
    const refill = known ? ((filledAt - known.filledAt) * limit) / MINUTE_MS : 0;
    return { tokens: known ? Math.min(limit, known.tokens + refill) : limit, filledAt };
  };
  const middleware: MiddlewareHandler = async (c, next) => {
    if (!appliesTo(c)) return next();
    const limit = keyOf(c)?.requestsPerMinute ?? requestsPerMinute;
    const client = clientOf(c);
    const { tokens, filledAt } = fill(client, limit);
    const isAllowed = tokens >= 1;
    const left = isAllowed ? tokens - 1 : tokens;
    buckets.set(client, { tokens: left, filledAt });
    c.header("RateLimit-Policy", `"${name}";q=${limit};w=${MINUTE_MS / 1_000}`, { append: true });
    c.header("RateLimit", `"${name}";r=${Math.floor(left)}`, { append: true });
    if (!isAllowed) {
      const waitSeconds = Math.ceil(((1 - left) * 60) / limit);
      throw new TooManyRequests(`too many requests, at most ${limit} per minute are answered`, waitSeconds);
    }
    await next();
  };
  return middleware;
}
