/** Reads everything that decisions depend on: the chain at one block, and the sources of NAVs. */
import { coreSwapAbi, navPriceAdapterAbi, treasuryDelegateAbi } from "@coreswap/abi";
import type { Address } from "viem";
import { type NodeClient, reasonOf } from "../chain/connect.ts";
import type { Deployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { orRefusal, readStatus, type Status } from "../status/read.ts";
import type { AccountSurvey } from "./accounts.ts";
import type { KeeperConfig, Minimum, NavDuty } from "./config.ts";
import type { NavObservation, Observation, RateObservation } from "./decide.ts";
import { readNavSource, type SourceProblem } from "./navSource.ts";
import type { RateSource } from "./rateSource.ts";

export interface Duties {
  readonly deployment: Deployment;
  readonly client: NodeClient;
  readonly navs: readonly NavDuty[];
  readonly rates: (NonNullable<KeeperConfig["rates"]> & { readonly source: RateSource }) | null;
  readonly accounts: { readonly survey: AccountSurvey; readonly minimumSolvency: bigint } | null;
  readonly minimums: readonly Minimum[];
}

/** State of the keeper's account and the base fee, at the observed block. */
export interface AccountState {
  readonly nonce: number;
  /** Next nonce, counting the transactions in the node's pool. */
  readonly pendingNonce: number;
  readonly balance: bigint;
  readonly baseFeePerGas: bigint;
}

export interface Observed {
  readonly block: { readonly number: bigint; readonly timestamp: bigint };
  readonly account: AccountState;
  readonly status: Status;
  readonly observation: Observation;
}

/**
 * Reads nonce and state at the same block. A transaction gets the nonce that the chain expected at that block, so it
 * becomes invalid as soon as another transaction of the account changes the state.
 * @throws Failure if the node serves another chain; Failure or viem's errors if the node fails
 */
export async function observe(duties: Duties, account: Address): Promise<Observed> {
  const { client, deployment, navs, rates, accounts, minimums } = duties;
  const [chainId, block] = await Promise.all([client.getChainId(), client.getBlock()]);
  if (chainId !== deployment.chainId) throw new Failure(`the node serves chain ${chainId}, not ${deployment.chainId}`);
  const { number: blockNumber, timestamp: now, baseFeePerGas } = block;
  if (baseFeePerGas === null) throw new Failure(`block ${blockNumber} has no base fee`);
  const [nonce, pendingNonce, balance, status, navObservations, rateObservation, survey] = await Promise.all([
    client.getTransactionCount({ address: account, blockNumber }),
    client.getTransactionCount({ address: account, blockTag: "pending" }),
    client.getBalance({ address: account, blockNumber }),
    readStatus(deployment, client, block),
    Promise.all(navs.map((nav) => observeNav(duties, nav, blockNumber))),
    rates === null ? null : observeRates(duties, rates, blockNumber),
    accounts === null ? null : accounts.survey.at(block),
  ]);
  const { hash } = await client.getBlock({ blockNumber });
  if (hash !== block.hash) throw new Failure(`block ${blockNumber} was replaced while its state was read`);
  return {
    block,
    account: { nonce, pendingNonce, balance, baseFeePerGas },
    status,
    observation: {
      now,
      navs: navObservations,
      rates: rateObservation,
      accounts:
        accounts === null || survey === null
          ? null
          : {
              delegate: deployment.treasuryStablecoin.delegate,
              survey,
              minimumSolvencyWad: accounts.minimumSolvency,
            },
      lps: status.lps,
      minimums,
    },
  };
}

async function observeNav(
  { client, deployment }: Duties,
  { rwa, source, signer, maxAgeSeconds, minIntervalSeconds }: NavDuty,
  blockNumber: bigint,
): Promise<NavObservation> {
  const adapter = { address: rwa.priceAdapter, abi: navPriceAdapterAbi, blockNumber } as const;
  const signing = { signer, adapter: rwa.priceAdapter, chainId: deployment.chainId };
  const [adapterInForce, navWad, postedAt, maxMovePerPostWad, availableMoveWad, read] = await Promise.all([
    client.readContract({
      address: deployment.coreSwap,
      abi: coreSwapAbi,
      functionName: "rwaPriceAdapters",
      args: [rwa.id],
      blockNumber,
    }),
    client.readContract({ ...adapter, functionName: "navWad" }),
    client.readContract({ ...adapter, functionName: "postedAt" }),
    client.readContract({ ...adapter, functionName: "maxMovePerPostWad" }),
    client.readContract({ ...adapter, functionName: "availableMoveWad" }),
    readNavSource(source, signing),
  ]);
  return {
    symbol: rwa.symbol,
    adapter: rwa.priceAdapter,
    adapterInForce,
    navWad,
    postedAt,
    maxMovePerPostWad,
    availableMoveWad,
    source: read,
    sourceMaxAgeSeconds: BigInt(maxAgeSeconds),
    minIntervalSeconds: BigInt(minIntervalSeconds),
  };
}

/** A node that cannot find the block of a past day must not keep NAVs from being posted. */
function unreadableDay(error: unknown): SourceProblem {
  return { problem: `the node cannot find the last block of that day: ${reasonOf(error)}`, isTransient: true };
}

async function observeRates(
  { client, deployment }: Duties,
  { source, lateAfterSeconds }: NonNullable<Duties["rates"]>,
  blockNumber: bigint,
): Promise<RateObservation | null> {
  const address = deployment.treasuryStablecoin.delegate;
  const delegate = { address, abi: treasuryDelegateAbi, blockNumber } as const;
  const reading = Promise.all([
    client.readContract({ ...delegate, functionName: "lastRatePostingDay" }),
    client.readContract({ ...delegate, functionName: "getCurrentDay" }),
    client.readContract({ ...delegate, functionName: "maxDailyRate" }),
  ]);
  const read = await orRefusal(reading);
  // The status says so. NAVs are posted nevertheless.
  if ("error" in read) return null;
  const [lastDay, today, maxRateWad] = read;
  const isDue = lastDay !== 0n && lastDay + 1n < today;
  return {
    delegate: address,
    lastDay,
    maxRateWad,
    lateAfterSeconds: BigInt(lateAfterSeconds),
    source: isDue ? await source.rateOf(lastDay + 1n).catch(unreadableDay) : null,
  };
}
