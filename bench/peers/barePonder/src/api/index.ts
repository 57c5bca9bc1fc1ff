import { Hono } from "hono";

// Ponder requires an API; this app serves nothing.
export default new Hono();
