/** A JSON-RPC proxy in front of a real node. A test can change, refuse or withhold its answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Answers a request in place of the node.
 * @param ask returns the node's own answer to a request
 * @throws Refusal to answer with an error
 */
export type Fault = (request: RpcRequest, ask: (request: RpcRequest) => Promise<unknown>) => unknown;

/** A node's refusal: a JSON-RPC error code (negative) or an HTTP status. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message = "refused by a test") {
    super(message);
    this.code = code;
  }
}

export interface FaultyNode {
  readonly rpcUrl: string;
  /** Null to pass on the node's own answers. */
  fault: Fault | null;
  /** True to cut connections without an answer. */
  isAway: boolean;
  /** The requests, in order. */
  readonly asked: readonly RpcRequest[];
  stop(): Promise<void>;
}

export async function startFaultyNode(targetUrl: string): Promise<FaultyNode> {
  const asked: RpcRequest[] = [];
  const ask = async ({ method, params }: RpcRequest): Promise<unknown> => {
    const answer = await fetch(targetUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string };
    };
    if (error) throw new Refusal(error.code, error.message);
    return result;
  };
  const server = createServer((incoming, response) => {
    const answer = async () => {
      const { id, method, params = [] } = JSON.parse(await text(incoming)) as RpcRequest & { readonly id: number };
      const request = { method, params };
      asked.push(request);
      if (node.isAway) {
        incoming.socket.destroy();
        return;
      }
      let status = 200;
      let body: object;
      try {
        body = { jsonrpc: "2.0", id, result: await (node.fault ? node.fault(request, ask) : ask(request)) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { code, message } = error;
        status = code > 0 ? code : 200;
        body = code > 0 ? { message } : { jsonrpc: "2.0", id, error: { code, message } };
      }
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    answer().catch((error: unknown) => {
      response.writeHead(502);
      response.end(String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const node: FaultyNode = {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: null,
    isAway: false,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return node;
}
