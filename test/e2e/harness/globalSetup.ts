/** Builds one full fixture for all tests that only read it: both networks, indexed to the head, without traffic. */
import type { TestProject } from "vitest/node";
import { buildContracts } from "../../../localnet/deployment.ts";
import { unpackBrowser } from "./browser.ts";
import { waitUntilCaughtUp } from "./converge.ts";
import { Stack, type StackDescription } from "./stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    sharedStack: StackDescription;
    /** The URL of its PostgreSQL. The schema is `indexer`. */
    sharedDatabaseUrl: string;
  }
}

const SEED = 1;
const TRANSACTION_COUNT = 640;

/**
 * The header by which tests identify themselves as different clients, so that one test does not use up another's limit.
 */
process.env.CLIENT_ADDRESS_HEADER = "X-Test-Client";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildContracts(".demo/e2e-build.log");
  await unpackBrowser();
  const stack = await Stack.build({ name: "shared", seed: SEED, transactionCount: TRANSACTION_COUNT });
  try {
    const indexer = await stack.startIndexer({ name: "indexer" });
    await indexer.process.ready();
    for (const network of ["mainnet", "sepolia"] as const) {
      await waitUntilCaughtUp(indexer.api, network, stack.source(network));
    }
    project.provide("sharedStack", stack.describe(indexer.api.baseUrl));
    project.provide("sharedDatabaseUrl", await stack.databaseUrl("indexer"));
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return () => stack.stop();
}
