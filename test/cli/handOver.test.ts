/**
 * What a dishonest deployer does before it gives up its roles is named later, although it restores every setting. Each
 * test sends the transactions of an honest deployment once more, to another node, with what the deployer adds or changes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  type Abi,
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseGwei,
  toHex,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreSwapAbi, timelockControllerAbi, treasuryAbi, treasuryDelegateAbi } from "../../abis/index.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { foundryBinary } from "../../tools/lib/foundry.ts";
import { type Artifact, core, create, type Deployed, deploy, TIMELOCK_DELAY_SECONDS } from "./support/deployed.ts";

const DEPLOYER = WALLETS.deployer.address;
const THIEF = WALLETS.trader1.address;
const PHANTOM = WALLETS.trader2.address;
const CLIENT = WALLETS.client1.address;
const WAD = 10n ** 18n;
const testTokenAbi = parseAbi(["function mint(address, uint256)", "function approve(address, uint256)"]);

interface Sent {
  readonly from: Address;
  readonly to: Address | null;
  readonly input: Hex;
}

/** Takes what the deployer adds before a transaction, and returns the calldata that it sends. */
type Change = (transaction: Sent, sender: Sender) => Promise<Hex>;

const nodes: ChainNode[] = [];
let honest: Deployed;

beforeAll(async () => {
  honest = await deploy("handOver");
  nodes.push(honest.node);
});

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

test("credits of tokens that the deployer burned are named later, and those of users are not", async () => {
  const { delegate } = honest.deployment.treasuryStablecoin;
  const args = [zeroHash, DEPLOYER] as const;
  const lastStep = encodeFunctionData({ abi: treasuryDelegateAbi, functionName: "renounceRole", args });
  const { node, sender } = await deployAgain("credits", async ({ to, input }, sender) => {
    if (input === lastStep && to && isAddressEqual(to, delegate)) await leaveCredits(sender);
    return input;
  });
  const script = await runVerify(node);
  expect(script.status).not.toBe(0);
  const [, account, transaction] = /CreditsAdded\((0x\w{40}), (0x\w{64})\)/.exec(script.output) ?? [];
  expect(account, script.output).toBe(PHANTOM);

  await depositAfterwards(sender);
  const { status, stdout, stderr } = await verify(node, "--creations", "--json");
  expect(status, stderr).toBe(1);
  const when = "before the deployer gave up its last role";
  expect(JSON.parse(stdout).differences).toEqual([
    expect.objectContaining({ transaction, text: `${PHANTOM} got credits for 300000000000 TRSY ${when}` }),
    expect.objectContaining({ transaction, text: `${PHANTOM} was minted 300000000000 TRSY ${when}` }),
  ]);
});

test("a proxy that was created with other code than that of the deployment file is named", async () => {
  const { treasury, implementations } = honest.deployment;
  const proxyCode = artifact("ERC1967Proxy").bytecode;
  const words = encodeAbiParameters([{ type: "address" }], [implementations.treasury]).slice(2);
  const hidingCode = artifact("HidingImplementation");
  let hiding: Address | undefined;
  const { node, sender } = await deployAgain("implementation", async ({ to, input }, sender) => {
    if (to !== null || !input.startsWith(`${proxyCode}${words}`)) return input;
    hiding = await create(sender, hidingCode, []);
    const parameters = [{ type: "address" }, { type: "bytes" }] as const;
    const [, initialization] = decodeAbiParameters(parameters, `0x${input.slice(proxyCode.length)}`);
    const args = [implementations.treasury, initialization, THIEF];
    const data = encodeFunctionData({ abi: hidingCode.abi, functionName: "initialize", args });
    return `${proxyCode}${encodeAbiParameters(parameters, [hiding, data]).slice(2)}`;
  });
  const held = { address: treasury, abi: treasuryAbi, functionName: "hasRole", args: [zeroHash, THIEF] } as const;
  expect(await sender.client.readContract(held)).toBe(true);
  expect(await verify(node)).toMatchObject({ status: 0, stderr: "" });
  const { status, stdout } = await verify(node, "--creations");
  expect(status).toBe(1);
  expect([...stdout.matchAll(/^differs {2}(.+)$/gm)].map(([, text]) => text)).toEqual([
    `treasury was created with implementation ${hiding}, in the deployment file ${implementations.treasury}`,
  ]);
});

