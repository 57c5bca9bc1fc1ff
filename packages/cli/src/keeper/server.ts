/** Serves `/metrics` and `/health`. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Failure } from "../failure.ts";
import type { KeeperMetrics } from "./metrics.ts";

/**
 * Serves until the returned server is closed.
 * @param health returns what is wrong, or null
 * @throws Failure if the port is in use
 */
export async function serve(
  host: string,
  port: number,
  metrics: KeeperMetrics,
  health: () => string | null,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = "text/plain; charset=utf-8") =>
      response.writeHead(status, { "content-type": type }).end(body);
    if (request.method !== "GET") answer(405, "GET only\n");
    else if (request.url === "/health") {
      const problem = health();
      answer(problem === null ? 200 : 503, problem === null ? "" : `${problem}\n`);
    } else if (request.url === "/metrics") {
      metrics.text().then(
        (text) => answer(200, text, metrics.registry.contentType),
        (error: unknown) => answer(500, `${error instanceof Error ? error.message : String(error)}\n`),
      );
    } else answer(404, "not found: this server has /health and /metrics\n");
  });
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw new Failure(`cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { server, port: (server.address() as AddressInfo).port };
}
