/** Determines the answer of `/ready`. */
import { within } from "../../../config/deadline.ts";

/** A probe waits for at most a few seconds, and treats a missing answer like a 503. */
const DEADLINE_MS = 2_000;

interface ReadinessOptions {
  readonly isDraining: () => boolean;
  readonly logWarning: (message: string, error: unknown) => void;
  readonly deadlineMs?: number;
}

/**
 * Returns the reason why no requests should be sent here, or an empty text when they may be. Answers within two
 * seconds, whatever the database does.
 */
export function readiness({ isDraining, logWarning, deadlineMs = DEADLINE_MS }: ReadinessOptions) {
  return async (isIndexed: () => Promise<boolean>): Promise<string> => {
    if (isDraining()) return "Shutting down.";
    const answer = isIndexed().then(
      (isComplete) => (isComplete ? "" : "Historical indexing is not complete."),
      (error: unknown) => {
        logWarning("/ready cannot read the state of the indexer", error);
        return "The state of the indexer cannot be read.";
      },
    );
    return within(deadlineMs, answer, "The database does not answer.");
  };
}
