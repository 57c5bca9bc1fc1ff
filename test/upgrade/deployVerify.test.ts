/** Tests the deployment script as operators run it: sent to a node, and then checked by `verify()`. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  slice,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stablecoinDelegateAbi, timelockControllerAbi, treasuryAbi } from "../../abis/index.ts";
import { configuredNetworks } from "../../config/networks.ts";
import { buildContracts } from "../../localnet/deployment.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../localnet/wallets.ts";
import { foundryBinary } from "../../tools/lib/foundry.ts";
import { core, createSafe, executeBatch } from "../cli/support/deployed.ts";
import { documentedArguments } from "../support/documented.ts";
import { startFaultyNode } from "../support/faultyNode.ts";
import { type ProductionNode, startProductionNode } from "./productionNode.ts";

const DIRECTORY = join(".demo", "e2e-deploy");
const CONFIGURATION = "contracts/script/config/local.example.json";
const PRODUCTION_CONFIGURATION = "contracts/script/config/mainnet.example.json";
const PAGE = "docs/operate/contracts.md";
/** The options of the page's commands that run the script; anvil signs in place of a hardware wallet. */
const BROADCAST = documentedArguments(PAGE, /pnpm forge script .+ "\$DEPLOYER" (?=--broadcast)/, {
  "--ledger": "--unlocked",
});
const VERIFY_PROPOSED = documentedArguments(PAGE, /pnpm forge script .+ (?=--sig 'verifyProposed)/);
const VERIFY_CODE = documentedArguments(PAGE, /pnpm forge script .+ (?=--sig 'verifyCode)/);
const VERIFY = documentedArguments(PAGE, /pnpm forge script .+ "\$DEPLOYER" (?=--sig)/);
/** Keys that may stay null: the timelock replaces administrators and operators. */
const LEFT_OUT: ReadonlySet<string> = new Set(["id", "guardrail", "admin", "operator", "recovery"]);
const OTHER_VERSION = "0x00000000000000000000000000000000c0dec0de";
/** EIP-1967. */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const GETH = "Geth/v1.16.7-stable/linux-amd64/go1.25.1";

let node: ChainNode;
let otherNode: ChainNode;
let productionChain: ChainNode;
let productionNode: ProductionNode;
/** The Safe that proposes to the timelock of the production deployment. */
let proposer: Address;

beforeAll(async () => {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  await buildContracts(join(DIRECTORY, "build.log"));
  node = await startNode({ chainId: 1, logFile: join(DIRECTORY, "node.log") });
  otherNode = await startNode({ chainId: 11155111, logFile: join(DIRECTORY, "other.log") });
  productionChain = await startNode({ chainId: 1, logFile: join(DIRECTORY, "production.log") });
  productionNode = await startProductionNode(productionChain.rpcUrl, GETH);
});

afterAll(async () => {
  await node?.stop();
  await otherNode?.stop();
  await productionNode?.stop();
  await productionChain?.stop();
});

test("a chain whose ID differs from the configuration is refused, and nothing is sent", async () => {
  const { status, output } = await deployScript(otherNode, BROADCAST);
  expect(status).not.toBe(0);
  expect(output).toContain("WrongChain");
  expect(await new Sender(otherNode).client.getBlockNumber()).toBe(0n);
});

test("a deployment passes verification, the indexer reads its file, and a later difference is named", async () => {
  const { status, output } = await deployScript(node, BROADCAST);
  expect(status, output).toBe(0);
  expect(await verifyScript()).toMatchObject({ status: 0 });

  const [network] = configuredNetworks({ DEPLOYMENTS_DIR: DIRECTORY, PONDER_RPC_URL_1: node.rpcUrl });
  const file = JSON.parse(readFileSync(join(DIRECTORY, "evm", "mainnet.json"), "utf8"));
  expect(network?.deployment).toEqual({
    chainId: 1,
    startBlock: file.startBlock,
    coreSwap: file.coreSwap.toLowerCase(),
    treasury: file.treasury.toLowerCase(),
  });

  // A start block after the creation, which would hide the grants before it.
  const { client } = new Sender(node);
  const path = join(DIRECTORY, "evm", "mainnet.json");
  const startBlock = Number(await client.getBlockNumber());
  writeFileSync(path, JSON.stringify({ ...file, startBlock }));
  const late = await verifyScript();
  expect(late.status).not.toBe(0);
  expect(late.output).toContain(`StartBlockTooLate("CoreSwap", ${file.coreSwap}, ${startBlock}`);
  writeFileSync(path, JSON.stringify(file));

  // Other code, which answers all questions alike, and a proxy that ran other code for a while.
  const code = (await client.getCode({ address: file.implementations.coreSwap })) ?? "0x";
  await client.setCode({ address: file.implementations.coreSwap, bytecode: `${slice(code, 0, -1)}ff` as Hex });
  const admin = JSON.parse(readFileSync(CONFIGURATION, "utf8")).treasury.admin as Address;
  await client.impersonateAccount({ address: admin });
  const hash = await client.sendUnsignedTransaction({
    from: admin,
    to: file.treasury,
    data: encodeFunctionData({
      abi: treasuryAbi,
      functionName: "upgradeToAndCall",
      args: [file.implementations.treasury, "0x"],
    }),
    gas: 100_000n,
    gasPrice: 10n ** 10n,
  });
  const { blockNumber } = await client.waitForTransactionReceipt({ hash });
  const otherCode = await verifyScript();
  expect(otherCode.status).not.toBe(0);
  expect(otherCode.output).toContain('ValueDiffers("CoreSwap\'s code"');
  expect(otherCode.output).toContain(`WARNING: Treasury was upgraded in block ${blockNumber}: find out by whom`);
  await client.setCode({ address: file.implementations.coreSwap, bytecode: code });
  // Forge keeps what it has read of a block.
  await client.mine({ blocks: 1 });
  expect(await verifyScript()).toMatchObject({ status: 0 });

  // Adds another issuer admin, which no list of roles shows.
  const { delegate, issuerAdmin } = file.treasuryStablecoin;
  const names = Object.keys(WALLETS) as WalletName[];
  const from = names.find((name) => WALLETS[name].address === getAddress(issuerAdmin));
  if (from === undefined) throw new Error(`${issuerAdmin} is none of the accounts`);
  const stranger = WALLETS.outsider.address;
  const data = encodeFunctionData({ abi: stablecoinDelegateAbi, functionName: "addIssuerAdmin", args: [stranger] });
  const sender = new Sender(node);
  await sender.waitForReceipt(await sender.send({ from, to: delegate, data, gas: 200_000n }));
  const drifted = await verifyScript();
  expect(drifted.status).not.toBe(0);
  expect(drifted.output).toContain(`TRSY delegate's issuer admin is ${stranger}`);
});

test("development fields are refused on a node other than anvil, and nothing is sent", async () => {
  const { status, output } = await deployScript(productionNode, BROADCAST);
  expect(status).not.toBe(0);
  const expected = `false, unless the node is anvil (it is ${GETH})`;
  expect(output).toContain(`InvalidValue(".deployTestTokens", "true", "${expected}")`);
  expect(await new Sender(productionChain).client.getBlockNumber()).toBe(0n);
});

test("the mainnet example is refused until it is filled in, and can then be deployed on any node", async () => {
  const refused = await deployScript(productionNode, [], PRODUCTION_CONFIGURATION);
  expect(refused.status).not.toBe(0);
  expect(refused.output).toContain(
    `InvalidValue(".timelock.proposer", "${zeroAddress}", "an address other than zero")`,
  );

  const configuration = join(DIRECTORY, "production.json");
  const filled = filledIn(readFileSync(PRODUCTION_CONFIGURATION, "utf8"), [
    await createToken("FUND"),
    await createToken("USD"),
  ]);
  proposer = await createSafe(new Sender(productionChain), "client1");
  const { timelock, ...rest } = JSON.parse(filled);
  writeFileSync(configuration, JSON.stringify({ ...rest, timelock: { ...timelock, proposer } }));
  const deployed = await deployScript(productionNode, BROADCAST, configuration);
  expect(deployed.status, deployed.output).toBe(0);
  expect(deployed.output).toContain("Next steps, by the parties themselves:");
  expect(deployed.output).toContain("WARNING: .timelock.recovery is null: nobody can remove the proposer");
  expect(await deployScript(productionNode, VERIFY, configuration)).toMatchObject({ status: 0 });
});

test("an account that was granted a role of the timelock is named, whoever verifies", async () => {
  const { timelock } = JSON.parse(readFileSync(join(DIRECTORY, "production", "evm", "mainnet.json"), "utf8"));
  const stranger = WALLETS.outsider.address;
  const { client } = new Sender(productionChain);
  const request = (method: string, ...params: unknown[]) => client.request({ method, params } as never);
  await request("anvil_impersonateAccount", timelock);
  await request("anvil_setBalance", timelock, toHex(10n ** 18n));
  const send = async (functionName: "grantRole" | "revokeRole") => {
    const data = encodeFunctionData({ abi: timelockControllerAbi, functionName, args: [zeroHash, stranger] });
    await request("eth_sendTransaction", { from: timelock, to: timelock, data, gas: toHex(200_000) });
    await request("evm_mine");
  };
  const verify = () => deployScript(productionNode, VERIFY, join(DIRECTORY, "production.json"));
  await send("grantRole");
  const granted = await verify();
  expect(granted.status).not.toBe(0);
  expect(granted.output).toContain(`timelock's administration of ${stranger}`);
  await send("revokeRole");
  expect(await verify()).toMatchObject({ status: 0 });
});

test("nothing is proposed when the chain does not have the code that was simulated", async () => {
  let isSent = false;
  const lyingNode = await startFaultyNode(productionChain.rpcUrl, async ({ method }, result) => {
    isSent ||= method === "eth_sendTransaction";
    const answer = await result();
    return { result: isSent && method === "eth_getCode" ? `${answer}00` : answer };
  });
  try {
    const { status, output } = await upgrade(lyingNode, "treasury", "--", "--unlocked");
    expect(status).toBe(1);
    expect(output).toMatch(/does not have the code that was simulated\. \S+proposal\.json was removed/);
  } finally {
    await lyingNode.stop();
  }
  for (const suffix of ["proposal", "proposed"]) {
    expect(existsSync(join(DIRECTORY, "production", "evm", `mainnet.${suffix}.json`))).toBe(false);
  }
});

test("a deployment behind a timelock is upgraded by its proposer, after the delay and in spite of a node that is behind", async () => {
  const directory = join(DIRECTORY, "production");
  const path = join(directory, "evm", "mainnet.json");
  const before = JSON.parse(readFileSync(path, "utf8"));
  let isSent = false;
  const lateNode = await startFaultyNode(productionChain.rpcUrl, async ({ method }, result) => {
    isSent ||= method === "eth_sendTransaction";
    const answer = await result();
    return { result: isSent && method === "eth_getCode" ? "0x" : answer };
  });
  try {
    const late = await upgrade(lateNode, "coreSwap", "treasuryDelegate", "--", "--unlocked");
    expect(late).toMatchObject({ status: 1, output: expect.stringMatching(/has no code at 0x\w{40}\..+ --resume\n$/) });
  } finally {
    await lateNode.stop();
  }
  const proposed = await upgrade(productionChain, "--resume", "--", "--unlocked");
  expect(proposed.status, proposed.output).toBe(0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(before);
  const text = readFileSync(join(directory, "evm", "mainnet.proposal.json"), "utf8");
  const again = await upgrade(productionChain, "treasury", "--", "--unlocked");
  expect(again).toMatchObject({ status: 1, output: expect.stringContaining("was not taken over") });
  expect(readFileSync(join(directory, "evm", "mainnet.proposal.json"), "utf8")).toBe(text);
  expect(JSON.parse(text).replaced).toMatchObject({
    [before.coreSwap]: before.implementations.coreSwap,
    [before.treasuryStablecoin.delegate]: before.implementations.treasuryDelegate,
  });
  const early = await takeOver();
  expect(early).toMatchObject({ status: 1, output: expect.stringContaining("and the proposal executed") });

  const configuration = join(DIRECTORY, "production.json");
  const compared = await deployScript(productionNode, VERIFY_PROPOSED, configuration);
  expect(compared.status, compared.output).toBe(0);
  const { implementations } = JSON.parse(readFileSync(join(directory, "evm", "mainnet.proposed.json"), "utf8"));
  expect(compared.output).toContain(`same code: ${implementations.coreSwap} of CoreSwap`);
  await proposeUpgrade("--schedule");
  const waiting = await coreUpgrade("--execute");
  expect(waiting).toMatchObject({ status: 1, stderr: expect.stringContaining("still waits") });
  const { client } = new Sender(productionChain);
  await client.increaseTime({ seconds: 86_400 });
  await client.mine({ blocks: 1 });
  // Another upgrade comes first: the proposal would replace it by older code.
  const bytecode = (await client.getCode({ address: before.implementations.coreSwap })) ?? "0x";
  await client.setCode({ address: OTHER_VERSION, bytecode });
  const slot = { address: before.coreSwap, index: IMPLEMENTATION_SLOT } as const;
  await client.setStorageAt({ ...slot, value: pad(OTHER_VERSION) });
  const overdue = await coreUpgrade("--execute");
  expect(overdue).toMatchObject({ status: 1, stderr: expect.stringContaining("it was upgraded otherwise since") });
  await client.setStorageAt({ ...slot, value: pad(before.implementations.coreSwap as Hex) });
  await proposeUpgrade("--execute");

  // What `core asset add --record` enters while the proposal waits.
  const added = [...before.rwas, { ...before.rwas[0], symbol: "ADDED" }];
  writeFileSync(path, JSON.stringify({ ...before, rwas: added }));
  const executed = await takeOver();
  expect(executed.status, executed.output).toBe(0);
  const after = JSON.parse(readFileSync(path, "utf8"));
  expect(after.rwas).toEqual(added);
  writeFileSync(path, JSON.stringify({ ...after, rwas: before.rwas }));
  expect(after.implementations.coreSwap).not.toBe(before.implementations.coreSwap);
  expect(after.implementations.treasury).toBe(before.implementations.treasury);
  expect(await deployScript(productionNode, VERIFY, configuration)).toMatchObject({ status: 0 });
  expect(await deployScript(productionNode, VERIFY_CODE, configuration)).toMatchObject({ status: 0 });
});

test("the printed commands explain the code of every contract that was deployed", async () => {
  const directory = join(DIRECTORY, "production");
  const records = ["Deploy", "Upgrade"].map((name) =>
    join(directory, "broadcast", `${name}.s.sol`, "1", "run-latest.json"),
  );
  const args = documentedArguments(PAGE, /pnpm contracts:sources (?=--chain)/);
  expect(args.at(-1)).toBe(join("broadcast", "Deploy.s.sol", "1", "run-latest.json"));
  const { status, output } = await outcomeOf(
    spawn(process.execPath, ["tools/sources.ts", ...args.slice(0, -1), ...records]),
  );
  expect(status, output).toBe(0);
  const { client } = new Sender(productionChain);
  const explained = new Set<Address>();
  for (const command of output.trim().split("\n")) {
    const word = (option: string) => new RegExp(`${option} (\\S+)`).exec(command)?.[1];
    const [, address, source] = /^pnpm forge verify-contract (0x\w{40}) (\S+) /.exec(command) ?? [];
    const [file, name] = source?.split(":") ?? [];
    const artifact = JSON.parse(readFileSync(join("out", basename(file ?? ""), `${name}.json`), "utf8"));
    const library = word("--libraries")?.split(":").at(-1)?.slice(2).toLowerCase() ?? "";
    const code: Hex = artifact.bytecode.object.replace(/__\$\w{34}\$__/g, library);
    const hash = word("--creation-transaction-hash") as Hex;
    const { blockNumber } = await client.getTransactionReceipt({ hash });
    // Creates it once more, from the account and in the state in which it was created.
    const { data } = await client.call({
      account: WALLETS.deployer.address,
      data: concat([code, (word("--constructor-args") as Hex | undefined) ?? "0x"]),
      blockNumber: blockNumber - 1n,
    });
    const deployed = await client.getCode({ address: address as Address });
    // A library has its own address in its code, and CREATE2 gave it another one than this call.
    const ownAddress = name?.endsWith("Library") ? /^0x73\w{40}/ : /^$/;
    expect(data?.replace(ownAddress, ""), command).toBe(deployed?.replace(ownAddress, ""));
    explained.add(address as Address);
  }
  const file = JSON.parse(readFileSync(join(directory, "evm", "mainnet.json"), "utf8"));
  const own = [
    ...[file.timelock, file.coreSwap, file.treasury, file.treasuryStablecoin.delegate],
    ...[...Object.values<Address>(file.implementations), ...Object.values<Address>(file.libraries)],
    ...[...file.stablecoins.map(({ delegate }: { delegate: Address }) => delegate)],
    ...[...file.rwas.map(({ priceAdapter }: { priceAdapter: Address }) => priceAdapter)],
  ];
  expect(own.filter((address) => !explained.has(getAddress(address)))).toEqual([]);
});

/** Runs `core upgrade` for the Safe, which writes its batch. */
function coreUpgrade(step: "--schedule" | "--execute") {
  const directory = join(DIRECTORY, "production");
  const deployment = { file: join(directory, "evm", "mainnet.json"), directory, node: productionChain };
  const batch = join(directory, "batch.json");
  const values = { $PROPOSER_SAFE: proposer, "schedule.json": batch, "execute.json": batch };
  return core(deployment, documentedArguments(PAGE, new RegExp(`pnpm core (?=upgrade ${step} )`), values));
}

/** Has the owner of the Safe execute the batch. */
async function proposeUpgrade(step: "--schedule" | "--execute"): Promise<void> {
  const { status, stderr } = await coreUpgrade(step);
  expect(status, stderr).toBe(0);
  await executeBatch(new Sender(productionChain), join(DIRECTORY, "production", "batch.json"));
}

/** Runs `pnpm contracts:upgrade` on the deployment behind the timelock. */
function upgrade({ rpcUrl }: Pick<ChainNode, "rpcUrl">, ...args: readonly string[]): Promise<Outcome> {
  return runUpgradeTool(["--network", "mainnet", "--rpc-url", rpcUrl, "--sender", WALLETS.deployer.address, ...args]);
}

/** Takes an executed upgrade over. */
function takeOver(): Promise<Outcome> {
  const values = { $RPC_URL: productionChain.rpcUrl };
  return runUpgradeTool(documentedArguments(PAGE, /pnpm contracts:upgrade (?=.*--executed)/, values));
}

function runUpgradeTool(args: readonly string[]): Promise<Outcome> {
  const directory = join(DIRECTORY, "production");
  // Runs in another process, because this one may serve the node.
  return outcomeOf(
    spawn(process.execPath, ["tools/upgrade.ts", ...args], {
      env: { ...process.env, DEPLOYMENTS_DIR: directory, FOUNDRY_BROADCAST: join(directory, "broadcast") },
    }),
  );
}

/** An existing token with 6 decimals on the chain behind the production node. */
async function createToken(symbol: string): Promise<Address> {
  const abi = parseAbi(["constructor(string name, string symbol, uint8 decimals)"]);
  const artifact = JSON.parse(readFileSync(join("out", "TestToken.sol", "TestToken.json"), "utf8"));
  const bytecode: Hex = artifact.bytecode.object;
  const data = encodeDeployData({ abi, bytecode, args: [symbol, symbol, 6] });
  const sender = new Sender(productionChain);
  const { contractAddress } = await sender.waitForReceipt(
    await sender.send({ from: "outsider", data, gas: 2_000_000n }),
  );
  if (!contractAddress) throw new Error(`no token ${symbol}`);
  return contractAddress;
}

/** Returns the example for mainnet with a value for every placeholder, and accounts that no development node has. */
function filledIn(example: string, [fund, dollar]: readonly [Address, Address]): string {
  const inOrder: Readonly<Record<string, string[]>> = {
    symbol: ["TRSY", "FUND", "USD", "FUND", "USD", "FUND"],
    name: ["Fund", "Dollar"],
    token: [fund, dollar],
    decimals: ["6", "6"],
    navWad: ["1000000000000000000"],
    usdValueWad: ["1000000000000000000"],
  };
  const accounts: Address[] = [];
  const account = () => {
    const next = getAddress(slice(keccak256(toHex(`account ${accounts.length}`)), 12));
    accounts.push(next);
    return next;
  };
  const filled = example.replace(/"(\w+)": (?:""|null|"0x0+")/g, (member: string, key: string) => {
    if (LEFT_OUT.has(key)) return member;
    const value = inOrder[key]?.shift() ?? (member.endsWith("null") ? "1000000000000000" : account());
    return `"${key}": "${value}"`;
  });
  return filled.replace('"plainAccounts": []', `"plainAccounts": ${JSON.stringify(accounts)}`);
}

function verifyScript(): Promise<Outcome> {
  return deployScript(node, VERIFY);
}

interface Outcome {
  readonly status: number;
  readonly output: string;
}

/** Runs the script. Its files for other configurations than the local example go to a separate folder. */
async function deployScript(
  { rpcUrl }: Pick<ChainNode, "rpcUrl">,
  options: readonly string[],
  configuration = CONFIGURATION,
): Promise<Outcome> {
  const directory = configuration === CONFIGURATION ? DIRECTORY : join(DIRECTORY, "production");
  const child = spawn(
    foundryBinary("forge"),
    [
      ...["script", "contracts/script/Deploy.s.sol", "--rpc-url", rpcUrl],
      ...["--sender", WALLETS.deployer.address, ...options],
    ],
    {
      env: {
        ...process.env,
        DEPLOY_CONFIG: configuration,
        DEPLOYMENTS_DIR: directory,
        FOUNDRY_BROADCAST: join(directory, "broadcast"),
      },
    },
  );
  return outcomeOf(child);
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, output: stdout + stderr };
}
