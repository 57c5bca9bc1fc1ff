/** A repair and the indexer that it starts, when the database fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { SCHEMA_LOCK_KEY } from "../../../config/postgresConnection.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { openEngine, type TestEngine } from "../support/engine.ts";

/** A process takes seconds to start, and many on a busy machine. */
const DEADLINE = { deadlineMs: 60_000 };
const TEST_TIMEOUT_MS = 150_000;
const ADDRESS = `0x${"11".repeat(20)}`;

/** The present index, made by a second repair. That of the first, `core_r1`, was dropped. */
const PRESENT = "core_r2";

/** Takes the place of the indexer: runs until it is told to end, and indexes nothing. */
const INDEXER = `
import { writeFileSync } from "node:fs";
writeFileSync("indexer.pid", String(process.pid));
setInterval(() => {}, 1_000);`;

let engine: TestEngine;
let directory: string;

beforeAll(async () => {
  engine = await openEngine("repair_test");
  const tables = ["transactions", "transaction_receipts", "logs", "traces", "rpc_request_results"];
  await engine.execute(`
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.intervals (fragment_id text PRIMARY KEY, chain_id bigint, blocks nummultirange NOT NULL);
    CREATE TABLE ponder_sync.blocks (chain_id bigint, number bigint);
    ${tables.map((table) => `CREATE TABLE ponder_sync.${table} (chain_id bigint, block_number bigint);`).join("\n")}`);
  directory = mkdtempSync(join(tmpdir(), "coreswap-repair-"));
  for (const folder of ["tools", "evm"]) mkdirSync(join(directory, folder));
  writeFileSync(join(directory, "tools/ponder.ts"), INDEXER);
  const deployment = { chainId: 1, startBlock: 0, coreSwap: ADDRESS, treasury: ADDRESS };
  writeFileSync(join(directory, "evm/mainnet.json"), JSON.stringify(deployment));
});
afterEach(() => {
  const pid = pidOfIndexer();
  rmSync(join(directory, "indexer.pid"), { force: true });
  if (pid !== null && isRunning(pid)) process.kill(pid);
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await engine.close();
});

