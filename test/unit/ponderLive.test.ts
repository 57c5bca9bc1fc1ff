/** What the patch of Ponder changes in the processing of live blocks, with Ponder's own modules over a real node. */
import { getAbiItem, hexToNumber, toEventSelector } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { coreSwapAbi } from "../../abis/index.ts";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { Refusal } from "../support/rpcServer.ts";
import { type ScriptedNode, startScriptedNode } from "../support/scriptedNode.ts";
import { type LogChain, PROXIES, startLogChain, topic } from "./support/logChain.ts";
import { internal } from "./support/ponderInternal.ts";

interface Block {
  readonly hash: string;
  readonly number: `0x${string}`;
}

interface SyncEvent {
  readonly type: string;
  readonly transactionReceipts?: readonly { readonly transactionIndex: `0x${string}` }[];
}

interface RealtimeSync {
  sync(block: Block, onTaken: (isTaken: boolean) => void): AsyncGenerator<SyncEvent>;
  onError(error: Error): void;
  readonly unfinalizedBlocks: readonly Block[];
}

type Options = Readonly<Record<string, unknown>>;

let chain: LogChain;
let faulty: ScriptedNode;
let sync: RealtimeSync;

beforeAll(async () => {
  chain = await startLogChain("live-patch");
  faulty = await startScriptedNode(chain.node.rpcUrl);
});
afterAll(async () => {
  await faulty?.stop();
  await chain?.stop();
});

async function latest(): Promise<Block> {
  const block = await chain.client.request({ method: "eth_getBlockByNumber", params: ["latest", true] });
  if (!block?.hash || !block.number) throw new Error("the chain has no newest block");
  return { ...block, hash: block.hash, number: block.number };
}

/** A new block with a log of CoreSwap. */
async function newBlock(value: number): Promise<Block> {
  const hash = await chain.emit(PROXIES.coreSwap, [topic(value)]);
  // The node answers before it has mined.
  await chain.client.waitForTransactionReceipt({ hash });
  return latest();
}

/** Starts to process blocks after the newest one of the chain. */
beforeEach(async () => {
  faulty.fault = null;
  const { createShutdown } = await internal<{ createShutdown(): unknown }>("internal/shutdown.js");
  const { createLogger } = await internal<{ createLogger(options: Options): unknown }>("internal/logger.js");
  const { MetricsService } = await internal<{ MetricsService: new () => unknown }>("internal/metrics.js");
  const { createRpc } = await internal<{ createRpc(options: Options): unknown }>("rpc/index.js");
  const { createRealtimeSync } = await internal<{ createRealtimeSync(options: Options): RealtimeSync }>(
    "sync-realtime/index.js",
  );
  const common = {
    logger: createLogger({ level: "fatal", mode: "pretty" }),
    metrics: new MetricsService(),
    shutdown: createShutdown(),
    options: {},
  };
  const ponderChain = {
    id: 1,
    name: "mainnet",
    // The tests hand out the blocks.
    rpc: Object.assign(rpcTransport([faulty.rpcUrl]), { followHead: async () => undefined }),
    pollingInterval: 1_000,
    finalityBlockCount: 65,
  };
  const source = { chainId: 1, sourceId: "CoreSwap", include: [], hasTransactionReceipt: true };
  const logFilter = { ...source, type: "log", address: PROXIES.coreSwap };
  const callFilter = { ...source, type: "transaction", toAddress: PROXIES.coreSwap, includeReverted: true };
  sync = createRealtimeSync({
    common,
    chain: ponderChain,
    rpc: createRpc({ common, chain: ponderChain }),
    eventCallbacks: [{ filter: logFilter }, { filter: callFilter }],
    syncProgress: { finalized: await latest() },
    childAddresses: new Map(),
  });
});

/** The outcome of a block, and whether it was accepted. */
async function take(block: Block) {
  const outcomes: boolean[] = [];
  const types: string[] = [];
  for await (const event of sync.sync({ ...block }, (isTaken) => outcomes.push(isTaken))) types.push(event.type);
  return { types, outcomes };
}

