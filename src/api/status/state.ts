/**
 * The states of a network's index, each with its condition. `decideState` is the only function that decides.
 *
 * Conditions that make answers wrong come before those that make them late. The first that holds decides:
 *
 *     damaged      The audit found rows that differ from the chain, or the indexer found that its nodes contradict
 *                  themselves.
 *     forked       Final rows belong to another chain than the node's.
 *     stopped      The row of the network has not been written for 20 seconds, or bears a time that is as far in the
 *                  future: the clocks of its writer and its reader differ, so that its age is unknown. Only a reader
 *                  can detect this.
 *     unreachable  No head of the chain could be read for 15 seconds, or the indexer reaches no node.
 *     stalled      The head rises, and nothing was indexed meanwhile for half of the watchdog's time.
 *     backfill     This run of the indexer has not yet reached the blocks that are not final.
 *     live         None of these.
 *
 * While a node's head does not advance, the state stays the same and the lag grows, which `maxLagSeconds` detects.
 */

/** In order of precedence. */
export const INDEXING_STATES = ["damaged", "forked", "stopped", "unreachable", "stalled", "backfill", "live"] as const;

/** The name of a state. */
export type IndexingState = (typeof INDEXING_STATES)[number];

/** Age at which a row no longer counts. Its writer writes every second, and can have to wait for its database. */
export const STOPPED_AFTER_SECONDS = 20;

/** How long the head may stay unknown, which is the time of three requests. */
export const UNREACHABLE_AFTER_SECONDS = 15;

/** The facts that decide a state. */
export interface IndexingFacts {
  readonly isDamaged: boolean;
  readonly isForked: boolean;
  /** Seconds since the row was written, below 0 if it bears a later time; 0 for its writer. Null without a row. */
  readonly rowAgeSeconds: number | null;
  /** Seconds since the node last returned its head. Null before it ever did. */
  readonly headAgeSeconds: number | null;
  /** Whether the indexer reports that it reaches no node. */
  readonly isNodeLost: boolean;
  /** Seconds in which the head rose and nothing was indexed. */
  readonly idleSeconds: number;
  /** Idle seconds that count as a stall. */
  readonly stalledAfterSeconds: number;
  readonly isBackfilling: boolean;
}

/** Returns the state that follows from the facts. */
export function decideState(facts: IndexingFacts): IndexingState {
  if (facts.isDamaged) return "damaged";
  if (facts.isForked) return "forked";
  if (!isOfNow(facts.rowAgeSeconds)) return "stopped";
  const isHeadUnknown = facts.headAgeSeconds === null || facts.headAgeSeconds > UNREACHABLE_AFTER_SECONDS;
  if (facts.isNodeLost || isHeadUnknown) return "unreachable";
  if (facts.idleSeconds >= facts.stalledAfterSeconds) return "stalled";
  return facts.isBackfilling ? "backfill" : "live";
}

/**
 * Returns the state that a reader reports, given the state in the row. A reader adds what the writer cannot know: that
 * the row is old, and a fork that the reader's own node shows.
 */
export function decideReadState(
  written: IndexingState | null,
  { rowAgeSeconds, isForked }: Pick<IndexingFacts, "rowAgeSeconds" | "isForked">,
): IndexingState {
  const candidates: readonly IndexingState[] = [
    ...(written === null ? [] : [written]),
    ...(isOfNow(rowAgeSeconds) ? [] : (["stopped"] as const)),
    ...(isForked ? (["forked"] as const) : []),
  ];
  return INDEXING_STATES.find((state) => candidates.includes(state)) ?? "stopped";
}

function isOfNow(rowAgeSeconds: number | null): boolean {
  return rowAgeSeconds !== null && Math.abs(rowAgeSeconds) <= STOPPED_AFTER_SECONDS;
}

/** Whether rows in this state are right and approach the head, as far as is known. */
export function isSound(state: IndexingState): boolean {
  return state === "live" || state === "backfill";
}
