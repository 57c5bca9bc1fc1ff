/**
 * Faults of a node while the indexer follows its chain live: no row is lost or disappears, and the indexer survives.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { numberToHex, padHex } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createChainClient } from "../../localnet/chain.ts";
import { startNode } from "../../localnet/nodes.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { Refusal, type RpcRequest } from "../support/rpcServer.ts";
import { type Fault, type ScriptedNode, startScriptedNode } from "../support/scriptedNode.ts";
import { verifyNetwork, waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";

const network = "evm-mainnet";
/** How long a fault lasts, and longer on a machine on which the indexer has not met it often enough by then. */
const FAULT_MS = 5_000;
/** Less than the 64 seconds for which Ponder retries the logs of one block. */
const RECOVERY_DEADLINE_MS = 50_000;

let stack: Stack;
let faulty: ScriptedNode;
let indexer: RunningIndexer;
let end: string | undefined;
const random = randomOf(19, 1);

beforeAll(async () => {
  stack = await Stack.build({
    name: "live-faults",
    networks: ["mainnet"],
    seed: 19,
    transactionCount: 100,
    emptyBlocks: 20,
  });
  faulty = await startScriptedNode(stack.deployed("mainnet").rpcUrl);
  stack.endWithStack(() => faulty.stop());
  indexer = await stack.startIndexer({ name: "indexer", rpcUrls: { mainnet: faulty.rpcUrl } });
  void indexer.process.ended.then((description) => {
    end = description;
  });
  await indexer.process.ready();
  await waitUntilCaughtUp(indexer.api, "mainnet", stack.source("mainnet"));
});
afterAll(() => stack?.stop());
afterEach(() => {
  if (!faulty) return;
  faulty.fault = null;
  faulty.isAway = false;
});

async function send(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await sendOne({ deployed: stack.deployed("mainnet"), random });
}

/** Checks that all answers equal the chain, including the sums. */
async function verifyAll(): Promise<void> {
  expect(end).toBeUndefined();
  await verifyNetwork(indexer.api, "mainnet", await waitForHistory(indexer.api, "mainnet", stack.source("mainnet")));
}

/** Checks that a new transaction soon appears in the answers. */
async function isSoonAtHead(): Promise<void> {
  await send(1);
  const { transactions } = await createChainClient(stack.deployed("mainnet").rpcUrl).getBlock();
  await waitUntil(
    "the newest transaction is indexed",
    async () => {
      const newest = (await indexer.api.history(network, { limit: 1 })).transactions[0]?.transactionHash;
      return transactions.some((hash) => hash === newest) ? null : `the newest is ${newest}`;
    },
    { deadlineMs: RECOVERY_DEADLINE_MS },
  );
}

/** Lets a fault last for its time, and until the indexer has met it and the answers were read as often as wanted. */
async function letLast(isMet: () => boolean): Promise<void> {
  await delay(FAULT_MS);
  await waitUntil("the fault is met", async () => (isMet() ? null : "not often enough"));
}

function isHeadRequest({ method, params }: RpcRequest): boolean {
  return method === "eth_getBlockByNumber" && params[0] === "latest";
}

/** Returns a block with another hash and, optionally, another parent. */
function disguise(block: object, hash: string, parentHash?: string): object {
  const { transactions } = block as { readonly transactions: readonly (object | string)[] };
  return {
    ...block,
    hash,
    ...(parentHash ? { parentHash } : {}),
    transactions: transactions.map((each) => (typeof each === "string" ? each : { ...each, blockHash: hash })),
  };
}

/** Polls the newest transactions, and counts how often one of those known at the start was missing. */
function watchRows() {
  let isStopped = false;
  let polls = 0;
  let missing = 0;
  const watching = (async () => {
    const known = (await indexer.api.history(network, { limit: 20 })).transactions;
    while (!isStopped) {
      const page = (await indexer.api.history(network, { limit: 100 })).transactions;
      const found = new Set(page.map(({ transactionHash }) => transactionHash));
      if (!known.every(({ transactionHash }) => found.has(transactionHash))) missing += 1;
      polls += 1;
      await delay(100);
    }
  })();
  return {
    polls: () => polls,
    async stop() {
      isStopped = true;
      await watching;
      return missing;
    },
  };
}

