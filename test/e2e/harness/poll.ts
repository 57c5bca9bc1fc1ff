import { setTimeout as pause } from "node:timers/promises";

export interface PollOptions {
  readonly deadlineMs: number;
  readonly intervalMs?: number;
}

/**
 * Polls until the probe returns null; a returned text says what is still missing.
 * A refused connection or a request that ran out of time counts as not yet, since servers take time to start and
 * machines can be busy; any other exception ends the wait.
 * @throws Error after the deadline, with what the last probe said
 */
export async function waitUntil(
  what: string,
  probe: () => Promise<string | null>,
  { deadlineMs, intervalMs = 200 }: PollOptions,
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

/** How `fetch` reports that no answer arrived, whatever the cause. */
function isConnectionFailure(error: unknown): error is TypeError {
  return error instanceof TypeError && error.message === "fetch failed";
}

/** How `AbortSignal.timeout` ends a request. */
function isRequestTimeout(error: unknown): error is DOMException {
  return error instanceof DOMException && error.name === "TimeoutError";
}
