/** Tests Ponder's requests about a block that it received, through the transport that delivered it. */
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BlockAnswer } from "../../config/rpc/answers.ts";
import { liveTransport } from "../../config/rpc/live/liveTransport.ts";
import { createNetworkReport } from "../../config/rpc/networkReport.ts";
import { rpcTransport } from "../../config/rpcTransport.ts";
import { type ScriptedNode, startScriptedNode } from "../support/scriptedNode.ts";
import { type LogChain, PROXIES, STRANGER, startLogChain, topic } from "./support/logChain.ts";

let chain: LogChain;
let faulty: ScriptedNode;

beforeAll(async () => {
  chain = await startLogChain("live-transport");
  faulty = await startScriptedNode(chain.node.rpcUrl);
});
afterAll(async () => {
  await faulty?.stop();
  await chain?.stop();
});
afterEach(() => {
  faulty.fault = null;
});

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Mines one block, passes it to Ponder, and sends the requests that Ponder sends while it processes the block. */
async function takeBlock<T>(
  mine: () => Promise<unknown>,
  take: (block: BlockAnswer, ask: Ask) => Promise<T>,
  { pollingIntervalMs = 100, ...socket }: { readonly pollingIntervalMs?: number; readonly wsUrl?: string } = {},
): Promise<T> {
  const network = {
    name: "mainnet",
    rpcUrls: [faulty.rpcUrl],
    ...socket,
    deployment: { chainId: 1, startBlock: 0, ...PROXIES },
  } as const;
  const transport = liveTransport(rpcTransport([faulty.rpcUrl]), network, createNetworkReport(1));
  const { request } = transport({});
  const ending = new AbortController();
  const taken = Promise.withResolvers<T>();
  const finalized = await chain.client.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  if (!finalized?.hash || !finalized.number) throw new Error("the chain has no newest block");
  const following = transport.followHead({
    finalizedBlock: { hash: finalized.hash, parentHash: finalized.parentHash, number: finalized.number },
    finalityBlockCount: 65,
    pollingIntervalMs,
    signal: ending.signal,
    warn: () => {},
    async onBlock(block) {
      const ask: Ask = (method, params) => request({ method, params } as Parameters<typeof request>[0]);
      await take(block, ask).then(taken.resolve, taken.reject);
      return true;
    },
  });
  await mine();
  const result = await taken.promise;
  ending.abort();
  await following;
  return result;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe("a block that was handed out", () => {
  it("has its logs and receipts, even if the node is unreachable by then", async () => {
    const { block, logs, receipts } = await takeBlock(
      () => chain.emit(PROXIES.coreSwap, [topic(1), topic(2)]),
      async (taken, ask) => {
        faulty.isAway = true;
        try {
          return {
            block: taken,
            logs: await ask("eth_getLogs", [{ blockHash: taken.hash }]),
            receipts: await ask("eth_getBlockReceipts", [taken.hash]),
          };
        } finally {
          faulty.isAway = false;
        }
      },
    );
    expect(logs).toMatchObject([{ topics: [topic(1)] }, { topics: [topic(2)] }]);
    expect(receipts).toMatchObject([{ transactionHash: block.transactions[0]?.hash, logs }]);
  });

  it("returns no logs if it has none, because Ponder requests the logs of an empty bloom", async () => {
    const asked = faulty.asked.length;
    const logs = await takeBlock(
      () => chain.client.mine({ blocks: 1 }),
      (block, ask) => ask("eth_getLogs", [{ blockHash: block.hash }]),
    );
    expect(logs).toEqual([]);
    expect(faulty.asked.slice(asked).filter(({ method }) => method === "eth_getLogs")).toEqual([]);
  });

  it("returns no unverified logs or receipts if no log and no call is indexed", async () => {
    const errors = await takeBlock(
      () => chain.emit(STRANGER, [topic(1)]),
      async (block, ask) => [
        await failure(ask("eth_getLogs", [{ blockHash: block.hash }])),
        await failure(ask("eth_getBlockReceipts", [block.hash])),
      ],
    );
    for (const error of errors) expect(String(error)).toContain("requested, but not prepared");
  });
});

it("a block is handed out when the network's WebSocket announces it", async () => {
  let timer: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(timer));
  const block = await takeBlock(
    async () => {
      // The subscription takes a moment.
      timer = setInterval(() => void chain.client.mine({ blocks: 1 }), 300);
    },
    async (taken) => {
      clearInterval(timer);
      return taken;
    },
    { wsUrl: chain.node.rpcUrl.replace("http", "ws"), pollingIntervalMs: 120_000 },
  );
  expect(block.transactions).toEqual([]);
});

describe("everything else", () => {
  it("is requested from the node", async () => {
    const answers = await takeBlock(
      () => chain.emit(PROXIES.coreSwap, [topic(1)]),
      async (block, ask) => [
        await ask("eth_chainId", []),
        await ask("eth_getLogs", [{ blockHash: block.hash, address: STRANGER }]),
        await ask("eth_getLogs", [{ fromBlock: "0x0", toBlock: block.number }]),
      ],
    );
    expect(answers[0]).toBe("0x1");
    expect(answers[1]).toEqual([]);
    expect((answers[2] as unknown[]).length).toBeGreaterThan(2);
  });

  it("that belongs to the transport stays", () => {
    const inner = Object.assign(rpcTransport(["http://127.0.0.1:1"]), { kind: "kept" });
    const network = {
      name: "mainnet",
      rpcUrls: [],
      deployment: { chainId: 1, startBlock: 0, ...PROXIES },
    } as const;
    expect(liveTransport(inner, network, createNetworkReport(1)).kind).toBe("kept");
  });
});
