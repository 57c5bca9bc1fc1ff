/** The follower of the head over a real chain, with a real proxy between them whose faults a test selects. */
import { setTimeout as delay } from "node:timers/promises";
import { hexToNumber, numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal, type RpcRequest } from "../support/rpcServer.ts";
import { type Fault, type ScriptedNode, startScriptedNode } from "../support/scriptedNode.ts";
import { type LogChain, PROXIES, STRANGER, startLogChain, topic } from "./support/logChain.ts";
import { POLLING_MS, startTaker, type Taker, type TakerOptions } from "./support/taker.ts";

/** Longer than three requests to a faulty node take. */
const SEVERAL_TRIES_MS = 1_500;
const WITHIN = { timeout: 60_000, interval: 20 };

let chain: LogChain;
let faulty: ScriptedNode;
let taker: Taker;

beforeAll(async () => {
  chain = await startLogChain("follow");
});
afterAll(() => chain?.stop());

beforeEach(async () => {
  faulty = await startScriptedNode(chain.node.rpcUrl);
});
afterEach(async () => {
  await taker?.stop();
  await faulty?.stop();
});

async function newestBlock() {
  const block = await chain.client.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  if (!block?.hash || !block.number) throw new Error("the chain has no newest block");
  return { hash: block.hash, parentHash: block.parentHash, number: block.number };
}

/** Starts at the newest block of the chain. */
async function follow(urls: readonly string[] = [faulty.rpcUrl], options: TakerOptions = {}): Promise<void> {
  taker = startTaker(urls, await newestBlock(), options);
}

async function isAtHead(): Promise<void> {
  await vi.waitFor(async () => expect(taker.taken.at(-1)?.block.hash).toBe((await newestBlock()).hash), WITHIN);
}

/** Ignores what a slow machine reported before. */
async function isWell(reorganizations: number): Promise<void> {
  await vi.waitFor(() => expect(taker.report()).toMatchObject({ problem: null, reorganizations }), WITHIN);
}

/** A block with two equal indexed logs and one of another contract. Without its last log it has the same bloom. */
async function mineBlock(): Promise<void> {
  await chain.client.setAutomine(false);
  await chain.emit(PROXIES.coreSwap, [topic(1), topic(1)]);
  await chain.emit(STRANGER, [topic(2), topic(2)]);
  await chain.client.mine({ blocks: 1 });
  await chain.client.setAutomine(true);
}

/** Changes the answers of one method. */
function bend(method: string, change: (answer: never, request: RpcRequest) => unknown): Fault {
  return async (request, ask) => {
    const answer = await ask(request);
    return request.method === method ? change(answer as never, request) : answer;
  };
}

/** Changes the hashes of transactions in every answer about a block, but not the hash of the block. */
const withOtherHashes: Fault = async (request, ask) => {
  const answer = JSON.stringify(await ask(request));
  const changed = answer.replace(/"transactionHash":"\w+"/g, `"transactionHash":"${topic(3)}"`);
  return JSON.parse(changed.replace(/"hash":"\w+","blockHash"/g, `"hash":"${topic(3)}","blockHash"`));
};

/** Shows the present head until the test sets another fault, so that no block is taken before that. */
async function hideNewBlocks(): Promise<void> {
  const head = await chain.client.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  faulty.fault = async (request, ask) => (isHeadRequest(request) ? head : ask(request));
}

function isHeadRequest({ method, params }: RpcRequest): boolean {
  return method === "eth_getBlockByNumber" && params[0] === "latest";
}

