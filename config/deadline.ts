/** Waits with a limit. */
import timers from "node:timers/promises";

/**
 * Waits for a promise for a limited time.
 * @param late what is returned if the promise does not settle in time. Its result is then ignored
 * @throws the reason if the promise is rejected in time
 */
export async function within<T, Late>(limitMs: number, promise: Promise<T>, late: Late): Promise<T | Late> {
  const { promise: silence, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(resolve, limitMs, late);
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles after the time or at the signal, whichever comes first. */
export async function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await timers.setTimeout(Math.max(0, durationMs), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
