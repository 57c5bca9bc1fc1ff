/** Calls from `trace_filter` over a real chain: what is named, and which answers are refused. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { proveBlock } from "../../../config/rpc/backfill/blockProof.ts";
import { CallsMissed, TracesRefused } from "../../../config/rpc/backfill/calls/failures.ts";
import { createTraceReader } from "../../../config/rpc/backfill/calls/traceReader.ts";
import { sampleBlock } from "../../../config/rpc/backfill/calls/verifyCalls.ts";
import { RETRY_DELAYS, RpcNetwork } from "../../../config/rpc/backfill/rpcNetwork.ts";
import { RpcNode } from "../../../config/rpc/backfill/rpcNode.ts";
import { createNetworkReport } from "../../../config/rpc/networkReport.ts";
import { WALLETS } from "../../../localnet/wallets.ts";
import { type Fault, type RpcProxy, startRpcProxy } from "../../reliability/harness/rpcProxy.ts";
import { CHAIN_ID, type ChainWithLogs, EMITTER, startChainWithLogs } from "./chain.ts";

const LOGS_PER_BLOCK = 3;
/** Calls whatever address its input ends with, by CALL and by DELEGATECALL. */
const CALLER = `0x${"ca".repeat(20)}` as const;
const CALLER_CODE = "0x5f5f5f5f5f5f355af15f5f5f5f5f355af400";
/** Reverts every call. */
const REVERTER = `0x${"de".repeat(20)}` as const;

let chain: ChainWithLogs;
let proxy: RpcProxy;
let head: number;
const hashes = { nested: "", reverted: "", transfer: "" };

beforeAll(async () => {
  chain = await startChainWithLogs(6, LOGS_PER_BLOCK);
  const { client } = chain;
  await client.setCode({ address: CALLER, bytecode: CALLER_CODE });
  await client.setCode({ address: REVERTER, bytecode: "0x5f5ffd" });
  const from = WALLETS.operator.address;
  const gas = 200_000n;
  hashes.nested = await client.sendUnsignedTransaction({
    from,
    to: CALLER,
    data: `0x${EMITTER.slice(2).padStart(64, "0")}`,
    gas,
  });
  hashes.reverted = await client.sendUnsignedTransaction({ from, to: REVERTER, data: "0x12345678", gas });
  hashes.transfer = await client.sendUnsignedTransaction({ from, to: WALLETS.outsider.address, value: 1n, gas });
  await client.mine({ blocks: 1 });
  head = Number(await client.getBlockNumber());
  proxy = await startRpcProxy(chain.node.rpcUrl);
});
afterEach(() => proxy.inject(null));
afterAll(async () => {
  await proxy?.stop();
  await chain?.node.stop();
});

function networkOver(rpcUrl: string): RpcNetwork {
  const report = createNetworkReport(CHAIN_ID, () => ({ publish() {}, close() {} }));
  return new RpcNetwork([new RpcNode(rpcUrl, "RPC URL 1", CHAIN_ID)], report, RETRY_DELAYS);
}

const reader = () => createTraceReader(networkOver(proxy.rpcUrl));

interface Trace {
  readonly action: { readonly callType?: string };
  readonly blockNumber: number;
  readonly transactionHash: string;
  readonly traceAddress: readonly number[];
}

/** Changes the answers of trace_filter. */
const spoiling =
  (spoil: (traces: Trace[]) => unknown): Fault =>
  async ({ method, params }, ask) =>
    method === "trace_filter" ? { kind: "result", result: spoil((await ask(method, params)) as never) } : undefined;

const blocksOf = (params: readonly unknown[]) => {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
  return Number(toBlock) - Number(fromBlock) + 1;
};

it("names top-level calls, of those that revert and move only value, too, and blocks with other calls", async () => {
  const emitted = await reader().callsTo([EMITTER], 0, head);
  // In block `head` a contract calls, by CALL and by DELEGATECALL.
  const counts = [...Array(6).fill(LOGS_PER_BLOCK), 0];
  expect([...emitted.values()].map(({ transactions }) => transactions.size)).toEqual(counts);
  expect((await chain.client.getLogs({ fromBlock: BigInt(head) })).length).toBe(2);
  expect(emitted.has(head)).toBe(true);
  proxy.inject(spoiling((traces) => traces.filter(({ action }) => action.callType !== "call")));
  expect((await reader().callsTo([EMITTER], head, head)).has(head)).toBe(false);
  proxy.inject(null);
  const others = await reader().callsTo([CALLER, REVERTER, WALLETS.outsider.address], 0, head);
  expect([...others].map(([number, { transactions }]) => [number, [...transactions]])).toEqual([
    [head, [hashes.nested, hashes.reverted, hashes.transfer]],
  ]);
});

it.each([1, 3])("asks for fewer blocks when a node grants only %i", async (granted) => {
  proxy.inject(({ method, params }) =>
    method === "trace_filter" && blocksOf(params) > granted
      ? { kind: "error", code: -32_000, message: "block range is too large" }
      : undefined,
  );
  expect(await reader().callsTo([EMITTER], 0, head)).toEqual(
    await createTraceReader(networkOver(chain.node.rpcUrl)).callsTo([EMITTER], 0, head),
  );
});

it("refuses an answer that was cut short", async () => {
  proxy.inject(spoiling((traces) => traces.slice(0, 4)));
  await expect(reader().callsTo([EMITTER], 0, head)).rejects.toThrow(CallsMissed);
});

it("refuses an answer about other blocks, and one that is no list of traces", async () => {
  proxy.inject(spoiling((traces) => traces.map((trace) => ({ ...trace, blockNumber: head + 1 }))));
  await expect(reader().callsTo([EMITTER], 0, head)).rejects.toThrow(CallsMissed);
  proxy.inject(spoiling(() => ({ traces: [] })));
  await expect(reader().callsTo([EMITTER], 0, head)).rejects.toThrow(TracesRefused);
});

it("gives up when a single block is refused", async () => {
  proxy.inject(({ method }) =>
    method === "trace_filter" ? { kind: "error", code: -32_601, message: "no such method" } : undefined,
  );
  await expect(reader().callsTo([EMITTER], 0, head)).rejects.toThrow("trace_filter for block 0 is refused");
});

it.each(["nested", "reverted", "transfer"] as const)("a sample misses a %s transaction", async (kind) => {
  const prove = async (number: number) => {
    const proven = await proveBlock(networkOver(chain.node.rpcUrl), BigInt(number));
    if (typeof proven === "string") throw new Error(proven);
    return proven;
  };
  await sampleBlock(reader(), prove, head);
  proxy.inject(spoiling((traces) => traces.filter(({ transactionHash }) => transactionHash !== hashes[kind])));
  await expect(sampleBlock(reader(), prove, head)).rejects.toThrow(
    `trace_filter leaves out transaction ${hashes[kind]} of block ${head}`,
  );
});
