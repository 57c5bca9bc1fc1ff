/** The queries of docs/growth.md, on a database with the project's tables. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openEngine, type TestEngine } from "../support/engine.ts";
import { madeHistory } from "../support/history.ts";
import { insertHistory } from "../support/world.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("growth_test");
  await insertHistory(engine, 1, madeHistory(10));
  await engine.execute("ANALYZE");
});
afterAll(() => engine.close());

const queries = [...readFileSync("docs/growth.md", "utf8").matchAll(/^```sql\n(.*?)^```/gms)].map(([, text = ""]) =>
  text.replaceAll(/\bcoreswap(?=[.'])/g, "growth_test"),
);

it("measures each table once, with all its partitions and keys", async () => {
  const [measured = []] = await engine.execute(queries[0] ?? "");
  const [roots = [], [total] = []] = await engine.execute(`
    SELECT oid::regclass::text AS "table" FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'growth_test'::regnamespace;
    SELECT sum(pg_total_relation_size(oid))::text AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'growth_test'::regnamespace`);
  const nameOf = ({ table }: Record<string, unknown>) => String(table);
  expect(measured.map(nameOf).sort()).toEqual(roots.map(nameOf).sort());
  expect(measured.find((row) => nameOf(row) === "growth_test.transaction")?.rows).toBe("10");
  const bytes = measured.map((row) => BigInt(String(row.table_bytes)) + BigInt(String(row.key_bytes)));
  expect(String(bytes.reduce((sum, each) => sum + each))).toBe(total?.bytes);
});

it("measures a key after inserts, and leaves nothing behind", async () => {
  const answers = await engine.execute(queries[1] ?? "");
  const [measured] = answers.flat().filter((row) => "key_bytes" in row);
  expect(Number(measured?.key_bytes)).toBeGreaterThan(0);
  const [[left] = []] = await engine.execute("SELECT to_regclass('growth_test.inserted') AS copy");
  expect(left).toEqual({ copy: null });
});
