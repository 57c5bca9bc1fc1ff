/** The start check that compares the chain of a node with the chain whose raw data a PostgreSQL has. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { exchangeGenesisPostgres } from "../../../config/startChecks.ts";
import { waitUntil } from "../../e2e/harness/poll.ts";
import { type PostgresServer, startPostgres } from "../../e2e/harness/postgres.ts";
import { queryOnce, withClient } from "../../support/postgres.ts";
import { startTcpProxy } from "../../support/tcpProxy.ts";
import { uncaughtDuring } from "../../support/uncaught.ts";

const [HERE, ELSEWHERE] = [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const sql = (text: string) => queryOnce(server.databaseUrl, text);
const exchange = (...found: [number, `0x${string}`][]) => exchangeGenesisPostgres(server.databaseUrl, new Map(found));

beforeEach(async () => {
  await sql(`
    DROP SCHEMA IF EXISTS core_offchain, ponder_sync CASCADE;
    CREATE SCHEMA ponder_sync;
    CREATE TABLE ponder_sync.intervals (fragment_id text, chain_id bigint, blocks nummultirange);`);
});

it("keeps the hash that was found first, by chain", async () => {
  expect(await exchange([1, HERE])).toEqual(new Map([[1, HERE]]));
  await sql("INSERT INTO ponder_sync.intervals VALUES ('log', 1, '{[0,10]}')");
  expect(await exchange([1, ELSEWHERE], [2, HERE])).toEqual(
    new Map([
      [1, HERE],
      [2, HERE],
    ]),
  );
});

it("refuses raw data that was restored without core_offchain, until it is empty", async () => {
  await sql("INSERT INTO ponder_sync.intervals VALUES ('log', 1, '{[0,10]}'), ('log', 2, '{[0,10]}')");
  await expect(exchange([1, HERE])).rejects.toThrow(
    "Schema ponder_sync has blocks of chain 1, and core_offchain does not know the chain",
  );
  // The refusal has noted nothing.
  await expect(exchange([1, HERE])).rejects.toThrow("Restore both from one backup, or empty ponder_sync.");
  await sql("DELETE FROM ponder_sync.intervals WHERE chain_id = 1");
  expect(await exchange([1, HERE])).toEqual(new Map([[1, HERE]]));
});

it("needs no raw data", async () => {
  await sql("DROP SCHEMA ponder_sync CASCADE");
  expect(await exchange([1, HERE])).toEqual(new Map([[1, HERE]]));
});

it("fails in order when the connection breaks while it waits for another process", async () => {
  const proxy = await startTcpProxy(Number(new URL(server.databaseUrl).port));
  const url = Object.assign(new URL(server.databaseUrl), { port: String(proxy.port) }).href;
  const uncaught = await uncaughtDuring(() =>
    withClient(server.databaseUrl, async (other) => {
      await other.query("SELECT pg_advisory_lock(hashtext('core_offchain'))");
      const refused = expect(exchangeGenesisPostgres(url, new Map([[1, HERE]]))).rejects.toThrow(
        "Connection terminated unexpectedly",
      );
      await waitUntil("the start waits", isSomebodyWaiting, { deadlineMs: 60_000 });
      proxy.cut();
      await refused;
    }),
  );
  await proxy.stop();
  expect(uncaught).toEqual([]);
});

async function isSomebodyWaiting(): Promise<string | null> {
  const waiting = await sql("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
  return waiting.length > 0 ? null : "nobody waits";
}
