/** Ways in which traces fail as the source of calls. */

/** `trace_filter` left out a transaction, or named one that is not there. What it said before cannot be trusted. */
export class CallsMissed extends Error {
  override readonly name = "CallsMissed";
}

/** The nodes do not answer `trace_filter` even for a single block. What it said before stays valid. */
export class TracesRefused extends Error {
  override readonly name = "TracesRefused";
}
