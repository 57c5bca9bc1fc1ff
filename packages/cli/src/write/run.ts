/**
 * Handles the plan of every writing command: simulates and prints it, and then sends it, writes it to a file, or prints
 * the calldata.
 */
import { type Address, isAddressEqual } from "viem";
import { connect } from "../chain/connect.ts";
import { namedContracts, requireInForce } from "../chain/contracts.ts";
import { readDeployment } from "../chain/deployment.ts";
import { withReplacements } from "../chain/registry.ts";
import { Failure } from "../failure.ts";
import { type Actor, chooseActor } from "./authority.ts";
import { EarlierRun } from "./earlier.ts";
import { Journal, type SentTransaction } from "./journal.ts";
import { openSigner, type WriteOptions, type WriteSettings, writeSettingsOf } from "./options.ts";
import type { Call, Context, Plan } from "./plan.ts";
import { planText } from "./planText.ts";
import { safeBatch } from "./safeBatch.ts";
import { replace, resume, type Sending, send } from "./send.ts";
import { simulate } from "./simulate.ts";
import { writeTextFile } from "./textFile.ts";
import { executeCall, scheduleCall } from "./timelock.ts";

/**
 * Runs a writing command.
 * @param makePlan reads what the plan needs, and throws Failure for bad input
 * @throws Failure when a call would revert, or anything else prevents the plan
 */
export async function runPlan(
  options: WriteOptions,
  makePlan: (context: Context, sender: Address | undefined) => Promise<Plan>,
): Promise<void> {
  const settings = writeSettingsOf(options);
  const deployment = readDeployment(options.network);
  const client = await connect(deployment, options.rpcUrl);
  const sending = settings.output === "broadcast" ? await openSending({ deployment, client }, options) : null;
  const sender = sending?.signer.address ?? options.from;
  const earlier = await EarlierRun.read(sending);
  if (settings.isReplacing && earlier.isNone) {
    throw new Failure("--replace: no transaction of an earlier command has no receipt. Nothing was sent.");
  }

  const contracts = await withReplacements(client, deployment, namedContracts(deployment));
  const context: Context = { deployment, client, contracts };
  const plan = await makePlan(context, sender);
  requireAllInForce(context, plan);
  earlier.refuseRepetition(plan, settings.step);
  if (plan.calls.length === 0) {
    if (settings.isReplacing && earlier.pending !== null) {
      throw new Failure(`${plan.title}: nothing to do, so nothing takes the place of ${earlier.pendingText}`);
    }
    showNothingToDo(plan, settings, earlier);
    earlier.forgetMined();
    return;
  }
  const actor = await chooseActor(context, plan.calls, sender);
  const transactions = await transactionsOf(context, settings, actor, plan.calls);
  if (!settings.isReplacing) earlier.refuseOther(plan, settings.step, transactions[0]);

  const block = await client.getBlock();
  const simulation = await simulateAll(context, settings, { plan, actor, sender, transactions, block });
  if (settings.output === "calldata") {
    showCalldata(transactions);
    return;
  }
  console.log(await planText(context, { settings, plan, actor, sender, simulation, block }));
  earlier.forgetMined();
  const { pending, pendingText } = earlier;
  if (settings.isReplacing && pendingText !== null) {
    console.log(`replaces ${pendingText}`);
    console.log("         only one of the two is mined; what another command has not sent stays unsent");
  }
  await finish(context, settings, { plan, transactions, sender: sender ?? actor.account, sending, pending });
}

/** @throws Failure when there is nothing that signs */
async function openSending(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  options: WriteOptions,
): Promise<Sending> {
  const signer = await openSigner(options, client);
  if (signer === null) {
    throw new Failure("--broadcast needs what signs: --keystore, --account, --signer-url or --unlocked");
  }
  const { waitSeconds, maxFeeGwei } = options;
  const journal = await Journal.open(client, signer.address);
  return { client, chainId: deployment.chainId, signer, journal, waitSeconds, maxFeePerGas: maxFeeGwei };
}

/** The plans of a configuration do not take their contracts from the context. */
function requireAllInForce({ contracts }: Context, { calls, mayCallReplaced }: Plan): void {
  if (mayCallReplaced) return;
  for (const { to } of calls) {
    const called = contracts.find(({ address }) => isAddressEqual(address, to));
    if (called !== undefined) requireInForce(called);
  }
}

