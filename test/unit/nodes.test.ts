/** Tests how the nodes of a network are asked one after the other, with real HTTP servers on free ports. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { BaseError } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { NodeFailure } from "../../config/rpc/failures.ts";
import { createNodes } from "../../config/rpc/live/nodes.ts";

const RATE = 1_000;
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/secret-key`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

/** Answers every request with this body. */
const answering =
  (status: number, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body);
  };
const result = (value: unknown) => answering(200, JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }));
const error = (code: number) =>
  answering(200, JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "https://secret-key" } }));

const failureOf = (answering: Promise<unknown> | undefined) => answering?.catch((cause: unknown) => cause);

describe("a node that does not answer", () => {
  it.each([
    ["a refusal by JSON-RPC", error(-32601), true],
    ["the status of a missing method", answering(404, "{}"), true],
    ["too many requests", answering(429, "{}"), false],
    ["too many requests by JSON-RPC", error(429), false],
    ["an error of the server", answering(503, "<html>"), false],
    ["a body that is not JSON", answering(200, "<html>"), false],
    ["a body that is not JSON-RPC", answering(200, "null"), false],
  ] as const)("classifies %s by whether a repeated request can succeed", async (_, listener, isRefusal) => {
    const nodes = createNodes([await serve(listener)], RATE);
    const failure = await failureOf(nodes.inOrder()[0]?.request("eth_getBlockReceipts", []));
    expect(failure).toBeInstanceOf(isRefusal ? BaseError : NodeFailure);
    expect(String(failure)).not.toContain("secret-key");
    // Either is a failure once all nodes were asked.
    const last = (await failureOf(nodes.request("eth_getBlockReceipts", [], (answer) => answer))) as NodeFailure;
    expect(last).toBeInstanceOf(NodeFailure);
    expect(last.kind).toBe("unreachable");
    expect(last.message).toMatch(/^eth_getBlockReceipts: /);
    expect(last.message).not.toContain("secret-key");
  });

  it("is abandoned if its answer begins and never ends", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    });
    const [node] = createNodes([url], RATE).inOrder();
    expect(await failureOf(node?.request("eth_getBlockReceipts", []))).toEqual(
      new NodeFailure("unreachable", "eth_getBlockReceipts: no answer in time"),
    );
  });
});

describe("several nodes", () => {
  const text = (answer: unknown) => {
    if (typeof answer !== "string") throw new NodeFailure("damaged", "not a text");
    return answer;
  };

  it("are asked in order, with those that failed at the end", async () => {
    const nodes = createNodes([await serve(answering(503, "{}")), await serve(result("0x2"))], RATE);
    const labels = () => nodes.inOrder().map(({ label }) => label);
    expect(labels()).toEqual(["RPC URL 1", "RPC URL 2"]);
    expect(await nodes.request("eth_chainId", [], text)).toBe("0x2");
    expect(labels()).toEqual(["RPC URL 2", "RPC URL 1"]);
  });

  it("are asked in order if the first only refuses a method", async () => {
    const nodes = createNodes([await serve(error(-32601)), await serve(result("0x2"))], RATE);
    expect(await nodes.request("eth_getBlockReceipts", [], text)).toBe("0x2");
    expect(nodes.inOrder()[0]?.label).toBe("RPC URL 1");
  });

  it("are asked after the one that is preferred, until that one fails", async () => {
    const nodes = createNodes([await serve(result("0x1")), await serve(answering(503, "{}"))], RATE);
    const [, second] = nodes.inOrder();
    if (second) nodes.prefer(second);
    expect(nodes.inOrder()[0]?.label).toBe("RPC URL 2");
    expect(await nodes.request("eth_chainId", [], text)).toBe("0x1");
    expect(nodes.inOrder()[0]?.label).toBe("RPC URL 1");
  });

  it("are asked one after another until an answer can be read", async () => {
    const nodes = createNodes([await serve(result(1)), await serve(result("0x2"))], RATE);
    expect(await nodes.request("eth_chainId", [], text)).toBe("0x2");
  });
});

describe("the rate of requests", () => {
  it("is limited, after a burst of one second's requests", async () => {
    const [node] = createNodes([await serve(result("0x1"))], 20).inOrder();
    const start = performance.now();
    await Promise.all(Array.from({ length: 30 }, () => node?.request("eth_chainId", [])));
    const seconds = (performance.now() - start) / 1_000;
    expect(seconds).toBeGreaterThan(0.45);
  });
});
