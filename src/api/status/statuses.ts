/** The states of the indexes of networks, in the format of answers. */
import type { Database } from "../shared/database.ts";
import { type DeepFork, describeFork } from "../shared/health.ts";
import { readIndexSchema } from "../shared/indexIdentity.ts";
import { type ApiNetwork, apiNameOf } from "../shared/networks.ts";
import { formatTime } from "../shared/time.ts";
import type { NetworkStatus } from "./indexing.schema.ts";
import { decideReadState } from "./state.ts";
import { readStatusRows, type StatusRow } from "./table.ts";

/** The sources of the statuses. */
export interface StatusSource {
  readonly database: Database;
  readonly networks: readonly ApiNetwork[];
  /**
   * Returns the fork that the last comparison of a network's final rows with its node found, or null when they agreed.
   */
  readonly forkOf: (network: ApiNetwork) => DeepFork | null;
  /** Returns the request time in seconds since 1970. */
  readonly now: () => bigint;
}

/** The state of a network, with ages that show whether a clock is wrong. */
export interface AgedStatus {
  readonly status: NetworkStatus;
  /** Seconds since the row was written, by the clock of the database; below 0 if it bears a later time. */
  readonly ageSeconds: number | null;
  /** Seconds since the newest indexed block, by the clock of this process; below 0 if that clock is behind. */
  readonly blockAgeSeconds: number | null;
}

/** Reads the states of the networks. */
export async function readNetworkStatuses(source: StatusSource): Promise<NetworkStatus[]> {
  return (await readAgedStatuses(source)).map(({ status }) => status);
}

/**
 * Reads the states of the networks from the rows of their indexers. A row belongs to the schema into which an indexer
 * writes, never to a schema of views.
 */
export async function readAgedStatuses({ database, networks, forkOf, now }: StatusSource): Promise<AgedStatus[]> {
  const places = await Promise.all(
    networks.map(async (network) => ({ ...network, schema: await readIndexSchema(database, network) })),
  );
  const rows = await readStatusRows(database, places);
  const at = now();
  return networks.map((network, index) => {
    const row = rows[index] ?? null;
    return {
      status: statusOf(network, row, forkOf(network), at),
      ageSeconds: row?.ageSeconds ?? null,
      blockAgeSeconds: row?.indexed ? Number(at - row.indexed.timestamp) : null,
    };
  });
}

function statusOf(network: ApiNetwork, row: StatusRow | null, fork: DeepFork | null, now: bigint): NetworkStatus {
  const state = decideReadState(row?.state ?? null, {
    rowAgeSeconds: row?.ageSeconds ?? null,
    isForked: fork !== null,
  });
  const identity = { network: apiNameOf(network), chainId: network.chainId, state };
  if (row === null) {
    return {
      ...identity,
      stateSince: null,
      reason: fork === null ? "no indexer has written a state for this database schema" : describeFork(fork),
      head: null,
      newestIndexedBlock: null,
      newestFinalBlock: null,
      lagSeconds: null,
      lagBlocks: null,
      reorganizations: 0,
      audit: null,
      writtenAt: null,
    };
  }
  const { head, indexed, audit } = row;
  return {
    ...identity,
    stateSince: formatTime(state === row.state ? row.stateSince : row.writtenAt),
    reason: state === row.state ? row.reason : reasonToOverrule(state, fork),
    head: head && {
      blockNumber: head.blockNumber.toString(),
      blockHash: head.blockHash,
      timestamp: formatTime(head.timestamp),
      asOf: formatTime(head.askedAt),
    },
    newestIndexedBlock: indexed && {
      blockNumber: indexed.blockNumber.toString(),
      timestamp: formatTime(indexed.timestamp),
    },
    newestFinalBlock: row.finalNumber?.toString() ?? null,
    lagSeconds: indexed && Number(notNegative(now - indexed.timestamp)),
    lagBlocks: head &&
      indexed && {
        blocks: notNegative(head.blockNumber - indexed.blockNumber).toString(),
        asOf: formatTime(head.askedAt),
      },
    reorganizations: row.reorganizations,
    audit: audit && {
      fromBlock: audit.fromBlock.toString(),
      toBlock: audit.toBlock.toString(),
      finishedAt: formatTime(audit.finishedAt),
      result: audit.result,
      difference: audit.difference,
    },
    writtenAt: formatTime(row.writtenAt),
  };
}

/** Returns the reason why a reader reports a state other than that in the row. */
function reasonToOverrule(state: NetworkStatus["state"], fork: DeepFork | null): string {
  return state === "forked" && fork !== null ? describeFork(fork) : "the indexer has not written since writtenAt";
}

/**
 * Raises a negative value to zero. The chain's clock may be ahead of this one, and the index may be ahead of a head
 * requested a moment ago.
 */
function notNegative(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
