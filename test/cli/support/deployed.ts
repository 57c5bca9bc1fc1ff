/** A real deployment on a real anvil, governed by a timelock, with a Safe that posts the NAV of one RWA. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type Abi,
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  pad,
  size,
  zeroAddress,
} from "viem";
import { buildContracts } from "../../../localnet/deployment.ts";
import { type ChainNode, startNode } from "../../../localnet/nodes.ts";
import { runProcess } from "../../../localnet/processes.ts";
import { Sender } from "../../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../../localnet/wallets.ts";
import { type Deployment, readDeployment } from "../../../packages/cli/src/chain/deployment.ts";
import { foundryBinary } from "../../../tools/lib/foundry.ts";

const EXAMPLE = "contracts/script/config/local.example.json";
export const NAV_MAX_AGE_SECONDS = 86_400;
export const TIMELOCK_DELAY_SECONDS = 86_400;
const DAY_SECONDS = 86_400;

export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

export interface Deployed {
  readonly node: ChainNode;
  readonly sender: Sender;
  readonly directory: string;
  /** Path of the deployment file. */
  readonly file: string;
  /** Path of the configuration. */
  readonly configuration: string;
  readonly deployment: Deployment;
  /** Posts the NAV of the second RWA. Its only owner is the wallet `client1`. */
  readonly safe: Address;
}

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The parts of a deployment configuration that tests change. */
export interface ConfigurationFile {
  readonly broadcastPartySteps: boolean;
  readonly plainAccounts: readonly string[];
  readonly treasury: Readonly<Record<string, unknown>>;
  readonly rwas: readonly Readonly<Record<string, unknown>>[];
  readonly stablecoins: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Deploys into a new folder below `.demo`, where the deployment script may write.
 * @param change changes the default configuration; it can create more Safes, each owned by `client1`
 */
export async function deploy(
  name: string,
  change: (usual: ConfigurationFile, newSafe: () => Promise<Address>) => Promise<ConfigurationFile> = async (usual) =>
    usual,
): Promise<Deployed> {
  const directory = join(".demo", name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await buildContracts(join(directory, "build.log"));
  // The chain's clock starts at noon, so that no test, whenever it runs, is at midnight, where days of rates begin.
  const timestamp = (Math.floor(Date.now() / 1_000 / DAY_SECONDS) + 1) * DAY_SECONDS + DAY_SECONDS / 2;
  const node = await startNode({ chainId: 1, timestamp, logFile: join(directory, "node.log") });
  const sender = new Sender(node);
  const safe = await createSafe(sender, "client1");
  const configuration = join(directory, "deploy.json");
  const newSafe = () => createSafe(sender, "client1");
  writeFileSync(configuration, JSON.stringify(await change(configurationWith(safe), newSafe)));
  await runProcess({
    name: "deployment",
    command: foundryBinary("forge"),
    args: [
      ...["script", "contracts/script/Deploy.s.sol", "--rpc-url", node.rpcUrl, "--broadcast", "--slow", "--unlocked"],
      ...["--sender", WALLETS.deployer.address],
    ],
    env: {
      ...process.env,
      DEPLOY_CONFIG: configuration,
      DEPLOYMENTS_DIR: directory,
      FOUNDRY_BROADCAST: join(directory, "broadcast"),
    },
    logFile: join(directory, "deploy.log"),
  });
  const file = join(directory, "evm", "mainnet.json");
  return { node, sender, directory, file, configuration, deployment: readDeployment(file), safe };
}

/** Runs `core` with the deployment file, the node and a separate journal. */
export async function core(
  { file, directory, node }: Pick<Deployed, "file" | "directory" | "node">,
  args: readonly string[],
  rpcUrl = node.rpcUrl,
): Promise<Outcome> {
  return coreAlone([...args, "--network", file, "--rpc-url", rpcUrl], { XDG_STATE_HOME: join(directory, "state") });
}

/** Runs `core` with only these arguments. */
export async function coreAlone(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const child = spawn(process.execPath, ["packages/cli/src/main.ts", ...args], {
    // Saves a third of the start time.
    env: { ...process.env, RPC_URL: "", NODE_COMPILE_CACHE: ".demo/compile-cache", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, stdout, stderr };
}

/** The days with their rates that `core rate post <rate>` tells its reader to name. */
export function namedDays({ stdout }: Outcome): string[] {
  return /name the days: core rate post (.+)$/m.exec(stdout)?.[1]?.split(" ") ?? [];
}

/** The published bytecode of `Safe`, `SafeProxy` and `MultiSendCallOnly`. */
export function safeArtifact(path: string): Artifact {
  const require = createRequire(import.meta.url);
  const root = require.resolve("@safe-global/safe-smart-account/package.json");
  return JSON.parse(readFileSync(join(root, "../build/artifacts/contracts", path), "utf8")) as Artifact;
}

/** Creates a contract and returns its address. */
export async function create(sender: Sender, { abi, bytecode }: Artifact, args: readonly unknown[]): Promise<Address> {
  const data = encodeDeployData({ abi, bytecode, args });
  const hash = await sender.send({ from: "outsider", data, gas: 8_000_000n });
  const { contractAddress, status } = await sender.waitForReceipt(hash);
  if (!contractAddress || status !== "0x1") throw new Error("a contract was not created");
  return getAddress(contractAddress);
}

/** Sends a call that must succeed. */
export async function call(sender: Sender, from: WalletName, to: Address, data: Hex): Promise<void> {
  const { status } = await sender.waitForReceipt(await sender.send({ from, to, data, gas: 5_000_000n }));
  if (status !== "0x1") throw new Error(`a call of ${from} to ${to} reverted`);
}

/**
 * Executes a batch of the Transaction Builder as its app does: all transactions in one MultiSend, approved and sent by
 * the wallet `client1`, which owns the Safe.
 */
export async function executeBatch(sender: Sender, path: string): Promise<void> {
  const { meta, transactions } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly meta: { readonly createdFromSafeAddress: Address };
    readonly transactions: readonly { readonly to: Hex; readonly value: string; readonly data: Hex }[];
  };
  const multiSend = safeArtifact("libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json");
  const packed = transactions.map(({ to, value, data }) =>
    encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, BigInt(value), BigInt(size(data)), data]),
  );
  const batch = encodeFunctionData({ abi: multiSend.abi, functionName: "multiSend", args: [concat(packed)] });
  const approval = concat([pad(WALLETS.client1.address), pad("0x"), "0x01"]);
  const { abi } = safeArtifact("Safe.sol/Safe.json");
  const target = await create(sender, multiSend, []);
  const args = [target, 0n, batch, 1, 0n, 0n, 0n, zeroAddress, zeroAddress, approval];
  const data = encodeFunctionData({ abi, functionName: "execTransaction", args });
  await call(sender, "client1", meta.createdFromSafeAddress, data);
}

/**
 * Creates a Safe with one owner.
 * @param handler what answers the calls that a Safe does not know, such as `isValidSignature`; by default nothing
 */
export async function createSafe(sender: Sender, owner: WalletName, handler: Address = zeroAddress): Promise<Address> {
  const singleton = safeArtifact("Safe.sol/Safe.json");
  const proxy = safeArtifact("proxies/SafeProxy.sol/SafeProxy.json");
  const safe = await create(sender, proxy, [await create(sender, singleton, [])]);
  const setup = [[WALLETS[owner].address], 1n, zeroAddress, "0x", handler, zeroAddress, 0n, zeroAddress];
  await call(sender, "outsider", safe, encodeFunctionData({ abi: singleton.abi, functionName: "setup", args: setup }));
  return safe;
}

/** Returns the example for anvil, behind a timelock whose proposer is the wallet `operator`; `beneficiary` is the recovery. */
function configurationWith(safe: Address): ConfigurationFile {
  const example = JSON.parse(readFileSync(EXAMPLE, "utf8"));
  const [first, second] = example.rwas;
  const recovery = WALLETS.beneficiary.address;
  const accounts = JSON.stringify(example).match(/0x[0-9a-fA-F]{40}/g) ?? [];
  return {
    ...example,
    governance: "timelock",
    timelock: { delaySeconds: TIMELOCK_DELAY_SECONDS, proposer: WALLETS.operator.address, recovery },
    plainAccounts: [...new Set([...accounts, WALLETS.operator.address, recovery])],
    roles: { ...example.roles, admin: null, operator: null },
    treasury: { ...example.treasury, admin: null, operator: null },
    rwas: [
      { ...first, maxAgeSeconds: NAV_MAX_AGE_SECONDS },
      { ...second, navPoster: safe },
    ],
  };
}
