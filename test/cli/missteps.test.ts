/** Situations in which `core` and its keeper must not say or do again what is not so, on a real anvil. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hash,
  type Hex,
  http,
  keccak256,
  parseUnits,
  stringToHex,
  toFunctionSelector,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  coreSwapAbi,
  stablecoinDelegateAbi,
  timelockControllerAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "../../abis/index.ts";
import { testTokenAbi } from "../../localnet/abis.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { navTypedData } from "../../packages/cli/src/keeper/navSource.ts";
import { showDay } from "../../packages/cli/src/text.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { documentedArguments } from "../support/documented.ts";
import { startFaultyNode } from "../support/faultyNode.ts";
import { call, core, coreAlone, type Deployed, deploy, executeBatch } from "./support/deployed.ts";
import { callAsAdmin, KeeperProcess, KeeperWorld } from "./support/keeper.ts";

const TRADER = WALLETS.trader1.address;
const NAV_POSTER = WALLETS.blacklister.address;
const PROPOSER = WALLETS.operator.address;
/** Also pauses the treasury token, and corrects rates. */
const GUARDIAN = WALLETS.admin.address;
const SCHEDULED = getAbiItem({ abi: timelockControllerAbi, name: "CallScheduled" });

interface Day {
  /** In days since 1970. */
  readonly day: bigint;
  readonly name: string;
}

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy("missteps");
});

afterAll(() => deployed?.node.stop());

const unlocked = (from: string) => ["--broadcast", "--unlocked", "--from", from];
const SWAP = ["swap", "100", "TBILL", "USDX", ...unlocked(TRADER)];
const reads = () => deployed.sender.client;
const balanceOf = (token: Address) =>
  reads().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [TRADER] });

function parties() {
  const [rwa, credit] = deployed.deployment.rwas;
  const [stablecoin] = deployed.deployment.stablecoins;
  if (!rwa || !credit || !stablecoin) throw new Error("the deployment lacks assets");
  return { rwa, credit, stablecoin };
}

async function mint(token: Address, account: Address): Promise<void> {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: "mint", args: [account, parseUnits("1000", 6)] });
  await call(deployed.sender, "outsider", token, data);
}

/** Sends a call from an account of the node. */
async function sendFrom(account: Address, to: Address, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, transport: http(deployed.node.rpcUrl) });
  const hash = await wallet.sendTransaction({ chain: null, to, data, gas: 1_000_000n });
  expect((await deployed.sender.waitForReceipt(hash)).status).toBe("0x1");
}

const approvalOf = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });

/**
 * Runs a command that sends transactions. All answers of the node from that to the last one of them on are lost.
 * @param count how many it sends
 * @param begin what the node's first answer waits for
 */
async function lose(words: readonly string[], count: number, begin?: Promise<void>): Promise<void> {
  let sent = 0;
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) => {
    await begin;
    if (method !== "eth_sendRawTransaction") return sent < count ? { result: await result() } : "reset";
    sent++;
    const taken = (await result()) as Hash;
    // Mined, so that those before the last have their receipts at once, however slow the node is.
    await deployed.sender.waitForReceipt(taken);
    return sent < count ? { result: taken } : "reset";
  });
  try {
    expect((await core(deployed, [...words, "--wait-seconds", "1"], node.rpcUrl)).stderr).toContain("has no receipt");
  } finally {
    await node.stop();
  }
}

test("a swap whose answer was lost is not made again by the same command, although the quote has changed", async () => {
  const { rwa, stablecoin } = parties();
  const view = { address: stablecoin.delegate, abi: stablecoinDelegateAbi } as const;
  await mint(rwa.token, TRADER);
  await mint(stablecoin.token, await reads().readContract({ ...view, functionName: "stablecoinCustodyAddress" }));
  await lose(SWAP, 2);
  const [before, received] = [await balanceOf(rwa.token), await balanceOf(stablecoin.token)];
  expect(before).toBe(parseUnits("900", 6));
  const moved = await core(deployed, ["nav", "post", "TBILL", "1.0524", ...unlocked(NAV_POSTER)]);
  expect(moved, moved.stderr).toMatchObject({ status: 0 });

  // A run that fails after it has found the transaction does not forget it.
  const failing = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) =>
    method === "eth_call" ? "reset" : { result: await result() },
  );
  const failed = await core(deployed, SWAP, failing.rpcUrl);
  await failing.stop();
  expect(failed).toMatchObject({ status: 1, stdout: expect.stringContaining("Sent by an earlier run") });

  const again = await core(deployed, SWAP);
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining("of an earlier command, did swap(") });
  expect(again.stdout).toMatch(/^Sent by an earlier run: 0x\w{64}, block \d+, \d{4}-\d\d-\d\d .+ UTC, success\n$/);
  expect(await balanceOf(rwa.token)).toBe(before);
  // Whoever means another one says so by running it again.
  const meant = await core(deployed, SWAP);
  expect(meant, meant.stderr).toMatchObject({ status: 0 });
  expect(await balanceOf(rwa.token)).toBe(parseUnits("800", 6));
  expect(await balanceOf(stablecoin.token)).toBeGreaterThan(received);
});