describe("a chain without faults", () => {
  it("is handed out block by block, each with all of its logs and receipts", async () => {
    await follow();
    const first = taker.newest() + 1;
    await mineBlock();
    await chain.client.mine({ blocks: 60 });
    await chain.emit(STRANGER, [topic(9)]);
    await mineBlock();
    await isAtHead();
    expect(taker.taken.map(({ block }) => hexToNumber(block.number))).toEqual(
      taker.taken.map((_, index) => first + index),
    );
    for (const { block, logs, receipts } of taker.taken) {
      const whole = await chain.client.getLogs({ blockHash: block.hash });
      const isOurs = whole.some(({ address }) => address === PROXIES.coreSwap);
      expect(logs?.map(({ logIndex }) => logIndex) ?? "nobody asks").toEqual(
        isOurs || whole.length === 0 ? whole.map(({ logIndex }) => numberToHex(logIndex)) : "nobody asks",
      );
      expect(receipts?.length ?? 0).toBe(isOurs ? block.transactions.length : 0);
    }
    await isWell(0);
  });

  it("does not request receipts for blocks without indexed logs or calls", async () => {
    await follow();
    await chain.emit(STRANGER, [topic(5)]);
    await vi.waitFor(() => expect(taker.taken).toHaveLength(1), WITHIN);
    expect(faulty.asked.filter(({ method }) => method.includes("Receipt"))).toEqual([]);
  });

  it("is followed beyond the point at which blocks become final", async () => {
    await follow([faulty.rpcUrl], { finalityBlockCount: 3 });
    for (let count = 0; count < 12; count += 1) {
      await mineBlock();
      await isAtHead();
    }
    expect(taker.taken).toHaveLength(12);
  });
});

describe("a node that contradicts itself", () => {
  const faults: readonly [string, Fault][] = [
    ["leaves out the last log", bend("eth_getLogs", (logs: unknown[]) => logs.slice(0, -1))],
    ["leaves out the first log", bend("eth_getLogs", (logs: unknown[]) => logs.slice(1))],
    ["has no logs yet", bend("eth_getLogs", () => [])],
    [
      "leaves logs out of a receipt",
      bend("eth_getBlockReceipts", ([first, ...others]: object[]) => [{ ...first, logs: [] }, ...others]),
    ],
    ["leaves out a receipt", bend("eth_getBlockReceipts", (receipts: unknown[]) => receipts.slice(1))],
    [
      "changes an amount",
      bend("eth_getLogs", ([first, ...others]: object[]) => [{ ...first, data: topic(7) }, ...others]),
    ],
    [
      "gives blocks without transactions",
      bend("eth_getBlockByHash", (block: object) => ({ ...block, transactions: [] })),
    ],
    [
      "leaves out the last transaction",
      bend("eth_getBlockByHash", (block: { transactions: unknown[] }) => ({
        ...block,
        transactions: block.transactions.slice(0, -1),
      })),
    ],
    [
      "names another sender",
      bend("eth_getBlockByHash", (block: { transactions: object[] }) => ({
        ...block,
        transactions: block.transactions.map((transaction) => ({ ...transaction, from: STRANGER })),
      })),
    ],
    ["names other hashes of transactions", withOtherHashes],
    ["gives a wrong time", bend("eth_getBlockByHash", (block: object) => ({ ...block, timestamp: "0x1" }))],
    [
      "says that transactions were reverted",
      bend("eth_getBlockReceipts", (receipts: object[]) => receipts.map((each) => ({ ...each, status: "0x0" }))),
    ],
    [
      "gives the logs of another block",
      bend("eth_getLogs", (logs: object[]) => logs.map((log) => ({ ...log, blockHash: topic(1) }))),
    ],
  ];

  it.each(faults)("and %s stops the network, without a loss", async (_, fault) => {
    await follow();
    const before = taker.newest();
    faulty.fault = fault;
    await mineBlock();
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("damaged"), WITHIN);
    expect(taker.report()?.problem?.message).toMatch(`mainnet: block ${before + 1}: `);
    expect(taker.report()?.problem?.message).not.toContain("127.0.0.1");
    await mineBlock();
    await delay(SEVERAL_TRIES_MS);
    expect(taker.taken).toEqual([]);
    faulty.fault = null;
    await isAtHead();
    expect(taker.taken.map(({ logs }) => logs?.length)).toEqual([4, 4]);
    await isWell(0);
  });

  it.each(faults)("and %s is skipped in favor of the next URL", async (_, fault) => {
    faulty.fault = fault;
    await follow([faulty.rpcUrl, chain.node.rpcUrl]);
    await mineBlock();
    await isAtHead();
    expect(taker.taken.map(({ logs }) => logs?.length)).toEqual([4]);
    expect(taker.reports.filter(({ problem }) => problem?.kind === "damaged")).toEqual([]);
  });
});

