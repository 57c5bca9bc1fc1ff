/** What the database records about calls from traces, and which indexes are refused after traces were wrong. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type LedgerDatabase,
  noteTraced,
  openLedger,
  refuseTraced,
  refuteTraces,
} from "../../config/rpc/backfill/calls/ledger.ts";
import { createIndex, openEngine, type TestEngine } from "./support/engine.ts";

const SCHEMA = "traced_calls_test";
const NEXT_SCHEMA = "traced_calls_next";
const CALLS = "transaction_1_null_0x7e";
const LOGS = "log_1_0x7e_null";
const OTHER = "transaction_11155111_null_0x7e";

let engine: TestEngine;
let database: LedgerDatabase;
beforeAll(async () => {
  engine = await openEngine(SCHEMA);
  await createIndex(engine, NEXT_SCHEMA);
  await engine.execute(`
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.intervals (fragment_id text PRIMARY KEY, chain_id bigint, blocks nummultirange NOT NULL)`);
  const execute = async (sql: string) => ({ rows: (await engine.execute(sql)).at(-1) ?? [] });
  database = { transaction: (callback) => callback({ wrap: (query) => query({ execute }) }) };
});
afterAll(() => engine.close());

/** Prepares an index that was built, and raw data of the blocks 0 to 99 of both chains. */
beforeEach(async () => {
  await engine.execute(`
    DROP TABLE IF EXISTS core_offchain.traced_calls, core_offchain.redone_calls;
    TRUNCATE ponder_sync.intervals;
    INSERT INTO ponder_sync.intervals VALUES
      ('${CALLS}', 1, '{[0,100]}'), ('${LOGS}', 1, '{[0,100]}'), ('${OTHER}', 11155111, '{[0,100]}');
    DELETE FROM ${SCHEMA}._ponder_meta; DELETE FROM ${NEXT_SCHEMA}._ponder_meta;
    INSERT INTO ${SCHEMA}._ponder_meta VALUES ('app', '{}')`);
});

const refusal = (schema = SCHEMA) => database.transaction((transaction) => refuseTraced(transaction, schema, 1));

async function intervals(): Promise<Record<string, unknown>> {
  const [rows = []] = await engine.execute("SELECT fragment_id, blocks::text FROM ponder_sync.intervals");
  return Object.fromEntries(rows.map((row) => [String(row.fragment_id), row.blocks]));
}

const WHOLE = { [CALLS]: "{[0,100]}", [LOGS]: "{[0,100]}", [OTHER]: "{[0,100]}" };

async function noteAndRefute(...ranges: [number, number][]): Promise<void> {
  await openLedger(database, 1);
  for (const range of ranges) expect(await noteTraced(database, 1, range)).toBe(true);
  expect(await refuteTraces(database, 1, "a call is missing in 'block 7'")).toBe(true);
}

it("no index is refused unless traces were used and wrong", async () => {
  expect(await refusal()).toBeNull();
  expect(await openLedger(database, 1)).toEqual({ isRefuted: false, isUsed: false });
  await noteTraced(database, 1, [0, 25]);
  expect(await openLedger(database, 1)).toEqual({ isRefuted: false, isUsed: true });
  expect([await refusal(), await refusal(NEXT_SCHEMA), await intervals()]).toEqual([null, null, WHOLE]);
});

it("traces that were wrong before they were used change only the source of calls", async () => {
  await openLedger(database, 1);
  expect(await refuteTraces(database, 1, "a call is missing")).toBe(false);
  expect(await openLedger(database, 1)).toEqual({ isRefuted: true, isUsed: false });
  expect(await noteTraced(database, 1, [0, 25])).toBe(false);
  expect([await refusal(), await refusal(NEXT_SCHEMA), await intervals()]).toEqual([null, null, WHOLE]);
});

it("an existing index is refused at each start with the first reason and advice", async () => {
  await noteAndRefute([10, 19]);
  await refuteTraces(database, 1, "another reason");
  const message =
    `Schema "${SCHEMA}" may lack calls of chain 1, because traces were wrong: a call is missing in 'block 7'. ` +
    "Build a new index: set DATABASE_SCHEMA to another name";
  expect([await refusal(), await refusal(), await intervals()]).toEqual([message, message, WHOLE]);
});

it("a new index fetches the calls of the recorded blocks again, and keeps them when it restarts", async () => {
  await noteAndRefute([10, 19], [20, 29], [40, 40]);
  expect(await refusal(NEXT_SCHEMA)).toBeNull();
  expect(await intervals()).toEqual({ ...WHOLE, [CALLS]: "{[0,10],[30,40],[41,100]}" });
  await engine.execute(`UPDATE ponder_sync.intervals SET blocks = '{[0,100]}';
    INSERT INTO ${NEXT_SCHEMA}._ponder_meta VALUES ('app', '{}')`);
  expect([await refusal(NEXT_SCHEMA), await intervals()]).toEqual([null, WHOLE]);
});

it("an interval that contains only recorded blocks is deleted", async () => {
  await noteAndRefute([0, 99]);
  expect(await refusal(NEXT_SCHEMA)).toBeNull();
  expect(await intervals()).toEqual({ [LOGS]: "{[0,100]}", [OTHER]: "{[0,100]}" });
});
