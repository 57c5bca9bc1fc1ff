/** The lock on a schema, when the connection that holds it or waits for it breaks, and sessions that may not write. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { databaseOf } from "../../../src/api/shared/database.ts";
import { createStatusTable, readStatusRows, writeStatusRow } from "../../../src/api/status/table.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { type PostgresServer, startPostgres } from "../../e2e/harness/postgres.ts";
import { queryOnce, urlAs } from "../../support/postgres.ts";

/** A process takes seconds to start, and many on a busy machine. */
const DEADLINE = { deadlineMs: 60_000 };
const TEST_TIMEOUT_MS = 150_000;

/** Takes the lock as an indexer does, in a process that only the lock can end. */
const HOLDER = `
import { Client } from "pg";
import { prepareConnection } from "./config/postgresConnection.ts";
import { holdSchema } from "./config/schemaLock.ts";
const log = ({ msg }) => console.log(msg);
globalThis.PONDER_COMMON = { logger: { warn: log, error: log } };
setInterval(() => {}, 1_000);
process.on("SIGUSR2", async () => {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await prepareConnection(client);
  console.log("prepared");
});
try {
  await holdSchema(process.env.DATABASE_URL, "held");
  console.log("held");
} catch (error) {
  console.log("refused: " + error.message);
  process.exit(1);
}`;

let server: PostgresServer;
let pool: Pool;
let proxy: Server;
/** Whether the next connection breaks when it sends its first statement. */
let isNextCut = false;
/** Whether the proxy accepts no connection. */
let isAway = false;
/** Connections of the proxy: the server's side of each. */
const upstreams = new Set<Socket>();
const holders: Holder[] = [];

beforeAll(async () => {
  server = await startPostgres();
  pool = new Pool({ connectionString: server.databaseUrl });
  await sql("CREATE ROLE indexer");
  proxy = createServer(forward).listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
beforeEach(() => sql("ALTER ROLE indexer LOGIN"));
afterEach(() => {
  for (const { child } of holders.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
  proxy?.close();
  await pool?.end();
  await server?.stop();
});

const sql = (text: string) => queryOnce(server.databaseUrl, text);

/** Ends the sessions of the holders as an administrator or a shutdown of the server does. */
const endSessions = () =>
  sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coreswap_lock'");

function forward(client: Socket): void {
  if (isAway) {
    client.destroy();
    return;
  }
  const upstream = connect(server.port, "127.0.0.1");
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }
  upstreams.add(upstream);
  upstream.pipe(client);
  client.on("data", (bytes) => {
    if (isNextCut && bytes.includes("tcp_keepalives")) {
      isNextCut = false;
      client.destroy();
    } else upstream.write(bytes);
  });
}

/** Keeps clients from learning what becomes of their sessions. New connections are as usual. */
function silence(): void {
  for (const upstream of upstreams) {
    upstream.removeAllListeners("close").unpipe();
    upstream.resume();
  }
  upstreams.clear();
}

interface Holder {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
}

function hold(): Holder {
  const url = new URL(urlAs("indexer", server.databaseUrl));
  url.port = String((proxy.address() as { port: number }).port);
  const child = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER], {
    env: { ...process.env, DATABASE_URL: url.href },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => {
      output += data.toString();
    });
  }
  const exitCode = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const holder = { child, output: () => output, exitCode };
  holders.push(holder);
  return holder;
}

const says = ({ output }: Holder, text: string) =>
  waitUntil(text, async () => (output().includes(text) ? null : output()), DEADLINE);

it(
  "ends its holder after the connection broke, but not before the server answers",
  async () => {
    const holder = hold();
    await says(holder, "held");
    isAway = true;
    await endSessions();
    await delay(1_500);
    expect(holder.child.exitCode, holder.output()).toBeNull();
    isNextCut = true;
    isAway = false;
    expect(await holder.exitCode).toBe(75);
    expect(isNextCut).toBe(false);
    expect(holder.output()).toBe('held\nThe connection that holds the schema "held" was lost. The indexer ends\n');
  },
  TEST_TIMEOUT_MS,
);

it(
  "ends its holder also if the server refuses it a new session, because it may still have others",
  async () => {
    const holder = hold();
    await says(holder, "held");
    await sql("ALTER ROLE indexer NOLOGIN");
    await endSessions();
    expect(await holder.exitCode).toBe(75);
    expect(holder.output()).toBe('held\nThe connection that holds the schema "held" was lost. The indexer ends\n');
  },
  TEST_TIMEOUT_MS,
);

