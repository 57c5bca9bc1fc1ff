/** Per-client request limits, kept in the memory of this process. */
import type { Context, MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { KeyOf } from "./apiKeys.ts";
import { TooManyRequests } from "./errors.ts";

const WINDOW_SECONDS = 60;

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
}

/**
 * Refuses requests of a client beyond a number per minute; the minute begins with the client's first request. Responses
 * tell the client its limit, how many requests it may still send, and when the next minute begins, in the headers of
 * draft-ietf-httpapi-ratelimit-headers-10, which list all limits that apply to a request.
 */
export function rateLimit({
  name,
  requestsPerMinute,
  clientOf,
  keyOf,
  appliesTo = () => true,
}: RateLimit): MiddlewareHandler {
  const limiters = new Map<number, RateLimiterMemory>();
  const count = async (client: string, limit: number): Promise<RateLimiterRes> => {
    const limiter = limiters.get(limit) ?? new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
    limiters.set(limit, limiter);
    try {
      return await limiter.consume(client);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    }
  };
  return async (c, next) => {
    if (!appliesTo(c)) return next();
    const limit = keyOf(c)?.requestsPerMinute ?? requestsPerMinute;
    const { consumedPoints, remainingPoints, msBeforeNext } = await count(clientOf(c), limit);
    const resetSeconds = Math.ceil(msBeforeNext / 1_000);
    c.header("RateLimit-Policy", `"${name}";q=${limit};w=${WINDOW_SECONDS}`, { append: true });
    c.header("RateLimit", `"${name}";r=${remainingPoints};t=${resetSeconds}`, { append: true });
    if (consumedPoints > limit) {
      throw new TooManyRequests(`too many requests: the limit is ${limit} per minute`, resetSeconds);
    }
    await next();
  };
}
