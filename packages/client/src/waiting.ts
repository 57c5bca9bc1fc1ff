/** Delays before the API is asked again. */
import { ApiError } from "./apiError.ts";

const FIRST_DELAY_MS = 1_000;
/** The longest delay that the API did not ask for. */
export const LONGEST_DELAY_MS = 30_000;
const LONGEST_ASKED_DELAY_MS = 3_600_000;

/**
 * The delay after an error: as long as the API asks for, and up to 1 second more, then 2, 4 and so on up to 30. Clients
 * that were refused or interrupted together come back at different times. A timer of more than 24 days would fire at once,
 * so a server is asked again within an hour, whatever it says.
 * @param failures how many errors came before this one
 */
export function delayMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? Math.min((error.retryAfterSeconds ?? 0) * 1000, LONGEST_ASKED_DELAY_MS) : 0;
  const limit = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
  return asked + limit * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason, as soon as it is aborted */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
