/** Finds the accounts whose queues fill up, and compares the reserve with what all accounts are owed. */
import { setTimeout as sleep } from "node:timers/promises";
import { treasuryDelegateAbi as abi } from "@coreswap/abi";
import { blockRanges, findCreditedAccounts, type Solvency } from "@coreswap/sdk";
import { type Address, maxUint256 } from "viem";
import { type NodeClient, readFailure } from "../chain/connect.ts";
import type { Deployment } from "../chain/deployment.ts";
import { requireFirstEvents } from "../chain/events.ts";
import { revertData } from "../errors/revert.ts";
import { solvencyOfAccounts } from "../status/solvency.ts";
import { accrualCall } from "../write/calls.ts";
import { min } from "../write/fees.ts";
import type { Call } from "../write/plan.ts";
import type { KeeperConfig } from "./config.ts";
import type { SourceProblem } from "./navSource.ts";

/** Number of withheld records at which an account is accrued. A queue holds at most 64. */
const CROWDED_RECORDS = 48;
/** Most accounts in one transaction. With 64 records each, they use less gas than a transaction may. */
const BATCH_ACCOUNTS = 8;
/** How long a round waits for a survey. A longer one continues beside the next rounds, so that these can post. */
const PATIENCE_MS = 5_000;

interface CrowdedAccount {
  readonly account: Address;
  /** Number of records in its queue. */
  readonly records: number;
  /** How many of them accrual would merge now; 0 if it would revert. */
  readonly mergeable: bigint;
}

export interface Survey {
  readonly timestamp: bigint;
  readonly crowded: readonly CrowdedAccount[];
  /** True while a newer survey runs. Accounts that could be accrued then are left out. */
  readonly isOutdated: boolean;
  readonly solvency: Pick<Solvency, "ratioWad" | "isSolvent"> | SourceProblem;
}

export class AccountSurvey {
  readonly #client: NodeClient;
  readonly #deployment: Deployment;
  readonly #settings: NonNullable<KeeperConfig["accounts"]>;
  readonly #accounts = new Set<Address>();
  #nextBlock: bigint;
  /** The result of the last survey, or why it failed; null before the first one has ended. */
  #last: Survey | SourceProblem | null = null;
  #running: Promise<void> | null = null;

  constructor(client: NodeClient, deployment: Deployment, settings: NonNullable<KeeperConfig["accounts"]>) {
    this.#client = client;
    this.#deployment = deployment;
    this.#settings = settings;
    this.#nextBlock = BigInt(deployment.startBlock);
  }

