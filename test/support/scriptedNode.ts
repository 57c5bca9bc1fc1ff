/** A JSON-RPC proxy in front of a real node. A test can change, refuse or withhold its answers. */
import { text } from "node:stream/consumers";
import { askNode, Refusal, type RpcRequest, type RpcServer, startRpcServer } from "./rpcServer.ts";

/**
 * Answers a request in place of the node.
 * @param ask returns the node's own answer to a request
 * @throws Refusal to answer with an error
 */
export type Fault = (request: RpcRequest, ask: (request: RpcRequest) => Promise<unknown>) => unknown;

export interface ScriptedNode extends RpcServer {
  /** Null to pass on the node's own answers. */
  fault: Fault | null;
  /** True to cut connections without an answer. */
  isAway: boolean;
  /** The requests, in order. */
  readonly asked: readonly RpcRequest[];
}

export async function startScriptedNode(targetUrl: string): Promise<ScriptedNode> {
  const asked: RpcRequest[] = [];
  const ask = (request: RpcRequest) => askNode(targetUrl, request);
  const server = await startRpcServer(async (incoming, response) => {
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
  });
  const node: ScriptedNode = { ...server, fault: null, isAway: false, asked };
  return node;
}
