/** Deployments and upgrades that are killed between two transactions, and run again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type Hex, hexToBytes, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChainClient, createChainClient } from "../../localnet/chain.ts";
import { buildContracts } from "../../localnet/deployment.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { foundryBinary } from "../../tools/lib/foundry.ts";
import { documentedArguments } from "../support/documented.ts";
import { type FaultyNode, startFaultyNode } from "../support/faultyNode.ts";

const DIRECTORY = join(".demo", "e2e-resume");
const CONFIGURATION = "contracts/script/config/local.example.json";
const START_SECONDS = 1_790_000_000;

/** Keeps the hashes of blocks (EIP-2935), which depend on the fees that were paid. */
const BLOCK_HASHES = "0x0000f90827f1c53a10cb7a02335b175320002935";

/** What forge knows of the files that it has compiled. */
const COMPILED = "solidity-files-cache.json";

/** When the process is killed: the node does not have the transaction, it has, or the process even recorded its hash. */
type Moment = "asked" | "sent" | "answered";

interface Place {
  readonly node: ChainNode;
  /** In front of the node: kills the process that sends. */
  readonly proxy: FaultyNode;
  readonly client: ChainClient;
  readonly directory: string;
}

let undisturbed: Place;
let disturbed: Place;

beforeAll(async () => {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  await buildContracts(join(DIRECTORY, "build.log"));
  undisturbed = await startPlace("undisturbed");
  disturbed = await startPlace("disturbed");
});

afterAll(async () => {
  for (const place of [undisturbed, disturbed]) {
    await place?.proxy.stop();
    await place?.node.stop();
  }
});

test("a deployment that is killed twice ends like one that is not, and sends nothing twice", async () => {
  const run = await finished(deploy(undisturbed));
  expect(run.status, run.output).toBe(0);
  await killed(disturbed, 12, "sent", () => deploy(disturbed));
  await killed(disturbed, 30, "answered", () => resumeDeployment(disturbed));
  cutOff(cachedUrls(disturbed));
  const resumed = await finished(resumeDeployment(disturbed));
  expect(resumed.status, resumed.output).toBe(0);
  await expectSameEnd();
  const again = await finished(resumeDeployment(disturbed));
  expect(again).toMatchObject({ status: 1, output: expect.stringContaining("there is nothing to resume") });
});

test("an upgrade that is killed ends like one that is not, and sends nothing twice", async () => {
  const file = deploymentFile(disturbed);
  await killed(disturbed, 3, "sent", () => upgrade(disturbed, "treasury", "balanceSheetDelegate", "--", "--unlocked"));
  expect(deploymentFile(disturbed)).toEqual(file);
  const again = await finished(upgrade(disturbed, "treasury", "--", "--unlocked"));
  expect(again).toMatchObject({ status: 1, output: expect.stringContaining("Run this command with --resume") });
  const unknown = await withoutOldState(disturbed, () => upgrade(disturbed, "--resume"));
  expect(unknown).toMatchObject({ status: 1, output: expect.stringContaining("again with an archive node") });
  await putLastReceiptInLastBlock(disturbed);
  const unsigned = await finished(upgrade(disturbed, "--resume"));
  expect(unsigned.status, unsigned.output).toBe(1);
  expect(deploymentFile(disturbed)).toEqual(file);
  const resumed = await finished(resumeUpgrade(disturbed));
  expect(resumed.status, resumed.output).toBe(0);
  const run = await finished(upgrade(undisturbed, "treasury", "balanceSheetDelegate", "--", "--unlocked"));
  expect(run.status, run.output).toBe(0);
  await expectSameEnd();
});

test("an upgrade whose simulation failed cannot be resumed: the one before it is finished", async () => {
  const file = deploymentFile(disturbed);
  const failed = await finished(upgrade(disturbed, "--migrate", "treasury=0x12345678", "treasury", "--", "--unlocked"));
  expect(failed).toMatchObject({ status: 1, output: expect.stringContaining("the upgrade script failed") });
  const resumed = await finished(upgrade(disturbed, "--resume", "--", "--unlocked"));
  expect(resumed).toMatchObject({ status: 1, output: expect.stringContaining("nothing that could be resumed") });
  expect(deploymentFile(disturbed)).toEqual(file);
});

