/** What JSON-RPC proxies in front of a real node have in common: the server, and requests to the node. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HOST } from "../../localnet/ports.ts";

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcServer {
  readonly rpcUrl: string;
  /** Breaks all connections. */
  stop(): Promise<void>;
}

/** A node's refusal: a JSON-RPC error code (negative) or an HTTP status. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message = "refused by a test") {
    super(message);
    this.code = code;
  }
}

/** Serves on a free port. A request that cannot be handled is answered with 502. */
export async function startRpcServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<RpcServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, HOST, listening));
  return {
    rpcUrl: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Sends the body of a request to a node. */
export function postTo(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/**
 * Returns a node's result.
 * @throws Refusal
 */
export async function askNode(url: string, { method, params }: RpcRequest): Promise<unknown> {
  const answer = await postTo(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const { result, error } = (await answer.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (error) throw new Refusal(error.code, error.message);
  return result;
}
