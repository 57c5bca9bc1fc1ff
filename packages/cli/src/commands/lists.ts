/**
 * `core whitelist add|remove` and `core blacklist add|remove`: set to whom the treasury token may be minted, and who is
 * excluded from it.
 */
import { treasuryAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { contractNamed } from "../chain/contracts.ts";
import { readAddress, yesOrNo } from "../text.ts";
import { type WriteOptions, writeCommand } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

const LISTS = {
  whitelist: {
    role: "WHITELISTER_ROLE",
    view: "whitelisted",
    add: "addToWhitelist",
    remove: "removeFromWhitelist",
    summaries: {
      add: "let the treasury token be minted to accounts",
      remove: "stop minting the treasury token to accounts; transfers still reach them",
    },
    meaning: "the whitelist of the treasury token: accounts to which it may be minted",
  },
  blacklist: {
    role: "BLACKLISTER_ROLE",
    view: "blacklisted",
    add: "addToBlacklist",
    remove: "removeFromBlacklist",
    summaries: {
      add: "bar accounts from the treasury token",
      remove: "no longer bar accounts from the treasury token",
    },
    meaning: "the blacklist of the treasury token: accounts that may neither send nor get it",
  },
} as const;

/** Makes the commands that put accounts on a list and take them off it. */
export function listCommands(list: keyof typeof LISTS) {
  const { summaries, meaning } = LISTS[list];
  return (["add", "remove"] as const).map((action) =>
    writeCommand(action, summaries[action])
      .description(
        `${action === "add" ? "Puts accounts on" : "Takes accounts off"} ${meaning}. Those that need no change are left out.`,
      )
      .argument("<accounts...>", "addresses")
      .action((accounts, options) => change(list, action, accounts, options)),
  );
}

async function change(
  list: keyof typeof LISTS,
  action: "add" | "remove",
  words: readonly string[],
  options: WriteOptions,
): Promise<void> {
  const { role, view, [action]: functionName } = LISTS[list];
  const accounts = [...new Set(words.map((text) => readAddress("an account", text)))];
  await runPlan(options, async ({ client, deployment, contracts }) => {
    const at = { address: deployment.treasury, abi, functionName: view } as const;
    const isListed = await Promise.all(accounts.map((account) => client.readContract({ ...at, args: [account] })));
    const changed = accounts.filter((_, index) => isListed[index] !== (action === "add"));
    return {
      title: `${action === "add" ? "Add to" : "Remove from"} the ${list}: ${accounts.join(", ")}`,
      whenRunAgain: "skips what is done",
      calls: callsOn(
        contractNamed(contracts, "treasury"),
        [{ role }],
        changed.map((account) => encodeFunctionData({ abi, functionName, args: [account] })),
      ),
      observations: changed.map((account) => observe(`${account} is ${view}`, { ...at, args: [account] }, yesOrNo)),
    };
  });
}