test("a command with nothing to do does not forget the swap that another one sent meanwhile", async () => {
  const { rwa } = parties();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) => {
    if (method === "eth_call") await held;
    return { result: await result() };
  });
  try {
    // Its first call is made after it has found no transaction of an earlier command.
    const accruing = core(deployed, ["accrue", TRADER, ...unlocked(TRADER)], node.rpcUrl);
    const calling = waitUntil("it makes a call", async () => (node.calls.has("eth_call") ? null : "it has not yet"), {
      deadlineMs: 120_000,
    });
    // Its process starts meanwhile, because the held call has a time-out.
    await lose(SWAP, 2, calling);
    const before = await balanceOf(rwa.token);
    goOn();
    const accrued = await accruing;
    expect(accrued, accrued.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing to do") });
    const again = await core(deployed, SWAP);
    expect(await balanceOf(rwa.token)).toBe(before);
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining("of an earlier command, did swap(") });
  } finally {
    goOn();
    await node.stop();
  }
});

test("a swap approves anew what an approval, whose answer was lost, no longer allows", async () => {
  const { rwa, stablecoin } = parties();
  await lose(SWAP, 1);
  const before = await balanceOf(rwa.token);
  await sendFrom(TRADER, rwa.token, approvalOf(stablecoin.delegate, 0n));
  const again = await core(deployed, SWAP);
  expect(again, again.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     2/2") });
  expect(await balanceOf(rwa.token)).toBe(before - parseUnits("100", 6));
});

test("a pause whose answer was lost is not made twice, and is made again when it was ended since", async () => {
  const { coreSwap } = deployed.deployment;
  const pause = ["pause", "coreswap", ...unlocked(GUARDIAN)];
  const nonceBefore = await reads().getTransactionCount({ address: GUARDIAN });
  await lose(pause, 1);
  const shown = await core(deployed, ["pause", "coreswap", "--from", GUARDIAN]);
  expect(shown).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/nothing to do\nnote {5}coreswap: PAUSED\n$/),
  });
  await callAsAdmin(deployed, coreSwap, encodeFunctionData({ abi: coreSwapAbi, functionName: "unpause" }));

  const again = await core(deployed, pause);
  expect(again, again.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     1/1") });
  const isPaused = () => reads().readContract({ address: coreSwap, abi: coreSwapAbi, functionName: "paused" });
  expect(await isPaused()).toBe(true);

  await lose(["pause", "treasury", ...unlocked(GUARDIAN)], 1);
  const direct = await core(deployed, ["pause", "treasury", ...unlocked(GUARDIAN)]);
  expect(direct, direct.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing to do") });
  expect(await reads().getTransactionCount({ address: GUARDIAN })).toBe(nonceBefore + 3);
  const over = await core(deployed, ["unpause", "treasury", ...unlocked(GUARDIAN)]);
  expect(over, over.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     1/1") });
  await callAsAdmin(deployed, coreSwap, encodeFunctionData({ abi: coreSwapAbi, functionName: "unpause" }));
});

test("a guardian pauses an LP that an issuer admin has paused, and a second time nothing is sent", async () => {
  const { stablecoin } = parties();
  const pause = (from: string) => core(deployed, ["pause", "lp:USDX", ...unlocked(from)]);
  for (const from of [stablecoin.issuerAdmin, GUARDIAN]) {
    const paused = await pause(from);
    expect(paused, paused.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     1/1") });
    const by = from === GUARDIAN ? "the guardian and an issuer admin" : "an issuer admin";
    expect(await pause(from)).toMatchObject({
      status: 0,
      stdout: `Pause lp:USDX: nothing to do\nnote     lp:USDX: PAUSED by ${by}\n`,
    });
  }
  for (const from of [GUARDIAN, stablecoin.issuerAdmin]) {
    const ended = await core(deployed, ["unpause", "lp:USDX", ...unlocked(from)]);
    expect(ended, ended.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     1/1") });
    // The pause of the other one still holds, so this is not a success.
    if (from === GUARDIAN) {
      const own = await core(deployed, ["unpause", "lp:USDX", ...unlocked(from)]);
      expect(own).toMatchObject({ status: 1, stderr: expect.stringContaining("ExpectedPause()") });
    }
  }
  expect(await core(deployed, ["unpause", "lp:USDX", ...unlocked(GUARDIAN)])).toMatchObject({
    status: 0,
    stdout: "Unpause lp:USDX: nothing to do\nnote     lp:USDX: runs\n",
  });
});

test("a scheduling whose answer was lost is told once, and then made again when it was cancelled since", async () => {
  const { timelock = "0x" } = deployed.deployment;
  const schedule = ["cap", "set", "USDX", "TBILL", "none", "--schedule", ...unlocked(PROPOSER)];
  await lose(schedule, 1);
  const [log] = await reads().getLogs({ address: timelock, event: SCHEDULED, fromBlock: "latest" });
  const data = encodeFunctionData({ abi: timelockControllerAbi, functionName: "cancel", args: [log?.args.id ?? "0x"] });
  await call(deployed.sender, "admin", timelock, data);
  const told = await core(deployed, schedule);
  expect(told).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/of an earlier command, did scheduleBatch\(.+Run the command again to send it anew/s),
  });
  const anew = await core(deployed, schedule);
  expect(anew, anew.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     1/1") });
});

test("a node that gives no old events does not make what they show look as if it had never happened", async () => {
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) => ({
    result: method === "eth_getLogs" ? [] : await result(),
  }));
  const late = join(deployed.directory, "late.json");
  const startBlock = Number(await reads().getBlockNumber());
  writeFileSync(late, JSON.stringify({ ...JSON.parse(readFileSync(deployed.file, "utf8")), startBlock }));
  const commands = [
    ["verify", "--config", deployed.configuration],
    ["status", "--solvency"],
    ["accrue", "--all", "--from", TRADER],
    ["queue"],
  ];
  try {
    for (const words of commands) {
      for (const outcome of [
        await core(deployed, words, node.rpcUrl),
        await core({ ...deployed, file: late }, words),
      ]) {
        const stderr = expect.stringMatching(/^the node gives no events of 0x\w{40} since block \d+: .+\n$/);
        expect(outcome, words.join(" ")).toMatchObject({ status: 1, stdout: "", stderr });
      }
    }
    const status = await core(deployed, ["status"], node.rpcUrl);
    expect(status).toMatchObject({ status: 0, stderr: "" });
    expect(status.stdout).toContain("what the timelock has queued is unknown: the node gives no events of");
  } finally {
    await node.stop();
  }
});

