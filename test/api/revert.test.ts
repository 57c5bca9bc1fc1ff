/**
 * Why a transaction failed, read from nodes that offer one kind of trace, the other kind, or none, and from nodes that
 * fail.
 */
import { createPublicClient, custom, encodeErrorResult, HttpRequestError, RpcRequestError, TimeoutError } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { navPriceAdapterAbi } from "../../abis/index.ts";
import { revertAnswer } from "../../src/api/transactions/revert.schema.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { appOver, hashOf, insertHistory } from "./support/world.ts";

const HISTORY = madeHistory(30);
const failed = HISTORY.find(({ receipt }) => receipt.outcome === "revert");
const succeeded = HISTORY.find(({ receipt }) => receipt.outcome === "success");
if (failed === undefined || succeeded === undefined) throw new Error("the history has no such transaction");

const STALE = encodeErrorResult({ abi: navPriceAdapterAbi, errorName: "StaleNav", args: [1_795_272_656n, 86_400n] });
const STALE_TEXT = "StaleNav(postedAt: 1795272656, maxAgeSeconds: 86400)";

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("revert_test");
  await insertHistory(engine, 1, HISTORY);
});
afterAll(() => engine.close());

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

const transaction = (blockHash: string = failed.inclusion.blockHash) => ({
  ...{ hash: failed.transactionHash, blockHash, from: failed.sender, to: failed.recipient },
  ...{ input: "0x12345678", value: "0x0", gas: "0x5208" },
});

const failing = (code: number, message: string, data?: unknown) => () => {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  throw new RpcRequestError({ body: {}, error, url: "http://node.example/key" });
};

const throwing = (error: Error) => () => {
  throw error;
};
const URL = "http://node.example/key";

/** A node that offers only the given methods, and records the requests. */
function nodeWith(answers: Answers) {
  const asked: { method: string; params: readonly unknown[] }[] = [];
  const known: Answers = {
    eth_getTransactionByHash: () => transaction(),
    eth_getBlockByHash: ([hash]) => (hash === failed?.inclusion.blockHash ? { parentHash: hashOf("parent") } : null),
    ...answers,
  };
  const client = createPublicClient({
    transport: custom(
      {
        request: async ({ method, params }: { method: string; params: readonly unknown[] }) => {
          asked.push({ method, params });
          return (known[method] ?? failing(-32601, `the method ${method} does not exist`))(params);
        },
      },
      { retryCount: 0 },
    ),
  });
  return { client, asked };
}

async function reason(answers: Answers, hash = failed?.transactionHash ?? "") {
  const { client, asked } = nodeWith(answers);
  const api = appOver(engine, { nodeOf: () => client });
  const { response, body } = await checkedRequest(api, `/v1/transactions/${hash}/revert?network=evm-mainnet`);
  return { status: response.status, body, asked, errors: api.errors };
}

const shown = ({ body }: Awaited<ReturnType<typeof reason>>) => revertAnswer.parse(body).revert;

