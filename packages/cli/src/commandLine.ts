/** What the commands of `core` have in common: how they read their words, and options that several of them take. */
import { Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { Failure } from "./failure.ts";
import { oneLine } from "./text.ts";

/** Makes a command, whose errors are one line. A mistyped URL is not repeated, because it can hold a key. */
export function command(name: string, summary: string) {
  return new Command(name)
    .summary(summary)
    .description(`${summary}.`)
    .configureOutput({
      outputError: (text, write) => {
        const reason = oneLine(text)
          .replace(/[.]$/, "")
          .replace(/\w+:\/\/[^\s'"]+/g, "<URL>");
        write(`${reason}; --help shows what is accepted\n`);
      },
    })
    .hook("preAction", (_, given) => requireValues(given));
}

/**
 * Refuses an option whose value is empty or the next option, as when a variable of the shell is not set. Commander
 * accepts both.
 */
function requireValues(given: CommandUnknownOpts): void {
  for (const option of given.options) {
    const name = option.attributeName();
    const value: unknown = given.getOptionValue(name);
    if (given.getOptionValueSource(name) !== "cli" || typeof value !== "string" || !/^(-|$)/.test(value)) continue;
    throw new Failure(`option '${option.flags}' has no value, but "${value.split("=", 1)[0]}" in its place`);
  }
}

/** Makes a command that reads a deployment from a node. */
export function nodeCommand(name: string, summary: string) {
  return command(name, summary)
    .option("--network <name>", "network of the deployment file, or the file's path", "mainnet")
    .option("--rpc-url <url>", "node to ask; else the variable RPC_URL");
}

/** Makes a command that consists of others. */
export function group(name: string, summary: string, ...commands: readonly CommandUnknownOpts[]) {
  const made = command(name, summary);
  for (const each of commands) made.addCommand(each);
  return made;
}

/**
 * Makes the reader of an option that is a whole number.
 * @throws Failure when the text is not a whole number, or is less than the least one
 */
export function wholeNumber(flag: string, least = 1): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new Failure(`${flag} is "${text}", expected a whole number of at least ${least}`);
  };
}

/** For commands that read events from the whole life of a deployment. */
export const blocksOption = new Option("--blocks-per-request <count>", "number of blocks per request for events")
  .argParser((text) => BigInt(wholeNumber("--blocks-per-request")(text)))
  .default(10_000n, "10000");

export const jsonOption = new Option("--json", "print JSON; integers are strings");

export const configOption = new Option(
  "--config <file>",
  "configuration of the deployment; else the variable DEPLOY_CONFIG",
);