test("a record that forge did not finish writing is named, and nothing is sent", async () => {
  const { address } = WALLETS.deployer;
  forgetDeployment(disturbed);
  await killed(disturbed, 2, "answered", () => deploy(disturbed));
  const path = join(disturbed.directory, "broadcast", "Deploy.s.sol", "1", "run-latest.json");
  cutOff(path);
  const count = await disturbed.client.getTransactionCount({ address });
  const resumed = await finished(resumeDeployment(disturbed));
  expect(resumed).toMatchObject({ status: 1, output: expect.stringContaining(`${path} is not whole`) });
  expect(await disturbed.client.getTransactionCount({ address })).toBe(count);
});

test("what is recorded is not sent when its nonce was used for something else", async () => {
  const { address } = WALLETS.deployer;
  forgetDeployment(disturbed);
  await killed(disturbed, 2, "asked", () => deploy(disturbed));
  const transfer = { from: address, to: address, gas: "0x5208" };
  const hash = await disturbed.client.request({ method: "eth_sendTransaction", params: [transfer] } as never);
  await disturbed.client.waitForTransactionReceipt({ hash });
  const count = await disturbed.client.getTransactionCount({ address });
  const file = readFileSync(deploymentPath(disturbed), "utf8");
  writeFileSync(deploymentPath(disturbed), JSON.stringify({ ...JSON.parse(file), coreSwap: address }));
  const other = await finished(resumeDeployment(disturbed));
  expect(other).toMatchObject({ status: 1, output: expect.stringContaining("is of a run with another configuration") });
  writeFileSync(deploymentPath(disturbed), file);
  const { status, output } = await finished(resumeDeployment(disturbed));
  expect(status).toBe(1);
  expect(output).toMatch(/has used nonce \d+ for 0x\w{64}, which is not the recorded one\. Nothing was sent/);
  expect(await disturbed.client.getTransactionCount({ address })).toBe(count);
});

async function startPlace(name: string): Promise<Place> {
  const directory = join(DIRECTORY, name);
  mkdirSync(join(directory, "cache"), { recursive: true });
  copyFileSync(join("cache", COMPILED), join(directory, "cache", COMPILED));
  const node = await startNode({ chainId: 1, timestamp: START_SECONDS, logFile: join(directory, "node.log") });
  const client = createChainClient(node.rpcUrl);
  // So that both chains have the same times.
  await client.request({ method: "anvil_setBlockTimestampInterval", params: [1] } as never);
  return { node, proxy: await startFaultyNode(node.rpcUrl), client, directory };
}

/** Runs a command whose process is killed at its n-th transaction. */
async function killed({ proxy }: Place, count: number, moment: Moment, start: () => ChildProcess): Promise<void> {
  let sent = 0;
  let hash: unknown;
  let child: ChildProcess | undefined;
  const kill = () => {
    // With its group, because a tool runs forge as a process of its own.
    process.kill(-(child?.pid ?? Number.NaN), "SIGKILL");
    return "reset" as const;
  };
  proxy.spoil(async ({ method, params }, result) => {
    // Forge asks for a receipt after it has written its record. Other requests can come while it is writing.
    if (hash !== undefined && method === "eth_getTransactionReceipt" && params[0] === hash) return kill();
    if (method !== "eth_sendTransaction") return { result: await result() };
    sent += 1;
    if (sent === count && moment === "asked") return kill();
    const answer = await result();
    if (sent === count && moment === "sent") return kill();
    if (sent === count) hash = answer;
    return { result: answer };
  });
  child = start();
  const [, signal] = await once(child, "close");
  proxy.spoil(null);
  expect({ sent, signal }).toEqual({ sent: count, signal: "SIGKILL" });
}

/** Runs a command on a node that only has the newest state. */
async function withoutOldState({ proxy }: Place, start: () => ChildProcess) {
  proxy.spoil(async ({ method, params }, result) => {
    if (method !== "eth_getTransactionCount" || !String(params[1]).startsWith("0x")) return { result: await result() };
    const error = { code: -32000, message: "missing trie node" };
    return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error }) };
  });
  const outcome = await finished(start());
  proxy.spoil(null);
  return outcome;
}

/** Where forge keeps the URLs that it sends to. */
function cachedUrls({ directory }: Place): string {
  return join(directory, "cache", "Deploy.s.sol", "1", "run-latest.json");
}