describe("the reason of a failure", () => {
  const refused = { data: STALE, text: STALE_TEXT, advice: expect.stringContaining("its poster has to post one") };

  it.each([
    ["geth's tracer", { debug_traceTransaction: () => ({ error: "execution reverted", output: STALE }) }],
    ["Parity's tracer", { trace_replayTransaction: () => ({ output: STALE, trace: [{ error: "Reverted" }] }) }],
  ])("comes from %s", async (_what, answers) => {
    expect(shown(await reason(answers))).toEqual({ source: "trace", ...refused });
  });

  it("is the error of the outermost call when that call ran out of gas or returned no data", async () => {
    const none = { data: null, advice: null };
    const outOfGas = await reason({ debug_traceTransaction: () => ({ error: "out of gas" }) });
    expect(shown(outOfGas)).toEqual({ source: "trace", ...none, text: "a failure without data: out of gas" });
    const silent = await reason({ debug_traceTransaction: () => ({ error: "execution reverted" }) });
    expect(shown(silent)).toEqual({ source: "trace", data: "0x", advice: null, text: "a revert without data" });
  });

  it("comes from a call on the state before its block when the node offers no trace", async () => {
    const found = await reason({ eth_call: failing(3, "execution reverted", STALE) });
    expect(shown(found)).toEqual({ source: "replay", ...refused });
    const call = found.asked.at(-1);
    const { from, to, input, value, gas } = transaction();
    // By hash, because another URL of the network can be on another fork.
    const blockBefore = { blockHash: hashOf("parent"), requireCanonical: true };
    expect(call).toEqual({ method: "eth_call", params: [{ from, to, input, value, gas }, blockBefore] });
  });

  it.each([
    ["with a JSON-RPC error", failing(-32000, "the method is not available")],
    ["as an internal error", failing(-32603, "Method not supported")],
    [
      "as an internal error by name",
      failing(-32603, "the method trace_replayTransaction does not exist/is not available"),
    ],
    ["with an HTTP status", throwing(new HttpRequestError({ url: URL, status: 403 }))],
  ])("comes from that call also when the node refuses traces %s", async (_what, refusing) => {
    const traces = { debug_traceTransaction: refusing, trace_replayTransaction: refusing };
    const found = await reason({ ...traces, eth_call: failing(3, "execution reverted", STALE) });
    expect(shown(found)).toEqual({ source: "replay", ...refused });
  });

  it.each([
    ["takes too long", throwing(new TimeoutError({ body: {}, url: URL }))],
    ["stops after its own limit", failing(-32000, "execution timeout")],
    ["crashes", failing(-32603, "method handler crashed")],
    ["lacks the state", failing(-32603, "historical state is not available")],
    ["is overloaded", throwing(new HttpRequestError({ url: URL, status: 503 }))],
    ["asks to come back later", failing(-32005, "rate limit exceeded")],
  ])("is a 503 when a node that offers traces %s, and is read from its trace afterwards", async (_what, failure) => {
    for (const method of ["debug_traceTransaction", "trace_replayTransaction"]) {
      const { status, body } = await reason({ [method]: failure, eth_call: () => "0x" });
      expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining("the node does not answer")]);
    }
    const nodes = [failure, () => ({ error: "execution reverted", output: STALE })].map((debug_traceTransaction) =>
      nodeWith({ debug_traceTransaction, eth_call: () => "0x" }),
    );
    const api = appOver(engine, { nodeOf: () => nodes.shift()?.client ?? nodeWith({}).client });
    const path = `/v1/transactions/${failed.transactionHash}/revert?network=evm-mainnet`;
    expect((await checkedRequest(api, path)).response.status).toBe(503);
    expect(revertAnswer.parse((await checkedRequest(api, path)).body).revert).toMatchObject({ source: "trace" });
  });

  it("is unknown when that call does not fail", async () => {
    const unknown = { source: "replay", data: null, text: null, advice: null };
    expect(shown(await reason({ eth_call: () => "0x" }))).toEqual(unknown);
  });

  it("omits data that are too long to show", async () => {
    const output = `0x${"ab".repeat(4_097)}`;
    const found = shown(await reason({ debug_traceTransaction: () => ({ error: "execution reverted", output }) }));
    expect(found).toMatchObject({ data: null, text: "an error with 4097 bytes of data, which are not shown" });
  });

  it("is not read from the node when the transaction did not fail, or is not in the history", async () => {
    for (const [hash, outcome] of [
      [succeeded.transactionHash, "success"],
      [hashOf("unknown"), null],
    ] as const) {
      const { body, asked } = await reason({}, hash);
      expect(revertAnswer.parse(body)).toMatchObject({ outcome, revert: null });
      expect(asked).toEqual([]);
    }
  });

  it.each([
    ["does not answer", { eth_call: failing(-32000, "http://node.example/key is down") }, "the node does not answer"],
    ["has no such transaction", { eth_getTransactionByHash: () => null }, "the node and the index disagree"],
    ["no longer has its block", { eth_getBlockByHash: () => null }, "the node and the index disagree"],
    [
      "has it in another block",
      { eth_getTransactionByHash: () => transaction(hashOf("another")) },
      "the node and the index disagree",
    ],
    ["traces a success", { debug_traceTransaction: () => ({ output: "0x" }) }, "the node and the index disagree"],
  ])("is a 503 that gives the cause when the node %s", async (_what, answers, why) => {
    const { status, body, errors } = await reason(answers);
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain(why);
    expect(JSON.stringify(body)).not.toContain("node.example");
    expect(errors).toHaveLength(1);
  });
});
