/**
 * `pnpm contracts:upgrade`: upgrades the proxies of a deployment, after checking that it is safe.
 * `pnpm contracts:upgrade:check` only checks.
 *
 * A contract is refused when upgrades-core finds it unsafe behind a proxy, or when its storage layout is not a safe
 * successor of the committed one. Behind a timelock, the proposer's calls are written to a file instead of being sent:
 * `core upgrade` schedules and executes them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StorageLayout } from "@openzeppelin/upgrades-core";
import { type Address, type Hex, hexToBigInt, isAddressEqual } from "viem";
import { deploymentsDirectory } from "../config/networks.ts";
import { createNodeClient, reasonOf } from "../packages/cli/src/chain/connect.ts";
import { type Deployment, deploymentOf } from "../packages/cli/src/chain/deployment.ts";
import {
  CodeDiffers,
  readImplementation,
  readProposal,
  requireSimulatedCode,
} from "../packages/cli/src/chain/proposal.ts";
import { replaceTextFile } from "../packages/cli/src/write/textFile.ts";
import { afterDoubleDash, beforeDoubleDash, commandLine, refuse } from "./lib/commandLine.ts";
import { foundryBinary } from "./lib/foundry.ts";
import { removeFinishedRecord, resumeScript } from "./lib/resume.ts";
import {
  type Compilation,
  compile,
  LAYOUT_DIRECTORY,
  layoutReport,
  openReinitializers,
  UPGRADEABLE,
  UPGRADEABLE_NAMES,
  type UpgradeableName,
} from "./lib/upgradeSafety.ts";

/** Whole bytes, at least the four of a function's selector. */
const CALL_DATA = /^0x([0-9a-f]{2}){4,}$/i;

/** ERC-7201 slot of OpenZeppelin's Initializable. Its lower 64 bits are the version that was initialized. */
const INITIALIZABLE_SLOT = "0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00";

interface Target {
  readonly name: UpgradeableName;
  /** `<path>:<name>` of the new implementation. */
  readonly contract: string;
}

const { values, positionals } = commandLine(
  {
    usage: "pnpm contracts:upgrade --network <name> --rpc-url <url> --sender <admin> [contract…] [-- <forge options>]",
    summary: `Upgrades the proxies of a deployment, after checking that it is safe: contracts are ${UPGRADEABLE_NAMES.join(", ")};
without any, all are upgraded. <contract>=<path>:<name> upgrades to a contract of another name. Options of forge say
how to sign: --ledger, --unlocked. Ends with 1 if something is refused or fails.`,
    allowPositionals: true,
    options: {
      check: { type: "boolean", default: false, help: "check, and send nothing" },
      layouts: { type: "string", default: LAYOUT_DIRECTORY, value: "<folder>", help: "layouts to upgrade from" },
      network: { type: "string", value: "<name>", help: "network of the deployment file" },
      "rpc-url": { type: "string", value: "<url>", help: "node to send to" },
      sender: {
        type: "string",
        value: "<address>",
        help: "administrator of the proxies; any account, with a timelock",
      },
      resume: { type: "boolean", default: false, help: "send what an interrupted run has not sent" },
      executed: { type: "boolean", default: false, help: "take over an upgrade that was executed" },
      migrate: {
        type: "string",
        multiple: true,
        default: [] as string[],
        value: "<contract>=<call data>",
        help: "call that each proxy of the contract runs with its upgrade",
      },
    },
  },
  beforeDoubleDash(process.argv.slice(2)),
);

