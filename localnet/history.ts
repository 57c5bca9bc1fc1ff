/** Plays a planned history on a deployed network. */
import type { DeployedNetwork } from "./deployment.ts";
import { type PlannedBlock, planHistory, randomOf } from "./plan.ts";
import { type PlayedTransaction, Player } from "./player.ts";
import { planRates } from "./rates.ts";
import type { PlannedTransaction } from "./transactionPlan.ts";

interface HistoryOptions {
  readonly deployed: DeployedNetwork;
  readonly seed: number;
  /** At least 100; the posts of daily rates are not included. */
  readonly transactionCount: number;
  /** Time of the last block in seconds since 1970: at least one second per block after the chain's newest block. */
  readonly now: number;
  /** Called after each block. */
  readonly onProgress?: (progress: HistoryProgress) => void;
}

interface HistoryProgress {
  readonly blocksDone: number;
  readonly blockCount: number;
  readonly transactionsDone: number;
}

export interface HistorySummary {
  readonly firstBlock: bigint;
  readonly lastBlock: bigint;
  /** Every transaction of the history in chain order. */
  readonly transactions: readonly PlayedTransaction[];
}

/**
 * Plays the history: several transactions per block, each checked against the plan. Afterwards automatic mining is on,
 * and the chain's clock continues from `now`.
 * @throws Error naming the first transaction with an unplanned result
 */
export async function playHistory(options: HistoryOptions): Promise<HistorySummary> {
  const { deployed, seed, transactionCount, now, onProgress } = options;
  const blocks = planHistory({ seed, chainId: deployed.chainId, transactionCount });
  const player = new Player(deployed);
  const { client } = player.sender;
  await client.setAutomine(false);
  const start = await client.getBlock();
  const times = blockTimes(blocks, Number(start.timestamp), now);
  const rates = planRates(randomOf(seed, deployed.chainId), times, Number(start.timestamp));

  const played: PlayedTransaction[] = [];
  for (const [index, block] of blocks.entries()) {
    const transactions = [...(rates[index] ?? []), ...block.transactions];
    played.push(...(await playBlock(player, transactions, times[index] as number)));
    onProgress?.({ blocksDone: index + 1, blockCount: blocks.length, transactionsDone: played.length });
  }
  await client.setAutomine(true);
  return {
    firstBlock: start.number + 1n,
    lastBlock: start.number + BigInt(blocks.length),
    transactions: played,
  };
}

/**
 * Times of the blocks in seconds since 1970: after `start`, the last one at `end`, each later than the one before.
 * @throws RangeError when there are more blocks than seconds
 */
export function blockTimes(blocks: readonly Pick<PlannedBlock, "timePpm">[], start: number, end: number): number[] {
  const spare = end - start - blocks.length;
  if (spare < 0) throw new RangeError(`${blocks.length} blocks do not fit between ${start} and ${end}`);
  return blocks.map(({ timePpm }, index) => start + index + 1 + Math.floor((spare * timePpm) / 1_000_000));
}

async function playBlock(
  player: Player,
  transactions: readonly PlannedTransaction[],
  timestamp: number,
): Promise<PlayedTransaction[]> {
  const submitted = [];
  // Sent one after the other, because the pool keeps the order of arrival.
  for (const planned of transactions) submitted.push(await player.submit(planned, timestamp));
  const receipts = await player.sender.mine(timestamp);
  if (receipts.length !== submitted.length) {
    throw new Error(`the block has ${receipts.length} transactions, expected the ${submitted.length} that were sent`);
  }
  const played: PlayedTransaction[] = [];
  for (const [index, receipt] of receipts.entries()) {
    const transaction = submitted[index] as (typeof submitted)[number];
    if (receipt.transactionHash !== transaction.hash) {
      throw new Error(`block ${receipt.blockNumber} has its transactions in a different order than they were sent`);
    }
    played.push(await player.verify(transaction, receipt));
  }
  return played;
}
