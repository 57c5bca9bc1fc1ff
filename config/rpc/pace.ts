/** Spaces requests to a node, and attempts after failures. */
import { setTimeout as sleep } from "node:timers/promises";

/** Ponder's initial value is the same. */
const DEFAULT_REQUESTS_PER_SECOND = 20;

/**
 * Returns the rate that the operator has set, or null. Ponder's patch reads it from the environment itself.
 * @throws Error unless it is unset or a number from 1 to 999999
 */
export function configuredRequestsPerSecond(env: NodeJS.ProcessEnv = process.env): number | null {
  const rate = env.PONDER_RPC_REQUESTS_PER_SECOND;
  if (!rate) return null;
  if (!/^[1-9]\d{0,5}$/.test(rate)) {
    throw new Error(`PONDER_RPC_REQUESTS_PER_SECOND is "${rate}", expected a number of requests from 1 to 999999`);
  }
  return Number(rate);
}

/**
 * Allows one second's worth of requests immediately, and further requests at the given rate, in order.
 * @param requestsPerSecond `PONDER_RPC_REQUESTS_PER_SECOND` by default
 */
export function createPace(
  requestsPerSecond = configuredRequestsPerSecond() ?? DEFAULT_REQUESTS_PER_SECOND,
): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    next = Math.max(next, now - 1_000) + 1_000 / requestsPerSecond;
    if (next > now) await sleep(next - now);
  };
}

/**
 * Returns the delay before another attempt, which doubles with each failure.
 * @param failures number of failed attempts, at least 1
 */
export function backoffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
