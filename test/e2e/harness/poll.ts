import { setTimeout as pause } from "node:timers/promises";

export interface PollOptions {
  readonly deadlineMs: number;
  readonly intervalMs?: number;
}

/**
 * Polls until the probe answers null; a text says what is still missing.
 * An exception counts as not yet: servers refuse connections while they start.
 * @throws Error after the deadline, with what the last probe said
 */
export async function waitUntil(
  what: string,
  probe: () => Promise<string | null>,
  { deadlineMs, intervalMs = 200 }: PollOptions,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const missing = await probe().catch((error: unknown) => `the probe failed: ${String(error)}`);
    if (missing === null) return;
    if (performance.now() - start > deadlineMs) {
      throw new Error(`${what}: not within ${deadlineMs / 1000} s\n${missing}`);
    }
    await pause(intervalMs);
  }
}
