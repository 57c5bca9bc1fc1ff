/** Transactions on PGlite, whose one connection all of Ponder shares: what a failed one takes along. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ponderDependency, ponderFile } from "../support/ponderPackage.ts";

/**
 * A transaction fails while raw data are written beside it, and then their interval is recorded, as a backfill does.
 * Prints the interval and the rows that it can still read.
 */
const program = (joins: boolean) => `
  const { PGlite } = await import(${JSON.stringify(ponderDependency("@electric-sql/pglite"))});
  const { joinPgliteTransaction, pgliteTransaction } =
    await import(${JSON.stringify(ponderFile("dist/esm/database/pgliteTransaction.js"))});
  globalThis.PONDER_COMMON = { options: { command: "start" }, logger: { error: ({ msg }) => console.error(msg) } };
  const client = new PGlite(process.argv[1]);
  await client.exec("CREATE TABLE raw (block int); CREATE TABLE interval (block int)");
  const failed = pgliteTransaction(client, async () => {
    await client.exec("SELECT 1");
    if (${joins}) await beside;
    throw new Error("the disk is full");
  }).catch(({ message }) => message);
  const beside = (async () => {
    await new Promise((settle) => setTimeout(settle, 50));
    joinPgliteTransaction();
    await client.exec("INSERT INTO raw VALUES (1)");
  })();
  await Promise.all([failed, beside]);
  await client.exec("INSERT INTO interval VALUES (1)");
  const { rows } = await client.query("SELECT (SELECT count(*) FROM raw) AS raw, (SELECT count(*) FROM interval) AS done");
  console.log(JSON.stringify(rows[0]));
`;

function run(joins: boolean) {
  const directory = mkdtempSync(join(tmpdir(), "pglite-transaction-"));
  try {
    return spawnSync(process.execPath, ["--input-type=module", "--eval", program(joins), directory], {
      encoding: "utf8",
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it("a failed transaction that raw data joined ends the process before anything relies on them", () => {
  const { status, stdout, stderr } = run(true);
  expect(stderr).toContain("Ends because a transaction failed which others had joined");
  expect({ status, stdout }).toEqual({ status: 75, stdout: "" });
});

it("a failed transaction that nothing joined is only rolled back", () => {
  const { status, stdout } = run(false);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '{"raw":1,"done":1}\n' });
});
