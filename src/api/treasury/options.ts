import type { NodeOptions } from "../http/route.ts";

/** What the endpoints of the treasury token need. */
export interface TreasuryOptions extends NodeOptions {
  /** Returns the request time in seconds since 1970. */
  readonly now: () => bigint;
}
