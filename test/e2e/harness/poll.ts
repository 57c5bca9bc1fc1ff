import { setTimeout as pause } from "node:timers/promises";

/**
 * Milliseconds after which a wait counts as hanging: several times what any step takes on two busy cores. A test gives a
 * deadline of its own only where the time is what it checks.
 */
export const PATIENCE_MS = 400_000;

export interface PollOptions {
  readonly deadlineMs?: number;
  readonly intervalMs?: number;
}

/**
 * Polls until the probe returns null. A text that it returns says what is still missing.
 * A refused connection or a request that timed out counts as "not yet", because servers take time to start and machines
 * can be busy. Any other exception ends the wait.
 * @throws Error after the deadline, with the last text that the probe returned
 */
export async function waitUntil(
  what: string,
  probe: () => Promise<string | null>,
  { deadlineMs = PATIENCE_MS, intervalMs = 200 }: PollOptions = {},
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const missing = await probe().catch((error: unknown) => {
      if (isConnectionFailure(error) || isRequestTimeout(error)) return `no answer: ${error.message}`;
      throw error;
    });
    if (missing === null) return;
    if (performance.now() - start > deadlineMs) {
      throw new Error(`${what}: not within ${deadlineMs / 1000} s\n${missing}`);
    }
    await pause(intervalMs);
  }
}

/** Recognizes the errors with which `fetch` reports that no answer, or only a part of one, arrived, whatever the cause. */
function isConnectionFailure(error: unknown): error is TypeError {
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}

/** Recognizes the error with which `AbortSignal.timeout` ends a request. */
function isRequestTimeout(error: unknown): error is DOMException {
  return error instanceof DOMException && error.name === "TimeoutError";
}