describe("a live block", () => {
  it("is accepted when it is offered again after its logs could not be fetched", async () => {
    const head = await newBlock(1);
    faulty.fault = (request, ask) =>
      request.method === "eth_getLogs" ? Promise.reject(new Refusal(-32601)) : ask(request);
    expect(await take(head)).toEqual({ types: [], outcomes: [false] });
    faulty.fault = null;
    expect(await take(head)).toEqual({ types: ["block"], outcomes: [] });
  });

  it("counts as accepted if it is already in the chain", async () => {
    const head = await newBlock(2);
    await take(head);
    expect(await take(head)).toEqual({ types: [], outcomes: [true] });
  });

  it("does not change the chain if its parent is unknown", async () => {
    for (let count = 0; count < 3; count += 1) {
      await take(await newBlock(count));
    }
    const before = sync.unfinalizedBlocks.map(({ hash }) => hash);
    expect(before).toHaveLength(3);
    const head = await latest();
    const orphan = {
      ...head,
      hash: topic(77),
      parentHash: topic(78),
      transactions: [],
      logsBloom: `0x${"0".repeat(512)}`,
    };
    faulty.fault = (request, ask) => (request.method === "eth_getLogs" ? [] : ask(request));
    expect(await take(orphan)).toEqual({ types: [], outcomes: [false] });
    expect(sync.unfinalizedBlocks.map(({ hash }) => hash)).toEqual(before);
    expect(hexToNumber(head.number)).toBe(hexToNumber(sync.unfinalizedBlocks.at(-1)?.number ?? "0x0"));
  });
});

describe("receipts", () => {
  it("are in the order of their transactions", async () => {
    await chain.client.setAutomine(false);
    // Receipts of logs are requested first, even if calls without logs precede them.
    for (const topics of [[], [topic(1)], [], [topic(2)]]) await chain.emit(PROXIES.coreSwap, topics);
    await chain.client.mine({ blocks: 1 });
    await chain.client.setAutomine(true);
    const events: SyncEvent[] = [];
    for await (const event of sync.sync(await latest(), () => {})) events.push(event);
    const [receipts] = events.flatMap(({ transactionReceipts }) => (transactionReceipts ? [transactionReceipts] : []));
    expect(receipts?.map(({ transactionIndex }) => hexToNumber(transactionIndex))).toEqual([0, 1, 2, 3]);
  });

  it("are taken by block alone, and again when the block is offered again", async () => {
    const head = await newBlock(3);
    faulty.fault = (request, ask) =>
      request.method === "eth_getBlockReceipts" ? Promise.reject(new Refusal(-32601)) : ask(request);
    expect(await take(head)).toEqual({ types: [], outcomes: [false] });
    expect(faulty.asked.some(({ method }) => method === "eth_getTransactionReceipt")).toBe(false);
    faulty.fault = null;
    expect(await take(head)).toEqual({ types: ["block"], outcomes: [] });
  });
});

describe("errors of a node", () => {
  it("never end the process, whatever their number", () => {
    // At one error per second, unpatched Ponder gave up after ten minutes.
    for (let count = 0; count < 2_000; count += 1) sync.onError(new Error("the node is away"));
  });
});

describe("a log without the form of its event", () => {
  const address = PROXIES.coreSwap;
  const decode = async (filter: Options) => {
    const { decodeEvents } = await internal<{
      decodeEvents(
        common: Options,
        chain: Options,
        callbacks: readonly Options[],
        events: readonly Options[],
      ): unknown[];
    }>("runtime/events.js");
    const abiItem = getAbiItem({ abi: coreSwapAbi, name: "CoreVaultSet" });
    const callback = { type: "contract", name: "CoreSwap:CoreVaultSet", filter: { type: "log", ...filter }, abiItem };
    const log = { address, topics: [toEventSelector(abiItem)], data: "0x", logIndex: 0 };
    const event = { eventCallbackIndex: 0, log, block: { number: 7n } };
    const logger = { debug: () => undefined };
    return decodeEvents({ logger }, {}, [{ ...callback, chain: { name: "mainnet", id: 1 } }], [event]);
  };

  it("stops indexing if it is one of our own contracts that emitted it", async () => {
    await expect(decode({ address })).rejects.toThrow(
      "A log of CoreSwap:CoreVaultSet in block 7 does not have the form of the ABI",
    );
  });

  it("is left out if any contract can emit it", async () => {
    expect(await decode({ address: undefined })).toEqual([]);
  });
});