test("ether that anybody sends to a Safe does not prove that its owners can sign", async () => {
  const { sender, safe, directory } = deployed;
  const { rwa } = parties();
  const args = [keccak256(stringToHex("NAV_POSTER_ROLE")), safe] as const;
  await callAsAdmin(
    deployed,
    rwa.priceAdapter,
    encodeFunctionData({ abi: treasuryAbi, functionName: "grantRole", args }),
  );
  const rotate = ["roles", "rotate", "nav:TBILL", "NAV_POSTER_ROLE", NAV_POSTER, safe];
  const gift = await sender.send({ from: "outsider", to: safe, data: "0x", value: 1n, gas: 100_000n });
  expect((await sender.waitForReceipt(gift)).status).toBe("0x1");
  expect(await core(deployed, [...rotate, "--proof", gift])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${safe} took no part in it`),
  });
  const batch = join(directory, "proof.json");
  const written = await core(deployed, [...rotate, "--from", safe, "--safe", batch]);
  expect(written, written.stderr).toMatchObject({ status: 0 });
  await executeBatch(sender, batch);
  const { transactions } = await reads().getBlock();
  const proven = await core(deployed, [...rotate, "--proof", transactions.at(-1) ?? "0x"]);
  expect(proven, proven.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("revoke it from") });
});

test("a keeper outlives a node that fails while the holdings of an LP are read", async () => {
  const world = await KeeperWorld.create(deployed);
  const selector = toFunctionSelector("rwaWhitelist(address)").slice(2);
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ params }, result) =>
    // What the LP holds of its own stablecoin is read in the same request, so both fail together.
    JSON.stringify(params).includes(selector) ? { status: 403, body: "refused" } : { result: await result() },
  );
  const keeper = KeeperProcess.start(
    world,
    world.config({ rpcUrl: node.rpcUrl, alerts: { webhookUrl: null, graceSeconds: 1 } }),
  );
  try {
    await keeper.logged(/round failed: the state cannot be read at block \d+: the node failed: /);
    node.spoil(null);
    await keeper.rounds(2);
  } finally {
    await keeper.end("SIGKILL");
    await node.stop();
  }
});

test("the keeper's dry run shows what would revert, and what its account lacks", async () => {
  const world = await KeeperWorld.create(deployed);
  const { credit } = parties();
  const source = join(process.cwd(), deployed.directory, "credit.json");
  const [adapter, signer] = [credit.priceAdapter, WALLETS.client3];
  await world.mine(1);
  const asOf = await world.now();
  const navWad = await reads().readContract({
    address: adapter,
    abi: [{ type: "function", name: "navWad", inputs: [], outputs: [{ type: "uint256" }], stateMutability: "view" }],
    functionName: "navWad",
  });
  const signature = await signer.signTypedData(navTypedData({ adapter, chainId: 1 }, { navWad, asOf }));
  const nav = `${navWad / 10n ** 18n}.${String(navWad % 10n ** 18n).padStart(18, "0")}`;
  writeFileSync(source, JSON.stringify({ nav, asOf: Number(asOf), signature }));
  const path = join(deployed.directory, "dry.json");
  const { gas, ...config } = world.config();
  const navs = [{ rwa: "CREDIT", source, signer: signer.address, maxAgeSeconds: 90_000 }];
  writeFileSync(path, JSON.stringify({ ...config, navs, gas: { ...gas, minBalanceEth: "1000000000" } }));
  const { status, stdout, stderr } = await coreAlone(
    documentedArguments("docs/keeper.md", /pnpm core (?!.*--broadcast)/, { "keeper.json": path }),
  );
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`^alert {4}action:nav:${adapter}: NAV of CREDIT.+AccessControlUnauthorizedAccount`, "m"),
  );
  expect(stdout).toMatch(/^alert {4}balance: the keeper's account 0x\w{40} has \d/m);
  expect(stdout).toContain("There is nothing to do.");
});

test("a node that cannot find the last block of a day does not keep NAVs from being posted", async () => {
  const world = await KeeperWorld.create(deployed);
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method, params }, result) =>
    method === "eth_getBlockByNumber" && params[0] === "finalized"
      ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "no final block" } }) }
      : { result: await result() },
  );
  const keeper = KeeperProcess.start(
    world,
    world.config({ rpcUrl: node.rpcUrl, alerts: { webhookUrl: null, graceSeconds: 1 } }),
  );
  try {
    await world.passDay({ rateBps: 430, nav: "1.0525" });
    await waitUntil("the NAV is posted", async () => ((await world.nav()) === "1.0525" ? null : keeper.log), {
      deadlineMs: 120_000,
    });
    await keeper.logged("the node cannot find the last block of that day: no final block");
  } finally {
    await keeper.end("SIGKILL");
    await node.stop();
  }
});

test("a rate that was changed since a lost correction of it is corrected again", async () => {
  const delegate = deployed.deployment.treasuryStablecoin.delegate;
  const view = { address: delegate, abi: treasuryDelegateAbi } as const;
  const last = await reads().readContract({ ...view, functionName: "lastRatePostingDay" });
  const [first, second] = [last - 1n, last].map((day) => ({ day, name: showDay(day) })) as [Day, Day];
  const correct = (...words: readonly string[]) => ["rate", "correct", ...words, ...unlocked(GUARDIAN)];
  await lose(correct(`${first.name}=4.5%`), 1);
  const args = [first.day, parseUnits("0.05", 18)] as const;
  await sendFrom(GUARDIAN, delegate, encodeFunctionData({ ...view, functionName: "correctDailyRate", args }));
  const both = await core(deployed, correct(`${first.name}=4.5%`, `${second.name}=4.4%`));
  expect(both, both.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     2/2") });
  const rateOf = ({ day }: Day) => reads().readContract({ ...view, functionName: "getDailyRate", args: [day] });
  // Net of the management fee of 0.5 %.
  expect(await Promise.all([first, second].map(rateOf))).toEqual([
    [parseUnits("0.04", 18), true],
    [parseUnits("0.039", 18), true],
  ]);
});
