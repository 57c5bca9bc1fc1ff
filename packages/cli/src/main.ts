#!/usr/bin/env node
/** `core`: the command line of CoreSwap. Prints one line and exits with 1 when something is wrong. */
import { refuse } from "../../../tools/lib/commandLine.ts";
import { reasonOf } from "./chain/connect.ts";
import { accrueCommand } from "./commands/accrue.ts";
import { adapterDeploy } from "./commands/adapter.ts";
import { bridgeCommand } from "./commands/bridge.ts";
import { capSet } from "./commands/caps.ts";
import { creditsMove } from "./commands/credits.ts";
import { custodyCommand } from "./commands/custody.ts";
import { decodeCommand } from "./commands/decode.ts";
import { keeperCommand } from "./commands/keeper.ts";
import { listCommand } from "./commands/lists.ts";
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
import { swapCommand } from "./commands/swap.ts";
import { upgradeCommand } from "./commands/upgrade.ts";
import { verifyCommand } from "./commands/verify.ts";
import { Failure } from "./failure.ts";

interface Command {
  readonly summary: string;
  run(args: readonly string[]): Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  status: { summary: "state of a deployment at the newest block", run: statusCommand },
  quote: { summary: "what a swap would settle", run: quoteCommand },
  decode: { summary: "calldata, revert data, logs and transactions by name", run: decodeCommand },
  swap: { summary: "swap one asset for another", run: (args) => swapCommand("swap", args) },
  deposit: { summary: "swap an asset into the treasury token", run: (args) => swapCommand("deposit", args) },
  redeem: { summary: "swap the treasury token into an asset", run: (args) => swapCommand("redeem", args) },
  "sign-permit": { summary: "sign a swap that another account sends", run: signPermit },
  "nav post": { summary: "post the NAV of an RWA", run: navPost },
  "rate post": { summary: "post the missing daily rates of the treasury token", run: ratePost },
  "rate correct": { summary: "correct posted daily rates", run: rateCorrect },
  keeper: { summary: "post NAVs and rates and accrue accounts, for as long as it runs", run: keeperCommand },
  pause: { summary: "pause CoreSwap, the treasury token or an LP", run: (args) => pauseCommand("pause", args) },
  unpause: { summary: "end a pause", run: (args) => pauseCommand("unpause", args) },
  accrue: { summary: "accrue the posted days of accounts, in batches", run: accrueCommand },
  "credits move": { summary: "move the tokens and credits of a lost account", run: creditsMove },
  "whitelist add": {
    summary: "let accounts get the treasury token",
    run: (args) => listCommand("whitelist", "add", args),
  },
  "whitelist remove": {
    summary: "keep accounts from getting the treasury token",
    run: (args) => listCommand("whitelist", "remove", args),
  },
  "blacklist add": {
    summary: "bar accounts from the treasury token",
    run: (args) => listCommand("blacklist", "add", args),
  },
  "blacklist remove": {
    summary: "no longer bar accounts from the treasury token",
    run: (args) => listCommand("blacklist", "remove", args),
  },
  "cap set": { summary: "set how much of an asset an LP takes in within a day", run: capSet },
  "custody list": { summary: "say what an account may be custody of", run: (args) => custodyCommand("list", args) },
  "custody accept": { summary: "agree to be custody", run: (args) => custodyCommand("accept", args) },
  "custody revoke": { summary: "no longer agree to be custody", run: (args) => custodyCommand("revoke", args) },
  "custody set": { summary: "name the custody of an LP", run: (args) => custodyCommand("set", args) },
  "asset add": { summary: "register an RWA of the configuration", run: (args) => registerCommand("asset", args) },
  "lp add": { summary: "register a stablecoin of the configuration", run: (args) => registerCommand("lp", args) },
  "adapter deploy": { summary: "create an adapter of a feed or a vault", run: adapterDeploy },
  "bridge add": { summary: "let a bridge mint, within a limit", run: (args) => bridgeCommand("add", args) },
  "bridge limit": { summary: "change the limit of a bridge", run: (args) => bridgeCommand("limit", args) },
  "bridge remove": { summary: "no longer let a bridge mint", run: (args) => bridgeCommand("remove", args) },
  steps: { summary: "what the parties still have to do, each as a call", run: stepsCommand },
  verify: { summary: "compare the chain with the configuration", run: verifyCommand },
  upgrade: { summary: "upgrade the contracts as contracts:upgrade proposed", run: upgradeCommand },
  queue: { summary: "operations that are queued in the timelock", run: queueCommand },
  cancel: { summary: "cancel an operation that is queued in the timelock", run: cancelCommand },
  "roles grant": { summary: "grant a role", run: (args) => rolesCommand("grant", args) },
  "roles revoke": { summary: "revoke a role", run: (args) => rolesCommand("revoke", args) },
  "roles rotate": { summary: "move a role to an account that shows it can act", run: rolesRotate },
};

await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") {
    console.log(help());
    return;
  }
  const name = [words.slice(0, 2).join(" "), words[0] ?? ""].find((candidate) => candidate in COMMANDS);
  const command = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || command === undefined) {
    return refuse(`Unknown command "${words.slice(0, 2).join(" ")}"; commands are ${Object.keys(COMMANDS).join(", ")}`);
  }
  try {
    await command.run(words.slice(name.split(" ").length));
  } catch (error) {
    // Anything other than a failure or a node's error is a bug of this program, and its stack helps to find it.
    if (!(error instanceof Failure) && !isNodeFailure(error)) throw error;
    refuse(oneLine(error instanceof Failure ? error.message : `the node failed: ${reasonOf(error)}`));
  }
}

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "pnpm core <command> [--help]",
    "",
    "Commands that write simulate and show what would change, and send nothing without --broadcast.",
    "",
    ...rows,
  ].join("\n");
}

function isNodeFailure(error: unknown): boolean {
  return error instanceof Error && "shortMessage" in error && "details" in error;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
