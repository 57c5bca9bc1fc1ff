import type { PublicClient } from "viem";
import type { FeatureOptions } from "../http/route.ts";
import type { ApiNetwork } from "../shared/networks.ts";

/** What the endpoints of the treasury token need. */
export interface TreasuryOptions extends FeatureOptions {
  /** Returns the request time in seconds since 1970. */
  readonly now: () => bigint;
  /** Returns a network's node. */
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  readonly logError: (message: string, error: unknown) => void;
}
