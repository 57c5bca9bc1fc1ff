/** Serves the API with the HTTP server that Ponder uses, for tests of connections. */
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { guardConnections } from "../../../src/api/server/connections.ts";
import type { appOver } from "./world.ts";

export interface ListeningApi {
  readonly baseUrl: string;
  /** Opens a connection on which requests are sent unchanged. It reads only after it is resumed. */
  open(...requests: readonly string[]): Promise<Socket>;
  close(): Promise<void>;
}

/** Serves the API on a free port of 127.0.0.1. */
export async function listen({
  app,
}: {
  readonly app: Pick<ReturnType<typeof appOver>["app"], "fetch">;
}): Promise<ListeningApi> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  guardConnections(server, { limits: { total: 0, perAddress: 0 }, logWarning: console.warn });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async open(...requests) {
      const socket = connect(port, "127.0.0.1").pause();
      sockets.add(socket);
      // Each test checks how its connections end, so errors are not reported here.
      socket.on("error", () => socket.destroy());
      await once(socket, "connect");
      for (const request of requests) socket.write(request);
      return socket;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A `GET` request for a path, by the client with the given address. */
export function requestOf(path: string, client = "192.0.2.1"): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Real-IP: ${client}\r\n\r\n`;
}