function showNothingToDo(plan: Plan, { output }: WriteSettings, { pendingText }: EarlierRun): void {
  if (pendingText !== null) console.log(`the node has no receipt of ${pendingText}`);
  const notes = (plan.notes ?? []).map((note) => `note     ${note}`);
  const text = [`${plan.title}: nothing to do`, ...notes].join("\n");
  if (output === "calldata") {
    console.log("[]");
    console.error(text);
  } else {
    console.log(text);
    if (typeof output === "object") console.log(`${output.safeFile} was not written`);
  }
}

function showCalldata(transactions: readonly Call[]): void {
  const calldata = transactions.map(({ to, data }) => ({ to, data }));
  console.log(JSON.stringify(calldata, null, 2));
}

/** The transactions of the sender: the calls or, behind a timelock, the one that schedules or executes them. */
async function transactionsOf(
  { client, deployment }: Context,
  { step, output }: WriteSettings,
  actor: Actor,
  calls: readonly Call[],
): Promise<readonly Call[]> {
  const { timelock } = deployment;
  if (!actor.behindTimelock || timelock === undefined) {
    if (step !== null)
      throw new Failure(`--${step} is for calls of the timelock, and ${actor.account} makes them itself`);
    return calls;
  }
  if (step === null) {
    if (output === "show") return calls;
    throw new Failure("the timelock has to make these calls: add --schedule, and after its delay --execute");
  }
  return [
    step === "schedule" ? await scheduleCall(client, timelock, calls) : await executeCall(client, timelock, calls),
  ];
}

interface Simulated {
  readonly plan: Plan;
  readonly actor: Actor;
  readonly sender: Address | undefined;
  readonly transactions: readonly Call[];
  readonly block: { readonly number: bigint };
}

/**
 * Simulates the calls and, behind a timelock, the transaction that schedules or executes them.
 * @returns what the calls do
 */
async function simulateAll(
  { client }: Context,
  { step }: WriteSettings,
  { plan, actor, sender, transactions, block }: Simulated,
) {
  const isExecution = actor.behindTimelock && step === "execute";
  const from = isExecution ? requireSender(sender, "executes") : actor.account;
  const calls = isExecution ? transactions : plan.calls;
  const simulation = await simulate(client, from, calls, plan.observations, block.number);
  if (actor.behindTimelock && step === "schedule") {
    await simulate(client, requireSender(sender, "schedules"), transactions, [], block.number);
  }
  return simulation;
}

interface Ending {
  readonly plan: Plan;
  readonly transactions: readonly Call[];
  readonly sender: Address;
  /** Null when the transactions are not sent. */
  readonly sending: Sending | null;
  /** A transaction of an earlier run that has no receipt: the first one, unless that replaces it. */
  readonly pending: SentTransaction | null;
}

async function finish(
  { client, deployment }: Context,
  { output, isReplacing }: WriteSettings,
  { plan, transactions, sender, sending, pending }: Ending,
): Promise<void> {
  if (typeof output === "object") {
    if ((await client.getCode({ address: sender })) === undefined) {
      throw new Failure(`${sender} has no code, so it is not a Safe: nothing was written`);
    }
    const batch = safeBatch(deployment.chainId, sender, plan.title, transactions, Date.now());
    writeTextFile(output.safeFile, `${JSON.stringify(batch, null, 2)}\n`);
    console.log(`\nWrote ${output.safeFile} for the Safe ${sender}: open it in the Transaction Builder`);
  } else if (sending === null) {
    console.log("\nNothing was sent. Add --broadcast, --safe <file> or --calldata.");
  } else {
    for (const [index, transaction] of transactions.entries()) {
      const earlier = index === 0 ? pending : null;
      const receipt =
        earlier === null
          ? await send(sending, transaction)
          : await (isReplacing ? replace(sending, earlier, transaction) : resume(sending, earlier));
      const { transactionHash, blockNumber, gasUsed } = receipt;
      console.log(
        `sent     ${index + 1}/${transactions.length} ${transactionHash}, block ${blockNumber}, gas ${gasUsed}`,
      );
    }
  }
}

function requireSender(sender: Address | undefined, does: string): Address {
  if (sender === undefined) throw new Failure(`name the proposer that ${does} with --from`);
  return sender;
}
