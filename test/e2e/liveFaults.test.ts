/**
 * Faults of a node while the indexer follows its chain live. The reliability suite injects more of them, and watches the
 * answers meanwhile.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { createChainClient } from "../../localnet/chain.ts";
import { startNode } from "../../localnet/nodes.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import type { RpcRequest } from "../support/rpcServer.ts";
import { type Fault, startScriptedNode } from "../support/scriptedNode.ts";
import { verifyNetwork, waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { Stack } from "./harness/stack.ts";

/** How long a fault lasts, and longer on a machine on which the indexer has not met it by then. */
const FAULT_MS = 5_000;

let stack: Stack;
const random = randomOf(19, 1);

beforeAll(async () => {
  stack = await Stack.build({
    name: "live-faults",
    networks: ["mainnet"],
    seed: 19,
    transactionCount: 100,
    emptyBlocks: 20,
  });
});
afterAll(() => stack?.stop());

async function send(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await sendOne({ deployed: stack.deployed("mainnet"), random });
}

function isHeadRequest({ method, params }: RpcRequest): boolean {
  return method === "eth_getBlockByNumber" && params[0] === "latest";
}

test("no row is lost when a node leaves out the last log of each block", async () => {
  const node = await startScriptedNode(stack.deployed("mainnet").rpcUrl);
  stack.endWithStack(() => node.stop());
  const { process, api } = await stack.startIndexer({ name: "indexer", rpcUrls: { mainnet: node.rpcUrl } });
  await process.ready();
  await waitUntilCaughtUp(api, "mainnet", stack.source("mainnet"));

  let omitted = 0;
  node.fault = async (request, ask) => {
    const answer = await ask(request);
    if (request.method !== "eth_getLogs" || !Array.isArray(answer) || answer.length === 0) return answer;
    omitted += 1;
    return answer.slice(0, -1);
  };
  await send(8);
  await delay(FAULT_MS);
  await waitUntil("the fault is met", async () => (omitted > 0 ? null : "no logs were left out"));
  node.fault = null;
  await verifyNetwork(api, "mainnet", await waitForHistory(api, "mainnet", stack.source("mainnet")));
  await process.stop();
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
