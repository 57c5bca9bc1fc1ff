/**
 * One deployment on one anvil for all tests of the packages, which use different accounts, or restore what they change;
 * and the packages, packed once.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { treasuryDelegateAbi } from "../../abis/index.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { buildContracts, type DeployedNetwork, deployNetwork } from "../../localnet/deployment.ts";
import { startNode } from "../../localnet/nodes.ts";
import { Setup } from "../../localnet/setup.ts";
import { packAll, type Tarballs } from "./support/tarballs.ts";

declare module "vitest" {
  interface ProvidedContext {
    packages: DeployedNetwork;
    tarballs: Tarballs;
  }
}

const DIRECTORY = ".demo/packages";
const DAY_SECONDS = 86_400;
const RATE_WAD = 5n * 10n ** 16n;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  const tarballs = join(DIRECTORY, "tarballs");
  mkdirSync(tarballs);
  await buildContracts(join(DIRECTORY, "build.log"));
  project.provide("tarballs", packAll(resolve(tarballs)));
  const node = await startNode({ chainId: 1, logFile: join(DIRECTORY, "node.log") });
  try {
    const deployed = await deployNetwork({ node, network: "mainnet", directory: DIRECTORY });
    const client = createChainClient(node.rpcUrl);
    // Lets the deposits of the setup earn yield.
    await client.increaseTime({ seconds: 2 * DAY_SECONDS });
    await client.mine({ blocks: 1 });
    const setupCalls = new Setup(node);
    const { timestamp } = await client.getBlock();
    const yesterday = timestamp / BigInt(DAY_SECONDS) - 1n;
    await setupCalls.call("ratePoster", deployed.treasuryDelegate, treasuryDelegateAbi, "postDailyRate", [
      yesterday,
      RATE_WAD,
    ]);
    await setupCalls.end();
    await client.setAutomine(true);
    project.provide("packages", deployed);
  } catch (error) {
    await node.stop();
    throw error;
  }
  return () => node.stop();
}
