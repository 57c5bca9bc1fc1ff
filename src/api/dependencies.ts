/** What the API needs from the process it runs in. */
import type { PublicClient } from "viem";
import type { Database } from "./database.ts";
import type { DeepFork } from "./forks/watch.ts";
import type { ClientOf } from "./http/rateLimit.ts";
import type { SlotLimits } from "./http/slots.ts";
import type { ApiNetwork } from "./networks.ts";
import type { PriceSource } from "./prices/store.ts";
import type { SvmDeployments } from "./svm/schema.ts";

/** Requests per minute that one client may make; 0 for no limit. */
interface RequestLimits {
  readonly requestsPerMinute: number;
  /** Of treasury accounts: each answer costs requests to a node. */
  readonly accountRequestsPerMinute: number;
  readonly clientOf: ClientOf;
}

/** Files that are sent at once, each with a connection and statements of its own. */
export interface FileLimits extends SlotLimits {
  /** How long a client may take nothing of a file before its connection is ended. */
  readonly stallTimeoutMs: number;
}

/** Everything that `createApp` takes from outside. */
export interface ApiDependencies {
  readonly database: Database;
  /** The networks that are on, in canonical order. */
  readonly networks: readonly ApiNetwork[];
  readonly prices: PriceSource;
  readonly svm: SvmDeployments;
  /** Request time, seconds since 1970. */
  readonly now: () => bigint;
  /** A network's node. Only the answer of treasury accounts needs it. */
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  /** The last comparison of a network's final rows with its node: null while they agree. */
  readonly forkOf: (network: ApiNetwork) => DeepFork | null;
  readonly limits: RequestLimits;
  readonly files: FileLimits;
  /** Logs what a client must not see. */
  readonly logError: (message: string, error: unknown) => void;
}
