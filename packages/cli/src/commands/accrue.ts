/** `core accrue`: accrues posted days and merges withheld records of many accounts at once. */
import { Option } from "@commander-js/extra-typings";
import { treasuryDelegateAbi as abi } from "@coreswap/abi";
import { type Address, maxUint256 } from "viem";
import { treasuryLp } from "../chain/contracts.ts";
import { creditedAccounts } from "../chain/events.ts";
import { blocksOption, wholeNumber } from "../commandLine.ts";
import { Failure } from "../failure.ts";
import { refusalOf } from "../refusal.ts";
import { readAddress } from "../text.ts";
import { accrualCall } from "../write/calls.ts";
import { writeCommand } from "../write/options.ts";
import { type Context, callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** Default for the gas of one run. Everything is simulated at once, for which geth allows 50 million gas. */
const RUN_GAS = 40_000_000n;
/** Gas of the reads of an account: two values, before and after. */
const READS_GAS = 4n * 35_000n;
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
  .addOption(
    new Option("--gas-per-run <gas>", "most gas to simulate at once; accounts beyond it are left for another run")
      .argParser((text) => BigInt(wholeNumber("--gas-per-run", 30_000)(text)))
      .default(RUN_GAS, String(RUN_GAS)),
  )
  .action(async (words, { all = false, gasPerBatch, gasPerRun, blocksPerRequest, ...options }) => {
    if (all === words.length > 0) throw new Failure("accrue takes accounts, or --all");
    const named = words.map((text) => readAddress("an account", text));
    await runPlan(options, async (context) => {
      const lp = treasuryLp(context);
      const { client, deployment } = context;
      const accounts = all
        ? await creditedAccounts(client, deployment, await client.getBlockNumber(), blocksPerRequest)
        : [...new Set(named)];
      const found = await Promise.all(accounts.map((account) => pendingOf(context, account)));
      const pending = found.filter(({ daysAccrued, recordsMerged }) => daysAccrued + recordsMerged > 0n);
      const batches = batchesByGas(pending, gasPerBatch, gasPerRun);
      const accrued = batches.flat();
      const left = pending.length - accrued.length;
      const { address } = lp;
      return {
        title:
          `Accrue ${accrued.length} of ${accounts.length} accounts in ${batches.length} transactions` +
          (left === 0 ? "" : `, and leave ${left} for another run of this command`),
        whenRunAgain: "skips what is done",
        calls: callsOn(
          lp,
          [],
          batches.map((batch) => {
            const accounts = batch.map(({ account }) => account);
            return accrualCall(address, accounts).data;
          }),
        ),
        observations: accrued.flatMap(({ account }) => [
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
 * Splits accounts into batches, in order, each with as many accounts as its gas allows. Ends before the account with
 * which the run, its reads included, would use too much gas.
 * @throws Failure when one account alone needs more gas than a batch or the run has
 */
function batchesByGas(accounts: readonly Pending[], gasPerBatch: bigint, gasPerRun: bigint): Pending[][] {
  const batches: Pending[][] = [];
  let batchGas = 0n;
  let runGas = 0n;
  for (const pending of accounts) {
    const alone = BASE_GAS + pending.gas;
    if (alone > gasPerBatch) throw new Failure(`${pending.account} alone needs ${alone} gas: raise --gas-per-batch`);
    if (READS_GAS + alone > gasPerRun)
      throw new Failure(`${pending.account} alone needs ${READS_GAS + alone} gas: raise --gas-per-run`);
    const batch = batches.at(-1);
    const fits = batch !== undefined && batchGas + pending.gas <= gasPerBatch;
    runGas += READS_GAS + (fits ? pending.gas : alone);
    if (runGas > gasPerRun) break;
    if (fits) {
      batch.push(pending);
      batchGas += pending.gas;
    } else {
      batches.push([pending]);
      batchGas = alone;
    }
  }
  return batches;
}
