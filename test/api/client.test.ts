/**
 * `@coreswap/client` while the history changes: pages across a reorganization, and an event stream that is interrupted.
 */
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  ApiError,
  allTransactions,
  ChangingHistoryError,
  createClient,
  eventIdOf,
  followHistory,
  type HistoryEvent,
} from "@coreswap/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { add, firstOf, inBlocks, onFork, rollBack, showIndex } from "./support/changes.ts";
import { type ClientServer, startClientServer, until, withOtherServer } from "./support/clientServer.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { listen } from "./support/listening.ts";
import { appOver } from "./support/world.ts";

vi.setConfig({ testTimeout: 360_000 });

const network = "evm-mainnet";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let server: ClientServer;
let engine: TestEngine;
const stopping: AbortController[] = [];

beforeEach(async () => {
  server = await startClientServer("client_test");
  engine = server.engine;
});

afterEach(async () => {
  for (const controller of stopping.splice(0)) controller.abort();
  await server.close();
});

interface Following {
  /** All events but positions. */
  readonly received: HistoryEvent[];
  readonly positions: string[];
  readonly interruptions: unknown[];
  /** The paths that were answered. */
  readonly answered: string[];
  /** Number of parts of streams that the client has taken. */
  readonly parts: () => number;
  /** Rejects with the error that ended the client. */
  readonly end: Promise<void>;
}

/** @param countsParts whether to count what the client takes of streams, which then pass through another one */
function follow(lastEventId?: string, countsParts = false): Following {
  const controller = new AbortController();
  stopping.push(controller);
  const received: HistoryEvent[] = [];
  const positions: string[] = [];
  const interruptions: unknown[] = [];
  const answered: string[] = [];
  let parts = 0;
  const counting = () =>
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        controller.enqueue(part);
        parts += 1;
      },
    });
  const client = createClient(`http://127.0.0.1:${server.proxy.port}`, {
    fetch: async (request) => {
      const response = await fetch(request);
      const { pathname } = new URL(request.url);
      answered.push(pathname);
      if (!countsParts || pathname !== "/v1/events" || response.body === null) return response;
      return new Response(response.body.pipeThrough(counting()), response);
    },
  });
  const onInterruption = (reason: unknown) => void interruptions.push(reason);
  const read = async () => {
    const options = { network, lastEventId, signal: controller.signal, onInterruption } as const;
    for await (const event of followHistory(client, options)) {
      if (event.type === "position") positions.push(event.id);
      else received.push(event);
    }
  };
  const end = read();
  end.catch(() => undefined);
  return { received, positions, interruptions, answered, parts: () => parts, end };
}

const untilReceived = ({ received }: Following, count: number) =>
  until(
    `${count} events`,
    () => received.length >= count,
    () => received,
  );

const asEvents = (transactions: readonly HistoryTransaction[]) =>
  transactions.map((transaction) => ({
    type: "transaction",
    transaction,
    id: expect.stringMatching(`^${eventIdOf(transaction)}-[0-9]+-[0-9a-f]{16}$`),
  }));

async function hashesOf(fetchPage: (request: Request) => Promise<Response>, limit: number): Promise<string[]> {
  const hashes: string[] = [];
  const client = createClient(server.api.baseUrl, { fetch: fetchPage });
  for await (const { inclusion, transactionHash } of allTransactions(client, { network, limit })) {
    hashes.push(`${inclusion.blockHash} ${transactionHash}`);
  }
  return hashes;
}

const keysOf = (transactions: readonly HistoryTransaction[]) =>
  transactions.map(({ inclusion, transactionHash }) => `${inclusion.blockHash} ${transactionHash}`).reverse();

it("returns the history of the new chain, each transaction once, when blocks are replaced between two pages", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 120));
  // The replaced blocks are above the first cursor, below it, or across it. The page size of 7 is no multiple of the
  // three transactions of a block.
  for (const [atPage, first, fork] of [
    [1, 119, "f1"],
    [1, 107, "f2"],
    [2, 118, "f3"],
  ] as const) {
    // The new chain lacks the first transaction of each block.
    const replaced = onFork(inBlocks(first, 120), fork).filter((_, index) => index % 3 !== 0);
    let pages = 0;
    const found = await hashesOf(async (request) => {
      const response = await fetch(request);
      pages += 1;
      if (pages !== atPage) return response;
      await rollBack(engine, first);
      await add(engine, replaced);
      return response;
    }, 7);
    expect(found).toEqual(keysOf([...inBlocks(100, first - 1), ...replaced]));
    await rollBack(engine, 106);
    await add(engine, inBlocks(106, 120));
  }
});

