/** Tests how the newest block is requested from the URLs of a network, with real HTTP servers on free ports. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { headOf } from "../../src/api/status/head.ts";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

const HASH = `0x${"ab".repeat(32)}` as const;

const at =
  (number: string): RequestListener =>
  (_, response) => {
    const result = { number, hash: HASH, timestamp: "0x64", transactions: [] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  };
const right = at("0x7");
const isForeign = ({ blockNumber }: { readonly blockNumber: bigint }) => blockNumber < 7n;

/** Sends the headers at once, and then a byte from time to time. */
const trickling: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(" ");
  const timer = setInterval(() => response.write(" "), 200);
  response.on("close", () => clearInterval(timer));
};

it("takes the head from the next URL if the body of an answer never ends", async () => {
  const askHead = headOf([await serve(trickling), await serve(right)]);
  expect(await askHead(isForeign)).toEqual({ blockNumber: 7n, blockHash: HASH, timestamp: 100n });
});

it.each([1, 2, 3, 6])("takes the head from the first of %i URLs that answer", async (count) => {
  const urls = await Promise.all(Array.from({ length: count }, () => serve(right)));
  expect(await headOf(urls)(isForeign)).toMatchObject({ blockNumber: 7n });
});

it("ends without a head if no URL answers in time", async () => {
  expect(await headOf([await serve(trickling)])(isForeign)).toBeNull();
});

it("takes the head from the next URL if that of the first cannot be of the chain, and none if there is no other", async () => {
  const foreign = await serve(at("0x6"));
  const askHead = headOf([foreign, await serve(trickling), await serve(right)]);
  expect(await askHead(isForeign)).toMatchObject({ blockNumber: 7n });
  expect(await headOf([foreign])(isForeign)).toBeNull();
});
