/** Views that show one index and then another: what is refused, and what readers see meanwhile. */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Client, Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createIndexIdentity, INDEX_FORMAT } from "../../../src/api/shared/indexIdentity.ts";
import { writeStatusRow } from "../../../src/api/status/table.ts";
import { dropIndex, showIndex } from "../../../tools/lib/indexViews.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { withClient } from "../../support/postgres.ts";
import { createIndex, openEngine, setCheckpoint, type TestEngine } from "../support/engine.ts";
import { LIVE, renewStatuses } from "../support/world.ts";

const VIEWS = "shown";
const OLD = "index_views_test";
const NEW = "index_views_test_2";

let engine: TestEngine;
let pool: Pool;
let endRenewal: (() => Promise<void>) | undefined;

beforeAll(async () => {
  engine = await openEngine(OLD);
  pool = new Pool({ connectionString: url(), max: 2 });
});
afterAll(async () => {
  await pool?.end();
  await engine?.close();
});

/** Both indexes are live up to block 200, and the views show the old one. */
beforeEach(async () => {
  await engine.execute(`DROP SCHEMA IF EXISTS ${VIEWS} CASCADE; DROP SCHEMA IF EXISTS ${NEW} CASCADE`);
  await createIndex(engine, NEW);
  for (const schema of [OLD, NEW]) {
    await engine.execute(`DELETE FROM ${schema}._ponder_checkpoint; DELETE FROM ${schema}.chain_state`);
    await reach(schema, 200);
    await writeStatusRow(engine.database, { schema, chainId: 1 }, LIVE);
    await engine.execute(
      `INSERT INTO ${schema}.chain_state (chain_id, block_number, block_hash, event_id, series_count)
       VALUES (1, 200, '${schema}', 1, 0)`,
    );
  }
  // However long a test takes, its indexers count as running.
  endRenewal = renewStatuses(engine);
  expect(await showIndex(pool, { views: VIEWS, index: OLD })).toBeNull();
});
afterEach(() => endRenewal?.());

function url(): string {
  const connectionString = engine.pool?.options.connectionString;
  if (connectionString === undefined) throw new Error("this test runs on PostgreSQL");
  return connectionString;
}

function reach(schema: string, block: number, chain: "mainnet" | "sepolia" = "mainnet"): Promise<void> {
  return setCheckpoint({ ...engine, schema }, chain, block);
}

const show = (options: { index?: string; deadlineMs?: number } = {}) =>
  showIndex(pool, { views: VIEWS, index: NEW, deadlineMs: 0, ...options });