it("reads the newest part again when a reorganization moved transactions, and nothing is left after the first page", async () => {
  const at = (transaction: HistoryTransaction, blockNumber: number, transactionIndex: number) => ({
    ...transaction,
    inclusion: { ...transaction.inclusion, blockNumber: `${blockNumber}`, transactionIndex: `${transactionIndex}` },
  });
  const [older, newer] = [firstOf(inBlocks(104, 104)), firstOf(inBlocks(105, 105))];
  await add(engine, [at(older, 104, 0), at(newer, 105, 5)]);
  const moved = onFork([at(older, 105, 9), at(newer, 106, 0)]);
  let pages = 0;
  const found = await hashesOf(async (request) => {
    const response = await fetch(request);
    pages += 1;
    if (pages !== 1) return response;
    await rollBack(engine, 104);
    await add(engine, moved);
    return response;
  }, 1);
  expect(found).toEqual(keysOf(moved));
});

/** Caches, by the name under which each keeps the answer to a request, or null if it passes the request on. */
const CACHES: Readonly<Record<string, (request: Request) => string | null>> = {
  "of a browser": ({ url, cache }) => (cache === "no-store" ? null : url),
  "of ops/nginx": ({ url, headers }) => (headers.has("min-indexed-block") ? null : url),
  "that obeys Vary": ({ url, headers }) => `${url} ${headers.get("min-indexed-block")}`,
};

/** Requests through a cache that keeps answers longer than any is allowed to, so that no test depends on its speed. */
function cachingFetch(keyOf: (request: Request) => string | null) {
  const kept = new Map<string, Response>();
  return async (request: Request): Promise<Response> => {
    const key = keyOf(request);
    if (key === null) return fetch(request);
    const answer = kept.get(key) ?? (await fetch(request));
    kept.set(key, answer);
    return answer.clone();
  };
}

it.each(Object.entries(CACHES))(
  "returns the history of one chain from behind a cache %s, when blocks are replaced between two pages",
  async (_name, keyOf) => {
    await setCheckpoint(engine, "mainnet", 105);
    await add(engine, inBlocks(100, 119));
    for (const [atPage, first, fork] of [
      [1, 112, "f1"],
      [2, 107, "f2"],
    ] as const) {
      const replaced = onFork(inBlocks(first, 119), fork);
      const fetchCached = cachingFetch(keyOf);
      let pages = 0;
      const found = await hashesOf(async (request) => {
        const response = await fetchCached(request);
        pages += 1;
        if (pages === atPage) {
          await rollBack(engine, first);
          await add(engine, replaced);
        }
        return response;
      }, 10);
      expect(found).toEqual(keysOf([...inBlocks(100, first - 1), ...replaced]));
      await rollBack(engine, 106);
      await add(engine, inBlocks(106, 119));
    }
  },
);

it.each(Object.entries(CACHES))(
  "takes no page from a cache %s that is from before its transactions were final",
  async (_name, keyOf) => {
    await setCheckpoint(engine, "mainnet", 105);
    await add(engine, inBlocks(100, 119));
    const fetchCached = cachingFetch(keyOf);
    const client = createClient(server.api.baseUrl, { fetch: fetchCached });
    const query = { network, limit: 10 } as const;
    const first = await client.GET("/v1/transactions", { params: { query } });
    const cursor = first.data?.nextCursor ?? "";
    await client.GET("/v1/transactions", { params: { query: { ...query, cursor } } });
    await rollBack(engine, 112);
    const replaced = onFork(inBlocks(112, 119));
    await add(engine, replaced);
    await setCheckpoint(engine, "mainnet", 119);
    expect(await hashesOf(fetchCached, 10)).toEqual(keysOf([...inBlocks(100, 111), ...replaced]));
  },
);

it("reads the newest part once when it fits on a page, and twice when it does not", async () => {
  await setCheckpoint(engine, "mainnet", 118);
  await add(engine, inBlocks(100, 120));
  const countPages = async (limit: number) => {
    let pages = 0;
    const hashes = await hashesOf((request) => {
      pages += 1;
      return fetch(request);
    }, limit);
    expect(hashes).toEqual(keysOf(inBlocks(100, 120)));
    return pages;
  };
  // The history has 63 transactions, and 6 of them are not final.
  expect(await countPages(21)).toBe(3);
  expect(await countPages(5)).toBe(13 + 2);
});

