/** An HTTP server in front of a node of a local chain, which answers according to a chosen fault. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { askNode, Refusal, type RpcRequest, type RpcServer, startRpcServer } from "../../support/rpcServer.ts";

/** The answer that the client receives. */
export type Reply =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  | { readonly kind: "http"; readonly status: number; readonly contentType: string; readonly body: string }
  /** The first half of an answer, after which the connection is closed. */
  | { readonly kind: "truncated"; readonly result: unknown }
  | { readonly kind: "reset" }
  /** No answer while the fault lasts, then a reset. */
  | { readonly kind: "silence" };

/**
 * Sends a request to the node behind the proxy.
 * @throws Refusal
 */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Returns the wrong answer to a call, or undefined to use the node's own answer. */
export type Fault = (request: RpcRequest, ask: Ask) => Promise<Reply | undefined> | Reply | undefined;

export interface RpcProxy extends RpcServer {
  /** Makes the fault decide the answers from now on; null ends it. Resets the count. */
  inject(fault: Fault | null): void;
  /** Starts a fault with the first call of a method, unless `inject` is called before. Settles when it starts. */
  injectFrom(method: string, fault: Fault): Promise<void>;
  /** Number of calls that the current or last fault has answered. */
  injected(): number;
}

interface JsonRpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Starts a proxy on a free port, with no fault. */
export async function startRpcProxy(targetUrl: string): Promise<RpcProxy> {
  let fault: Fault | null = null;
  let count = 0;
  let beginning: { readonly method: string; readonly begin: () => void } | undefined;
  const silent = new Set<ServerResponse>();

  const ask: Ask = (method, params) => askNode(targetUrl, { method, params });
  const inject = (next: Fault | null) => {
    fault = next;
    beginning = undefined;
    if (next) count = 0;
    for (const response of silent) response.destroy();
    silent.clear();
  };
  const replyTo = async ({ method, params = [] }: JsonRpcRequest): Promise<Reply> => {
    if (method === beginning?.method) beginning.begin();
    const reply = await fault?.({ method, params }, ask);
    if (reply === undefined) return { kind: "result", result: await ask(method, params) };
    count += 1;
    return reply;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as JsonRpcRequest | JsonRpcRequest[];
    const calls = Array.isArray(body) ? body : [body];
    const replies = await Promise.all(
      calls.map((call) =>
        replyTo(call).catch((error: unknown): Reply => {
          if (!(error instanceof Refusal)) throw error;
          return { kind: "error", code: error.code, message: error.message };
        }),
      ),
    );
    const parts = replies.map((reply, index) => ({ reply, id: calls[index]?.id }));
    const spoiling = replies.find(({ kind }) => kind !== "result" && kind !== "error");
    if (spoiling?.kind === "silence") {
      silent.add(response);
      response.once("close", () => silent.delete(response));
    } else if (spoiling?.kind === "reset") {
      request.socket.resetAndDestroy();
    } else if (spoiling?.kind === "http") {
      response.writeHead(spoiling.status, { "content-type": spoiling.contentType });
      response.end(spoiling.body);
    } else {
      const answers = parts.map(({ reply, id }) => answerOf(reply, id));
      const text = JSON.stringify(Array.isArray(body) ? answers : answers[0]);
      const sent = spoiling ? text.slice(0, text.length / 2) : text;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(sent);
    }
  };
  const server = await startRpcServer(handle);
  return {
    rpcUrl: server.rpcUrl,
    inject,
    injectFrom(method, next) {
      const begun = Promise.withResolvers<void>();
      const begin = () => {
        inject(next);
        begun.resolve();
      };
      beginning = { method, begin };
      return begun.promise;
    },
    injected: () => count,
    async stop() {
      inject(null);
      await server.stop();
    },
  };
}

function answerOf(reply: Reply, id: unknown): unknown {
  if (reply.kind === "error") return { jsonrpc: "2.0", id, error: { code: reply.code, message: reply.message } };
  return { jsonrpc: "2.0", id, result: "result" in reply ? reply.result : null };
}
