/** Reads how far Ponder has indexed a network, in the process that indexes it. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { blockOfCheckpoint, finalBlockOf } from "../shared/ponderCheckpoint.ts";
import type { StatusRow } from "./table.ts";

const reading = z.object({
  /** Version of the checkpoint's row, which changes with each write, even of equal values. */
  version: z.string().nullable(),
  safeCheckpoint: z.string().nullable(),
  latestCheckpoint: z.string().nullable(),
  isReady: z.boolean(),
  /** Versions of the rows that record cached blocks, which change while the backfill fetches blocks. */
  fetched: z.string().nullable(),
});

/** How far a network is indexed. */
export interface IndexedProgress {
  readonly indexed: StatusRow["indexed"];
  /** Newest final block. */
  readonly final: StatusRow["indexed"];
  readonly isBackfilling: boolean;
  /** Changes whenever something was indexed, or fetched for the backfill. */
  readonly mark: string;
}

/**
 * Creates the reader of the progress while the process runs.
 *
 * Neither a crash nor a reorganization lowers Ponder's `latest_checkpoint`: after a restart it still names a block
 * whose rows were rolled back. It therefore counts only once this process has written it. Until then, the newest
 * indexed block is that of the safe checkpoint. In a reorganization it may name a block of the abandoned branch until
 * the next block is indexed.
 * @param network a network that the calling process indexes
 */
export async function openProgress(database: Database, network: ApiNetwork): Promise<() => Promise<IndexedProgress>> {
  const statement = prepared(`status_progress_${network.name}`, progressSql(network));
  const read = async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return reading.parse(row);
  };
  const first = await read();
  return async () => {
    const now = await read();
    const isOwn = now.version !== first.version;
    const checkpoint = isOwn ? now.latestCheckpoint : now.safeCheckpoint;
    const isLive = now.isReady || (isOwn && now.latestCheckpoint !== now.safeCheckpoint);
    return {
      indexed: blockOfCheckpoint(checkpoint),
      final: finalBlockOf(network, now.safeCheckpoint),
      isBackfilling: !isLive,
      mark: JSON.stringify([now.version, isLive, isLive ? null : now.fetched]),
    };
  };
}

function progressSql({ schema, name, chainId }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  // The network's name and chain ID are constants of this project's configuration, and do not come from a request.
  return `
SELECT
  checkpoint.xmin::text AS version,
  checkpoint.safe_checkpoint AS "safeCheckpoint",
  checkpoint.latest_checkpoint AS "latestCheckpoint",
  coalesce((SELECT (value->>'is_ready')::integer = 1 FROM ${tables}._ponder_meta), false) AS "isReady",
  (
    SELECT string_agg(intervals.xmin::text, ',' ORDER BY fragment_id)
    FROM ponder_sync.intervals WHERE intervals.chain_id = ${chainId}
  ) AS fetched
FROM (SELECT 1) AS always
LEFT JOIN ${tables}._ponder_checkpoint AS checkpoint ON checkpoint.chain_name = '${name}'`;
}