it("asks for a page again when the API says so, and returns the history of the chain that took over meanwhile", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 120));
  const replaced = onFork(inBlocks(112, 120));
  const asked: number[] = [];
  const found = await hashesOf(async (request) => {
    asked.push(performance.now());
    if (asked.length === 1) return Response.json({}, { status: 429, headers: { "Retry-After": "2" } });
    if (asked.length === 4) {
      await rollBack(engine, 112);
      await add(engine, replaced);
      return Response.json({}, { status: 503, headers: { "Retry-After": "0" } });
    }
    return fetch(request);
  }, 10);
  expect(found).toEqual(keysOf([...inBlocks(100, 111), ...replaced]));
  const [first = 0, second = 0] = asked;
  expect(second - first).toBeGreaterThan(2_000);
});

it("does not ask again after a 503 that does not say when", async () => {
  const unavailable = hashesOf(async () => Response.json({}, { status: 503 }), 10);
  await expect(unavailable).rejects.toMatchObject({ status: 503, retryAfterSeconds: null });
});

it("gives up when the history changes during every read", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 120));
  let isFork = false;
  const reading = hashesOf(async (request) => {
    const response = await fetch(request);
    if (new URL(request.url).searchParams.has("cursor")) return response;
    await rollBack(engine, 115);
    isFork = !isFork;
    await add(engine, isFork ? onFork(inBlocks(115, 120)) : inBlocks(115, 120));
    return response;
  }, 10);
  await expect(reading).rejects.toThrow("changed during each of 10 readings");
});

it("leaves nothing out when a later page comes from a server that is behind, and fails if it has to", async () => {
  const behind = await openEngine("client_behind_test");
  const late = await listen(appOver(behind));
  try {
    for (const [server, final, newest] of [
      [engine, 118, 120],
      [behind, 105, 110],
    ] as const) {
      await setCheckpoint(server, "mainnet", final);
      await add(server, inBlocks(100, newest));
    }
    /** Sends later pages to the server that is behind. */
    let sentThere = 0;
    const read = (limit: number, isSentThere: (request: Request) => boolean) =>
      hashesOf(async (request) => {
        if (!request.url.includes("cursor=") || !isSentThere(request)) return fetch(request);
        sentThere += 1;
        return fetch(request.url.replace(server.api.baseUrl, late.baseUrl), { headers: request.headers });
      }, limit);
    const demandsNothing = ({ headers }: Request) => !headers.has("Min-Indexed-Block");
    expect(await read(21, demandsNothing)).toEqual(keysOf(inBlocks(100, 120)));
    sentThere = 0;
    await expect(read(21, () => true)).rejects.toThrow("503: Min-Indexed-Block: block 114 is not indexed yet");
    // Once without a demanded block, and then as often as it asks for one page.
    expect(sentThere).toBe(1 + 5);
    // Now the first page ends before the newest final block.
    await setCheckpoint(engine, "mainnet", 105);
    await expect(read(21, () => true)).rejects.toThrow("servers behind the address were behind others");
    // It has the end of the first page, but is on another chain, and gives the same page to each reading.
    await add(behind, inBlocks(111, 118));
    await rollBack(engine, 112);
    await add(engine, onFork(inBlocks(112, 120)));
    await expect(read(21, () => true)).rejects.toThrow("servers behind the address were behind others");
    expect(await read(21, () => false)).toEqual(keysOf([...inBlocks(100, 111), ...onFork(inBlocks(112, 120))]));
  } finally {
    await late.close();
    await behind.close();
  }
});

it("reads again what lacks the transaction of an event", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  await withOtherServer(async (other, app) => {
    await setCheckpoint(other, "mainnet", 105);
    await add(other, inBlocks(100, 109));
    let asked = 0;
    let askedThere = 0;
    const read = async (id: string, isSentThere: () => boolean) => {
      const client = createClient(server.api.baseUrl, {
        fetch: async (request) => {
          asked += 1;
          if (!isSentThere()) return fetch(request);
          askedThere += 1;
          return app.fetch(request);
        },
      });
      const found: HistoryTransaction[] = [];
      const options = { lastEventId: id };
      for await (const transaction of allTransactions(client, { network, limit: 100 }, options))
        found.push(transaction);
      return keysOf(found.reverse());
    };
    const id = `${eventIdOf(firstOf(inBlocks(110, 110).slice(-1)))}-106-0123456789abcdef`;
    // It is behind, and then on another chain.
    expect(await read(id, () => asked === 1)).toEqual(keysOf(inBlocks(100, 110)));
    await add(other, onFork(inBlocks(110, 111)));
    asked = 0;
    expect(await read(id, () => asked === 1)).toEqual(keysOf(inBlocks(100, 110)));
    expect(asked).toBe(2);
    askedThere = 0;
    await expect(read(id, () => true)).rejects.toThrow(ChangingHistoryError);
    expect(askedThere).toBe(5);
    // An event of a final block, or of none, says nothing about the newest blocks.
    const ofOther = keysOf([...inBlocks(100, 109), ...onFork(inBlocks(110, 111))]);
    for (const harmless of [
      eventIdOf(firstOf(onFork(inBlocks(105, 105)))),
      `111-${"0".repeat(16)}-0-106-0123456789abcdef`,
    ])
      expect(await read(harmless, () => true)).toEqual(ofOther);
  });
});

