import { setTimeout as delay } from "node:timers/promises";

/**
 * Spaces requests evenly: each call settles when its turn has come.
 * @param perMinute requests per minute
 */
export function createPace(perMinute: number): () => Promise<void> {
  const intervalMs = 60_000 / perMinute;
  let next = performance.now();
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + intervalMs;
    if (turn > now) await delay(turn - now, undefined, { ref: false });
  };
}