/** The index that the views show, according to the identity and to a row of a table. */
async function shown(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT schema_name, (SELECT block_hash FROM ${VIEWS}.chain_state) AS row FROM ${VIEWS}.coreswap_index`,
  );
  return [rows[0]?.schema_name, rows[0]?.row];
}

it("show every table of one index, then of the other, and then of the first again", async () => {
  expect(await shown()).toEqual([OLD, OLD]);
  const names = `SELECT string_agg(table_name, ',' ORDER BY table_name) AS names FROM information_schema.views
    WHERE table_schema = '${VIEWS}'`;
  const { rows } = await pool.query(names);
  expect(rows[0].names.split(",")).toEqual(
    expect.arrayContaining(["_ponder_checkpoint", "_ponder_meta", "chain_state", "coreswap_index", "volume_total"]),
  );
  expect(rows[0].names).not.toContain("_reorg__");
  expect(await show()).toBe(OLD);
  expect(await shown()).toEqual([NEW, NEW]);
  expect(await show()).toBe(NEW);
  expect(await show({ index: OLD })).toBe(NEW);
  expect(await shown()).toEqual([OLD, OLD]);
});

function identify(schema: string, { format = INDEX_FORMAT, contracts = "" }): Promise<unknown> {
  return engine.execute(
    `CREATE OR REPLACE VIEW ${schema}.coreswap_index AS
      SELECT '${schema}'::text AS schema_name, ${format} AS format, '${randomUUID()}'::text AS id,
        '${JSON.stringify({ 1: contracts })}'::jsonb AS contracts`,
  );
}

const REFUSALS: Readonly<Record<string, readonly [prepare: () => Promise<unknown>, message: string]>> = {
  "in its backfill": [
    () => writeStatusRow(engine.database, { schema: NEW, chainId: 1 }, { ...LIVE, state: "backfill" }),
    `Schema ${NEW} is not ready: mainnet is in state backfill, not live.`,
  ],
  damaged: [
    () => writeStatusRow(engine.database, { schema: NEW, chainId: 1 }, { ...LIVE, state: "damaged" }),
    `Schema ${NEW} is not ready: mainnet is in state damaged, not live.`,
  ],
  "without a running indexer": [
    () =>
      engine.execute(
        `UPDATE core_offchain.indexing_status SET written_at = now() - interval '1 minute' WHERE schema_name = '${NEW}'`,
      ),
    `Schema ${NEW} is not ready: mainnet is in state stopped, not live.`,
  ],
  "of another format": [
    () => identify(NEW, { format: INDEX_FORMAT + 1 }),
    `Schema ${NEW} was built by another version of CoreSwap: its format is ${INDEX_FORMAT + 1}, ` +
      `and this version reads format ${INDEX_FORMAT}.`,
  ],
  "of other contracts": [
    () => identify(OLD, { contracts: "0x0a 0x0b" }).then(() => identify(NEW, { contracts: "0x0a 0x0c" })),
    `The views in schema ${VIEWS} show contracts 0x0a 0x0b of chain 1, and ${NEW} has 0x0a 0x0c. ` +
      "Name another schema for views of it, and restart the replicas one by one with that schema and deployment file.",
  ],
  "that lacks a network": [
    () => reach(OLD, 200, "sepolia"),
    `Schema ${NEW} does not index sepolia, which the views in ${VIEWS} show.`,
  ],
  "with fewer final blocks": [
    () => engine.execute(`UPDATE ${NEW}._ponder_checkpoint SET safe_checkpoint = '${"0".repeat(75)}'`),
    `Schema ${NEW} is behind ${OLD}: it has mainnet up to block 200, or fewer final blocks; expected 200.`,
  ],
  "with other columns": [
    () => engine.execute(`ALTER TABLE ${NEW}.chain_state RENAME COLUMN event_id TO event`),
    `The tables differ from those that the views show (cannot change name of view column "event_id" to "event"). ` +
      "Nothing was changed.",
  ],
  "that does not exist": [
    () => engine.execute(`DROP SCHEMA ${NEW} CASCADE`),
    `Schema ${NEW} is not an index: it has no view coreswap_index, which its indexer creates.`,
  ],
};

it.each(Object.entries(REFUSALS))("do not change to an index %s", async (_what, [prepare, message]) => {
  await prepare();
  await expect(show()).rejects.toThrow(message);
  expect(await shown()).toEqual([OLD, OLD]);
});

it("change from an index that does not name its contracts", async () => {
  await engine.execute(`DROP VIEW ${OLD}.coreswap_index CASCADE;
    CREATE VIEW ${OLD}.coreswap_index AS SELECT '${OLD}'::text AS schema_name, ${INDEX_FORMAT} AS format,
      '${randomUUID()}'::text AS id;
    CREATE VIEW ${VIEWS}.coreswap_index AS SELECT * FROM ${OLD}.coreswap_index`);
  try {
    await identify(NEW, { contracts: "0x0a 0x0b" });
    expect(await show()).toBe(OLD);
    expect(await shown()).toEqual([NEW, NEW]);
  } finally {
    await engine.execute(`DROP VIEW ${OLD}.coreswap_index CASCADE`);
    await createIndexIdentity(engine.database, OLD, []);
  }
});

it("cannot replace an index, or show other views", async () => {
  await expect(showIndex(pool, { views: OLD, index: NEW })).rejects.toThrow(
    `Schema ${OLD} has relations that are not views of an index. Name another schema for the views.`,
  );
  await expect(showIndex(pool, { views: "other", index: VIEWS })).rejects.toThrow(
    `Schema ${VIEWS} has views that show ${OLD}. Name the schema of an index.`,
  );
});

it("change as soon as an index that is behind has caught up", async () => {
  await reach(OLD, 201);
  await engine.execute(`UPDATE ${OLD}._ponder_checkpoint SET latest_checkpoint = safe_checkpoint`);
  await expect(show()).rejects.toThrow(`Schema ${NEW} is behind ${OLD}`);
  const switching = show({ deadlineMs: 60_000 });
  await delay(300);
  expect(await shown()).toEqual([OLD, OLD]);
  await reach(NEW, 201);
  await engine.execute(`UPDATE ${NEW}._ponder_checkpoint SET latest_checkpoint = safe_checkpoint`);
  expect(await switching).toBe(OLD);
  expect(await shown()).toEqual([NEW, NEW]);
});

it("do not make a request wait for a long reader, and change when the reader has ended", async () => {
  const reader = new Client({ connectionString: url() });
  await reader.connect();
  try {
    await reader.query(`BEGIN; SELECT * FROM ${VIEWS}.chain_state`);
    await expect(show()).rejects.toThrow("Other transactions kept the views locked");
    const switching = show({ deadlineMs: 60_000 });
    // Other readers wait for at most half a second. A busy machine adds to that.
    for (let reading = 0; reading < 10; reading += 1) {
      await pool.query("SET statement_timeout = '10s'");
      expect(await shown()).toEqual([OLD, OLD]);
    }
    await reader.query("COMMIT");
    expect(await switching).toBe(OLD);
    expect(await shown()).toEqual([NEW, NEW]);
  } finally {
    await reader.end();
  }
});

it("are locked in the order of requests: rows first, and the state last", async () => {
  await withClient(url(), async (request) => {
    await request.query(`BEGIN; SELECT FROM ${VIEWS}.rwa`);
    const switching = show({ deadlineMs: 60_000 });
    let locked: string[] = [];
    await waitUntil("the switch waits for the request", async () => {
      const { rows } = await pool.query<{ view: string }>(
        `SELECT held.relation::regclass::text AS view
         FROM pg_locks AS awaited JOIN pg_locks AS held USING (pid)
         WHERE awaited.relation = $1::regclass AND NOT awaited.granted AND held.mode = awaited.mode AND held.granted`,
        [`${VIEWS}.rwa`],
      );
      locked = rows.map(({ view }) => view);
      return locked.length > 0 ? null : "it does not wait";
    });
    expect(locked).toContain(`${VIEWS}.nav_post`);
    for (const view of ["coreswap_index", "_ponder_checkpoint", "chain_state"]) {
      expect(locked).not.toContain(`${VIEWS}.${view}`);
    }
    await request.query("COMMIT");
    expect(await switching).toBe(OLD);
  });
});

it("always show the whole of one index while two switches run at once", async () => {
  const seen = new Set<string>();
  let isDone = false;
  const reading = (async () => {
    const reader = new Pool({ connectionString: url(), max: 2 });
    try {
      while (!isDone) {
        const { rows } = await reader.query({
          name: "both",
          text: `SELECT schema_name, (SELECT block_hash FROM ${VIEWS}.chain_state) AS row FROM ${VIEWS}.coreswap_index`,
        });
        seen.add(`${rows[0].schema_name} ${rows[0].row}`);
      }
    } finally {
      await reader.end();
    }
  })();
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([show({ deadlineMs: 60_000 }), show({ index: OLD, deadlineMs: 60_000 })]);
    await show({ deadlineMs: 60_000 });
  }
  isDone = true;
  await reading;
  for (const each of seen) expect([`${OLD} ${OLD}`, `${NEW} ${NEW}`]).toContain(each);
});

it("prevent their index from being dropped, as its indexer does", async () => {
  await expect(dropIndex(pool, OLD)).rejects.toThrow(
    `Views in schema ${VIEWS} show schema ${OLD}. Switch them to another index first.`,
  );
  await expect(dropIndex(pool, VIEWS)).rejects.toThrow(`Schema ${VIEWS} is not an index, so it is not dropped.`);
  await expect(dropIndex(pool, "core_offchain")).rejects.toThrow(
    "Schema core_offchain is not an index, so it is not dropped.",
  );
  const indexer = new Client({ connectionString: url() });
  await indexer.connect();
  await indexer.query("SELECT pg_advisory_lock(hashtextextended('coreswap indexes into ' || $1, 0))", [NEW]);
  await expect(dropIndex(pool, NEW)).rejects.toThrow(`An indexer runs on schema ${NEW}: stop it first.`);
  await indexer.end();
  await endRenewal?.();
  const forked = { ...LIVE, state: "forked", confirmed: { number: 145, hash: `0x${"ab".repeat(32)}` } } as const;
  await writeStatusRow(engine.database, { schema: NEW, chainId: 1 }, forked);
  await engine.execute(`CREATE SCHEMA IF NOT EXISTS ponder_sync;
    CREATE TABLE ponder_sync.intervals (fragment_id text PRIMARY KEY, chain_id bigint, blocks nummultirange NOT NULL);
    INSERT INTO ponder_sync.intervals VALUES ('log', 1, '{[0,201]}')`);
  await expect
    .poll(() => dropIndex(pool, NEW).catch(String), { timeout: 60_000 })
    .toContain(`Schema ${NEW} is forked, and ponder_sync has blocks of chain 1 from its chain. Remove them first`);
  await engine.execute("TRUNCATE ponder_sync.intervals");
  await expect.poll(() => dropIndex(pool, NEW).then(() => "dropped", String), { timeout: 60_000 }).toBe("dropped");
  const { rows } = await pool.query("SELECT schema_name FROM core_offchain.indexing_status ORDER BY 1");
  expect(rows).toEqual([{ schema_name: OLD }]);
  expect(await shown()).toEqual([OLD, OLD]);
});

it("tells in order why a switch failed whose connection broke", async () => {
  await withClient(url(), async (other) => {
    await other.query("SELECT pg_advisory_lock(hashtext('coreswap views'))");
    const { status, output } = switchTool("--views", VIEWS, "--to", NEW);
    await waitUntil("the tool waits", endWaiting, { deadlineMs: 60_000 });
    expect(await status).toBe(1);
    expect(output()).toContain("terminating connection due to administrator command");
    expect(output()).not.toContain("Unhandled");
  });
  expect(await shown()).toEqual([OLD, OLD]);
}, 120_000);

/** Runs `pnpm ops:switch`. */
function switchTool(...args: readonly string[]) {
  const child = spawn(process.execPath, ["tools/switch.ts", ...args], {
    env: { ...process.env, DATABASE_URL: url(), DATABASE_PRIVATE_URL: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (data: Buffer) => {
    output += data.toString();
  });
  const status = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  return { status, output: () => output };
}

/** Ends the session of a tool that waits for the lock. */
async function endWaiting(): Promise<string | null> {
  const { rows } = await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'coreswap_switch' AND wait_event_type = 'Lock' AND datname = current_database()`);
  return rows.length > 0 ? null : "it does not wait";
}