it("follows the history from the time of the call, and continues after an interruption without a gap", async () => {
  await add(engine, inBlocks(100, 110));
  const following = follow();
  await until(
    "a stream",
    () => following.answered.includes("/v1/events"),
    () => following.answered,
  );
  // No event has arrived yet from which the client could continue.
  server.proxy.refuse();
  await add(engine, inBlocks(111, 113));
  await until(
    "two interruptions",
    () => following.interruptions.length >= 2,
    () => following.interruptions.map(String),
  );
  server.proxy.resume();
  await untilReceived(following, 9);
  await add(engine, inBlocks(114, 114));
  await untilReceived(following, 12);
  server.endStreams();
  await until(
    "the end of the stream",
    () => String(following.interruptions.at(-1)).includes("ended"),
    () => 0,
  );
  expect(following.received).toEqual(asEvents(inBlocks(111, 114)));
});

it("reports blocks that were rolled back while the stream was interrupted", async () => {
  await setCheckpoint(engine, "mainnet", 105);
  await add(engine, inBlocks(100, 110));
  const newest = inBlocks(110, 110).at(-1);
  const following = follow(newest && eventIdOf(newest));
  await add(engine, inBlocks(111, 112));
  await untilReceived(following, 6);
  server.proxy.refuse();
  await rollBack(engine, 111);
  await add(engine, onFork(inBlocks(111, 113)));
  server.proxy.resume();
  await untilReceived(following, 7);
  expect(following.received.slice(6, 7)).toEqual([{ type: "reset", fromBlock: 106n }]);
  await add(engine, onFork(inBlocks(114, 114)));
  await untilReceived(following, 10);
  expect(following.received.slice(7)).toEqual(asEvents(onFork(inBlocks(114, 114))));
  // The ID to store after the reset, instead of that of the discarded block.
  expect(following.positions.at(-1)).toMatch(/^113-ff/);
});

it("reports that another index took the place of the one that it followed, while it was interrupted before any event", async () => {
  await add(engine, inBlocks(100, 110));
  const following = follow(undefined, true);
  // They have the position from which the client continues.
  await until(
    "the stream's first bytes",
    () => following.parts() > 0,
    () => following.answered,
  );
  server.proxy.refuse();
  await showIndex(engine, "another");
  server.proxy.resume();
  await untilReceived(following, 1);
  expect(following.received).toEqual([{ type: "reset", fromBlock: 100n }]);
});

it("begins an empty history with a reset, because there is no event to continue from", async () => {
  const following = follow();
  await untilReceived(following, 1);
  await add(engine, inBlocks(100, 100));
  await untilReceived(following, 4);
  expect(following.received).toEqual([{ type: "reset", fromBlock: 0n }, ...asEvents(inBlocks(100, 100))]);
});

it("ends with the error of the API, and with the reason of the abort signal", async () => {
  await add(engine, inBlocks(100, 100));
  const refused = follow("no id");
  await expect(refused.end).rejects.toThrow(ApiError);
  await expect(refused.end).rejects.toThrow("400: Last-Event-ID: accepts the id of an event of this stream");
  const following = follow();
  const reason = new Error("seen enough");
  stopping.at(-1)?.abort(reason);
  await expect(following.end).rejects.toBe(reason);
  expect(following.interruptions).toEqual([]);
});

it("ends when it is aborted after the garbage collector has taken the request", async () => {
  const following = follow();
  await until(
    "an open stream",
    () => following.answered.includes("/v1/events"),
    () => following.answered,
  );
  // The request is unreachable once the stream waits for its next bytes.
  for (let collection = 0; collection < 5; collection += 1) {
    await pause(50);
    collectGarbage();
  }
  const reason = new Error("seen enough");
  stopping.at(-1)?.abort(reason);
  await expect(following.end).rejects.toBe(reason);
});
