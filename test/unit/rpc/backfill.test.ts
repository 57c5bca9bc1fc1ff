/** What a backfill requires of blocks, receipts and ranges, over a real chain. */
import type { Hash } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { BlockAnswer, ReceiptAnswer } from "../../../config/rpc/answers.ts";
import type { LedgerDatabase } from "../../../config/rpc/backfill/calls/ledger.ts";
import type { RpcLog } from "../../../config/rpc/logRange.ts";
import { Disagreement } from "../../../config/rpc/verifyBlock.ts";
import { type ChainNode, startNode } from "../../../localnet/nodes.ts";
import {
  blockReceiptsRefused,
  blockReceiptsTooLarge,
  type Fault,
  type FaultyNode,
  headsMalformed,
  headsNull,
  lastReceiptMissing,
  lastTransactionMissing,
  logDataWrong,
  logsCapped,
  noBlocks,
  oddLogsMissing,
  outcomesWrong,
  receiptsNull,
  receiptsWithoutLogs,
  startFaultyNode,
  timesWrong,
  transactionsMissing,
} from "../../support/faultyNode.ts";
import { CHAIN_ID, type ChainWithLogs, EMITTER, startChainWithLogs, stopClock, transportOver } from "./chain.ts";

const BLOCK = 4;
/** Long enough to be reported. */
const FAULT_MS = 800;
/** Calls are taken from blocks, so nothing is noted. */
const NO_DATABASE = { transaction: () => Promise.reject(new Error("the database was asked")) };

let chain: ChainWithLogs;
let block: BlockAnswer;
let logs: readonly RpcLog[];
let receipts: readonly ReceiptAnswer[];
const started: FaultyNode[] = [];

beforeAll(async () => {
  chain = await startChainWithLogs(4, 3);
  const { request } = transportOver([chain.node.rpcUrl]);
  block = (await request("eth_getBlockByNumber", ["0x4", true])) as BlockAnswer;
  logs = (await request("eth_getLogs", [{ blockHash: block.hash }])) as RpcLog[];
  receipts = (await request("eth_getBlockReceipts", [block.hash])) as ReceiptAnswer[];
});
afterAll(() => chain?.node.stop());
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

async function startSpoiled(fault: Fault | null): Promise<FaultyNode> {
  const node = await startFaultyNode(chain.node.rpcUrl, fault);
  started.push(node);
  return node;
}

/** Changes other answers by another fault. */
function logsRefusedAnd(fault: Fault | null): Fault {
  return async (call, result) => {
    if (call.method === "eth_getLogs") return logsCapped(2)(call, result);
    return fault === null ? { result: await result() } : fault(call, result);
  };
}

describe("receipts", () => {
  const { backfill } = transportOver(["http://127.0.0.1:1"]).transport;
  const required = () => new Set(receipts.map(({ transactionHash }) => transactionHash));
  const verify = (changes: object) =>
    backfill.verifyBlock({ block, logs, receipts, required: required(), isWanted: () => true, ...changes });

  it("may have the logs of the range in any order", async () => {
    expect(logs).toHaveLength(3);
    await verify({ logs: logs.toReversed() });
  });

  it("may have additional logs that are not indexed", async () => {
    const [first, ...others] = logs;
    await verify({ logs: others, isWanted: (log: RpcLog) => log.logIndex !== first?.logIndex });
  });

  it("must not have a log that the range lacks, nor lack one of its logs", async () => {
    await expect(verify({ logs: logs.slice(0, -1) })).rejects.toThrow(
      new Disagreement("block 4: a receipt has 1 indexed logs, but eth_getLogs returned 0"),
    );
    await expect(verify({ receipts: receipts.map((receipt) => ({ ...receipt, logs: [] })) })).rejects.toThrow(
      Disagreement,
    );
  });

  it("must have the same logs", async () => {
    const changed = logs.map((log) => ({ ...log, data: "0x01" as const }));
    await expect(verify({ logs: changed })).rejects.toThrow(Disagreement);
  });

  it("must be those that the hash of the block proves, if all are there", async () => {
    const reverted = receipts.map((receipt) => ({ ...receipt, status: "0x0" }));
    await expect(verify({ receipts: reverted })).rejects.toThrow(
      new Disagreement("block 4: its receipts differ from the receipts root of its header"),
    );
  });

  it("must exist", async () => {
    await expect(verify({ receipts: receipts.slice(1), logs: logs.slice(1) })).rejects.toThrow("a receipt is missing");
    // Nothing else would show that a log was changed or invented.
    await expect(verify({ receipts: receipts.slice(1), required: new Set<Hash>() })).rejects.toThrow(
      "a receipt is missing",
    );
    await verify({ receipts: receipts.slice(1), logs: logs.slice(1), required: new Set<Hash>() });
  });
});