describe("a node that returns fewer logs at once than a block has", () => {
  const capped: Fault = (request, ask) => {
    if (request.method === "eth_getLogs") throw new Refusal(-32005, "query returned more than 10000 results");
    return ask(request);
  };

  it("does not stop the network: the logs are taken from the receipts, which are requested once", async () => {
    await follow();
    faulty.fault = capped;
    await mineBlock();
    await isAtHead();
    const [taken] = taker.taken;
    const logs = await chain.client.request({
      method: "eth_getLogs",
      params: [{ blockHash: (await newestBlock()).hash }],
    });
    expect(logs).toHaveLength(4);
    expect(taken?.logs).toMatchObject(logs);
    expect(taken?.receipts?.flatMap((receipt) => receipt.logs)).toEqual(taken?.logs);
    expect(faulty.asked.filter(({ method }) => method.includes("Receipt"))).toHaveLength(1);
    await isWell(0);
  });

  it("stops it while the receipts are not those of the block", async () => {
    await follow();
    faulty.fault = async (request, ask) => {
      if (request.method !== "eth_getBlockReceipts") return capped(request, ask);
      const [first, ...others] = (await ask(request)) as { logs: object[] }[];
      return [{ ...first, logs: first?.logs.map((log) => ({ ...log, data: topic(7) })) }, ...others];
    };
    await mineBlock();
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("damaged"), WITHIN);
    expect(taker.taken).toEqual([]);
    faulty.fault = null;
    await isAtHead();
  });
});

describe("a block that Ponder cannot read", () => {
  it("is fetched and passed to Ponder again", async () => {
    await follow([faulty.rpcUrl], { refusals: 5 });
    await mineBlock();
    await isAtHead();
    await isWell(0);
    expect(taker.reports.some(({ problem }) => problem?.message.includes("was refused"))).toBe(true);
    expect(faulty.asked.filter(({ method }) => method === "eth_getLogs")).toHaveLength(3);
  });
});

describe("a head that no node can serve", () => {
  it("is dropped without a longer pause, and the chain continues when the node is correct again", async () => {
    await follow();
    // Heads, one after the other, of which only the header exists.
    let invented = 0;
    faulty.fault = async (request, ask) => {
      const answer = await ask(request);
      if (!isHeadRequest(request)) return answer;
      invented += 1;
      return { ...(answer as object), hash: topic(1_000 + invented) };
    };
    await mineBlock();
    // With the pauses that follow failures, thirty looks would take two minutes.
    await vi.waitFor(() => expect(invented).toBeGreaterThan(30), WITHIN);
    expect(taker.taken).toEqual([]);
    await isWell(0);
    faulty.fault = null;
    await isAtHead();
  });

  it("does not prevent its parents from being accepted", async () => {
    await follow();
    await hideNewBlocks();
    await mineBlock();
    await mineBlock();
    const { hash } = await newestBlock();
    faulty.fault = async (request, ask) => {
      const isAboutHead = JSON.stringify(request.params).includes(hash);
      // Without the receipts of single transactions, too: they would prove the block.
      if (isAboutHead || request.method === "eth_getTransactionReceipt") throw new Refusal(-32000);
      return ask(request);
    };
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("unreachable"), WITHIN);
    expect(taker.report()?.problem?.message).not.toContain("refused by a test");
    expect(taker.taken).toHaveLength(1);
    faulty.fault = null;
    await isAtHead();
    await isWell(0);
  });

  it("does not delay the head that replaces it", async () => {
    await follow();
    await hideNewBlocks();
    await mineBlock();
    const { hash } = await newestBlock();
    // Requests about this block are never answered.
    faulty.fault = (request, ask) =>
      !isHeadRequest(request) && JSON.stringify(request.params).includes(hash) ? new Promise(() => {}) : ask(request);
    await delay(5 * POLLING_MS);
    await chain.client.request({ method: "anvil_reorg" as never, params: [1, []] as never });
    await isAtHead();
  });
});

