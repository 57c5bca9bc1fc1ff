/** Refuses to continue an index on another chain than the one on which it was begun. */
import { z } from "@hono/zod-openapi";
import type { PublicClient } from "viem";
import { blockHashOf } from "../shared/blockHash.ts";
import { bytes32Column, integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { finalNumberOf, stateReader } from "../shared/state.ts";
import { readConfirmedBlock, readFetchedBlock, writeFork } from "./table.ts";

interface SameChainOptions {
  /** The database with the rows and with the table of statuses. */
  readonly database: Database;
  readonly network: ApiNetwork;
  /** Clients of one URL each. */
  readonly nodes: readonly PublicClient[];
}

/**
 * Compares final blocks that were stored with the node's blocks of the same numbers: the one that the previous run of the
 * index recorded, the newest one among Ponder's raw data, and the newest one that an index of any schema recorded and
 * that the raw data covers. Ponder would index the blocks after them, whatever chain they are on, and take what the raw
 * data covers from there: of blocks without an event it has only their numbers. An index without final blocks is new,
 * and has recorded none that count.
 * @throws Error that names both blocks when they differ; the network is `forked` from then on
 * @throws viem's errors when no node has the block
 */
export async function requireSameChain({ database, network, nodes }: SameChainOptions): Promise<void> {
  const { safeCheckpoint } = await stateReader(database, network)();
  const isNew = finalNumberOf(network, safeCheckpoint) === null;
  const indexed = isNew ? null : await readConfirmedBlock(database, network);
  const [raw] = await database.query({ ...NEWEST_RAW_BLOCK, values: [network.chainId] });
  const compared = [
    ["indexed", indexed],
    ["stored", rawBlock.parse(raw ?? null)],
    ["fetched", await readFetchedBlock(database, network)],
  ] as const;
  for (const [verb, stored] of compared) {
    if (stored === null) continue;
    const hash = await blockHashOf(nodes, stored.number);
    if (hash === stored.hash) continue;
    const reason = `block ${stored.number} was ${verb} as ${stored.hash}, the node has ${hash}`;
    await writeFork(database, network, reason);
    throw new Error(
      `${network.name}: ${reason}. Final blocks never change, so the node is on another chain than the index. ` +
        "Use a node of the right chain; if this one is right, index into a new DATABASE_SCHEMA with an empty ponder_sync",
    );
  }
}

const NEWEST_RAW_BLOCK = prepared(
  "newest_raw_block",
  "SELECT number::text, hash FROM ponder_sync.blocks WHERE chain_id = $1::bigint ORDER BY blocks.number DESC LIMIT 1",
);

const rawBlock = z.object({ number: integerColumn, hash: bytes32Column }).nullable();