describe("a block whose bloom may have an event", () => {
  /** As if no transaction of the block called a contract that is indexed. */
  const nothing = () => ({ logs: [], receipts: [], required: new Set<Hash>(), isWanted: () => true });
  const searched = () => [{ address: EMITTER, topics: logs.slice(0, 1).flatMap(({ topics }) => topics) }];

  it("is contradictory if it has the event", async () => {
    const { backfill } = transportOver([chain.node.rpcUrl], { searched: searched() }).transport;
    await expect(backfill.verifyBlock({ block, ...nothing() })).rejects.toThrow(
      new Disagreement("block 4 has 3 indexed logs, but eth_getLogs for a range returned 0"),
    );
  });

  it("is accepted if its logs show that it has none", async () => {
    const node = await startSpoiled(null);
    const { backfill } = transportOver([node.rpcUrl], { searched: searched() }).transport;
    await backfill.verifyBlock({ block, ...nothing(), isWanted: () => false });
    expect(node.calls.get("eth_getLogs")).toBe(1);
  });

  it("is contradictory if it has the event a second time", async () => {
    const { backfill } = transportOver([chain.node.rpcUrl], { searched: searched() }).transport;
    await expect(
      backfill.verifyBlock({ block, ...nothing(), logs: logs.slice(0, 1), receipts: receipts.slice(0, 1) }),
    ).rejects.toThrow(new Disagreement("block 4 has 3 indexed logs, but eth_getLogs for a range returned 1"));
  });

  it("is not asked about if all its receipts were returned", async () => {
    const { backfill } = transportOver(["http://127.0.0.1:1"], { searched: searched() }).transport;
    await backfill.verifyBlock({ block, ...nothing(), logs, receipts });
  });

  it("is not asked about if its bloom lacks the contract or the event", async () => {
    const topics = [`0x${"a".repeat(64)}`] as const;
    const others = [
      { address: EMITTER, topics },
      { address: `0x${"a".repeat(40)}`, topics: searched()[0]?.topics ?? [] },
    ] as const;
    const { backfill } = transportOver(["http://127.0.0.1:1"], { searched: others }).transport;
    await backfill.verifyBlock({ block, ...nothing() });
  });

  it("has its logs refused if they are more than a node returns at once, and is then proven by its receipts", async () => {
    const node = await startSpoiled(logsCapped(2));
    const { backfill } = transportOver([node.rpcUrl], { searched: searched() }).transport;
    const refusal = await backfill.verifyBlock({ block, ...nothing() }).catch((error: unknown) => error);
    expect(String(refusal)).toContain("Too many logs requested");
    expect((await backfill.prove(BLOCK, refusal)).logs).toEqual(logs);
  });

  it("is asked about again while a node omits the log here, too", async () => {
    const [wrong, right] = [await startSpoiled(oddLogsMissing), await startSpoiled(null)];
    const { backfill } = transportOver([wrong.rpcUrl, right.rpcUrl], { searched: searched() }).transport;
    await expect(backfill.verifyBlock({ block, ...nothing() })).rejects.toThrow("block 4 has 3 indexed logs");
    expect(wrong.calls.get("eth_getLogs")).toBe(1);
  });
});