describe("heads at or below the newest", () => {
  it("change nothing when they are blocks of the chain", async () => {
    await follow();
    for (let count = 0; count < 5; count += 1) await mineBlock();
    await isAtHead();
    const taken = [...taker.taken];
    const behind = taken[1]?.block.hash;
    faulty.fault = (request, ask) =>
      isHeadRequest(request) ? ask({ method: "eth_getBlockByHash", params: [behind, false] }) : ask(request);
    await delay(5 * POLLING_MS);
    faulty.fault = (request, ask) => ask(isHeadRequest(request) ? { ...request, params: ["0x0", false] } : request);
    await delay(5 * POLLING_MS);
    expect(taker.taken).toEqual(taken);
    await isWell(0);
  });

  it.each([0, 1, 2])("change nothing when their parent is unknown, %i below the newest", async (depth) => {
    await follow();
    for (let count = 0; count < 5; count += 1) await mineBlock();
    await isAtHead();
    const taken = [...taker.taken];
    faulty.fault = async (request, ask) => {
      if (!isHeadRequest(request)) return ask(request);
      const params = [numberToHex(taker.newest() - depth), false];
      const block = (await ask({ method: "eth_getBlockByNumber", params })) as object;
      return { ...block, hash: topic(77), parentHash: topic(78) };
    };
    await delay(5 * POLLING_MS);
    expect(taker.taken).toEqual(taken);
    await isWell(0);
    faulty.fault = null;
    await mineBlock();
    await isAtHead();
    expect(taker.taken.slice(0, 5)).toEqual(taken);
  });

  it.each([1, 5])("replace blocks once their parents lead to the chain: %i deep", async (depth) => {
    await follow();
    for (let count = 0; count < 7; count += 1) await mineBlock();
    await isAtHead();
    const before = taker.taken.map(({ block }) => block.hash);
    await chain.client.request({ method: "anvil_reorg" as never, params: [depth, []] as never });
    await isAtHead();
    const after = taker.taken.map(({ block }) => block.hash);
    expect(after).toHaveLength(7);
    expect(after.map((hash, index) => hash === before[index]).filter(Boolean)).toHaveLength(7 - depth);
    await isWell(1);
  });
});

describe("a node that takes longer than a head may delay the others", () => {
  it("is followed nevertheless: pending requests are not abandoned", async () => {
    await follow();
    faulty.fault = async (request, ask) => {
      if (!isHeadRequest(request)) await delay(4 * POLLING_MS);
      return ask(request);
    };
    await mineBlock();
    await isAtHead();
    await mineBlock();
    await mineBlock();
    await isAtHead();
    const { hash } = await newestBlock();
    await chain.client.request({ method: "anvil_reorg" as never, params: [2, []] as never });
    await vi.waitFor(() => expect(taker.taken.at(-1)?.block.hash).not.toBe(hash), WITHIN);
    await isAtHead();
    await isWell(1);
  });
});

describe("nodes of another chain", () => {
  it("are distinguished from a reorganization, and no block is removed", async () => {
    const other = await startLogChain("follow-other");
    try {
      await follow();
      await mineBlock();
      await isAtHead();
      const taken = [...taker.taken];
      await other.client.mine({ blocks: 200 });
      faulty.fault = async ({ method, params }) =>
        other.client.request({ method: method as never, params: params as never });
      await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("forked"), WITHIN);
      expect(taker.taken).toEqual(taken);
      faulty.fault = null;
      await mineBlock();
      await isAtHead();
      await isWell(0);
    } finally {
      await other.stop();
    }
  });
});