refuseSeveralModes();
try {
  if (values.executed) await takeOver();
  else if (values.resume) await resume();
  else await checkAndUpgrade();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** A check neither sends nor writes, and the other two continue from files: one of them would be ignored. */
function refuseSeveralModes(): void {
  const [mode, other] = (["check", "resume", "executed"] as const).filter((name) => values[name]);
  if (other !== undefined) refuse(`--${mode} and --${other}: expected one of them`);
}

async function checkAndUpgrade(): Promise<void> {
  const targets = readTargets(positionals);
  // Before the compilation, which takes a minute.
  refuseUselessMigrations(targets);
  if (!values.check) {
    refusePendingProposal();
    await removeFinishedRecord({ name: "Upgrade", rpcUrl: required("rpc-url"), env: process.env });
  }
  const compilation = compile(furtherSources(targets));
  const checks = await Promise.all(targets.map((target) => check(compilation, target)));
  const isSafe = checks.every(Boolean);
  if (!isSafe) process.exitCode = 1;
  else if (!values.check) await upgrade(compilation, targets);
}

/**
 * A migration that is left out, or does nothing, leaves an initializer open, which anybody could then call.
 * @throws Error when a migration is given for a contract that is not upgraded, or two for one contract, or one is not
 * the data of a call
 */
function refuseUselessMigrations(targets: readonly Target[]): void {
  for (const text of values.migrate) {
    const data = split(text)[1];
    if (CALL_DATA.test(data ?? "")) continue;
    throw new Error(`--migrate ${text}: expected <contract>=<data of a call>, such as treasury=0x12345678`);
  }
  const names = values.migrate.map((text) => split(text)[0]);
  const unused = names.find(
    (name, at) => names.indexOf(name) !== at || !targets.some((target) => target.name === name),
  );
  if (unused !== undefined) throw new Error(`--migrate ${unused}: give one migration for each upgraded contract`);
}

/** @throws Error when a proposal of an earlier run would be overwritten */
function refusePendingProposal(): void {
  if (!existsSync(pathOf("proposal.json"))) return;
  throw new Error(
    `${pathOf("proposal.json")} is a proposal that was not taken over. Run this command with --resume if it was ` +
      "interrupted, or with --executed once the timelock has executed the proposal, or discard the proposal: remove " +
      `it and ${pathOf("proposed.json")}. If it was scheduled, have the guardian cancel it (core queue, core cancel): a ` +
      "proposer could execute it later",
  );
}

/** Prints whether it is safe to upgrade to a contract, with the reasons if it is not. */
async function check(compilation: Compilation, { name, contract }: Target): Promise<boolean> {
  const path = join(values.layouts, `${name}.json`);
  if (!existsSync(path)) throw new Error(`${path} is missing: expected the current storage layout of ${name}`);
  const committed = JSON.parse(readFileSync(path, "utf8")) as StorageLayout;
  const reasons = [
    compilation.safetyReport(contract),
    layoutReport(committed, compilation.layout(contract)),
    ...(await withoutMigration(compilation, { name, contract })),
  ];
  const refusal = reasons.filter((reason) => reason !== "").join("\n");
  if (refusal === "") console.log(`${name}: ${contract} is safe to upgrade to`);
  else console.error(`${name}: refused to upgrade to ${contract}\n${refusal}`);
  return refusal === "";
}

/** The initializers that the upgrade would leave open to anybody, each with how to have it run. */
async function withoutMigration(compilation: Compilation, { name, contract }: Target): Promise<string[]> {
  if (migrationOf(name) !== "0x") return [];
  const found = compilation.reinitializers(contract);
  if (found.length === 0) return [];
  const version = await initializedVersion(compilation, name);
  return openReinitializers(found, version).map(
    (each) =>
      `${each.name} initializes version ${each.version ?? "(not a number in the source)"}, and a proxy has ${version}: ` +
      `give its call with --migrate ${name}=<call data>, or anybody can make it`,
  );
}

/**
 * The lowest version that a proxy has initialized. A check reads no chain, unless it is given one: then it is the version
 * of the contract in `contracts/src`.
 */
async function initializedVersion(compilation: Compilation, name: UpgradeableName): Promise<number> {
  if (values.check && (values.network === undefined || values["rpc-url"] === undefined)) {
    const versions = compilation.reinitializers(UPGRADEABLE[name]).map(({ version }) => version ?? 1);
    return Math.max(1, ...versions);
  }
  const client = createNodeClient(required("rpc-url"));
  const proxies = proxiesOf(deploymentOf(pathOf("json"), readFile("json")), name);
  const versions = await Promise.all(
    proxies.map(async (address) => {
      const word = hexToBigInt((await client.getStorageAt({ address, slot: INITIALIZABLE_SLOT })) ?? "0x0");
      return Number(BigInt.asUintN(64, word));
    }),
  );
  return Math.min(...versions);
}

async function upgrade(compilation: Compilation, targets: readonly Target[]): Promise<void> {
  const network = required("network");
  const rpcUrl = required("rpc-url");
  const planPath = pathOf("upgrade.json");
  const upgrades = targets.map(({ name, contract }) => {
    const { creationCode, libraries } = compilation.artifact(contract);
    return { name, contract, creationCode, libraries, migration: migrationOf(name) };
  });
  // What remains of a simulation that failed.
  rmSync(pathOf("proposed.json"), { force: true });
  writeFileSync(planPath, `${JSON.stringify({ network, sender: required("sender"), upgrades }, null, 2)}\n`);
  const { status } = spawnSync(
    foundryBinary("forge"),
    [
      ...["script", "contracts/script/Upgrade.s.sol", "--rpc-url", rpcUrl, "--broadcast", "--slow"],
      ...["--sender", required("sender"), ...afterDoubleDash(process.argv.slice(2))],
    ],
    { stdio: "inherit", env: scriptEnvironment() },
  );
  await finish(status ?? 1);
}

/** Sends what an earlier run has not sent. It was checked then, and its plan is beside the deployment file. */
async function resume(): Promise<void> {
  const status = await resumeScript({
    name: "Upgrade",
    rpcUrl: required("rpc-url"),
    sender: required("sender"),
    forgeOptions: afterDoubleDash(process.argv.slice(2)),
    env: scriptEnvironment(),
  });
  await finish(status);
}

function scriptEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, UPGRADE_PLAN: pathOf("upgrade.json"), DEPLOYMENTS_DIR: deploymentsDirectory() };
}

