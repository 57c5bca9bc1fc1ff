/** Finds the accounts whose queues fill up, and compares the reserve with what all accounts are owed. */
import { treasuryDelegateAbi as abi } from "@coreswap/abi";
import { findCreditedAccounts, readSolvencyInputs, type Solvency, solvencyOf } from "@coreswap/sdk";
import type { Address } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import type { Deployment } from "../chain/deployment.ts";
import { accrualCall } from "../write/calls.ts";
import type { Call } from "../write/plan.ts";
import type { KeeperConfig } from "./config.ts";

/** Number of withheld records at which an account is accrued. A queue holds at most 64. */
const CROWDED_RECORDS = 48;
/** Most accounts in one transaction. With 64 records each, they use less gas than a transaction may. */
const BATCH_ACCOUNTS = 8;
const UNLIMITED = 2n ** 256n - 1n;

export interface CrowdedAccount {
  readonly account: Address;
  /** Number of records in its queue. */
  readonly records: number;
  /** How many of them accrual would merge now. */
  readonly mergeable: bigint;
}

export interface Survey {
  readonly blockNumber: bigint;
  readonly timestamp: bigint;
  readonly crowded: readonly CrowdedAccount[];
  readonly solvency: Solvency;
}

export class AccountSurvey {
  readonly #client: NodeClient;
  readonly #deployment: Deployment;
  readonly #settings: NonNullable<KeeperConfig["accounts"]>;
  readonly #accounts = new Set<Address>();
  #nextBlock: bigint;
  #last: Survey | null = null;

  constructor(client: NodeClient, deployment: Deployment, settings: NonNullable<KeeperConfig["accounts"]>) {
    this.#client = client;
    this.#deployment = deployment;
    this.#settings = settings;
    this.#nextBlock = BigInt(deployment.startBlock);
  }

  /**
   * Returns the last survey, or makes a new one. A new one is made if the last one found something to accrue, because
   * that may have been done since, or if by the chain's clock the last one is older than configured or lies in the
   * future.
   * @throws viem's errors if the node fails; ReplacedBlockError if the block is replaced meanwhile
   */
  async at(block: { readonly number: bigint; readonly timestamp: bigint }): Promise<Survey> {
    const last = this.#last;
    const age = block.timestamp - (last?.timestamp ?? 0n);
    const isCurrent = last !== null && age >= 0n && age < BigInt(this.#settings.everySeconds);
    if (isCurrent && last.crowded.every(({ mergeable }) => mergeable === 0n)) return last;
    const made = await this.#make(block);
    this.#last = made;
    return made;
  }

  async #make({ number: blockNumber, timestamp }: { number: bigint; timestamp: bigint }): Promise<Survey> {
    await this.#findAccounts(blockNumber);
    const { treasuryStablecoin, coreSwap, rwas, stablecoins } = this.#deployment;
    const accounts = [...this.#accounts];
    const [crowded, { inputs }] = await Promise.all([
      this.#findCrowded(accounts, blockNumber),
      readSolvencyInputs({
        client: this.#client,
        blockNumber,
        coreSwap,
        delegateAddress: treasuryStablecoin.delegate,
        assets: [
          ...rwas.map(({ id }) => ({ id, kind: "rwa" as const })),
          ...stablecoins.map(({ id }) => ({ id, kind: "stablecoin" as const })),
        ],
        otherDelegates: stablecoins.map(({ delegate }) => delegate),
        accounts,
      }),
    ]);
    return { blockNumber, timestamp, crowded, solvency: solvencyOf(inputs) };
  }

  /** Adds the accounts of new blocks. Blocks that are not final are read again the next time. */
  async #findAccounts(toBlock: bigint): Promise<void> {
    const final = await this.#client.getBlock({ blockTag: "finalized" });
    const found = await findCreditedAccounts({
      client: this.#client,
      delegateAddress: this.#deployment.treasuryStablecoin.delegate,
      fromBlock: this.#nextBlock,
      toBlock,
      blocksPerRequest: BigInt(this.#settings.blocksPerRequest),
    });
    for (const account of found) this.#accounts.add(account);
    // A node that is ahead of the observed block can have final blocks that were not read.
    const lastFinalRead = final.number < toBlock ? final.number : toBlock;
    if (lastFinalRead >= this.#nextBlock) this.#nextBlock = lastFinalRead + 1n;
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
        const args = [account, UNLIMITED, UNLIMITED] as const;
        const call = { address, abi, functionName: "accrueInterest", args, blockNumber } as const;
        const { result } = await this.#client.simulateContract(call);
        return { account, records, mergeable: result[1] };
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