describe("a node that does not answer", () => {
  it("is reported and waited for, and nothing is lost", async () => {
    await follow();
    faulty.isAway = true;
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("unreachable"), WITHIN);
    await mineBlock();
    await mineBlock();
    await delay(SEVERAL_TRIES_MS);
    expect(taker.report()?.problem?.message).not.toContain("127.0.0.1");
    faulty.isAway = false;
    await isAtHead();
    expect(taker.taken).toHaveLength(2);
    await isWell(0);
  });

  it.each([
    ["503", () => Promise.reject(new Refusal(503))],
    ["429", () => Promise.reject(new Refusal(429))],
    ["null", () => null],
  ] as [string, Fault][])("or answers %s is the same", async (_, fault) => {
    await follow();
    faulty.fault = fault;
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("unreachable"), WITHIN);
    await mineBlock();
    faulty.fault = null;
    await isAtHead();
  });

  const invalid = (field: object) => (items: object[]) => items.map((item) => ({ ...item, ...field }));
  it.each<[string, Fault]>([
    ["heads", bend("eth_getBlockByNumber", (block: object) => ({ ...block, number: "nonsense" }))],
    ["logs", bend("eth_getLogs", invalid({ topics: ["0xno"] }))],
    ["outcomes", bend("eth_getBlockReceipts", invalid({ status: null }))],
    [
      "calldata",
      bend("eth_getBlockByHash", ({ transactions, ...block }: { transactions: object[] }) => ({
        ...block,
        transactions: invalid({ input: null })(transactions),
      })),
    ],
  ])("or answers with invalid %s is waited for, too, and is damaged", async (_, fault) => {
    await follow();
    faulty.fault = fault;
    await mineBlock();
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("damaged"), WITHIN);
    expect(taker.taken).toEqual([]);
    faulty.fault = null;
    await isAtHead();
  });

  it("has its requests sent to the next URL", async () => {
    faulty.isAway = true;
    await follow([faulty.rpcUrl, chain.node.rpcUrl]);
    await mineBlock();
    await isAtHead();
    expect(taker.reports.every(({ problem }) => problem === null)).toBe(true);
    expect(faulty.asked.length, "a node that failed is asked last").toBeLessThan(5);
  });
});

describe("a node without eth_getBlockReceipts", () => {
  const withoutMethod: Fault = (request, ask) =>
    request.method === "eth_getBlockReceipts" ? Promise.reject(new Refusal(-32601)) : ask(request);

  it("is asked for all receipts of a block one by one, because only all of them can be proven", async () => {
    await follow();
    faulty.fault = withoutMethod;
    await mineBlock();
    await isAtHead();
    const [prepared] = taker.taken;
    const hashes = prepared?.block.transactions.map(({ hash }) => hash) ?? [];
    expect(hashes.length).toBeGreaterThan(1);
    expect(prepared?.receipts?.map(({ transactionHash }) => transactionHash)).toEqual(hashes);
  });

  it("is asked for few receipts after one failed, because the next attempt has to wait for their turns", async () => {
    await follow();
    faulty.fault = (request, ask) =>
      request.method === "eth_getTransactionReceipt" ? Promise.reject(new Refusal(503)) : withoutMethod(request, ask);
    await chain.client.setAutomine(false);
    for (let count = 0; count < 20; count += 1) await chain.emit(PROXIES.coreSwap, [topic(1)]);
    await chain.client.mine({ blocks: 1 });
    await chain.client.setAutomine(true);
    const attempts = () => faulty.asked.filter(({ method }) => method === "eth_getBlockReceipts").length;
    await vi.waitFor(() => expect(attempts()).toBeGreaterThan(1), WITHIN);
    const receipts = faulty.asked.filter(({ method }) => method === "eth_getTransactionReceipt").length;
    expect(receipts / (attempts() - 1)).toBeLessThanOrEqual(10);
    faulty.fault = null;
    await isAtHead();
  });

  it("is distrusted if the receipts lack a log", async () => {
    await follow();
    faulty.fault = async (request, ask) => {
      const answer = await withoutMethod(request, ask);
      return request.method === "eth_getTransactionReceipt" ? { ...(answer as object), logs: [] } : answer;
    };
    await mineBlock();
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("damaged"), WITHIN);
    expect(taker.taken).toEqual([]);
  });

  it("is distrusted if a receipt without an indexed log has another outcome", async () => {
    await follow();
    faulty.fault = async (request, ask) => {
      const answer = await withoutMethod(request, ask);
      const isStrangers = (answer as { readonly to?: string } | null)?.to === STRANGER;
      return request.method === "eth_getTransactionReceipt" && isStrangers
        ? { ...(answer as object), status: "0x0" }
        : answer;
    };
    await mineBlock();
    await vi.waitFor(() => expect(taker.report()?.problem?.kind).toBe("damaged"), WITHIN);
    expect(taker.taken).toEqual([]);
  });
});
