/** `@coreswap/client` with servers that stay silent: no wait is endless, and an abort ends each at once. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { allTransactions, createClient, followHistory } from "@coreswap/client";
import { afterEach, expect, it, vi } from "vitest";

const network = "evm-mainnet";
const LAST_EVENT_ID = "7-0123456789abcdef-0";
/** An event of the stream, and how the client reports it. */
const RESET = 'event: reset\ndata: {"fromBlock":"7"}\n\n';
const STREAM = { "content-type": "text/event-stream" };
const reset = { type: "reset", fromBlock: 7n };

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let server: Server;

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Starts a server, and returns a client of it, and a promise of its first request. */
async function serve(answer: (response: ServerResponse) => void) {
  let hasAsked: () => void;
  const asked = new Promise<void>((resolve) => {
    hasAsked = resolve;
  });
  server = createServer((_, response) => {
    hasAsked();
    answer(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { client: createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

it.for([
  ["the newest transaction", undefined],
  ["a stream", LAST_EVENT_ID],
] as const)(
  "counts a request for %s that is not answered for 45 seconds as an interruption",
  async ([, lastEventId]) => {
    const { client, asked } = await serve(() => undefined);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stopping = new AbortController();
    const interruptions: unknown[] = [];
    const onInterruption = (reason: unknown) => void interruptions.push(reason);
    const options = { network, lastEventId, signal: stopping.signal, onInterruption } as const;
    const event = followHistory(client, options).next();
    await asked;
    await vi.advanceTimersByTimeAsync(44_999);
    expect(interruptions).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(String(interruptions)).toContain("the API sent nothing for 45 seconds");
    const reason = new Error("seen enough");
    stopping.abort(reason);
    await expect(event).rejects.toBe(reason);
  },
);

it("ends the history of a server that does not answer when it is aborted", async () => {
  const { client, asked } = await serve(() => undefined);
  const stopping = new AbortController();
  const first = allTransactions(client, { network }, { signal: stopping.signal }).next();
  await asked;
  const reason = new Error("seen enough");
  stopping.abort(reason);
  await expect(first).rejects.toBe(reason);
});

it("ends the history in the middle of an answer, after the garbage collector has taken the request", async () => {
  const { client, asked } = await serve((response) => void response.writeHead(200).write('{"transactions":['));
  const stopping = new AbortController();
  const first = allTransactions(client, { network }, { signal: stopping.signal }).next();
  await asked;
  for (let collection = 0; collection < 5; collection += 1) {
    await pause(50);
    collectGarbage();
  }
  const reason = new Error("seen enough");
  stopping.abort(reason);
  await expect(first).rejects.toBe(reason);
});

it("ends the history while it waits to ask again when it is aborted", async () => {
  const { client, asked } = await serve(
    (response) => void response.writeHead(429, { "retry-after": "3600" }).end("{}"),
  );
  const stopping = new AbortController();
  const first = allTransactions(client, { network }, { signal: stopping.signal }).next();
  first.catch(() => undefined);
  await asked;
  await pause(200);
  const reason = new Error("seen enough");
  stopping.abort(reason);
  await expect(first).rejects.toBe(reason);
});

it("reports no event after the abort, also of those that came with the one before it", async () => {
  const { client } = await serve((response) => void response.writeHead(200, STREAM).write(RESET.repeat(3)));
  const stopping = new AbortController();
  const events = followHistory(client, { network, lastEventId: LAST_EVENT_ID, signal: stopping.signal });
  expect((await events.next()).value).toEqual(reset);
  const reason = new Error("seen enough");
  stopping.abort(reason);
  await expect(events.next()).rejects.toBe(reason);
});

it("asks a server again within an hour that asks for a month", async () => {
  let requests = 0;
  const { client } = await serve((response) => {
    requests++;
    response.writeHead(503, { "retry-after": "2592000" }).end("{}");
  });
  const stopping = new AbortController();
  const interruption = new Promise<void>((interrupted) => {
    const options = { lastEventId: LAST_EVENT_ID, signal: stopping.signal, onInterruption: () => interrupted() };
    void followHistory(client, { network, ...options })
      .next()
      .catch(() => undefined);
  });
  await interruption;
  await pause(50);
  expect(requests).toBe(1);
  stopping.abort();
});
