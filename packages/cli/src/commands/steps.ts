/** `core steps`: prints what the parties of a deployment still have to do. */
import { Option } from "@commander-js/extra-typings";
import { isAddressEqual, pad } from "viem";
import { connect } from "../chain/connect.ts";
import { type NamedContract, namedContracts } from "../chain/contracts.ts";
import { readDeployment } from "../chain/deployment.ts";
import { withReplacements } from "../chain/registry.ts";
import { configOption, jsonOption } from "../commandLine.ts";
import { callText } from "../decode.ts";
import { fixesOf, openFindings } from "../desired/all.ts";
import { readConfiguration } from "../desired/configuration.ts";
import type { Finding } from "../desired/expectation.ts";
import { Failure } from "../failure.ts";
import { describeHolders, holdersOfCall } from "../write/authority.ts";
import { writeCommand, writeSettingsOf } from "../write/options.ts";
import type { Context, PlannedCall } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

/** Options with which the command makes the plan of one account, which is not printed as JSON. */
const PLAN_OPTIONS = ["from", "broadcast", "safe", "calldata", "schedule", "execute"] as const;

export const stepsCommand = writeCommand("steps", "what the parties still have to do, each as a call")
  .description(
    "Lists what is still to be done until the chain is as configured: each call, under the account that can make it. With " +
      "--from, only the calls of that account are taken, which --broadcast sends and --safe writes as a batch for its " +
      "Safe. With --schedule and --execute, they are those of the timelock, for which that account acts. Custody " +
      "accounts come first, since issuer admins need their consent.",
  )
  .addOption(configOption)
  .addOption(new Option("--json", jsonOption.description).conflicts([...PLAN_OPTIONS]))
  .action(async (options) => {
    const configuration = readConfiguration(options.config);
    const { output, step } = writeSettingsOf(options);
    if (options.from === undefined && output === "show" && step === null) {
      const deployment = readDeployment(options.network);
      const client = await connect(deployment, options.rpcUrl);
      const contracts = await withReplacements(client, deployment, namedContracts(deployment));
      const context = { deployment, client, contracts };
      const { open, absent } = await openFindings(context, configuration);
      await list(context, open, absent, options.json ?? false);
      return;
    }
    await runPlan(options, async (context, from) => {
      if (from === undefined) throw new Failure("name the account whose steps are meant with --from");
      const { open } = await openFindings(context, configuration);
      const { left, notes } = withoutReplaced(context, open);
      const party = step === null ? from : (context.deployment.timelock ?? from);
      const own = await Promise.all(
        left.map(async (finding) => {
          const holders = finding.fix === null ? [] : await holdersOfCall(context, finding.fix, from);
          return holders.some(({ account }) => isAddressEqual(account, party)) ? [finding] : [];
        }),
      );
      return {
        title: `Steps of ${party}`,
        whenRunAgain: "skips what is done",
        calls: fixesOf(own.flat()),
        observations: own.flat().map(({ view }) => view),
        notes,
      };
    });
  });

/**
 * Leaves out the calls that set up a delegate in whose place CoreSwap has another one: those on the delegate, and those
 * that let it take a token.
 * @returns `notes`: why, for each such delegate
 */
function withoutReplaced({ contracts }: Context, open: readonly Finding[]) {
  const replaced = contracts.filter(({ replacement }) => replacement);
  const concerns = ({ to, data, contract }: PlannedCall, { address }: NamedContract) =>
    isAddressEqual(to, address) ||
    (contract.name.startsWith("token:") && data.includes(pad(address).slice(2).toLowerCase()));
  return {
    left: open.filter(({ fix }) => fix === null || !replaced.some((delegate) => concerns(fix, delegate))),
    notes: replaced.map(({ replacement }) => `${replacement}. Its steps are left out`),
  };
}

async function list(
  context: Context,
  open: readonly Finding[],
  absent: readonly string[],
  asJson: boolean,
): Promise<void> {
  const { left, notes } = withoutReplaced(context, open);
  const rows = await Promise.all(
    fixesOf(left).map(async (call) => ({
      by: describeHolders(await holdersOfCall(context, call, undefined)),
      contract: call.contract.name,
      to: call.to,
      call: call.text ?? callText(call.data),
      data: call.data,
    })),
  );
  const withoutCall = open.filter(({ fix }) => fix === null).map(({ view, actual }) => `${view.label}: ${actual}`);
  if (withoutCall.length + notes.length > 0) process.exitCode = 1;
  if (asJson) {
    console.log(JSON.stringify({ notCreated: absent, steps: rows, withoutCall, notes }, null, 2));
    return;
  }
  for (const subject of absent) {
    const [kind, symbol] = subject.split(":");
    console.log(`${symbol} is not created yet: core ${kind === "rwa" ? "asset" : "lp"} add ${symbol}`);
  }
  for (const note of notes) console.log(note);
  if (withoutCall.length > 0) {
    console.log("No call listed here corrects these; core verify says what is configured and who changed it");
    for (const text of withoutCall) console.log(`  ${text}`);
  }
  if (open.length + absent.length === 0) console.log("Nothing is left to do: the chain is as configured");
  for (const [by, own] of Map.groupBy(rows, (row) => row.by)) {
    console.log(by);
    for (const { contract, to, call } of own) console.log(`  ${contract} ${to}\n    ${call}`);
  }
}
