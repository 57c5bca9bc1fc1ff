/** Builds the full fixture once for all tests that only read it: both networks, indexed to the head, no traffic. */
import type { TestProject } from "vitest/node";
import { consultOracle } from "../oracle/network.ts";
import { apiNetwork } from "./converge.ts";
import { waitUntil } from "./poll.ts";
import { Stack, type StackDescription } from "./stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    sharedStack: StackDescription;
  }
}

const SEED = 1;
const TRANSACTION_COUNT = 640;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await Stack.build({ name: "shared", seed: SEED, transactionCount: TRANSACTION_COUNT });
  try {
    const indexer = await stack.startIndexer({ name: "indexer" });
    await indexer.process.ready();
    // The blocks that are not final yet follow after that.
    for (const network of ["mainnet", "sepolia"] as const) {
      const newest = (await consultOracle(stack.source(network))).transactions[0]?.transactionHash;
      await waitUntil(
        `the newest transaction of ${network} is indexed`,
        async () => {
          const [transaction] = (await indexer.api.history(apiNetwork(network), { limit: 1 })).transactions;
          return transaction?.transactionHash === newest ? null : `the newest is ${transaction?.transactionHash}`;
        },
        { deadlineMs: 60_000 },
      );
    }
    project.provide("sharedStack", stack.describe(indexer.api.baseUrl));
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return () => stack.stop();
}