  /**
   * Returns the result of the last survey. Makes a new one if the last one failed in part or found something to accrue,
   * or if by the chain's clock it is older than configured or lies in the future. It waits for the new one for a few seconds.
   */
  async at(block: { readonly number: bigint; readonly timestamp: bigint }): Promise<Survey | SourceProblem> {
    if (this.#running === null && !this.#isCurrent(block.timestamp)) {
      this.#running = this.#survey(block).finally(() => {
        this.#running = null;
      });
    }
    if (this.#running !== null) await Promise.race([this.#running, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (this.#last !== null) return this.#last;
    const problem = `the accounts of the blocks from ${this.#nextBlock} to ${block.number} are still being read`;
    return { problem, isTransient: true };
  }

  #isCurrent(now: bigint): boolean {
    if (this.#last === null || "problem" in this.#last) return false;
    const { timestamp, crowded, solvency } = this.#last;
    if ("problem" in solvency) return false;
    if (now < timestamp || now - timestamp >= BigInt(this.#settings.everySeconds)) return false;
    return crowded.every(({ mergeable }) => mergeable === 0n);
  }

  async #survey(block: { readonly number: bigint; readonly timestamp: bigint }): Promise<void> {
    const last = this.#last;
    if (last !== null && !("problem" in last)) {
      const crowded = last.crowded.filter(({ mergeable }) => mergeable === 0n);
      this.#last = { ...last, crowded, isOutdated: crowded.length < last.crowded.length };
    }
    try {
      this.#last = await this.#make(block);
    } catch (error) {
      this.#last = { problem: `the accounts cannot be read: ${readFailure(error)}`, isTransient: true };
    }
  }

  async #make({ number: blockNumber, timestamp }: { number: bigint; timestamp: bigint }): Promise<Survey> {
    await this.#findAccounts(blockNumber);
    const accounts = [...this.#accounts];
    const [crowded, solvency] = await Promise.all([
      this.#findCrowded(accounts, blockNumber),
      // An asset whose price cannot be read must not keep queues from being accrued.
      solvencyOfAccounts(this.#client, this.#deployment, blockNumber, accounts).catch((error: unknown) => ({
        problem: `the solvency of the reserve cannot be computed: ${readFailure(error)}`,
        isTransient: true,
      })),
    ]);
    return { timestamp, crowded, isOutdated: false, solvency };
  }

  /**
   * Adds the accounts of new blocks. After a failure, the next survey continues where this one ended. Blocks that are not
   * final are read again the next time.
   */
  async #findAccounts(toBlock: bigint): Promise<void> {
    const { number: finalBlock } = await this.#client.getBlock({ blockTag: "finalized" });
    const { startBlock, treasuryStablecoin } = this.#deployment;
    const blocksPerRequest = BigInt(this.#settings.blocksPerRequest);
    if (this.#nextBlock === BigInt(startBlock)) {
      const range = { fromBlock: this.#nextBlock, toBlock, blocksPerRequest };
      await requireFirstEvents(this.#client, [treasuryStablecoin.delegate], range);
    }
    for (const range of blockRanges({ fromBlock: this.#nextBlock, toBlock }, blocksPerRequest)) {
      const found = await findCreditedAccounts({
        client: this.#client,
        delegateAddress: treasuryStablecoin.delegate,
        ...range,
        blocksPerRequest,
      });
      for (const account of found) this.#accounts.add(account);
      // A node that is ahead of the observed block can have final blocks that were not read.
      const lastFinalRead = min(range.toBlock, finalBlock);
      if (lastFinalRead >= this.#nextBlock) this.#nextBlock = lastFinalRead + 1n;
    }
  }

  async #findCrowded(accounts: readonly Address[], blockNumber: bigint): Promise<CrowdedAccount[]> {
    const address = this.#deployment.treasuryStablecoin.delegate;
    const queues = await Promise.all(
      accounts.map(async (account) => {
        const args = [account] as const;
        const call = { address, abi, functionName: "getWithheldCredits", args, blockNumber } as const;
        return { account, records: (await this.#client.readContract(call)).length };
      }),
    );
    const crowded = queues.filter(({ records }) => records >= CROWDED_RECORDS);
    return Promise.all(
      crowded.map(async ({ account, records }) => {
        const args = [account, maxUint256, maxUint256] as const;
        const call = { address, abi, functionName: "accrueInterest", args, blockNumber } as const;
        try {
          const { result } = await this.#client.simulateContract(call);
          return { account, records, mergeable: result[1] };
        } catch (error) {
          if (revertData(error) === null) throw error;
          // A paused delegate accrues nothing. That must not keep the solvency from being computed.
          return { account, records, mergeable: 0n };
        }
      }),
    );
  }
}

/**
 * Returns the call that accrues the fullest queues, as many as fit into one transaction; null if accrual would merge
 * nothing.
 */
export function nextAccrual(delegate: Address, crowded: readonly CrowdedAccount[]): Call | null {
  const batch = crowded
    .filter(({ mergeable }) => mergeable > 0n)
    .toSorted((left, right) => right.records - left.records || (left.account < right.account ? -1 : 1))
    .slice(0, BATCH_ACCOUNTS)
    .map(({ account }) => account);
  return batch.length === 0 ? null : accrualCall(delegate, batch);
}