it(
  "gives no further connection to a holder that does not know that its session has ended",
  async () => {
    const holder = hold();
    await says(holder, "held");
    holder.child.kill("SIGUSR2");
    await says(holder, "prepared");
    silence();
    await endSessions();
    const next = hold();
    await says(next, "held");
    expect(holder.child.exitCode, holder.output()).toBeNull();
    holder.child.kill("SIGUSR2");
    expect(await holder.exitCode).toBe(75);
    expect(holder.output()).toBe(
      'held\nprepared\nThe session that held the schema "held" has ended, and another process may hold it. The indexer ends\n',
    );
    expect(next.child.exitCode, next.output()).toBeNull();
  },
  TEST_TIMEOUT_MS,
);

it(
  "ends a process whose sessions run no triggers, which record the rows that a reorganization takes back",
  async () => {
    const holder = hold();
    await says(holder, "held");
    await sql("ALTER ROLE indexer SET session_replication_role = replica");
    try {
      holder.child.kill("SIGUSR2");
      expect(await holder.exitCode).toBe(75);
    } finally {
      await sql("ALTER ROLE indexer RESET session_replication_role");
    }
    expect(holder.output()).toMatch(/^held\nsession_replication_role is replica, .* Reset it\./);
  },
  TEST_TIMEOUT_MS,
);

it(
  "forgets a heartbeat that a clock ahead dated after now, for which Ponder would wait",
  async () => {
    await sql("CREATE SCHEMA held AUTHORIZATION indexer");
    await sql("CREATE TABLE held._ponder_meta (key text PRIMARY KEY, value jsonb)");
    await sql("ALTER TABLE held._ponder_meta OWNER TO indexer");
    const setHeartbeat = (at: number) =>
      sql(`INSERT INTO held._ponder_meta VALUES ('app', '{"is_locked": 1, "heartbeat_at": ${at}}')
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
    const heartbeat = async () => {
      const [row] = await sql("SELECT (value->>'heartbeat_at')::bigint AS at FROM held._ponder_meta");
      return Number(row?.at);
    };
    const before = Date.now();
    await setHeartbeat(before + 7_200_000);
    const first = hold();
    await says(first, "held");
    expect(await heartbeat()).toBeGreaterThanOrEqual(before);
    expect(await heartbeat()).toBeLessThanOrEqual(Date.now());
    first.child.kill("SIGKILL");

    await setHeartbeat(before - 1_000);
    await says(hold(), "held");
    expect(await heartbeat()).toBe(before - 1_000);
  },
  TEST_TIMEOUT_MS,
);

it(
  "forgets that the run before was live, because Ponder removes rows that are not final",
  async () => {
    const database = databaseOf(pool);
    await createStatusTable(database);
    await sql("GRANT USAGE ON SCHEMA core_offchain TO indexer");
    await sql("GRANT SELECT, UPDATE ON core_offchain.indexing_status TO indexer");
    const head = { blockNumber: 9n, blockHash: `0x${"1".repeat(64)}`, timestamp: 90n, askedAt: 90n } as const;
    const record = {
      ...{ stateSince: 80n, reason: null, head, indexed: { blockNumber: 9n, timestamp: 90n }, finalNumber: 5n },
      ...{ reorganizations: 0, audit: null, confirmed: null },
    };
    const places = [
      { schema: "held", chainId: 1, state: "live" },
      { schema: "held", chainId: 2, state: "damaged" },
      { schema: "other", chainId: 1, state: "live" },
    ] as const;
    for (const { state, ...place } of places) await writeStatusRow(database, place, { ...record, state });
    await says(hold(), "held");
    const rows = await readStatusRows(database, places);
    expect(rows.map((row) => [row?.state, row?.indexed?.blockNumber, row?.finalNumber])).toEqual([
      ["backfill", undefined, 5n],
      ["damaged", 9n, 5n],
      ["live", 9n, 5n],
    ]);
  },
  TEST_TIMEOUT_MS,
);

it(
  "refuses a start whose connection breaks while another process holds the schema",
  async () => {
    await says(hold(), "held");
    const waiting = hold();
    await says(waiting, "Waiting for it");
    await endSessions();
    expect(await waiting.exitCode).toBe(1);
    // With the reason of the statement that was under way, or else of the next one.
    expect(waiting.output()).toMatch(/\nrefused: .+\n$/);
  },
  TEST_TIMEOUT_MS,
);
