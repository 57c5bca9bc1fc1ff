/** Failures of traces as the source of calls. */

/**
 * `trace_filter` omitted a transaction, or named one that does not exist. Its earlier answers cannot be trusted either.
 */
export class CallsMissed extends Error {
  override readonly name = "CallsMissed";
}

/** The nodes do not answer `trace_filter` even for a single block. Its earlier answers remain valid. */
export class TracesRefused extends Error {
  override readonly name = "TracesRefused";
}
