/**
 * Why a transaction failed, read from nodes that offer one kind of trace, the other kind, or none, and from nodes that
 * fail.
 */
import { createPublicClient, custom, encodeErrorResult, RpcRequestError } from "viem";
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

/** A node that offers only the given methods, and records the requests. */
function nodeWith(answers: Answers) {
  const asked: { method: string; params: readonly unknown[] }[] = [];
  const known: Answers = { eth_getTransactionByHash: () => transaction(), ...answers };
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
    const [, , , call] = found.asked;
    const { from, to, input, value, gas } = transaction();
    const blockBefore = `0x${(BigInt(failed.inclusion.blockNumber) - 1n).toString(16)}`;
    expect(call).toEqual({ method: "eth_call", params: [{ from, to, input, value, gas }, blockBefore] });
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
