/** What the API needs from the process it runs in. */
import type { Database } from "./database.ts";
import type { ApiNetwork } from "./networks.ts";
import type { PriceSource } from "./prices/store.ts";
import type { SvmDeployments } from "./svm/schema.ts";

export interface ApiDependencies {
  readonly database: Database;
  /** The networks that are on, in canonical order. */
  readonly networks: readonly ApiNetwork[];
  readonly prices: PriceSource;
  readonly svm: SvmDeployments;
  /** Request time, seconds since 1970. */
  readonly now: () => bigint;
  /** Takes what a client must not see. */
  readonly logError: (message: string, error: unknown) => void;
}