test("what ran through a timelock whose delay was short is named, also if others than the deployer proposed it", async () => {
  const { timelock, treasury } = honest.deployment;
  if (timelock === undefined) throw new Error("the deployment has no timelock");
  const delay = BigInt(TIMELOCK_DELAY_SECONDS);
  const words = (seconds: bigint) => encodeAbiParameters([{ type: "uint256" }], [seconds]).slice(2);
  const timelockCode = artifact("TimelockController").bytecode;
  const { node, sender } = await deployAgain("shortDelay", async ({ to, input }) =>
    to === null && input.startsWith(`${timelockCode}${words(delay)}`)
      ? `${timelockCode}${words(0n)}${input.slice(timelockCode.length + words(delay).length)}`
      : input,
  );
  const minter = [keccak256(toHex("MINTER_ROLE")), PHANTOM] as const;
  const calls = [
    { to: treasury, data: encodeFunctionData({ abi: treasuryAbi, functionName: "grantRole", args: minter }) },
    { to: treasury, data: encodeFunctionData({ abi: treasuryAbi, functionName: "revokeRole", args: minter }) },
    {
      to: timelock,
      data: encodeFunctionData({ abi: timelockControllerAbi, functionName: "updateDelay", args: [delay] }),
    },
  ];
  const batch = [
    calls.map((call) => call.to),
    [0n, 0n, 0n],
    calls.map(({ data }) => data),
    zeroHash,
    zeroHash,
  ] as const;
  const byProposer = (input: Hex) => send(sender, { from: WALLETS.operator.address, to: timelock, input });
  const abi = timelockControllerAbi;
  await byProposer(encodeFunctionData({ abi, functionName: "scheduleBatch", args: [...batch, 0n] }));
  await byProposer(encodeFunctionData({ abi, functionName: "executeBatch", args: batch }));
  expect(await verify(node)).toMatchObject({ status: 0, stderr: "" });
  const { status, stdout } = await verify(node, "--creations");
  expect(status).toBe(1);
  expect([...stdout.matchAll(/^differs {2}(.+)$/gm)].map(([, text]) => text)).toEqual([
    expect.stringMatching(
      /^operation 0x\w{64} of the timelock was scheduled with a delay of 0 s, shorter than 86400 s$/,
    ),
  ]);
});

/** Sends the transactions of the honest deployment to a new node, where contracts have the same addresses. */
async function deployAgain(name: string, change: Change) {
  const { client } = honest.sender;
  const [{ timestamp }, newest] = await Promise.all([client.getBlock({ blockNumber: 0n }), client.getBlockNumber()]);
  const logFile = join(honest.directory, `${name}.log`);
  const node = await startNode({ chainId: 1, timestamp: Number(timestamp), logFile });
  nodes.push(node);
  const sender = new Sender(node);
  for (let blockNumber = 1n; blockNumber <= newest; blockNumber++) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, to, input } of transactions) {
      await send(sender, { from, to, input: await change({ from, to, input }, sender) });
    }
  }
  return { node, sender };
}

/** Buys tokens at a price of the deployer's own, burns them and undoes every setting. */
async function leaveCredits(sender: Sender): Promise<void> {
  const { coreSwap, treasury, treasuryStablecoin } = honest.deployment;
  const { delegate } = treasuryStablecoin;
  const { id, token } = dollar();
  const role = (name: string) => keccak256(toHex(name));
  const by = (from: Address, to: Address, abi: Abi) => (functionName: string, args: readonly unknown[]) =>
    send(sender, { from, to, input: encodeFunctionData({ abi, functionName, args }) });
  const issuer = by(DEPLOYER, delegate, treasuryDelegateAbi);
  const operator = by(DEPLOYER, coreSwap, coreSwapAbi);
  const tokenAdmin = by(DEPLOYER, treasury, treasuryAbi);
  const thief = by(THIEF, delegate, treasuryDelegateAbi);
  await tokenAdmin("grantRole", [role("MINTER_ROLE"), delegate]);
  await tokenAdmin("grantRole", [role("WHITELISTER_ROLE"), DEPLOYER]);
  await tokenAdmin("addToWhitelist", [PHANTOM]);
  await operator("setStablecoinUSDValue", [id, 300_000_000n * WAD]);
  await issuer("addIssuerAdmin", [THIEF]);
  await thief("setRWACustodyAddress", [delegate]);
  await thief("setStablecoinCustodyAddress", [delegate]);
  await thief("whitelistStablecoin", [token, true]);
  await deposit(sender, THIEF, PHANTOM);
  const balance = await sender.client.readContract({
    address: treasury,
    abi: treasuryAbi,
    functionName: "balanceOf",
    args: [PHANTOM],
  });
  await by(PHANTOM, treasury, treasuryAbi)("burn", [balance]);
  await thief("whitelistStablecoin", [token, false]);
  await issuer("removeIssuerAdmin", [THIEF]);
  await operator("setStablecoinUSDValue", [id, WAD]);
  await tokenAdmin("removeFromWhitelist", [PHANTOM]);
}

