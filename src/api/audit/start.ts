/** Starts the audit in the process that indexes. */
import { createPublicClient } from "viem";
import { createPace } from "../../../config/rpc/pace.ts";
import { rpcTransport } from "../../../config/rpcTransport.ts";
import type { Database } from "../shared/database.ts";
import type { LastAudit } from "../shared/health.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { endInBackground, repeatInBackground } from "../shared/schedule.ts";
import { finalNumberOf, stateReader } from "../shared/state.ts";
import { auditTarget } from "./auditor.ts";
import { createBackgroundAudit } from "./background.ts";
import type { AuditNode } from "./chain.ts";

const RETRY_INTERVAL_MS = 10_000;
const SCHEDULE = "audit";

interface AuditedNetwork {
  readonly network: ApiNetwork;
  readonly rpcUrls: readonly string[];
  /** The last audit of the previous process. */
  readonly before: LastAudit | null;
}

/** Each takes two requests. More would keep the values in force from being compared again for too long. */
const PROOFS_AT_ONCE = 10;

interface AuditOptions {
  readonly database: Database;
  readonly networks: readonly AuditedNetwork[];
  /** Requests per minute to the nodes of each network. 0 means no audit. */
  readonly requestsPerMinute: number;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  readonly logWarning: (message: string, error?: unknown) => void;
}

/** Makes one node per RPC URL. All nodes share one pace. */
export function auditNodes(rpcUrls: readonly string[], pace: () => Promise<void>): AuditNode[] {
  return rpcUrls.map((url) => ({ client: createPublicClient({ transport: rpcTransport([url]) }), pace }));
}

/**
 * Starts the audits, replacing those that an earlier call started.
 * @returns the last audit of each chain, by chain id
 */
export function startAudit(options: AuditOptions): (chainId: number) => LastAudit | null {
  const { database, networks, requestsPerMinute, now, logWarning } = options;
  if (requestsPerMinute === 0) {
    // A failure found by an earlier process remains until an audit passes. An audit that passed would only grow old.
    const failures = networks.filter(({ before }) => before?.result === "failed");
    return (chainId) => failures.find(({ network }) => network.chainId === chainId)?.before ?? null;
  }
  const audits = networks.map(({ network, rpcUrls, before }) => {
    const readState = stateReader(database, network);
    const nodes = auditNodes(rpcUrls, createPace(requestsPerMinute / 60));
    return createBackgroundAudit({
      target: auditTarget({ database, network, nodes, proofsAtOnce: PROOFS_AT_ONCE }),
      finalNumber: async () => finalNumberOf(network, (await readState()).safeCheckpoint),
      before,
      now,
      logWarning,
    });
  });
  repeatInBackground(SCHEDULE, {
    cycles: audits.flatMap((audit) => [() => audit.auditNext(), () => audit.compareNext(), () => audit.auditCurrent()]),
    delayAfterFailureMs: RETRY_INTERVAL_MS,
    onFailure: (error) => logWarning("the audit could not read the database", error),
  });
  return (chainId) => audits[networks.findIndex(({ network }) => network.chainId === chainId)]?.current() ?? null;
}

/** Ends the audits. Without that, the log of a process that ends would end with their complaints instead of the reason. */
export function endAudit(): void {
  endInBackground(SCHEDULE);
}
