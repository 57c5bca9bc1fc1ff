/** What the API needs from the process it runs in. */
import type { PublicClient } from "viem";
import type { Database } from "./database.ts";
import type { DeepFork } from "./forks/watch.ts";
import type { ClientOf } from "./http/rateLimit.ts";
import type { ApiNetwork } from "./networks.ts";
import type { PriceSource } from "./prices/store.ts";
import type { SvmDeployments } from "./svm/schema.ts";

/** Requests a minute that one client may make; 0 for no limit. */
interface RequestLimits {
  readonly requestsPerMinute: number;
  /** Of treasury accounts, each of which costs requests to a node. */
  readonly accountRequestsPerMinute: number;
  readonly clientOf: ClientOf;
}

export interface ApiDependencies {
  readonly database: Database;
  /** The networks that are on, in canonical order. */
  readonly networks: readonly ApiNetwork[];
  readonly prices: PriceSource;
  readonly svm: SvmDeployments;
  /** Request time, seconds since 1970. */
  readonly now: () => bigint;
  /** A network's node, which no other answer needs than that of treasury accounts. */
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  /** What was last found of a network's final rows: null while they are the node's. */
  readonly forkOf: (network: ApiNetwork) => DeepFork | null;
  readonly limits: RequestLimits;
  /** Takes what a client must not see. */
  readonly logError: (message: string, error: unknown) => void;
}
