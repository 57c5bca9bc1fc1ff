import { Hono } from "hono";

// Ponder wants an API; this app has nothing to serve.
export default new Hono();
