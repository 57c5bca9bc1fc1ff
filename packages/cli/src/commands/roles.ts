/** `core roles grant` and `core roles revoke`. */
import { treasuryAbi as abi } from "@coreswap/abi";
import { decodeFunctionResult, encodeFunctionData } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { contractNamed, roleId, rolesOf } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { readAddress } from "../text.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
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
  await runPlan(values, async ({ contracts }) => {
    const contract = contractNamed(contracts, name);
    if (contract.name === "timelock") throw new Failure("roles of the timelock are no part of this command");
    const known = rolesOf(contract.abi);
    if (!known.includes(role)) throw new Failure(`${contract.name} has no ${role}: expected ${known.join(", ")}`);
    const to = contract.address;
    const data = encodeFunctionData({ abi, functionName: `${action}Role`, args: [roleId(role), account] });
    return {
      title: `${action === "grant" ? "Grant" : "Revoke"} ${role} of ${contract.name}: ${account}`,
      contract,
      // No contract gives a role another administrator.
      mayCall: [{ role: "DEFAULT_ADMIN_ROLE" }],
      calls: [{ to, data }],
      observations: [
        {
          label: `holders of ${role}`,
          to,
          data: encodeFunctionData({ abi, functionName: "getRoleMembers", args: [roleId(role)] }),
          show: (result) => {
            const holders = decodeFunctionResult({ abi, functionName: "getRoleMembers", data: result });
            return holders.join(", ") || "nobody";
          },
        },
      ],
    };
  });
}
