import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { zeroAddress, zeroHash } from "viem";
import { describe, expect, it, vi } from "vitest";
import { answersKeeping, questionOf } from "../../src/api/http/answer.ts";
import { INDEX_FORMAT } from "../../src/api/shared/indexIdentity.ts";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import type { NetworkState } from "../../src/api/shared/state.ts";

const NETWORK: ApiNetwork = {
  ...{ name: "mainnet", chainId: 1, schema: "coreswap", startBlock: 0n },
  ...{ coreSwap: zeroAddress, treasury: zeroAddress },
};
const STATE: NetworkState = {
  index: { schema: "coreswap", format: INDEX_FORMAT, id: randomUUID(), isOfDeployment: true },
  safeCheckpoint: null,
  newest: { blockNumber: "5", blockHash: zeroHash, eventId: "1" },
  observation: null,
};

/** One question over a state that the test sets, with counts of both kinds of readings. */
function world(maximumBytes = 1_000) {
  const source = { state: "first", text: "é", reads: 0, stateReads: 0 };
  const answer = answersKeeping(maximumBytes);
  const app = new Hono().onError((_error, c) => c.text("", 500));
  app.get("/:name", (c) =>
    answer(c, {
      text: questionOf("/", { name: c.req.param("name") }),
      readState: async () => {
        source.stateReads += 1;
        return source.state;
      },
      read: async () => {
        source.reads += 1;
        if (source.text === "fails") throw new Error("no");
        return { state: source.state, body: { text: source.text } };
      },
    }),
  );
  const ask = async (name: string, etag?: string) => {
    const response = await app.request(`/${name}`, etag === undefined ? {} : { headers: { "If-None-Match": etag } });
    const text = await response.text();
    return { status: response.status, etag: response.headers.get("etag") ?? "", body: text && JSON.parse(text).text };
  };
  return { source, ask };
}

describe("an answer for which a node is asked", () => {
  it("is read once for all who ask meanwhile, but not for those who demand a block, and anew after a failure", async () => {
    const reads: PromiseWithResolvers<{ state: { state: NetworkState }; body: { text: string } }>[] = [];
    const answer = answersKeeping(1_000);
    const app = new Hono().onError((_error, c) => c.text("failed", 500));
    app.get("/", (c) =>
      answer(c, {
        ...{ network: NETWORK, readsNode: true, text: "q" },
        readState: async () => ({ state: STATE }),
        read: () => {
          const reading = Promise.withResolvers<{ state: { state: NetworkState }; body: { text: string } }>();
          reads.push(reading);
          return reading.promise;
        },
      }),
    );
    const ask = (headers: Record<string, string> = {}) => app.request("/", { headers });
    const failing = [ask(), ask()];
    expect(reads).toHaveLength(1);
    reads[0]?.reject(new Error("the node is away"));
    expect((await Promise.all(failing)).map(({ status }) => status)).toEqual([500, 500]);
    const three = [ask(), ask(), ask({ "Min-Indexed-Block": "1" })];
    await vi.waitFor(() => expect(reads).toHaveLength(3), { timeout: 60_000 });
    for (const reading of reads) reading.resolve({ state: { state: STATE }, body: { text: "x" } });
    expect(await Promise.all(three.map(async (each) => (await each).text()))).toEqual(Array(3).fill('{"text":"x"}'));
  });
});

describe("an answer from a node, of which a client has read a newer state", () => {
  it("is not that of a reading that began at the state before", async () => {
    const readings: PromiseWithResolvers<string>[] = [];
    let block = "5";
    const state = () => ({ state: { ...STATE, newest: { blockNumber: block, blockHash: zeroHash, eventId: "1" } } });
    const answer = answersKeeping(1_000);
    const app = new Hono();
    app.get("/", (c) =>
      answer(c, {
        ...{ network: NETWORK, readsNode: true, text: "q" },
        readState: async () => state(),
        read: async () => {
          const reading = Promise.withResolvers<string>();
          readings.push(reading);
          return { state: state(), body: { text: await reading.promise } };
        },
      }),
    );
    const ask = async () => (await app.request("/", { headers: { "Min-Indexed-Block": "0" } })).text();
    const before = [ask(), ask()];
    await vi.waitFor(() => expect(readings).toHaveLength(1), { timeout: 60_000 });
    block = "6";
    const after = ask();
    await vi.waitFor(() => expect(readings).toHaveLength(2), { timeout: 60_000 });
    readings[0]?.resolve("of 5");
    readings[1]?.resolve("of 6");
    expect(await Promise.all([...before, after])).toEqual(['{"text":"of 5"}', '{"text":"of 5"}', '{"text":"of 6"}']);
  });
});

describe("an answer", () => {
  it("needs one full reading the first time, and then only the state while that is unchanged", async () => {
    const { source, ask } = world();
    const first = await ask("a");
    expect([first.status, first.body, source.reads, source.stateReads]).toEqual([200, "é", 1, 0]);
    source.text = "read anew";
    expect(await ask("a")).toEqual(first);
    expect([source.reads, source.stateReads]).toEqual([1, 1]);
  });

  it("is made again when its state changes, and is never older than its tag", async () => {
    const { source, ask } = world();
    const first = await ask("a");
    Object.assign(source, { state: "second", text: "new" });
    const second = await ask("a");
    expect(second.body).toBe("new");
    expect(second.etag).not.toBe(first.etag);
    expect(await ask("a")).toEqual(second);
    Object.assign(source, { state: "first", text: "as at first" });
    expect(await ask("a")).toEqual({ ...first, body: "as at first" });
  });

  it("is a 304 for a client that has it, even if it is not cached here", async () => {
    const { source, ask } = world();
    const { etag } = await ask("a");
    expect(await ask("a", etag)).toEqual({ status: 304, etag, body: "" });
    const elsewhere = world();
    expect(await elsewhere.ask("a", etag)).toEqual({ status: 304, etag, body: "" });
    expect(elsewhere.source.reads).toBe(0);
    source.state = "second";
    expect((await ask("a", etag)).status).toBe(200);
  });

  it("belongs only to its question", async () => {
    const { source, ask } = world();
    const { etag } = await ask("a");
    source.text = "other";
    expect((await ask("b")).body).toBe("other");
    expect((await ask("c", etag)).status).toBe(200);
  });

  it("is dropped when others need its bytes, and not cached if it is larger than the cache", async () => {
    const { source, ask } = world(120);
    for (const name of ["a", "b"]) await ask(name);
    await ask("a");
    expect(source.reads).toBe(2);
    await ask("c");
    await ask("a");
    expect(source.reads).toBe(3);
    await ask("b");
    expect(source.reads).toBe(4);
    source.text = "x".repeat(200);
    for (let time = 0; time < 2; time += 1) await ask("large");
    expect(source.reads).toBe(6);
  });

  it("is not cached if a reading fails", async () => {
    const { source, ask } = world();
    source.text = "fails";
    expect((await ask("a")).status).toBe(500);
    source.text = "works";
    expect((await ask("a")).body).toBe("works");
  });
});

describe("questionOf", () => {
  it("is the same however the parameters are ordered, and without those that are absent", () => {
    const one = questionOf("/v1/volume", { network: "evm-mainnet", from: "x", lpAddress: undefined });
    expect(questionOf("/v1/volume", { from: "x", network: "evm-mainnet" })).toBe(one);
  });

  it("distinguishes names and values, whatever they contain", () => {
    expect(questionOf("/", { a: "1&b=2" })).not.toBe(questionOf("/", { a: "1", b: "2" }));
  });
});
