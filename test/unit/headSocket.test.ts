/** The head of a real chain, followed with the WebSocket of its node, which is also silent, cut or wrong. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openHeadSocket } from "../../config/rpc/live/headSocket.ts";
import { type ScriptedNode, startScriptedNode } from "../support/scriptedNode.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcpProxy.ts";
import { type LogChain, PROXIES, startLogChain, topic } from "./support/logChain.ts";
import { startTaker, type Taker } from "./support/taker.ts";

/** Longer than a test: whatever is taken was announced. */
const NEVER_MS = 600_000;
const SILENT_MS = 2_000;
const WITHIN = { timeout: 60_000, interval: 20 };
const said = (what: string) => `the WebSocket ${what}; the head is requested every second in any case`;
const HEARD = said("announces blocks");

let chain: LogChain;
let faulty: ScriptedNode;
let proxy: TcpProxy;
let taker: Taker;
let lines: string[];

beforeAll(async () => {
  chain = await startLogChain("head-socket");
});
afterAll(() => chain?.stop());

beforeEach(async () => {
  lines = [];
  faulty = await startScriptedNode(chain.node.rpcUrl);
  proxy = await startTcpProxy(chain.node.port);
});
afterEach(async () => {
  await taker?.stop();
  await proxy?.stop();
  await faulty?.stop();
});

async function newestBlock() {
  const block = await chain.client.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  if (!block?.hash || !block.number) throw new Error("the chain has no newest block");
  return { hash: block.hash, parentHash: block.parentHash, number: block.number };
}

/** @param silentMs by default longer than a test, however busy the machine is */
async function follow(pollingMs: number, { port = proxy.port, silentMs = NEVER_MS } = {}): Promise<void> {
  taker = startTaker([faulty.rpcUrl], await newestBlock(), {
    pollingMs,
    announcements: (signal) =>
      openHeadSocket({
        url: `ws://127.0.0.1:${port}`,
        signal,
        warn: (line) => lines.push(line),
        silentMs,
        reopenMs: 100,
      }),
  });
}

const headRequests = () => faulty.asked.filter(({ params }) => params[0] === "latest").length;

/** Mines a block with an indexed log. */
const mine = () => chain.emit(PROXIES.coreSwap, [topic(1)]);

async function isAtHead(): Promise<void> {
  await vi.waitFor(async () => expect(taker.taken.at(-1)?.block.hash).toBe((await newestBlock()).hash), WITHIN);
}

/** Mines until an announcement has arrived, because the subscription takes a moment. */
async function isHeard(): Promise<void> {
  await vi.waitFor(async () => {
    await mine();
    expect(lines.at(-1)).toBe(HEARD);
  }, WITHIN);
}

it("a block is taken when it is announced, before the next look at the head", async () => {
  await follow(NEVER_MS);
  await isHeard();
  for (let count = 0; count < 3; count += 1) {
    await delay(150);
    await mine();
    await isAtHead();
  }
  expect(taker.taken.every(({ logs }) => logs?.length === 1)).toBe(true);
  expect(lines).toEqual([HEARD]);
});

it("while the socket is stalled the head is looked at as without it, and announcements come again", async () => {
  await follow(500, { silentMs: SILENT_MS });
  await isHeard();
  proxy.stall();
  await mine();
  await isAtHead();
  await vi.waitFor(() => expect(lines.at(-1)).toBe(said("was silent for 2 s")), WITHIN);
  await mine();
  await isAtHead();
  proxy.resume();
  await isHeard();
  // One line a change. A busy machine can be silent itself.
  expect(lines.map((line) => line === HEARD)).toEqual(lines.map((_, index) => index % 2 === 0));
});

it("while the socket is cut the head is looked at as without it, and another socket is opened", async () => {
  await follow(500);
  await isHeard();
  proxy.cut();
  await mine();
  await isAtHead();
  await isHeard();
  expect(lines[1]).toBe(said("was closed"));
  await proxy.stop();
  await vi.waitFor(() => expect(lines.at(-1)).toBe(said("was closed")), WITHIN);
  await mine();
  await isAtHead();
  expect(lines.join()).not.toContain(String(proxy.port));
});

it("heads that do not exist change nothing, and cause no more than ten looks a second", async () => {
  const liar = await startOther(true);
  try {
    await follow(NEVER_MS, { port: liar.port });
    await vi.waitFor(() => expect(lines).toEqual([HEARD]), WITHIN);
    const [before, start] = [headRequests(), performance.now()];
    await delay(2_000);
    await vi.waitFor(() => expect(headRequests() - before).toBeGreaterThan(1), WITHIN);
    const looks = headRequests() - before;
    expect(looks).toBeLessThanOrEqual((performance.now() - start) / 100 + 1);
    expect(taker.taken).toEqual([]);
    await mine();
    await isAtHead();
    expect(taker.taken.map(({ logs }) => logs?.length)).toEqual([1]);
    expect(taker.report()?.problem).toBeNull();
  } finally {
    await liar.stop();
  }
});

it("a socket that stays silent is opened again, and the head is looked at as without it", async () => {
  const silent = await startOther(false);
  try {
    await follow(500, { port: silent.port, silentMs: SILENT_MS });
    await mine();
    await isAtHead();
    await vi.waitFor(() => expect(silent.opened()).toBeGreaterThan(1), WITHIN);
    expect(lines).toEqual([said("was silent for 2 s")]);
    await mine();
    await isAtHead();
  } finally {
    await silent.stop();
  }
});

it("the signal closes the socket", async () => {
  await follow(NEVER_MS);
  await isHeard();
  expect(proxy.openEnds()).toBe(2);
  await taker.stop();
  await vi.waitFor(() => expect(proxy.openEnds()).toBe(0), WITHIN);
  await delay(300);
  expect(proxy.openEnds()).toBe(0);
});

interface OtherSocket {
  readonly port: number;
  /** Number of connections so far. */
  opened(): number;
  stop(): Promise<void>;
}

/** A WebSocket that announces nothing, or heads that no chain has as fast as it can. */
async function startOther(isAnnouncing: boolean): Promise<OtherSocket> {
  const server = createServer();
  const sockets: Duplex[] = [];
  let number = 1_000;
  server.on("upgrade", ({ headers }, socket) => {
    // The magic text of RFC 6455.
    const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${createHash("sha1").update(key).digest("base64")}\r\n\r\n`,
    );
    sockets.push(socket);
    // A client's request to close is answered.
    socket.on("data", ([first]) => first === 0x88 && socket.end(Buffer.from([0x88, 0])));
    const timer = setInterval(() => {
      if (!isAnnouncing) return;
      number += 1;
      const result = { number: `0x${number.toString(16)}`, hash: topic(number), parentHash: topic(number - 1) };
      const text = Buffer.from(JSON.stringify({ method: "eth_subscription", params: { subscription: "0x1", result } }));
      // One frame of text, whose length is in the next two bytes.
      socket.write(Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 255]), text]));
    }, 1);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    opened: () => sockets.length,
    async stop() {
      await taker.stop();
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
