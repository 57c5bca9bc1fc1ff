import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { createPublicClient, type Hex, HttpRequestError, TimeoutError, zeroAddress } from "viem";
import { afterEach, describe, expect, it, vi } from "vitest";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { ponderDependency } from "../support/ponderPackage.ts";

/** How Ponder interprets an error of `eth_getLogs`. The package is a dependency of Ponder, not of this project. */
const { getLogsRetryHelper } = (await import(ponderDependency("@ponder/utils"))) as {
  getLogsRetryHelper(refused: { error: unknown; params: readonly object[] }): {
    readonly shouldRetry: boolean;
    readonly isSuggestedRange?: boolean;
    readonly ranges?: readonly { readonly fromBlock: Hex; readonly toBlock: Hex }[];
  };
};

const servers: Server[] = [];

/** Starts a JSON-RPC node on a free port that returns the same answer to every request. */
async function startNode(status: number, result: unknown): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v2/secret-key`, requests: () => requests };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe("RPC transport", () => {
  it("asks only the first URL as long as it answers", async () => {
    const [first, second] = [await startNode(200, "0x1"), await startNode(200, "0x2")];
    const client = createPublicClient({ transport: rpcTransport([first.url, second.url]) });
    expect(await client.getChainId()).toBe(1);
    expect([first.requests(), second.requests()]).toEqual([1, 0]);
  });

  it("asks the next URL if one fails", async () => {
    const [first, second] = [await startNode(503, null), await startNode(200, "0x2")];
    const client = createPublicClient({ transport: rpcTransport([first.url, second.url]) });
    expect(await client.getChainId()).toBe(2);
    expect([first.requests(), second.requests()]).toEqual([1, 1]);
  });

  it("asks the next URL if the body of an answer does not arrive in time, and ends without another one", async () => {
    let cancelled = 0;
    const silent = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"jsonrpc":');
      response.on("close", () => {
        cancelled += 1;
      });
    });
    servers.push(silent);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v2/secret-key`;
    const second = await startNode(200, "0x2");
    const chainIdFrom = (urls: readonly string[]) =>
      createPublicClient({ transport: rpcTransport(urls, 3_000) }).getChainId();
    expect(await chainIdFrom([url, second.url])).toBe(2);
    const error: unknown = await chainIdFrom([url]).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(inspect(error)).not.toContain("secret-key");
    // Otherwise each such request would keep its connection for as long as the node likes.
    await vi.waitUntil(() => cancelled === 2, { timeout: 60_000 });
  });

  it("asks a URL that did not answer last for a minute", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      let asked = 0;
      const silent = createServer(() => {
        asked += 1;
      });
      servers.push(silent);
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const second = await startNode(200, "0x2");
      const client = createPublicClient({ transport: rpcTransport([url, second.url], 500) });
      expect([await client.getChainId(), asked]).toEqual([2, 1]);
      expect([await client.getChainId(), asked]).toEqual([2, 1]);
      vi.advanceTimersByTime(60_001);
      expect([await client.getChainId(), asked]).toEqual([2, 2]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps the class and status of an error, but removes URLs", async () => {
    const { url } = await startNode(429, null);
    const client = createPublicClient({ transport: rpcTransport([url]) });
    const error: unknown = await client.getChainId().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(HttpRequestError);
    expect((error as HttpRequestError).status).toBe(429);
    const { message, details, shortMessage, stack, metaMessages } = error as HttpRequestError;
    expect(JSON.stringify([message, details, shortMessage, stack, metaMessages, error])).not.toContain("secret-key");
  });

  it("accepts an answer of any size", async () => {
    const { url } = await startNode(200, `0x${"0".repeat(12 * 1024 * 1024)}1`);
    const client = createPublicClient({ transport: rpcTransport([url]) });
    expect(await client.getChainId()).toBe(1);
  });
});

describe("logs with more bytes than allowed", () => {
  const LIMIT = 1_000;
  const request = async (url: string, fromBlock: Hex, toBlock: Hex): Promise<unknown> => {
    const { request } = rpcTransport([url], undefined, LIMIT)({});
    return request({ method: "eth_getLogs", params: [{ fromBlock, toBlock }] });
  };
  const failure = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );

  it("make Ponder request half of the blocks at once", async () => {
    const { url } = await startNode(200, "0".repeat(4 * LIMIT));
    const error = await failure(request(url, "0x10", "0x8f"));
    const retry = getLogsRetryHelper({ error, params: [{ address: zeroAddress, fromBlock: "0x10", toBlock: "0x8f" }] });
    expect(retry.ranges?.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual([
      ["0x10", "0x4f"],
      ["0x50", "0x8f"],
    ]);
  });

  it("end with single blocks, whose logs can have any size", async () => {
    const { url } = await startNode(200, "0".repeat(4 * LIMIT));
    const error = await failure(request(url, "0x10", "0x11"));
    const retry = getLogsRetryHelper({ error, params: [{ address: zeroAddress, fromBlock: "0x10", toBlock: "0x11" }] });
    expect(retry.ranges?.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual([
      ["0x10", "0x10"],
      ["0x11", "0x11"],
    ]);
    expect(await request(url, "0x10", "0x10")).toHaveLength(4 * LIMIT);
  });

  it("are reported without the URL", async () => {
    const { url } = await startNode(200, "0".repeat(4 * LIMIT));
    const error = await failure(request(url, "0x10", "0x8f"));
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("secret-key");
  });
});
