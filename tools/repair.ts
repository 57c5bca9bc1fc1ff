/**
 * `pnpm repair`: indexes a network again beside the present index, with a range of blocks fetched from the node instead
 * of the cache, and audits that range. It does not touch the present index. To switch, an operator changes settings and
 * restarts, as the tool describes at the end.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { escapeIdentifier, type Pool } from "pg";
import { openPool } from "../config/postgresClients.ts";
import { SCHEMA_LOCK_KEY } from "../config/postgresConnection.ts";
import { freePort, HOST } from "../localnet/ports.ts";
import { databaseOf } from "../src/api/shared/database.ts";
import { STOPPED_AFTER_SECONDS } from "../src/api/status/state.ts";
import { createStatusTable, readStatusRows } from "../src/api/status/table.ts";
import { auditRange, type IndexRange, readIndexRange } from "./lib/indexRange.ts";
import { dropCachedRange } from "./lib/rawCache.ts";
import { runTool, UsageError } from "./lib/runTool.ts";

const SUMMARY = `Removes the blocks from the cache of raw chain data, indexes the network into a new schema beside the
present one, and audits the blocks there. The present index stays in use meanwhile. At the end, it prints how to switch.
Database, schema, node and deployment file are those of the indexer's settings. Ends with 1 if the new index is wrong, or
could not be compared completely.`;

const ON_PGLITE = "With PGlite, stop the indexer, remove PGLITE_DIRECTORY and start it: it indexes all again";

const POLL_INTERVAL_MS = 1_000;

/** How long the new index may be damaged or forked. Its indexer asks nodes that contradict themselves every 30 seconds. */
const LONGEST_WRONG_SECONDS = 300n;

const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The new index counts as caught up at this distance from the head. */
const NEAR_BLOCKS = 2n;

await runTool(async () => {
  const range = readIndexRange("pnpm repair", SUMMARY, ON_PGLITE);
  const { network, fromBlock, toBlock, connectionString } = range;
  const pool = openPool({ connectionString, max: 1, application_name: "coreswap_repair" });
  try {
    await createStatusTable(databaseOf(pool));
    await refuseOtherNetworks(pool, range);
    await refuseUnlessFinal(pool, range);
    await refuseBesideBackfill(pool, range);
    const schema = await freeSchema(pool, range.schema);
    const removed = await dropCachedRange(pool, network.chainId, fromBlock, toBlock);
    console.log(`Removed ${removed} rows of blocks ${fromBlock} to ${toBlock} from the cache.`);
    console.log(`Indexing ${network.name} into schema ${schema}.`);
    await indexInto(pool, { ...range, schema });

    const { failed, unfinished } = await auditRange({ ...range, schema }, (line) => console.log(line));
    if (failed > 0) {
      throw new UsageError(
        `The new index is wrong: ${failed} comparisons failed, and ${unfinished} could not be made. ` +
          `Schema ${schema} is kept for inspection. Do not switch to it.`,
      );
    }
    if (unfinished > 0) throw new UsageError(unfinishedText(range, schema, unfinished));
    console.log(switching(range, schema));
  } finally {
    await pool.end();
  }
});

/**
 * Refuses a present index with other networks. The new index is one of this network alone, and an indexer of several
 * networks refuses it: an index belongs to the contracts of all its networks. Without a present index, none is refused.
 */
async function refuseOtherNetworks(pool: Pool, { network, schema }: IndexRange): Promise<void> {
  const table = `${escapeIdentifier(schema)}._ponder_checkpoint`;
  const { rows: found } = await pool.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    table,
  ]);
  if (found[0]?.exists !== true) return;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT chain_name AS name FROM ${table} WHERE chain_name <> $1 ORDER BY chain_name`,
    [network.name],
  );
  if (rows.length === 0) return;
  throw new UsageError(
    `Schema ${schema} is an index of ${rows.map(({ name }) => name).join(", ")}, too. A repair makes one of ` +
      `${network.name} alone, which the indexer of ${schema} would refuse. First index each network into a schema of ` +
      "its own (docs/operate/audit.md, Repair), then repair that one.",
  );
}

/**
 * Refuses a range beyond the newest final block of the present index, so that this is not found out when the new one is
 * complete. A present index without a status refuses nothing.
 */
async function refuseUnlessFinal(pool: Pool, { network, schema, toBlock }: IndexRange): Promise<void> {
  const [present] = await readStatusRows(databaseOf(pool), [{ schema, chainId: network.chainId }]);
  const final = present?.finalNumber ?? null;
  if (final !== null && final < toBlock) throw new UsageError(notFinal(toBlock, final));
}

/**
 * Refuses while another index of the network has not passed the range. That index decided at its start which blocks are
 * cached. It would take the removed ones for empty.
 */
async function refuseBesideBackfill(pool: Pool, { network, toBlock }: IndexRange): Promise<void> {
  const { rows } = await pool.query<{ schema: string; isWritten: boolean }>(
    `SELECT schema_name AS schema, abs(extract(epoch FROM clock_timestamp() - written_at)) <= $3 AS "isWritten"
    FROM core_offchain.indexing_status
    WHERE chain_id = $1 AND (final_number IS NULL OR final_number < $2)
    ORDER BY schema_name`,
    [network.chainId, toBlock, STOPPED_AFTER_SECONDS],
  );
  const indexed: string[] = [];
  for (const { schema, isWritten } of rows) {
    if (isWritten || (await isHeld(pool, schema))) indexed.push(schema);
  }
  if (indexed.length === 0) return;
  throw new UsageError(
    `Schema ${indexed.join(", ")} is being indexed and has not passed block ${toBlock} yet. ` +
      "It would miss the blocks that this command removes from the cache. Wait until it has, or stop its indexer.",
  );
}

/** Whether an indexer holds the schema. One that is paused does, and continues later with what it decided before. */
async function isHeld(pool: Pool, schema: string): Promise<boolean> {
  const { rows } = await pool.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${SCHEMA_LOCK_KEY}) AS locked`,
    [schema],
  );
  return rows[0]?.locked !== true;
}