test("no row is lost when a node leaves out the last log of each block", async () => {
  let omitted = 0;
  const fault: Fault = async (request, ask) => {
    const answer = await ask(request);
    if (request.method !== "eth_getLogs" || !Array.isArray(answer) || answer.length === 0) return answer;
    omitted += 1;
    return answer.slice(0, -1);
  };
  faulty.fault = fault;
  await send(8);
  await letLast(() => omitted > 0);
  faulty.fault = null;
  await verifyAll();
});

test("heads that no node can serve cause no delay once the node is correct again", async () => {
  await send(1);
  let count = 0;
  faulty.fault = async (request, ask) => {
    if (JSON.stringify(request.params).includes("dead".repeat(8))) throw new Refusal(-32000, "unknown block");
    const answer = await ask(request);
    if (!isHeadRequest(request)) return answer;
    count += 1;
    return disguise(
      answer as object,
      padHex(`0x${"dead".repeat(8)}${count.toString(16).padStart(4, "0")}`, { size: 32 }),
    );
  };
  await letLast(() => count >= 9);
  faulty.fault = null;
  await isSoonAtHead();
  await verifyAll();
});

test("no row disappears when a node falls behind and catches up", async () => {
  await send(6);
  await verifyAll();
  const watch = watchRows();
  let count = 0;
  faulty.fault = async (request, ask) => {
    if (!isHeadRequest(request)) return ask(request);
    count += 1;
    if (count % 3 === 0) return ask(request);
    const { number } = (await ask(request)) as { readonly number: string };
    const behind = numberToHex(Number(number) - (count % 5) - 1);
    return ask({ ...request, params: [behind, request.params[1]] });
  };
  await letLast(() => count > 5 && watch.polls() > 20);
  faulty.fault = null;
  await isSoonAtHead();
  expect(await watch.stop()).toBe(0);
  await verifyAll();
});

test.each([0, 2])(
  "an orphan block with an unknown parent, %i blocks below the newest, changes nothing",
  async (depth) => {
    await send(3);
    await verifyAll();
    const watch = watchRows();
    let orphans = 0;
    faulty.fault = async (request, ask) => {
      if (!isHeadRequest(request)) return ask(request);
      orphans += 1;
      const { number } = (await ask(request)) as { readonly number: string };
      const block = await ask({ ...request, params: [numberToHex(Number(number) - depth), request.params[1]] });
      return disguise(block as object, `0x${"0f".repeat(32)}`, `0x${"f0".repeat(32)}`);
    };
    await letLast(() => orphans > 1 && watch.polls() > 20);
    faulty.fault = null;
    await isSoonAtHead();
    expect(await watch.stop()).toBe(0);
    await verifyAll();
  },
);

test("the indexer waits for a node that does not answer", async () => {
  faulty.isAway = true;
  await delay(4 * FAULT_MS);
  await send(2);
  faulty.isAway = false;
  await isSoonAtHead();
  await verifyAll();
});

test("another URL is used when the first one still answers, but has stopped or serves another chain", async () => {
  const { chainId, rpcUrl } = stack.deployed("mainnet");
  const other = await startNode({ chainId, logFile: join(stack.directory, "other.node.log") });
  stack.endWithStack(() => other.stop());
  const otherChain = createChainClient(other.rpcUrl);
  await otherChain.mine({ blocks: 1_000 });
  let head: unknown;
  const faults: Readonly<Record<string, Fault>> = {
    stopped: async (request, ask) => {
      if (!isHeadRequest(request)) return ask(request);
      head ??= await ask(request);
      return head;
    },
    foreign: (request) => otherChain.request(request as Parameters<typeof otherChain.request>[0]),
  };
  const started = await Promise.all(
    Object.entries(faults).map(async ([name, fault]) => {
      const first = await startScriptedNode(rpcUrl);
      stack.endWithStack(() => first.stop());
      const { process, api } = await stack.startIndexer({ name, rpcUrls: { mainnet: `${first.rpcUrl},${rpcUrl}` } });
      await process.ready();
      await waitUntilCaughtUp(api, "mainnet", stack.source("mainnet"));
      return { first, fault, process, api };
    }),
  );
  for (const { first, fault } of started) first.fault = fault;
  await send(2);
  for (const { process, api } of started) {
    await verifyNetwork(api, "mainnet", await waitForHistory(api, "mainnet", stack.source("mainnet")));
    await process.stop();
  }
});