describe("a block with contradictory answers", () => {
  it("is the one that its header, logs and receipts prove", async () => {
    const { transport } = transportOver([chain.node.rpcUrl]);
    expect(await transport.backfill.prove(BLOCK, "a test")).toEqual({ block, logs, receipts });
  });

  it("is proven without receipts of whole blocks", async () => {
    const node = await startSpoiled(blockReceiptsRefused);
    const { transport } = transportOver([node.rpcUrl]);
    expect(await transport.backfill.prove(BLOCK, "a test")).toEqual({ block, logs, receipts });
  });

  it.each<[string, Fault | null]>([
    ["of the whole block", null],
    ["one by one", blockReceiptsRefused],
    ["one by one because together they are too large", blockReceiptsTooLarge],
  ])("is proven by its receipts, requested %s, if its logs are refused", async (_, fault) => {
    const node = await startSpoiled(logsRefusedAnd(fault));
    const { transport, reports } = transportOver([node.rpcUrl]);
    expect(await transport.backfill.prove(BLOCK, "a test")).toMatchObject({ block, logs, receipts });
    expect(node.calls.get("eth_getBlockReceipts")).toBe(1);
    expect(reports).toEqual([]);
  });

  it.each<[string, Fault]>([
    ["logs are missing", oddLogsMissing],
    ["receipts are null", receiptsNull],
    ["a receipt is missing", lastReceiptMissing],
    ["receipts hold no logs", receiptsWithoutLogs],
    ["transactions are missing", transactionsMissing],
    ["the last transaction is missing", lastTransactionMissing],
    ["its time is wrong", timesWrong],
    ["the data of logs is wrong, in receipts, too", logDataWrong],
    ["outcomes are wrong", outcomesWrong],
    ["logs are refused, and a receipt is missing", logsRefusedAnd(lastReceiptMissing)],
    ["logs are refused, and receipts hold none", logsRefusedAnd(receiptsWithoutLogs)],
    ["logs are refused, and their data is wrong in receipts", logsRefusedAnd(logDataWrong)],
  ])("is requested until it is proven, and reported, while %s", async (_, fault) => {
    const node = await startSpoiled(fault);
    const { transport, reports } = transportOver([node.rpcUrl]);
    const proven = transport.backfill.prove(BLOCK, new Error("the receipts differ"));
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.kind).toBe("damaged"), { timeout: 60_000 });
    expect(reports.at(-1)?.problem?.message).toMatch(/^block 4: .* \(requested because: the receipts differ\)$/);
    node.spoil(null);
    expect((await proven).logs).toEqual(logs);
    expect(reports.at(-1)?.problem).toBeNull();
  });

  it("is proven by the next URL, and the wrong one is no longer asked", async () => {
    stopClock();
    const [wrong, right] = [await startSpoiled(receiptsWithoutLogs), await startSpoiled(null)];
    const { transport, request, reports } = transportOver([wrong.rpcUrl, right.rpcUrl]);
    expect((await transport.backfill.prove(BLOCK, "a test")).receipts).toEqual(receipts);
    expect(await request("eth_getBlockReceipts", [block.hash])).toEqual(receipts);
    expect(reports).toEqual([]);
  });

  it.each<[string, Fault]>([
    ["the block", noBlocks],
    ["its receipts", receiptsNull],
  ])("is proven by the next URL, and one that only lacks %s is asked again", async (_, fault) => {
    stopClock();
    const [behind, right] = [await startSpoiled(fault), await startSpoiled(null)];
    const { transport, request } = transportOver([behind.rpcUrl, right.rpcUrl]);
    expect((await transport.backfill.prove(BLOCK, "a test")).receipts).toEqual(receipts);
    behind.spoil(null);
    await request("eth_getLogs", [{ blockHash: block.hash }]);
    expect(right.calls.get("eth_getLogs")).toBe(1);
  });
});

describe("a block that is requested by its number", () => {
  it.each<[string, Fault, string]>([
    ["lacks its last transaction", lastTransactionMissing, "its transactions differ"],
    ["has the wrong time", timesWrong, "its header does not have its hash"],
  ])("is requested until it is proven, and reported, while it %s", async (_, fault, problem) => {
    const node = await startSpoiled(fault);
    const { request, reports } = transportOver([node.rpcUrl]);
    const answer = request("eth_getBlockByNumber", ["0x4", true]);
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.message).toContain(`block 4: ${problem}`), {
      timeout: 60_000,
    });
    node.spoil(null);
    expect(await answer).toEqual(block);
  });
});

