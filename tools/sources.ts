/**
 * `pnpm contracts:sources`: prints the commands that give explorers the sources of deployed contracts, or writes the
 * sources for the compiler.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verificationCommand } from "../packages/cli/src/desired/verification.ts";
import { commandLine, refuse } from "./lib/commandLine.ts";
import { DEPLOYED_CONTRACTS, readCreatedContracts } from "./lib/createdContracts.ts";
import { standardJsonOf } from "./lib/standardJson.ts";

const VERIFIERS = ["sourcify", "blockscout", "etherscan"];

const { values, positionals } = commandLine({
  usage: "pnpm contracts:sources --chain <ID> <broadcast/…/run-latest.json…>, or --standard-json <folder>",
  summary: `Prints a command of forge for each contract that was created according to records of forge: it verifies the sources of
the contract at an explorer. Ends with 1 if the compiled contracts are not those that were deployed. With --standard-json,
it instead writes the compiler's input of each contract of a deployment into a folder.`,
  allowPositionals: true,
  options: {
    chain: { type: "string", value: "<ID>", help: "ID of the chain" },
    verifier: { type: "string", default: "sourcify", value: "<name>", help: `one of ${VERIFIERS.join(", ")}` },
    "verifier-url": { type: "string", value: "<url>", help: "API of the explorer; needed for blockscout" },
    "standard-json": { type: "string", value: "<folder>", help: "write <contract>.json for each contract" },
  },
});
const { chain, verifier, "verifier-url": url, "standard-json": folder } = values;
try {
  if (folder === undefined) printCommands();
  else writeStandardJson(folder);
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}

function printCommands(): void {
  if (chain === undefined || positionals.length === 0) refuse("--chain and the path of a record are needed");
  if (!VERIFIERS.includes(verifier)) refuse(`--verifier is "${verifier}", expected one of ${VERIFIERS.join(", ")}`);
  if (verifier === "blockscout" && url === undefined) refuse("--verifier blockscout needs --verifier-url");
  for (const created of positionals.flatMap((path) => readCreatedContracts(path))) {
    console.log(verificationCommand(created, { chain, verifier, url }));
  }
}

function writeStandardJson(directory: string): void {
  if (chain !== undefined || positionals.length > 0) refuse("--standard-json takes neither --chain nor records");
  mkdirSync(directory, { recursive: true });
  for (const name of DEPLOYED_CONTRACTS) {
    writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(standardJsonOf(name), null, 2)}\n`);
  }
}
