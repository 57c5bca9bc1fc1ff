import type { PublicClient } from "viem";
import type { FeatureOptions } from "../http/route.ts";
import type { ApiNetwork } from "../shared/networks.ts";

/** What the endpoints of the treasury token need. */
export interface TreasuryOptions extends FeatureOptions {
  /** Request time, seconds since 1970. */
  readonly now: () => bigint;
  /** A network's node. */
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  readonly logError: (message: string, error: unknown) => void;
}
