/** A JSON-RPC proxy that counts requests by method and bytes of the answers. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { HOST } from "../../localnet/ports.ts";

export interface Traffic {
  /** A batch counts as its parts. */
  readonly requestsByMethod: Readonly<Record<string, number>>;
  readonly requests: number;
  /** Of the answers, uncompressed. */
  readonly bytesReceived: number;
}

export interface CountingProxy {
  readonly rpcUrl: string;
  traffic(): Traffic;
  stop(): Promise<void>;
}

export async function startCountingProxy(targetUrl: string): Promise<CountingProxy> {
  const requestsByMethod: Record<string, number> = {};
  let requests = 0;
  let bytesReceived = 0;
  const forward = async (request: IncomingMessage): Promise<Buffer> => {
    const body = await readBody(request);
    const parsed = JSON.parse(body) as { method: string } | { method: string }[];
    for (const { method } of Array.isArray(parsed) ? parsed : [parsed]) {
      requestsByMethod[method] = (requestsByMethod[method] ?? 0) + 1;
      requests += 1;
    }
    const answer = await fetch(targetUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    bytesReceived += bytes.length;
    return bytes;
  };
  const server = createServer((request, response) => {
    forward(request).then(
      (bytes) => response.writeHead(200, { "content-type": "application/json" }).end(bytes),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });
  await new Promise<void>((settle, fail) => {
    server.once("error", fail);
    server.listen(0, HOST, settle);
  });
  return {
    rpcUrl: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    traffic: () => ({ requestsByMethod: { ...requestsByMethod }, requests, bytesReceived }),
    async stop() {
      const closed = new Promise((settle) => server.close(settle));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