function notFinal(block: bigint, newest: bigint | null): string {
  return `Block ${block} is not final yet; the newest final block is ${newest}.`;
}

/**
 * The first of `<schema>_r1`, `<schema>_r2` and so on, after the present one, that does not exist. By the name, a client
 * is told that another index took the place of its own.
 */
async function freeSchema(pool: Pool, present: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>("SELECT nspname AS name FROM pg_namespace");
  const taken = new Set(rows.map(({ name }) => name));
  const [, base = present, last = "0"] = /^(.*)_r([0-9]+)$/.exec(present) ?? [];
  for (let number = Number(last) + 1; ; number += 1) {
    const candidate = `${base}_r${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * Runs an indexer on the schema until it has caught up. A signal that ends this tool ends the indexer, too.
 * @throws UsageError when the indexer ends before that, stays damaged or forked, or the range is not final yet
 */
async function indexInto(pool: Pool, { network, schema, toBlock }: IndexRange): Promise<void> {
  const database = databaseOf(pool);
  // The state of an index of this name that was dropped would be taken for that of the new one, also by its indexer.
  await pool.query("DELETE FROM core_offchain.indexing_status WHERE schema_name = $1", [schema]);
  const port = await freePort();
  const indexer = spawn(process.execPath, ["tools/ponder.ts", "start", "--hostname", HOST, "--port", String(port)], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      DATABASE_SCHEMA: schema,
      PONDER_NETWORKS: network.name,
      // The calls that traces left out would be missing again.
      CALLS_FROM: "blocks",
      PORT: String(port),
      // This tool runs its own audit.
      AUDIT_REQUESTS_PER_MINUTE: "0",
    },
  });
  await once(indexer, "spawn");
  const ended = once(indexer, "exit");
  let interruption: NodeJS.Signals | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    interruption = signal;
    indexer.kill("SIGTERM");
  };
  for (const signal of INTERRUPTIONS) process.on(signal, interrupt);
  try {
    while (interruption === undefined) {
      if (indexer.exitCode !== null || indexer.signalCode !== null) {
        throw new UsageError(`The indexer of schema ${schema} ended before it caught up; see its log above.`);
      }
      const [row] = await readStatusRows(database, [{ schema, chainId: network.chainId }]);
      const { head = null, indexed = null } = row ?? {};
      const isNear = head !== null && indexed !== null && indexed.blockNumber + NEAR_BLOCKS >= head.blockNumber;
      if (row?.state === "live" && isNear) {
        if (row.finalNumber !== null && row.finalNumber >= toBlock) break;
        throw new UsageError(notFinal(toBlock, row.finalNumber));
      }
      const isWrong = row?.state === "damaged" || row?.state === "forked";
      if (isWrong && row.writtenAt - row.stateSince >= LONGEST_WRONG_SECONDS) {
        throw new UsageError(
          `The new index is ${row.state}: ${row.reason ?? "no reason is known"}. Schema ${schema} is kept for inspection. ` +
            `Do not switch to it. To start over, remove it: pnpm ops:switch --drop ${schema}`,
        );
      }
      await sleep(POLL_INTERVAL_MS);
    }
  } finally {
    indexer.kill("SIGTERM");
    await ended;
    for (const signal of INTERRUPTIONS) process.off(signal, interrupt);
  }
  if (interruption !== undefined) {
    throw new UsageError(
      `Interrupted by ${interruption}. To start over, remove schema ${schema}: pnpm ops:switch --drop ${schema}`,
    );
  }
}

/** Rows that a block that is not final has changed cannot be compared, and a node may have failed. */
function unfinishedText({ network, fromBlock, toBlock }: IndexRange, schema: string, unfinished: number): string {
  const repeat = `pnpm audit:index --network ${network.name} --from ${fromBlock} --to ${toBlock}`;
  return `
${network.name}: no comparison of schema ${schema} failed, but ${unfinished} could not be made: see above.
Before you switch to it, start an indexer with DATABASE_SCHEMA=${schema}, and once the newest blocks are final, repeat:
  DATABASE_SCHEMA=${schema} ${repeat}`;
}

function switching({ network, schema: present, fromBlock, toBlock }: IndexRange, schema: string): string {
  return `
${network.name}: schema ${schema} is indexed, and its blocks ${fromBlock} to ${toBlock} match the chain.
To switch:
  1. Stop the indexer of schema ${present}, and start it with DATABASE_SCHEMA=${schema}. It continues from here.
  2. Once it is live, switch the views of the replicas to it: pnpm ops:switch --views <schema> --to ${schema}
     Without views: Restart the replicas one by one with DATABASE_SCHEMA_${network.name.toUpperCase()}=${schema}.
  3. When nothing uses the old schema any more: pnpm ops:switch --drop ${present}`;
}
