/** `core accrue`: accrues posted days and merges withheld records of many accounts at once. */
import { Option } from "@commander-js/extra-typings";
import { treasuryDelegateAbi as abi } from "@coreswap/abi";
import { findCreditedAccounts } from "@coreswap/sdk";
import { type Address, maxUint256, type PublicClient } from "viem";
import { treasuryLp } from "../chain/contracts.ts";
import { blocksOption, wholeNumber } from "../commandLine.ts";
import { Failure } from "../failure.ts";
import { refusalOf } from "../refusal.ts";
import { readAddress } from "../text.ts";
import { accrualCall } from "../write/calls.ts";
import { writeCommand } from "../write/options.ts";
import { type Context, callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** The gas that a transaction costs before it does anything. */
const BASE_GAS = 21_000n;

interface Pending {
  readonly account: Address;
  readonly daysAccrued: bigint;
  readonly recordsMerged: bigint;
  readonly gas: bigint;
}

export const accrueCommand = writeCommand("accrue", "accrue the posted days of accounts, in batches")
  .description(
    "Accrues the posted days of accounts and merges the deposits that are due, in batches. Accounts with nothing to do " +
      "are left out. Anybody may do it: name the account that pays with --from.",
  )
  .argument("[accounts...]", "addresses; none with --all")
  .addOption(blocksOption)
  .option("--all", "every account that ever had credits, found in the events")
  .addOption(
    new Option("--gas-per-batch <gas>", "most gas per transaction")
      .argParser((text) => BigInt(wholeNumber("--gas-per-batch", 30_000)(text)))
      .default(8_000_000n, "8000000"),
  )
  .action(async (words, { all = false, gasPerBatch, blocksPerRequest, ...options }) => {
    if (all === words.length > 0) throw new Failure("accrue takes accounts, or --all");
    const named = words.map((text) => readAddress("an account", text));
    await runPlan(options, async (context) => {
      const accounts = all ? await creditedAccounts(context, blocksPerRequest) : [...new Set(named)];
      const found = await Promise.all(accounts.map((account) => pendingOf(context, account)));
      const pending = found.filter(({ daysAccrued, recordsMerged }) => daysAccrued + recordsMerged > 0n);
      const batches = batchesByGas(pending, gasPerBatch);
      const address = context.deployment.treasuryStablecoin.delegate;
      return {
        title: `Accrue ${pending.length} of ${accounts.length} accounts in ${batches.length} transactions`,
        calls: callsOn(
          treasuryLp(context),
          [],
          batches.map((batch) => {
            const accounts = batch.map(({ account }) => account);
            return accrualCall(address, accounts).data;
          }),
        ),
        observations: pending.flatMap(({ account }) => [
          observe(
            `last accrued day of ${account}`,
            { address, abi, functionName: "lastAccrualDay", args: [account] },
            String,
          ),
          observe(
            `withheld records of ${account}`,
            { address, abi, functionName: "getWithheldCredits", args: [account] },
            (records) => String(records.length),
          ),
        ]),
      };
    });
  });

async function creditedAccounts({ client, deployment }: Context, blocksPerRequest: bigint) {
  return findCreditedAccounts({
    client: client as PublicClient,
    delegateAddress: deployment.treasuryStablecoin.delegate,
    fromBlock: BigInt(deployment.startBlock),
    toBlock: await client.getBlockNumber(),
    blocksPerRequest,
  });
}

/** Returns what accruing an account would do now, and its gas. */
async function pendingOf({ client, deployment }: Context, account: Address): Promise<Pending> {
  const call = {
    address: deployment.treasuryStablecoin.delegate,
    abi,
    functionName: "accrueInterest",
    args: [account, maxUint256, maxUint256],
  } as const;
  const refused = refusalOf(`${account} cannot accrue`);
  const { result } = await client.simulateContract(call).catch(refused);
  const [daysAccrued, recordsMerged] = result;
  const isIdle = daysAccrued + recordsMerged === 0n;
  return {
    account,
    daysAccrued,
    recordsMerged,
    gas: isIdle ? 0n : (await client.estimateContractGas(call).catch(refused)) - BASE_GAS,
  };
}

/**
 * Splits accounts into batches, in order, each with as many accounts as its gas allows.
 * @throws Failure when one account alone needs more gas
 */
function batchesByGas(accounts: readonly Pending[], gasPerBatch: bigint): Pending[][] {
  const batches: Pending[][] = [];
  let gas = 0n;
  for (const pending of accounts) {
    if (BASE_GAS + pending.gas > gasPerBatch) {
      throw new Failure(`${pending.account} alone needs ${BASE_GAS + pending.gas} gas: raise --gas-per-batch`);
    }
    const batch = batches.at(-1);
    if (batch !== undefined && gas + pending.gas <= gasPerBatch) {
      batch.push(pending);
      gas += pending.gas;
    } else {
      batches.push([pending]);
      gas = BASE_GAS + pending.gas;
    }
  }
  return batches;
}