/** A user deposits once the deployment is in use. */
async function depositAfterwards(sender: Sender): Promise<void> {
  const input = encodeFunctionData({ abi: treasuryAbi, functionName: "addToWhitelist", args: [CLIENT] });
  const { whitelister } = JSON.parse(readFileSync(honest.configuration, "utf8")).treasury;
  await send(sender, { from: whitelister, to: honest.deployment.treasury, input });
  await deposit(sender, CLIENT, CLIENT);
}

/** Swaps 1,000 USDX for the treasury token. */
async function deposit(sender: Sender, from: Address, receiver: Address): Promise<void> {
  const { coreSwap, treasuryStablecoin } = honest.deployment;
  const { id, token } = dollar();
  const amount = 1_000_000_000n;
  const leg = {
    ...{ routeId: 7n, assetInID: id, assetOutID: treasuryStablecoin.id, stablecoinDelegateID: treasuryStablecoin.id },
    ...{ assetInAmt: amount, assetOutAmt: 0n },
  };
  const swap = { functionName: "swap", args: [from, receiver, [leg], { deadline: 0n, signature: "0x" }] } as const;
  const calls = [
    { to: token, input: encodeFunctionData({ abi: testTokenAbi, functionName: "mint", args: [from, amount] }) },
    {
      to: token,
      input: encodeFunctionData({
        abi: testTokenAbi,
        functionName: "approve",
        args: [treasuryStablecoin.delegate, amount],
      }),
    },
    { to: coreSwap, input: encodeFunctionData({ abi: coreSwapAbi, ...swap }) },
  ];
  for (const call of calls) await send(sender, { from, ...call });
}

function dollar() {
  const found = honest.deployment.stablecoins.find(({ symbol }) => symbol === "USDX");
  if (found === undefined) throw new Error("the deployment has no USDX");
  return found;
}

/** Sends from an account of the node, and requires success. */
async function send(sender: Sender, { from, to, input }: Sent): Promise<void> {
  const fields = { gas: 30_000_000n, gasPrice: parseGwei("10") };
  const hash = await sender.client.sendUnsignedTransaction({ from, to, data: input, ...fields });
  const { status } = await sender.waitForReceipt(hash);
  if (status !== "0x1") throw new Error(`a transaction of ${from} to ${to} reverted: ${input.slice(0, 10)}`);
}

/** Runs `core verify` on a node. */
function verify({ rpcUrl }: ChainNode, ...options: readonly string[]) {
  return core(honest, ["verify", "--config", honest.configuration, ...options], rpcUrl);
}

/** Runs the script's `verify()` on a node. */
async function runVerify({ rpcUrl }: ChainNode) {
  const script = ["script", "contracts/script/Deploy.s.sol", "--sender", DEPLOYER, "--sig", "verify()"];
  const env = { ...process.env, DEPLOY_CONFIG: honest.configuration, DEPLOYMENTS_DIR: honest.directory };
  const child = spawn(foundryBinary("forge"), [...script, "--rpc-url", rpcUrl], { env });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, output: stdout + stderr };
}

function artifact(name: string): Artifact {
  const { abi, bytecode } = JSON.parse(readFileSync(join("out", `${name}.sol`, `${name}.json`), "utf8"));
  return { abi, bytecode: bytecode.object };
}