/** Runs `pnpm repair` in the folder with the indexer. */
function startRepair() {
  const child = spawn(
    process.execPath,
    [resolve("tools/repair.ts"), "--network", "mainnet", "--from", "1", "--to", "2"],
    {
      cwd: directory,
      env: {
        ...process.env,
        DATABASE_URL: pool().options.connectionString,
        DATABASE_PRIVATE_URL: "",
        DATABASE_SCHEMA: PRESENT,
        DEPLOYMENTS_DIR: directory,
        PONDER_RPC_URL_1: "http://127.0.0.1:1",
      },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let output = "";
  child.stderr.on("data", (data: Buffer) => {
    output += data.toString();
  });
  const status = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  return { child, status, output: () => output };
}

function pool(): Pool {
  if (engine.pool === null) throw new Error("these tests need PostgreSQL");
  return engine.pool;
}

function pidOfIndexer(): number | null {
  const path = join(directory, "indexer.pid");
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : null;
}

it(
  "indexes into a name that no index had, goes on when its connection breaks, and ends when its indexer does",
  async () => {
    const { child, status, output } = startRepair();
    await waitUntil("the indexer runs", async () => (pidOfIndexer() === null ? output() : null), DEADLINE);
    await waitUntil("the repair looks at its indexer", endIdleSession, DEADLINE);
    await delay(2_500);
    expect(child.exitCode, output()).toBeNull();
    process.kill(Number(pidOfIndexer()));
    expect(await status).toBe(1);
    expect(output()).toBe("The indexer of schema core_r3 ended before it caught up; see its log above.\n");
  },
  TEST_TIMEOUT_MS,
);

it(
  "refuses a block that is not final in the present index, before it removes anything",
  async () => {
    await writeStatus(PRESENT, "clock_timestamp()", 1);
    await engine.execute("INSERT INTO ponder_sync.blocks VALUES (1, 2)");
    const { status, output } = startRepair();
    expect(await status).toBe(1);
    expect(output()).toBe("Block 2 is not final yet; the newest final block is 1.\n");
    expect(pidOfIndexer()).toBeNull();
    expect(await engine.execute("SELECT number FROM ponder_sync.blocks")).toEqual([[{ number: "2" }]]);
    await engine.execute("DELETE FROM core_offchain.indexing_status");
  },
  TEST_TIMEOUT_MS,
);

it(
  "removes nothing from under another index that has not passed the blocks",
  async () => {
    await writeStatus(PRESENT, "clock_timestamp()", 10);
    await writeStatus("other", "clock_timestamp()", 1);
    for (const schema of ["paused", "stopped"]) {
      await writeStatus(schema, "clock_timestamp() - interval '1 minute'", 1);
    }
    // A paused process writes no status, but the server keeps its session.
    const indexer = await pool().connect();
    try {
      await indexer.query(`SELECT pg_advisory_lock(${SCHEMA_LOCK_KEY})`, ["paused"]);
      const { status, output } = startRepair();
      expect(await status).toBe(1);
      expect(output()).toContain("Schema other, paused is being indexed and has not passed block 2 yet.");
    } finally {
      indexer.release(true);
    }
    expect(pidOfIndexer()).toBeNull();
    expect(await engine.execute("SELECT number FROM ponder_sync.blocks")).toEqual([[{ number: "2" }]]);
    await engine.execute("DELETE FROM core_offchain.indexing_status");
  },
  TEST_TIMEOUT_MS,
);

it(
  "refuses an index of two networks, whose indexer would refuse that of one, before it removes anything",
  async () => {
    await engine.execute(`CREATE SCHEMA ${PRESENT};
      CREATE TABLE ${PRESENT}._ponder_checkpoint AS SELECT unnest(ARRAY['mainnet', 'sepolia']) AS chain_name`);
    const { status, output } = startRepair();
    expect(await status).toBe(1);
    expect(output()).toContain(`Schema ${PRESENT} is an index of sepolia, too.`);
    expect(pidOfIndexer()).toBeNull();
    expect(await engine.execute("SELECT number FROM ponder_sync.blocks")).toEqual([[{ number: "2" }]]);
    await engine.execute(`DELETE FROM ${PRESENT}._ponder_checkpoint WHERE chain_name = 'sepolia'`);
  },
  TEST_TIMEOUT_MS,
);

it(
  "does not believe the state of an earlier index of the same name, and ends its indexer when it is ended itself",
  async () => {
    await writeStatus("core_r3", "clock_timestamp()", 10);
    const { child, status, output } = startRepair();
    await waitUntil("the indexer runs", async () => (pidOfIndexer() === null ? output() : null), DEADLINE);
    const indexer = Number(pidOfIndexer());
    await delay(2_500);
    expect(child.exitCode, output()).toBeNull();
    expect(isRunning(indexer)).toBe(true);
    child.kill("SIGTERM");
    expect(await status).toBe(1);
    expect(output()).toBe(
      "Interrupted by SIGTERM. To start over, remove schema core_r3: pnpm ops:switch --drop core_r3\n",
    );
    expect(isRunning(indexer)).toBe(false);
  },
  TEST_TIMEOUT_MS,
);

it(
  "ends with the reason when the new index stays damaged, and waits for one that is damaged for a moment",
  async () => {
    const { child, status, output } = startRepair();
    await waitUntil("the indexer runs", async () => (pidOfIndexer() === null ? output() : null), DEADLINE);
    const indexer = Number(pidOfIndexer());
    await writeStatus("core_r3", "clock_timestamp()", 10);
    await engine.execute("UPDATE core_offchain.indexing_status SET state = 'damaged', reason = 'block 7 was refused'");
    await delay(2_500);
    expect(child.exitCode, output()).toBeNull();
    await engine.execute("UPDATE core_offchain.indexing_status SET state_since = now() - interval '6 minutes'");
    expect(await status).toBe(1);
    expect(output()).toBe(
      "The new index is damaged: block 7 was refused. Schema core_r3 is kept for inspection. Do not switch to it. " +
        "To start over, remove it: pnpm ops:switch --drop core_r3\n",
    );
    expect(isRunning(indexer)).toBe(false);
    await engine.execute("DELETE FROM core_offchain.indexing_status");
  },
  TEST_TIMEOUT_MS,
);

it(
  "starts no indexer whose state it cannot read",
  async () => {
    await engine.execute("DROP SCHEMA core_offchain CASCADE; CREATE SCHEMA core_offchain");
    await engine.execute("CREATE VIEW core_offchain.indexing_status AS SELECT 1 AS written_at");
    const { child, status, output } = startRepair();
    const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE.deadlineMs);
    expect(await status).toBe(1);
    clearTimeout(timer);
    expect(output()).toContain('column "schema_name" does not exist');
    expect(pidOfIndexer()).toBeNull();
  },
  TEST_TIMEOUT_MS,
);

/** Writes the status of a live index that has a number of final blocks and is at its node's head. */
async function writeStatus(schema: string, writtenAt: string, finalNumber: number): Promise<void> {
  await engine.execute(`INSERT INTO core_offchain.indexing_status (
      schema_name, chain_id, state, state_since, head_number, head_hash, head_time, head_asked_at, indexed_number,
      indexed_time, final_number, reorganizations, written_at
    ) VALUES (
      '${schema}', 1, 'live', now(), 10, '0x${"00".repeat(32)}', now(), now(), 10, now(), ${finalNumber}, 0, ${writtenAt}
    )`);
}

/** Ends the session of the repair between two looks at its indexer. */
async function endIdleSession(): Promise<string | null> {
  const [rows = []] = await engine.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'coreswap_repair' AND state = 'idle' AND datname = current_database()
      AND state_change < clock_timestamp() - interval '100 ms'`);
  return rows.length > 0 ? null : "it does not look at it";
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
