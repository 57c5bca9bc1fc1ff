const DELAY_MS = 5_000;

/**
 * Runs an action until it succeeds, so that the widget recovers by itself from a server that was away. Ends early when
 * the signal is aborted.
 */
export async function retrying(
  signal: AbortSignal,
  action: () => Promise<void>,
  onFailure: (reason: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await action();
    } catch (reason) {
      if (signal.aborted) return;
      onFailure(reason);
    }
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  }
}

/** The message of an error, without viem's appendix about versions and URLs. */
export function messageOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return "shortMessage" in reason ? String(reason.shortMessage) : reason.message;
}