/** Leaves the file as a process does that is killed while it is writing. */
function cutOff(path: string): void {
  truncateSync(path, readFileSync(path).length - 5);
}

/** Changes forge's record as if the transaction that is not recorded shared its block with the one before it. */
async function putLastReceiptInLastBlock({ client, directory }: Place): Promise<void> {
  const path = join(directory, "broadcast", "Upgrade.s.sol", "1", "run-latest.json");
  const record = JSON.parse(readFileSync(path, "utf8"));
  record.receipts.at(-1).blockNumber = toHex(await client.getBlockNumber());
  writeFileSync(path, JSON.stringify(record));
}

/** Runs `contracts/script/Deploy.s.sol` as operators do. */
function deploy({ proxy, ...place }: Place): ChildProcess {
  return start(place, foundryBinary("forge"), asDocumented(/pnpm forge (?=.*--broadcast)/, proxy));
}

function resumeDeployment({ proxy, ...place }: Place): ChildProcess {
  return start(place, process.execPath, ["tools/resume.ts", ...asDocumented(/pnpm contracts:resume /, proxy)]);
}

function resumeUpgrade({ proxy, ...place }: Place): ChildProcess {
  const args = asDocumented(/pnpm contracts:upgrade (?=.*--resume)/, proxy);
  return start(place, process.execPath, ["tools/upgrade.ts", ...args]);
}

/** The arguments of a command on docs/operate/contracts.md; anvil signs in place of a hardware wallet. */
function asDocumented(pattern: RegExp, { rpcUrl }: Pick<FaultyNode, "rpcUrl">): string[] {
  return documentedArguments("docs/operate/contracts.md", pattern, {
    ...{ $RPC_URL: rpcUrl, $DEPLOYER: WALLETS.deployer.address, $ADMIN: WALLETS.admin.address },
    "--ledger": "--unlocked",
  });
}

/** Runs `pnpm contracts:upgrade`. */
function upgrade({ proxy, ...place }: Place, ...args: readonly string[]): ChildProcess {
  const target = ["--network", "mainnet", "--rpc-url", proxy.rpcUrl, "--sender", WALLETS.admin.address];
  return start(place, process.execPath, ["tools/upgrade.ts", ...target, ...args]);
}

function start({ directory }: Pick<Place, "directory">, command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      DEPLOY_CONFIG: CONFIGURATION,
      DEPLOYMENTS_DIR: directory,
      FOUNDRY_BROADCAST: join(directory, "broadcast"),
      FOUNDRY_CACHE_PATH: join(directory, "cache"),
    },
  });
}

async function finished(child: ChildProcess): Promise<{ readonly status: number; readonly output: string }> {
  if (child.stdout === null || child.stderr === null) throw new Error("the process has no output");
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, output: stdout + stderr };
}

/** Expects the same nonces, code and storage of every account, and the same deployment file. */
async function expectSameEnd(): Promise<void> {
  const [expected, actual] = [await stateOf(undisturbed), await stateOf(disturbed)];
  expect(Object.keys(expected).length).toBeGreaterThan(20);
  expect(actual).toEqual(expected);
  expect(deploymentFile(disturbed)).toEqual(deploymentFile(undisturbed));
}

async function stateOf({ client }: Place) {
  const dump = (await client.request({ method: "anvil_dumpState" } as never)) as Hex;
  const { accounts } = JSON.parse(gunzipSync(hexToBytes(dump)).toString("utf8")) as {
    accounts: Record<string, { nonce: unknown; code: unknown; storage: unknown }>;
  };
  return Object.fromEntries(
    Object.entries(accounts)
      .filter(([address]) => address.toLowerCase() !== BLOCK_HASHES)
      .map(([address, { nonce, code, storage }]) => [address, { nonce, code, storage }]),
  );
}

function deploymentFile(place: Place): unknown {
  return JSON.parse(readFileSync(deploymentPath(place), "utf8"));
}

/** Removes the file of a deployment, because a deployment does not replace the one of another. */
function forgetDeployment(place: Place): void {
  rmSync(deploymentPath(place), { force: true });
}

function deploymentPath({ directory }: Place): string {
  return join(directory, "evm", "mainnet.json");
}