/** Reads from the chain what the script has sent: it only knows the result of its simulation. */
async function finish(status: number): Promise<void> {
  if (status !== 0) {
    throw new Error("the upgrade script failed. If it had begun to send, run this command again with --resume");
  }
  const deployment = deploymentOf(pathOf("json"), readFile("json"));
  const { timelock } = deployment;
  if (timelock === undefined) return takeOver();
  const proposal = pathOf("proposal.json");
  enterReplaced(deployment);
  const simulated = readProposal(proposal);
  try {
    await requireSimulatedCode(createNodeClient(required("rpc-url")), simulated);
  } catch (error) {
    // A node that fails or is behind says nothing about the contracts, and a resumed run does not write the files anew.
    if (!(error instanceof CodeDiffers)) throw new Error(`${reasonOf(error)}. Run this command again with --resume`);
    for (const suffix of ["proposal.json", "proposed.json"] as const) rmSync(pathOf(suffix), { force: true });
    throw new Error(`${error.message}. ${proposal} was removed: run this command anew`);
  }
  console.log(`${proposal} is for the proposer of the timelock ${timelock}:
  pnpm core upgrade --network ${values.network} --schedule --from <Safe> --safe <file>
  pnpm core upgrade --network ${values.network} --execute --from <Safe> --safe <file>   after the delay
Then run pnpm contracts:upgrade --network ${values.network} --rpc-url <url> --executed`);
}

/**
 * Enters what each proxy ran when the upgrade was simulated into the proposal: what the deployment file had then, which
 * the script has compared with the chain. What an earlier run has entered stays.
 */
function enterReplaced(deployment: Deployment): void {
  const replaced = Object.fromEntries(
    UPGRADEABLE_NAMES.flatMap((name) =>
      proxiesOf(deployment, name).map((proxy) => [proxy, deployment.implementations[name]]),
    ),
  );
  const proposal = { replaced, ...readFile("proposal.json") };
  replaceTextFile(pathOf("proposal.json"), `${JSON.stringify(proposal, null, 2)}\n`);
}

/**
 * Enters the new contracts into the deployment file. What was added to the file since they were simulated stays, and its
 * proxies are checked, too.
 * @throws Error naming a proxy that does not run its new implementation
 */
async function takeOver(): Promise<void> {
  const { implementations, libraries } = readFile("proposed.json");
  const upgraded = { ...readFile("json"), implementations, libraries };
  await verify(deploymentOf(pathOf("json"), upgraded));
  replaceTextFile(pathOf("json"), `${JSON.stringify(upgraded, null, 2)}\n`);
  for (const suffix of ["proposed.json", "proposal.json"] as const) rmSync(pathOf(suffix), { force: true });
}

/** Path of a file of the network, by the end of its name. */
function pathOf(suffix: "json" | "upgrade.json" | "proposal.json" | "proposed.json"): string {
  return join(deploymentsDirectory(), "evm", `${required("network")}.${suffix}`);
}

/** Reads a deployment file as it is, because it is written back with everything that it has. */
function readFile(suffix: "json" | "proposal.json" | "proposed.json"): Readonly<Record<string, unknown>> {
  const path = pathOf(suffix);
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  return JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
}

/** @throws Error when the node serves another chain, or naming a proxy that does not run its implementation in the file */
async function verify(file: Deployment): Promise<void> {
  const client = createNodeClient(required("rpc-url"));
  const chainId = await client.getChainId();
  if (chainId !== file.chainId) throw new Error(`the node serves chain ${chainId}, not ${file.chainId}`);
  for (const name of UPGRADEABLE_NAMES) {
    const expected = file.implementations[name];
    for (const proxy of proxiesOf(file, name)) {
      const actual = await readImplementation(client, proxy);
      if (!isAddressEqual(actual, expected)) {
        throw new Error(
          `${name}: the proxy ${proxy} runs ${actual}, expected ${expected}. ` +
            "Check that every transaction was mined, and the proposal executed",
        );
      }
      console.log(`${name}: the proxy ${proxy} runs ${expected}`);
    }
  }
}

function proxiesOf(file: Deployment, name: UpgradeableName): readonly Address[] {
  if (name === "balanceSheetDelegate") return file.stablecoins.map(({ delegate }) => delegate);
  return [name === "treasuryDelegate" ? file.treasuryStablecoin.delegate : file[name]];
}

function readTargets(given: readonly string[]): Target[] {
  return (given.length === 0 ? UPGRADEABLE_NAMES : given).map((text) => {
    const [name, contract] = split(text);
    return { name, contract: contract ?? UPGRADEABLE[name] };
  });
}

function migrationOf(wanted: UpgradeableName): Hex {
  for (const text of values.migrate) {
    const [name, data] = split(text);
    if (name === wanted) return data as Hex;
  }
  return "0x";
}

/** `name` or `name=value`. */
function split(text: string): [UpgradeableName, string | undefined] {
  const [name, value] = text.split("=", 2);
  const known = UPGRADEABLE_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new Error(`${name}: expected one of ${UPGRADEABLE_NAMES.join(", ")}`);
  return [known, value];
}

/** Files of contracts outside `contracts/src`. */
function furtherSources(targets: readonly Target[]): string[] {
  const paths = targets.map(({ contract }) => contract.split(":")[0] as string);
  return [...new Set(paths.filter((path) => !path.startsWith("contracts/src/")))];
}

function required(name: "network" | "rpc-url" | "sender"): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}
