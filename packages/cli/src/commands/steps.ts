/** `core steps`: prints what the parties of a deployment still have to do. */
import { isAddressEqual } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { namedContracts } from "../chain/contracts.ts";
import { readDeployment } from "../chain/deployment.ts";
import { decodeCall } from "../decode.ts";
import { fixesOf, openFindings } from "../desired/all.ts";
import { CONFIG_OPTION, readConfiguration } from "../desired/configuration.ts";
import { readAddress } from "../text.ts";
import { describeHolders, holdersOfCall } from "../write/authority.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import type { Context, PlannedCall } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export async function stepsCommand(args: readonly string[]): Promise<void> {
  const { values } = commandLine(
    {
      usage: "pnpm core steps --config <file> [--from <account>]",
      summary: `Lists what is still to be done until the chain is as configured: each call, by who can make it. With --from it takes the
calls of that account alone, which --broadcast sends and --safe writes as a batch for its Safe. Custody accounts come
first, since issuer admins need their consent.`,
      options: { ...WRITE_OPTIONS, ...CONFIG_OPTION, json: { type: "boolean", default: false, help: "print JSON" } },
    },
    args,
  );
  const configuration = readConfiguration(values.config);
  if (values.from === undefined) {
    const deployment = readDeployment(values.network);
    const client = await connect(deployment, values["rpc-url"]);
    const context = { deployment, client, contracts: namedContracts(deployment) };
    const { open, absent } = await openFindings(context, configuration);
    await list(context, fixesOf(open), absent, values.json);
    return;
  }
  const from = readAddress("--from", values.from);
  await runPlan(values, async (context) => {
    const { open } = await openFindings(context, configuration);
    const own = await Promise.all(
      open.map(async (finding) => {
        const holders = finding.fix === null ? [] : await holdersOfCall(context, finding.fix, from);
        return holders.some(({ account }) => isAddressEqual(account, from)) ? [finding] : [];
      }),
    );
    return {
      title: `Steps of ${from}`,
      calls: fixesOf(own.flat()),
      observations: own.flat().map(({ view }) => view),
    };
  });
}

async function list(
  context: Context,
  calls: readonly PlannedCall[],
  absent: readonly string[],
  asJson: boolean,
): Promise<void> {
  const rows = await Promise.all(
    calls.map(async (call) => ({
      by: describeHolders(await holdersOfCall(context, call, undefined)),
      contract: call.contract.name,
      to: call.to,
      call: call.text ?? decodeCall(call.data)[0]?.text ?? call.data,
      data: call.data,
    })),
  );
  if (asJson) {
    console.log(JSON.stringify({ notCreated: absent, steps: rows }, null, 2));
    return;
  }
  for (const subject of absent) {
    const [kind, symbol] = subject.split(":");
    console.log(`${symbol} is not created yet: core ${kind === "rwa" ? "asset" : "lp"} add ${symbol}`);
  }
  if (rows.length + absent.length === 0) console.log("Nothing is left to do: the chain is as configured");
  for (const [by, own] of Map.groupBy(rows, (row) => row.by)) {
    console.log(by);
    for (const { contract, to, call } of own) console.log(`  ${contract} ${to}\n    ${call}`);
  }
}
