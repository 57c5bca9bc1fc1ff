/**
 * Handles the plan of every writing command: simulates and prints it, and then sends it, writes it to a file, or prints
 * the calldata.
 */
import { type Address, isAddressEqual, slice } from "viem";
import { connect } from "../chain/connect.ts";
import { namedContracts, requireInForce } from "../chain/contracts.ts";
import { readDeployment } from "../chain/deployment.ts";
import { withReplacements } from "../chain/registry.ts";
import { callText } from "../decode.ts";
import { Failure } from "../failure.ts";
import { showTime } from "../text.ts";
import { type Actor, chooseActor } from "./authority.ts";
import { Journal, type SentTransaction } from "./journal.ts";
import { openSigner, type WriteOptions, type WriteSettings, writeSettingsOf } from "./options.ts";
import type { Call, Context, Plan } from "./plan.ts";
import { planText } from "./planText.ts";
import { safeBatch } from "./safeBatch.ts";
import { findEarlier, replace, resume, type Sending, send } from "./send.ts";
import type { Signer } from "./signer.ts";
import { simulate } from "./simulate.ts";
import { writeTextFile } from "./textFile.ts";
import { executeCall, isStepOf, scheduleCall } from "./timelock.ts";

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
  const signer = settings.output === "broadcast" ? await openSigner(options, client) : null;
  if (settings.output === "broadcast" && signer === null) {
    throw new Failure("--broadcast needs what signs: --keystore, --account, --signer-url or --unlocked");
  }
  const sending = signer === null ? null : await openSending({ deployment, client }, options, signer);
  const { mined, done, pending } = await readEarlier(sending);
  if (settings.isReplacing && mined === null && pending === null) {
    throw new Failure("--replace: no transaction of an earlier command has no receipt. Nothing was sent.");
  }
  // Not before this command has come to its end: if it fails, the next run has to know the transaction, too.
  const forgetMined = () => {
    if (mined !== null) sending?.journal.clear(mined.hash);
  };
  const sender = signer?.address ?? options.from;

  const contracts = await withReplacements(client, deployment, namedContracts(deployment));
  const context: Context = { deployment, client, contracts };
  const plan = await makePlan(context, sender);
  // The plans of a configuration do not take their contracts from the context.
  for (const { to } of plan.calls) {
    const called = contracts.find(({ address }) => isAddressEqual(address, to));
    if (called !== undefined && !plan.mayCallReplaced) requireInForce(called);
  }
  if (done !== null && hasMade(plan, settings.step, done)) {
    forgetMined();
    // Its effect may be gone since, so whoever runs the command must notice that it sent nothing.
    throw new Failure(
      `the transaction above, of an earlier command, did ${callText(done.data)}. Nothing was sent. Run the command again ` +
        "to send it anew.",
    );
  }
  const { calls } = plan;
  if (calls.length === 0) {
    if (sending !== null && pending !== null) console.log(unfinished(sending, pending));
    const notes = (plan.notes ?? []).map((note) => `note     ${note}`);
    const text = [`${plan.title}: nothing to do`, ...notes].join("\n");
    if (settings.output === "calldata") {
      console.log("[]");
      console.error(text);
    } else {
      console.log(text);
    }
    forgetMined();
    return;
  }
  const actor = await chooseActor(context, calls, sender);
  const transactions = await transactionsOf(context, settings, actor, calls);
  if (sending !== null && pending !== null) {
    const [first] = transactions;
    const isMeant = isSame(first, pending) || (settings.step !== null && isStepOf(pending.data, settings.step, calls));
    const hint =
      plan.whenRunAgain === "changes the last call" && isSameFunction(plan.calls.at(-1), pending)
        ? " If it is that command, the quote has changed since: name the bound above with --bound."
        : "";
    if (!isMeant) throw new Failure(`${unfinished(sending, pending)}.${hint} Nothing was sent.`);
  }
  const isExecution = actor.behindTimelock && settings.step === "execute";
  const from = isExecution ? requireSender(sender, "executes") : actor.account;
  const block = await client.getBlock();
  const simulation = await simulate(client, from, isExecution ? transactions : calls, plan.observations, block.number);
  if (actor.behindTimelock && settings.step === "schedule") {
    await simulate(client, requireSender(sender, "schedules"), transactions, [], block.number);
  }
  if (settings.output === "calldata") {
    console.log(
      JSON.stringify(
        transactions.map(({ to, data }) => ({ to, data })),
        null,
        2,
      ),
    );
    return;
  }
  console.log(await planText(context, { settings, plan, actor, sender, simulation, block }));
  forgetMined();
  await finish(context, settings, plan, transactions, sender ?? actor.account, sending, pending);
}

async function openSending(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  { waitSeconds, maxFeeGwei }: WriteOptions,
  signer: Signer,
): Promise<Sending> {
  const journal = await Journal.open(client, signer.address);
  return { client, chainId: deployment.chainId, signer, journal, waitSeconds, maxFeePerGas: maxFeeGwei };
}

/**
 * Reads the transaction of an earlier run: one that was mined, which is `done` if it succeeded, or one that is pending.
 */
async function readEarlier(sending: Sending | null) {
  const earlier = sending === null ? null : await findEarlier(sending);
  if (earlier === null) return { mined: null, done: null, pending: null };
  const { sent, receipt } = earlier;
  if (sending === null || receipt === null) return { mined: null, done: null, pending: sent };
  const { transactionHash, blockNumber, status } = receipt;
  const { timestamp } = await sending.client.getBlock({ blockNumber });
  console.log(`Sent by an earlier run: ${transactionHash}, block ${blockNumber}, ${showTime(timestamp)}, ${status}`);
  return { mined: sent, done: status === "success" ? sent : null, pending: null };
}

function unfinished({ journal, signer }: Sending, { hash, nonce, data }: SentTransaction): string {
  return (
    `transaction ${hash} (nonce ${nonce} of ${signer.address}) of an earlier command has no receipt: ${callText(data)}. ` +
    `Run that command again, or remove ${journal.path} to give it up`
  );
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

async function finish(
  { client, deployment }: Context,
  { output, isReplacing }: WriteSettings,
  plan: Plan,
  transactions: readonly Call[],
  sender: Address,
  sending: Sending | null,
  pending: SentTransaction | null,
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
      const again = isReplacing ? replace : resume;
      const receipt = await (earlier === null ? send(sending, transaction) : again(sending, earlier));
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

/** Whether a transaction that succeeded is one that this command would send. */
function hasMade(plan: Plan, step: WriteSettings["step"], done: Call): boolean {
  if (step !== null && isStepOf(done.data, step, plan.calls)) return true;
  switch (plan.whenRunAgain) {
    case "skips what is done":
      return false;
    case "repeats all":
      return plan.calls.some((call) => isSame(call, done));
    case "changes the last call":
      return isSameFunction(plan.calls.at(-1), done);
  }
}

function isSameFunction(call: Call | undefined, other: Call): boolean {
  return call !== undefined && isAddressEqual(call.to, other.to) && slice(call.data, 0, 4) === slice(other.data, 0, 4);
}

function isSame(call: Call | undefined, other: Call): boolean {
  return call !== undefined && isAddressEqual(call.to, other.to) && call.data === other.data;
}