describe("the blocks of a range", () => {
  const WRONG = { hash: `0x${"1".repeat(64)}`, parentHash: `0x${"2".repeat(64)}` } as const;
  /** A later block than those of the ranges. */
  const finalized = () => ({ number: "0xff", hash: WRONG.hash }) as const;
  let other: ChainNode;
  const links = async (from: number, to: number) =>
    new Map(
      await Promise.all(
        Array.from({ length: to - from + 1 }, async (_, index) => {
          const { hash, parentHash } = await chain.client.getBlock({ blockNumber: BigInt(from + index) });
          return [from + index, { hash, parentHash }] as const;
        }),
      ),
    );

  beforeAll(async () => {
    other = await startNode({ chainId: CHAIN_ID + 1, logFile: ".demo/unit-rpc-other.node.log" });
  });
  afterAll(() => other?.stop());

  it("follow each other and the previous range, also when a range is fetched again", async () => {
    const { backfill } = transportOver([chain.node.rpcUrl]).transport;
    await backfill.confirmRange(await links(0, 3), finalized());
    await backfill.confirmRange(await links(4, 8), finalized());
    await backfill.confirmRange(await links(4, 8), finalized());
    await expect(backfill.confirmRange(new Map([[4, WRONG]]), finalized())).rejects.toThrow(
      "block 4 does not follow block 3",
    );
  });

  it("are refused with a block of another chain among them", async () => {
    const { backfill } = transportOver([chain.node.rpcUrl]).transport;
    await expect(backfill.confirmRange(new Map([...(await links(0, 3)), [2, WRONG]]), finalized())).rejects.toThrow(
      "block 2 does not follow block 1",
    );
    await backfill.confirmRange(await links(0, 3), finalized());
    await expect(backfill.confirmRange(new Map([[4, WRONG]]), finalized())).rejects.toThrow(
      "block 4 does not follow block 3",
    );
  });

  it("are refused if they end in another block than the one from which the newest blocks are followed", async () => {
    const { backfill } = transportOver([chain.node.rpcUrl]).transport;
    const elsewhere = { number: "0x8", hash: WRONG.hash } as const;
    await backfill.confirmRange(await links(0, 3), elsewhere);
    await expect(backfill.confirmRange(await links(4, 8), elsewhere)).rejects.toThrow(`and was ${WRONG.hash} before`);
  });

  it("are refused when a URL that answered now serves another chain", async () => {
    const node = await startSpoiled(null);
    const { transport, request } = transportOver([node.rpcUrl]);
    await request("eth_getBlockByNumber", ["0x4", true]);
    node.switchTo(other.rpcUrl);
    await expect(transport.backfill.confirmRange(await links(4, 8), finalized())).rejects.toThrow(
      "is a node of chain 31338",
    );
  });

  it.each<[string, Fault]>([
    ["null", headsNull],
    ["malformed", headsMalformed],
  ])("are waited for while the number of the newest block is %s, which traces need", async (_, fault) => {
    const node = await startSpoiled(fault);
    const { transport, reports } = transportOver([node.rpcUrl], { callsFrom: "traces", proxies: [EMITTER] });
    /** In which traces were used before, so that no block is sampled. */
    const rows = [{ is_used: true }];
    const database: LedgerDatabase = {
      transaction: (callback) => callback({ wrap: (query) => query({ execute: async () => ({ rows }) }) }),
    };
    const done = transport.backfill.untilDone([1, 8], async () => "done", database);
    setTimeout(() => node.spoil(null), FAULT_MS);
    expect(await done).toBe("done");
    expect(reports[0]?.problem?.kind).toBe("damaged");
  });

  it("are requested again while nodes make the range fail; any other error ends the backfill", async () => {
    const { transport, reports } = transportOver([chain.node.rpcUrl]);
    let attempts = 0;
    const done = await transport.backfill.untilDone(
      [0, 8],
      async () => {
        attempts += 1;
        if (attempts < 4) throw new Disagreement("block 2 does not follow block 1");
        return "done";
      },
      NO_DATABASE,
    );
    expect([done, attempts]).toEqual(["done", 4]);
    expect(reports.map(({ problem }) => problem?.message)).toEqual([
      "blocks 0 to 8: block 2 does not follow block 1",
      undefined,
    ]);
    const failing = transport.backfill.untilDone(
      [0, 8],
      async () => {
        throw new Error("the database is away");
      },
      NO_DATABASE,
    );
    await expect(failing).rejects.toThrow("the database is away");
  });
});
