import { Hono } from "hono";
import { db } from "ponder:api";
import schema from "ponder:schema";
const app = new Hono();
app.get("/dump/:table", async (c) => {
  const rows = await db.select().from((schema as never)[c.req.param("table")]);
  return c.text(JSON.stringify(rows, (_k, v) => (typeof v === "bigint" ? v.toString() : v)));
});
export default app;
