/**
 * `core whitelist add|remove` and `core blacklist add|remove`: set who may receive the treasury token, and who is
 * excluded from it.
 */
import { treasuryAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { contractNamed } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { readAddress, yesOrNo } from "../text.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

const LISTS = {
  whitelist: {
    role: "WHITELISTER_ROLE",
    view: "whitelisted",
    add: "addToWhitelist",
    remove: "removeFromWhitelist",
    meaning: "the whitelist of the treasury token: accounts that may get it",
  },
  blacklist: {
    role: "BLACKLISTER_ROLE",
    view: "blacklisted",
    add: "addToBlacklist",
    remove: "removeFromBlacklist",
    meaning: "the blacklist of the treasury token: accounts that may neither send nor get it",
  },
} as const;

export async function listCommand(
  list: keyof typeof LISTS,
  action: "add" | "remove",
  args: readonly string[],
): Promise<void> {
  const { role, view, meaning, [action]: functionName } = LISTS[list];
  const { values, positionals } = commandLine(
    {
      usage: `pnpm core ${list} ${action} <account…>`,
      summary: `${action === "add" ? "Puts accounts on" : "Takes accounts off"} ${meaning}. Those that need no change are left out.`,
      allowPositionals: true,
      options: WRITE_OPTIONS,
    },
    args,
  );
  const accounts = [...new Set(positionals.map((text) => readAddress("an account", text)))];
  if (accounts.length === 0) throw new Failure(`${list} ${action} takes accounts`);
  await runPlan(values, async ({ client, deployment, contracts }) => {
    const at = { address: deployment.treasury, abi, functionName: view } as const;
    const isListed = await Promise.all(accounts.map((account) => client.readContract({ ...at, args: [account] })));
    const changed = accounts.filter((_, index) => isListed[index] !== (action === "add"));
    return {
      title: `${action === "add" ? "Add to" : "Remove from"} the ${list}: ${accounts.join(", ")}`,
      calls: callsOn(
        contractNamed(contracts, "treasury"),
        [{ role }],
        changed.map((account) => encodeFunctionData({ abi, functionName, args: [account] })),
      ),
      observations: changed.map((account) => observe(`${account} is ${view}`, { ...at, args: [account] }, yesOrNo)),
    };
  });
}
