/** `core roles grant` and `core roles revoke`: change the holders of a role. */
import { treasuryAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { roleId } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { administratorOf, holdersOf, roleNamed } from "../roles.ts";
import { readAddress } from "../text.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import { callsOn } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export async function rolesCommand(action: "grant" | "revoke", args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: `pnpm core roles ${action} <contract> <role> <account>`,
      summary: `${action === "grant" ? "Grants a role to" : "Revokes a role from"} an account. Contracts are coreswap, treasury, lp:<symbol> and nav:<symbol>.`,
      allowPositionals: true,
      options: WRITE_OPTIONS,
    },
    args,
  );
  const [name, role, accountText, ...others] = positionals;
  if (name === undefined || role === undefined || accountText === undefined || others.length > 0) {
    throw new Failure(`roles ${action} takes a contract, a role and an account`);
  }
  const account = readAddress("the account", accountText);
  await runPlan(values, async (context) => {
    const contract = roleNamed(context, name, role);
    const data = encodeFunctionData({ abi, functionName: `${action}Role`, args: [roleId(role), account] });
    return {
      title: `${action === "grant" ? "Grant" : "Revoke"} ${role} of ${contract.name}: ${account}`,
      calls: callsOn(contract, [await administratorOf(context, contract, role)], [data]),
      observations: [holdersOf(contract, role)],
    };
  });
}
