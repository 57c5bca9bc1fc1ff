/** The indexing state of a network, from which the coverage and ETags of its answers are made. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { type Database, prepared } from "./database.ts";
import type { Coverage } from "./fields.ts";
import { identitySql, indexIdentity } from "./indexIdentity.ts";
import type { ApiNetwork } from "./networks.ts";
import { finalBlockOf } from "./ponderCheckpoint.ts";

/** The JSON value of `stateSql`. Fields are null before they have a value. */
export const networkState = z.object({
  /** Two indexes can have the same newest event, and differ because one was repaired. */
  index: indexIdentity,
  /** Ponder's checkpoint up to which everything is indexed as final. */
  safeCheckpoint: z.string().nullable(),
  /** The newest indexed event. Rows change only together with it. */
  newest: z.object({ blockNumber: z.string(), blockHash: z.string(), eventId: z.string() }).nullable(),
  /** Block of the newest event that was streamed live. */
  observation: z.object({ blockNumber: z.string(), blockHash: z.string() }).nullable(),
});

/** The state on which the answers of a network depend. Equal states give equal answers. */
export type NetworkState = z.output<typeof networkState>;

/**
 * SQL expression of a network's state as one JSON value. Every part except the index is null before indexing has begun.
 */
export function stateSql(network: ApiNetwork): string {
  const { schema, name, chainId } = network;
  const tables = escapeIdentifier(schema);
  // The network's name and chain ID are constants of this project's configuration, and do not come from a request.
  return `json_build_object(
    'index', ${identitySql(network)},
    'safeCheckpoint', (SELECT safe_checkpoint FROM ${tables}._ponder_checkpoint WHERE chain_name = '${name}'),
    'newest', (
      SELECT json_build_object('blockNumber', block_number::text, 'blockHash', block_hash, 'eventId', event_id)
      FROM ${tables}.chain_state WHERE chain_id = ${chainId}
    ),
    'observation', (
      SELECT json_build_object('blockNumber', observed_block_number::text, 'blockHash', observed_block_hash)
      FROM ${tables}.chain_state WHERE chain_id = ${chainId} AND observed_block_number IS NOT NULL
    )
  )`;
}

const stateRow = z.object({ states: z.array(networkState) });

/** Makes the reader of the states of some networks, in the given order. */
export function statesReader(database: Database, networks: readonly ApiNetwork[]): () => Promise<NetworkState[]> {
  const statement = prepared(
    `api_state_${networks.map(({ name }) => name).join("_")}`,
    `SELECT json_build_array(${networks.map(stateSql).join(", ")}) AS states`,
  );
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return stateRow.parse(row).states;
  };
}

/** Makes the reader of the state of one network. */
export function stateReader(database: Database, network: ApiNetwork): () => Promise<NetworkState> {
  const readStates = statesReader(database, [network]);
  return async () => {
    const [state] = await readStates();
    if (state === undefined) throw new Error(`the database returned no state of ${network.name}`);
    return state;
  };
}

/** Returns the number of the newest final block of an index, or null before the first. */
export function finalNumberOf(network: Pick<ApiNetwork, "startBlock">, safeCheckpoint: string | null): bigint | null {
  return finalBlockOf(network, safeCheckpoint)?.blockNumber ?? null;
}

/** Whether every block before a second is final. Blocks after the newest final one are not older than it. */
export function isFinalBefore(
  second: bigint,
  network: Pick<ApiNetwork, "startBlock">,
  { safeCheckpoint }: Pick<NetworkState, "safeCheckpoint">,
): boolean {
  const final = finalBlockOf(network, safeCheckpoint);
  return final !== null && final.timestamp >= second;
}

/**
 * Returns the newest block through which the index is certainly complete: that of the newest event, or the last final
 * one if that is higher. Null while nothing is indexed.
 */
export function newestBlockOf(
  network: Pick<ApiNetwork, "startBlock">,
  state: Pick<NetworkState, "safeCheckpoint" | "observation" | "newest">,
): bigint | null {
  const final = finalNumberOf(network, state.safeCheckpoint);
  const newest = state.newest === null ? null : BigInt(state.newest.blockNumber);
  if (final === null || (newest !== null && newest > final)) return newest;
  return final;
}

/** Describes how much of a network's history is indexed. */
export function coverageOf(
  network: Pick<ApiNetwork, "startBlock">,
  { safeCheckpoint, observation }: Pick<NetworkState, "safeCheckpoint" | "observation">,
): Coverage {
  const { startBlock } = network;
  const final = finalNumberOf(network, safeCheckpoint);
  return {
    historicalBackfill: {
      startBlock: startBlock.toString(),
      nextBlock: (final === null ? startBlock : final + 1n).toString(),
      indexedThroughBlock: final?.toString() ?? null,
    },
    lastMatchingStreamObservation: observation,
  };
}
