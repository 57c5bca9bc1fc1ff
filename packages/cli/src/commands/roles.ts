/** `core roles grant` and `core roles revoke`: change the holders of a role. */
import { treasuryAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { roleId } from "../chain/contracts.ts";
import { administratorOf, CONTRACTS, holdersOf, roleNamed } from "../roles.ts";
import { readAddress } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { callsOn } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const rolesCommand = (action: "grant" | "revoke") =>
  writeCommand(action, action === "grant" ? "grant a role" : "revoke a role")
    .description(`${action === "grant" ? "Grants a role to" : "Revokes a role from"} an account.`)
    .argument("<contract>", CONTRACTS)
    .argument("<role>", "name, such as PAUSE_ROLE")
    .argument("<account>", "address", (text) => readAddress("the account", text))
    .action((name, role, account, options) =>
      runPlan(options, async (context) => {
        const contract = roleNamed(context, name, role);
        const data = encodeFunctionData({ abi, functionName: `${action}Role`, args: [roleId(role), account] });
        return {
          title: `${action === "grant" ? "Grant" : "Revoke"} ${role} of ${contract.name}: ${account}`,
          whenRunAgain: "repeats all",
          calls: callsOn(contract, [await administratorOf(context, contract, role)], [data]),
          observations: [holdersOf(contract, role)],
        };
      }),
    );
