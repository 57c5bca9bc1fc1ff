/**
 * Preloaded into `ponder serve`: adds two paths to its HTTP server, which are answered before Ponder and Hono.
 * `/select-1` only runs `SELECT 1` on a pool like the API's, so its time is the minimum for any request that reads the
 * database. `/constant` does nothing, so its time is that of the sender and of HTTP.
 */
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { Pool } from "pg";

const POOL_SIZE = 28;

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE });
const createServer = http.createServer.bind(http);

http.createServer = ((options: http.ServerOptions, listener: http.RequestListener) =>
  createServer(options, (request, response) => {
    if (request.url === "/constant") {
      response.end();
      return;
    }
    if (request.url !== "/select-1") {
      listener(request, response);
      return;
    }
    pool.query({ name: "select_1", text: "SELECT 1 AS one" }).then(
      ({ rows }) => response.setHeader("Content-Type", "application/json").end(JSON.stringify(rows[0])),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  })) as typeof http.createServer;
syncBuiltinESMExports();
