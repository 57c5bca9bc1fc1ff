/**
 * The comparison for the API: only Hono and `pg`, running the same statements. Environment: `DATABASE_URL`, `PORT`, and
 * `STATEMENTS`, the JSON of the statements by path. A parameter `?1=…` replaces the value of `$1`.
 */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "pg";
import { HOST } from "../../localnet/ports.ts";
import type { Statement } from "../../src/api/shared/database.ts";

/** As many connections as Ponder leaves to the API of `ponder serve`. */
const POOL_SIZE = 28;

const { DATABASE_URL, PORT, STATEMENTS } = process.env;
if (!DATABASE_URL || !PORT || !STATEMENTS) throw new Error("DATABASE_URL, PORT and STATEMENTS must be set");
const pool = new Pool({ connectionString: DATABASE_URL, max: POOL_SIZE });
const app = new Hono();
for (const [path, { name, text, values }] of Object.entries(JSON.parse(STATEMENTS) as Record<string, Statement>)) {
  app.get(path, async (c) => {
    const given = c.req.query();
    const asked = values.map((value, index) => given[index + 1] ?? value);
    const [row] = (await pool.query({ name, text, values: asked })).rows;
    return c.json(row);
  });
}
serve({ fetch: app.fetch, hostname: HOST, port: Number(PORT) });
