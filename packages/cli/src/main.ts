#!/usr/bin/env node
/** `core`: the command line of CoreSwap. Prints one line and exits with 1 when something is wrong. */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import manifest from "../package.json" with { type: "json" };
import { reasonOf } from "./chain/connect.ts";
import { group } from "./commandLine.ts";
import { accrueCommand } from "./commands/accrue.ts";
import { adapterDeploy } from "./commands/adapter.ts";
import { bridgeCommands } from "./commands/bridge.ts";
import { capSet } from "./commands/caps.ts";
import { creditsCancel, creditsMove } from "./commands/credits.ts";
import { custodyCommands } from "./commands/custody.ts";
import { decodeCommand } from "./commands/decode.ts";
import { keeperCommand } from "./commands/keeper.ts";
import { listCommands } from "./commands/lists.ts";
import { navPost } from "./commands/nav.ts";
import { pauseCommand } from "./commands/pause.ts";
import { signPermit } from "./commands/permit.ts";
import { cancelCommand, queueCommand } from "./commands/queue.ts";
import { quoteCommand } from "./commands/quote.ts";
import { rateCorrect, ratePost } from "./commands/rate.ts";
import { registerCommand } from "./commands/register.ts";
import { rolesCommand } from "./commands/roles.ts";
import { rolesRotate } from "./commands/rotate.ts";
import { statusCommand } from "./commands/status.ts";
import { stepsCommand } from "./commands/steps.ts";
import { depositCommand, redeemCommand, swapCommand } from "./commands/swap.ts";
import { upgradeCommand } from "./commands/upgrade.ts";
import { verifyCommand } from "./commands/verify.ts";
import { Failure } from "./failure.ts";
import { oneLine } from "./text.ts";

const program = group(
  "core",
  "Command line of CoreSwap",
  statusCommand,
  quoteCommand,
  decodeCommand,
  swapCommand,
  depositCommand,
  redeemCommand,
  signPermit,
  group("nav", "NAVs of RWAs", navPost),
  group("rate", "daily rates of the treasury token", ratePost, rateCorrect),
  keeperCommand,
  pauseCommand("pause"),
  pauseCommand("unpause"),
  accrueCommand,
  group("credits", "credits of the treasury token", creditsMove, creditsCancel),
  group("whitelist", "accounts to which the treasury token may be minted", ...listCommands("whitelist")),
  group("blacklist", "accounts that may neither send nor get the treasury token", ...listCommands("blacklist")),
  group("cap", "intake caps of LPs", capSet),
  group("custody", "accounts that keep what an LP takes in", ...custodyCommands),
  group("asset", "RWAs", registerCommand("asset")),
  group("lp", "stablecoins with their LPs", registerCommand("lp")),
  group("adapter", "adapters of prices and rates", adapterDeploy),
  group("bridge", "bridges of the treasury token", ...bridgeCommands),
  stepsCommand,
  verifyCommand,
  upgradeCommand,
  queueCommand,
  cancelCommand,
  group("roles", "holders of roles", rolesCommand("grant"), rolesCommand("revoke"), rolesRotate),
)
  .version(manifest.version)
  .description("Commands that write simulate and show what would change, and send nothing without --broadcast.")
  // Lists the commands of groups, too.
  .configureHelp({
    visibleCommands: ({ commands }) => commands.flatMap((each) => (each.commands.length > 0 ? each.commands : [each])),
    subcommandTerm: (each) => (each.parent?.parent ? `${each.parent.name()} ${each.name()}` : each.name()),
  });

await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<void> {
  try {
    await (program as CommandUnknownOpts).parseAsync(words.length === 0 ? ["--help"] : words, { from: "user" });
  } catch (error) {
    // Anything other than a failure or a node's error is a bug of this program, and its stack helps to find it.
    if (!(error instanceof Failure) && !isNodeFailure(error)) throw error;
    console.error(oneLine(error instanceof Failure ? error.message : `the node failed: ${reasonOf(error)}`));
    process.exit(1);
  }
}

function isNodeFailure(error: unknown): boolean {
  return error instanceof Error && "shortMessage" in error && "details" in error;
}
