#!/usr/bin/env node
/** `core`: the command line of CoreSwap. Ends with 1 and one line when something is wrong. */
import { refuse } from "../../../tools/lib/commandLine.ts";
import { reasonOf } from "./chain/connect.ts";
import { decodeCommand } from "./commands/decode.ts";
import { keeperCommand } from "./commands/keeper.ts";
import { navPost } from "./commands/nav.ts";
import { pauseCommand } from "./commands/pause.ts";
import { quoteCommand } from "./commands/quote.ts";
import { rateCorrect, ratePost } from "./commands/rate.ts";
import { rolesCommand } from "./commands/roles.ts";
import { statusCommand } from "./commands/status.ts";
import { Failure } from "./failure.ts";

interface Command {
  readonly summary: string;
  run(args: readonly string[]): Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  status: { summary: "state of a deployment at the newest block", run: statusCommand },
  quote: { summary: "what a swap would settle", run: quoteCommand },
  decode: { summary: "calldata, revert data, logs and transactions by name", run: decodeCommand },
  "nav post": { summary: "post the NAV of an RWA", run: navPost },
  "rate post": { summary: "post the missing daily rates of the treasury token", run: ratePost },
  "rate correct": { summary: "correct posted daily rates", run: rateCorrect },
  keeper: { summary: "post NAVs and rates and accrue accounts, for as long as it runs", run: keeperCommand },
  pause: { summary: "pause CoreSwap, the treasury token or an LP", run: (args) => pauseCommand("pause", args) },
  unpause: { summary: "end a pause", run: (args) => pauseCommand("unpause", args) },
  "roles grant": { summary: "grant a role", run: (args) => rolesCommand("grant", args) },
  "roles revoke": { summary: "revoke a role", run: (args) => rolesCommand("revoke", args) },
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
    // Anything else than a failure or a node's answer is a fault of this program: its stack helps to find it.
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
