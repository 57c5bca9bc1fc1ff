/** That Ponder's backfill, with the patch, takes receipts by block alone, because a hash proves only all of them. */
import { type Hash, hexToNumber } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RpcLog } from "../../../config/rpc/logRange.ts";
import { blockReceiptsRefused, type Fault, type FaultyNode, startFaultyNode } from "../../support/faultyNode.ts";
import { internal } from "../support/ponderInternal.ts";
import { CHAIN_ID, type ChainWithLogs, EMITTER, startChainWithLogs, transportOver } from "./chain.ts";

type Options = Readonly<Record<string, unknown>>;

interface HistoricalSync {
  syncBlockData(range: Options): Promise<unknown>;
}

interface Receipt {
  readonly transactionHash: Hash;
  readonly blockNumber: `0x${string}`;
}

const BLOCKS = 4;
const LOGS_PER_BLOCK = 3;

let chain: ChainWithLogs;
let node: FaultyNode;
beforeAll(async () => {
  chain = await startChainWithLogs(BLOCKS, LOGS_PER_BLOCK);
  node = await startFaultyNode(chain.node.rpcUrl, null);
});
afterAll(async () => {
  await node?.stop();
  await chain?.node.stop();
});

it("one refusal of the receipts of a block concerns that block alone, whose receipts are all requested one by one", async () => {
  const { createHistoricalSync } = await internal<{ createHistoricalSync(options: Options): HistoricalSync }>(
    "sync-historical/index.js",
  );
  const { createLogger } = await internal<{ createLogger(options: Options): unknown }>("internal/logger.js");
  const { transport, request } = transportOver([node.rpcUrl]);
  const interval = [1, chain.head];
  const logs = (await request("eth_getLogs", [{ address: EMITTER, fromBlock: "0x1", toBlock: "0x8" }])) as RpcLog[];
  const finalized = await request("eth_getBlockByNumber", ["0x8", false]);
  const sync = createHistoricalSync({
    common: { logger: createLogger({ level: "fatal", mode: "pretty" }), options: {} },
    chain: { id: CHAIN_ID, name: "mainnet", rpc: transport, finalityBlockCount: 65 },
    rpc: { request: ({ method, params }: { method: string; params: readonly unknown[] }) => request(method, params) },
    childAddresses: new Map(),
    syncProgress: { finalized },
  });

  const written: Receipt[] = [];
  const nothing = async () => undefined;
  node.spoil(refusedUntilProven());
  await sync.syncBlockData({
    interval,
    requiredIntervals: [
      {
        filter: { type: "log", chainId: CHAIN_ID, address: EMITTER, hasTransactionReceipt: true, include: [] },
        interval,
      },
    ],
    logs,
    syncStore: {
      ...{ insertBlocks: nothing, insertTransactions: nothing, insertTraces: nothing, insertLogs: nothing },
      async insertTransactionReceipts({ transactionReceipts }: { readonly transactionReceipts: readonly Receipt[] }) {
        written.push(...transactionReceipts);
      },
    },
  });

  expect(new Set(written.map(({ transactionHash }) => transactionHash))).toEqual(
    new Set(logs.map(({ transactionHash }) => transactionHash)),
  );
  expect(new Set(written.map(({ blockNumber }) => hexToNumber(blockNumber)))).toEqual(new Set([2, 4, 6, 8]));
  expect(node.calls.get("eth_getTransactionReceipt")).toBe(LOGS_PER_BLOCK);
  expect(node.calls.get("eth_getBlockReceipts")).toBe(BLOCKS + 1);
});

/** Refuses the receipts of the first block that is requested, also when they are requested again to prove the block. */
function refusedUntilProven(): Fault {
  let refused: unknown;
  return async (call, result) => {
    if (call.method !== "eth_getBlockReceipts") return { result: await result() };
    refused ??= call.params[0];
    return call.params[0] === refused ? blockReceiptsRefused(call, result) : { result: await result() };
  };
}
