/** Measures the time from a mined block to its rows in an answer, with a real node, indexer and replica. */
import { setTimeout as sleep } from "node:timers/promises";
import { encodeFunctionData } from "viem";
import { treasuryAbi } from "../../abis/index.ts";
import type { DeployedNetwork } from "../../localnet/deployment.ts";
import { Random } from "../../localnet/random.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../localnet/wallets.ts";
import { waitUntil } from "../../test/e2e/harness/poll.ts";
import { CHAIN_ID } from "./dataset.ts";
import type { BenchStack } from "./stack.ts";
import { percentile } from "./statistics.ts";

/** Ponder's default. */
export const POLLING_INTERVAL_MS = 1_000;

/** Added to the allowlist and removed again; not on it at first. */
const LISTED: WalletName = "client1";

const PROBE_PAUSE_MS = 4;
const DEADLINE_MS = 30_000;
const WARM_UP_BLOCKS = 5;

export interface LiveLatencies {
  /** Until the indexer itself answers; it looks at the head once in each polling interval. */
  readonly polled: LiveLatencyMs;
  /** Until a replica answers, while the node announces its blocks to the indexer on a WebSocket. */
  readonly announced: LiveLatencyMs;
}

interface LiveLatencyMs {
  readonly median: number;
  readonly p99: number;
  readonly min: number;
  readonly max: number;
  readonly blocks: number;
}

/** Measures both ways to hear of a block, one after the other. */
export async function measureLive(stack: BenchStack, blockCount: number): Promise<LiveLatencies> {
  const { deployed, rpcUrl } = stack;
  const polling = await stack.startIndexer();
  await polling.ready();
  const polled = await measureBlocks(deployed, polling.baseUrl, blockCount);
  await polling.stop();

  const listening = await stack.startIndexer("start", {
    [`PONDER_WS_URL_${CHAIN_ID}`]: rpcUrl.replace("http", "ws"),
  });
  await listening.ready();
  const replica = await stack.startIndexer("serve");
  await replica.ready();
  const announced = await measureBlocks(deployed, replica.baseUrl, blockCount);
  await replica.stop();
  await listening.stop();
  return { polled, announced };
}

/**
 * Mines one block after another, each with one transaction of the history, at random times relative to Ponder's
 * polling, and requests the transaction by its hash until it is answered. The clock starts when the node has reported
 * the block as mined.
 */
async function measureBlocks(deployed: DeployedNetwork, baseUrl: string, blockCount: number): Promise<LiveLatencyMs> {
  const sender = new Sender(deployed);
  await sender.client.setAutomine(false);
  const random = new Random(1n);
  const latencies: number[] = [];
  for (let index = 0; index < WARM_UP_BLOCKS + blockCount; index++) {
    // Anything from 0.5 to 1.5 polling intervals.
    await sleep(random.integer(POLLING_INTERVAL_MS / 2, (POLLING_INTERVAL_MS * 3) / 2));
    const hash = await sender.send({
      from: "whitelister",
      to: deployed.treasury,
      data: encodeFunctionData({
        abi: treasuryAbi,
        functionName: index % 2 === 0 ? "addToWhitelist" : "removeFromWhitelist",
        args: [WALLETS[LISTED].address],
      }),
      gas: 300_000n,
    });
    await sender.client.mine({ blocks: 1 });
    const minedAt = performance.now();
    await waitUntil(`${hash} is answered`, () => missing(baseUrl, hash), {
      deadlineMs: DEADLINE_MS,
      intervalMs: PROBE_PAUSE_MS,
    });
    if (index >= WARM_UP_BLOCKS) latencies.push(performance.now() - minedAt);
  }
  await sender.client.setAutomine(true);
  return {
    median: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    min: Math.min(...latencies),
    max: Math.max(...latencies),
    blocks: latencies.length,
  };
}

async function missing(baseUrl: string, hash: string): Promise<string | null> {
  const response = await fetch(`${baseUrl}/v1/transactions?network=evm-mainnet&transactionHash=${hash}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { transactions } = (await response.json()) as { transactions: { receipt: { outcome: string } }[] };
  const [found] = transactions;
  if (found === undefined) return "no such transaction";
  if (found.receipt.outcome !== "success") throw new Error(`${hash} was reverted`);
  return null;
}
