/** The choice between traces and blocks, measured over a real chain and a node that is slow, lacks a method, or fails. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { CallsMissed } from "../../../config/rpc/backfill/calls/failures.ts";
import { chooseSource, MEASURED_BLOCKS } from "../../../config/rpc/backfill/calls/measure.ts";
import { RETRY_DELAYS, RpcNetwork } from "../../../config/rpc/backfill/rpcNetwork.ts";
import { RpcNode } from "../../../config/rpc/backfill/rpcNode.ts";
import { createNetworkReport } from "../../../config/rpc/networkReport.ts";
import { WALLETS } from "../../../localnet/wallets.ts";
import { type Fault, type Reply, type RpcProxy, startRpcProxy } from "../../reliability/harness/rpcProxy.ts";
import { CHAIN_ID, type ChainWithLogs, EMITTER, startChainWithLogs } from "./chain.ts";

const BOTH = /^blocks 30 to 229 took \d+\.\d\d s by traces, \d+\.\d\d s by blocks$/;
const RESET: Reply = { kind: "reset" };

let chain: ChainWithLogs;
let proxy: RpcProxy;
/** What the measurement takes for the time. Only slow answers advance it: on a busy machine, any answer takes long. */
let nowMs = 0;

beforeAll(async () => {
  vi.stubEnv("PONDER_RPC_REQUESTS_PER_SECOND", "1000");
  chain = await startChainWithLogs(0, 0);
  for (let call = 0; call < 4; call += 1) {
    await chain.client.mine({ blocks: 64 });
    await chain.client.sendUnsignedTransaction({ from: WALLETS.operator.address, to: EMITTER, gas: 100_000n });
    await chain.client.mine({ blocks: 1 });
  }
  proxy = await startRpcProxy(chain.node.rpcUrl);
});
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  proxy.inject(null);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy?.stop();
  await chain?.node.stop();
});

function choose(tracesDeadlineMs?: number) {
  const report = createNetworkReport(CHAIN_ID, () => ({ publish() {}, close() {} }));
  const network = new RpcNetwork([new RpcNode(proxy.rpcUrl, "RPC URL 1", CHAIN_ID)], report, RETRY_DELAYS);
  return chooseSource(network, [EMITTER], [0, 259], tracesDeadlineMs);
}

/** Lets time pass before each answer of a method. */
const slow =
  (slowMethod: string, delayMs: number): Fault =>
  ({ method }) => {
    if (method === slowMethod) nowMs += delayMs;
    return undefined;
  };

/** Gives another answer to a method after so many right ones. */
function after(rightAnswers: number, method: string, reply: Reply): Fault {
  let answers = 0;
  return (call) => {
    if (call.method !== method) return undefined;
    answers += 1;
    return answers > rightAnswers ? reply : undefined;
  };
}

it("takes traces where blocks are slow, and names both figures", async () => {
  let blocks = 0;
  proxy.inject(async (call, ask) => {
    if (call.method === "eth_getBlockByNumber") blocks += 1;
    return slow("eth_getBlockByNumber", 200)(call, ask);
  });
  expect(await choose()).toEqual({ source: "traces", reason: expect.stringMatching(BOTH) });
  // Those that traces named are fetched a second time.
  expect(blocks).toBe(MEASURED_BLOCKS + 3);
});

it("takes blocks where traces are slow, and names both figures", async () => {
  proxy.inject(slow("trace_filter", 3_000));
  expect(await choose()).toEqual({ source: "blocks", reason: expect.stringMatching(BOTH) });
});

it("measures a node that allows few blocks per request, or fails once", async () => {
  proxy.inject(({ method, params }) => {
    if (method !== "trace_filter") return undefined;
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    return Number(toBlock) - Number(fromBlock) >= 50
      ? { kind: "error", code: -32_000, message: "block range is too large" }
      : undefined;
  });
  expect((await choose()).reason).toMatch(BOTH);
  let isFirst = true;
  proxy.inject(({ method }) => {
    if (method !== "trace_filter" || !isFirst) return undefined;
    isFirst = false;
    return RESET;
  });
  expect((await choose()).reason).toMatch(BOTH);
});

it("takes blocks where the node has no trace_filter", async () => {
  proxy.inject(after(0, "trace_filter", { kind: "error", code: -32_601, message: "the method does not exist" }));
  expect(await choose()).toEqual({
    source: "blocks",
    reason: expect.stringMatching(/^trace_filter for block 30 is refused: /),
  });
});

it.each([
  ["trace_filter", 1],
  ["eth_getBlockByNumber", 1],
  ["eth_getBlockByNumber", 100],
])("takes blocks where %s fails after %i answers", async (method, rightAnswers) => {
  proxy.inject(after(rightAnswers, method, RESET));
  expect(await choose()).toEqual({
    source: "blocks",
    reason: expect.stringMatching(new RegExp(`^the measurement failed: ${method}: `)),
  });
});

it("takes blocks where traces take too long", async () => {
  proxy.inject(slow("trace_filter", 400));
  expect(await choose(300)).toEqual({
    source: "blocks",
    reason: "the measurement failed: trace_filter took more than 0.3 s",
  });
});

it("does not take an answer that contradicts another one for a failure", async () => {
  let answers = 0;
  proxy.inject(({ method }) => {
    if (method !== "trace_filter") return undefined;
    answers += 1;
    return answers === 1 ? { kind: "result", result: [] } : undefined;
  });
  await expect(choose()).rejects.toThrow(CallsMissed);
});
