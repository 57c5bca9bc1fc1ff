/**
 * The first days of a protocol, from a deployment in which no party has acted yet. Each test continues where the
 * previous one ended.
 */
import { readFileSync } from "node:fs";
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "../../abis/index.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { readDeployment } from "../../packages/cli/src/chain/deployment.ts";
import { readConfiguration } from "../../packages/cli/src/desired/configuration.ts";
import { navAdapterOf } from "../../packages/cli/src/desired/creations.ts";
import { call, create, TIMELOCK_DELAY_SECONDS } from "./support/deployed.ts";
import { ACCOUNTS, FirstDays, testToken, unlocked, withDollar, withFund } from "./support/firstDays.ts";

const {
  proposer: PROPOSER,
  guardian: GUARDIAN,
  navPoster: NAV_POSTER,
  ratePoster: RATE_POSTER,
  depositor: DEPOSITOR,
  successor: SUCCESSOR,
} = ACCOUNTS;
const OTHER = WALLETS.depositor3.address;
const STRANGER = WALLETS.outsider.address;
const DAY_SECONDS = 86_400;
const WAD = 10n ** 18n;

let days: FirstDays;
/** A transaction of the account that later becomes the NAV poster. */
let accrual = "";

beforeAll(async () => {
  days = await FirstDays.start();
});

afterAll(() => days?.stop());

test("the parties take their steps through Safe files, until the chain is as configured", async () => {
  const before = await days.run("verify", ...days.configured);
  expect(before.status).toBe(1);
  expect(before.stdout).toContain("a step of the deployment that is still to be done");
  const { differences } = JSON.parse((await days.run("verify", ...days.configured, "--json")).stdout);
  expect(differences).toContainEqual(expect.objectContaining({ origin: "no event", event: null }));
  const listed = await days.succeed("steps", ...days.configured, "--json");
  const { steps } = JSON.parse(listed.stdout) as { steps: { by: string; call: string }[] };
  expect(new Set(steps.map(({ by }) => by.slice(0, 42)))).toEqual(
    new Set([days.safes.issuer, days.safes.usdxCustody, days.safes.treasuryCustody]),
  );
  // The issuer admin's steps need the consent of custody.
  const early = await days.refusal("steps", ...days.configured, "--from", days.safes.issuer);
  expect(early).toContain("AddressNotAllowed");
  await days.throughSafe(days.safes.usdxCustody, "steps", ...days.configured);
  await days.throughSafe(days.safes.treasuryCustody, "steps", ...days.configured);
  await days.throughSafe(days.safes.issuer, "steps", ...days.configured);
  expect((await days.succeed("steps", ...days.configured)).stdout).toBe(
    "Nothing is left to do: the chain is as configured\n",
  );
  expect((await days.succeed("verify", ...days.configured)).stdout).toContain("nothing differs");
});

test("a whitelisted account deposits within its bound, and a stranger is refused", async () => {
  const { timestamp } = await days.reads.getBlock();
  const yesterday = new Date(Number(timestamp - 86_400n) * 1000).toISOString().slice(0, 10);
  await days.succeed("nav", "post", "TBILL", "1.053", ...unlocked(NAV_POSTER));
  await days.succeed("rate", "post", `${yesterday}=4.5%`, ...unlocked(RATE_POSTER));
  const { token, delegate } = days.stablecoin(0);
  await days.mint(token, DEPOSITOR, parseUnits("5000", 6));
  expect(await days.refusal("deposit", "1000", "USDX", "--from", DEPOSITOR)).toContain("would revert: ");
  await days.succeed("whitelist", "add", DEPOSITOR, ...unlocked(GUARDIAN));
  expect(await days.refusal("deposit", "1000", "USDX", "--from", DEPOSITOR, "--bound", "1001")).toContain(
    "beyond the bound of 1001 TRSY",
  );
  const shown = await days.succeed("deposit", "1000", "USDX", "--from", DEPOSITOR);
  expect(shown.stdout).toContain("approve(spender: ");
  expect(await days.balanceOf(days.deployed.deployment.treasury, DEPOSITOR)).toBe(0n);
  await days.succeed("deposit", "1000", "USDX", ...unlocked(DEPOSITOR));
  await days.mint(token, OTHER, parseUnits("10", 6));
  await days.succeed("whitelist", "add", OTHER, DEPOSITOR, ...unlocked(GUARDIAN));
  await days.succeed("deposit", "10", "USDX", ...unlocked(OTHER));
  expect(await days.balanceOf(days.deployed.deployment.treasury, DEPOSITOR)).toBe(1_000n * WAD);
  const treasuryDelegate = days.deployed.deployment.treasuryStablecoin.delegate;
  for (const spender of [treasuryDelegate, delegate]) {
    const args = [DEPOSITOR, spender] as const;
    expect(await days.reads.readContract({ address: token, abi: erc20Abi, functionName: "allowance", args })).toBe(0n);
  }
});

test("late rates are posted in order, and every account accrues them in batches", async () => {
  await days.passTime(4 * DAY_SECONDS);
  expect((await days.succeed("status")).stdout).toContain("4 daily rates are missing");
  await days.succeed("rate", "post", ...(await days.missingDays("4.6%")), ...unlocked(RATE_POSTER));
  const idle = await days.run("rate", "post", "4.6%");
  expect(idle).toMatchObject({ status: 0, stdout: "Post daily rates: nothing to do\n" });
  expect(await days.refusal("accrue", DEPOSITOR)).toContain("--from");
  expect(await days.refusal("accrue", "--all", "--gas-per-batch", "30000", "--from", SUCCESSOR)).toContain(
    "raise --gas-per-batch",
  );
  const one = await days.succeed("accrue", DEPOSITOR, "--from", SUCCESSOR);
  const gas = Number(/^gas {6}(\d+)$/m.exec(one.stdout)?.[1]);
  const batches = ["--gas-per-batch", String(gas + 20_000)];
  const part = await days.succeed(
    "accrue",
    "--all",
    ...batches,
    "--gas-per-run",
    String(gas + 160_000),
    "--from",
    SUCCESSOR,
  );
  expect(part.stdout).toContain("Accrue 1 of 2 accounts in 1 transactions, and leave 1 for another run");
  const { stdout } = await days.succeed("accrue", "--all", ...batches, ...unlocked(SUCCESSOR));
  expect(stdout).toContain("Accrue 2 of 2 accounts in 2 transactions");
  accrual = /sent {5}2\/2 (0x\w{64})/.exec(stdout)?.[1] ?? "";
  const address = days.deployed.deployment.treasuryStablecoin.delegate;
  const args = [DEPOSITOR] as const;
  expect(await days.reads.readContract({ address, abi: treasuryDelegateAbi, functionName: "credits", args })).toBe(
    1_000n * WAD,
  );
  expect((await days.succeed("accrue", "--all", "--from", SUCCESSOR)).stdout).toContain("nothing to do");
});

test("a redemption pays the yield", async () => {
  const { token } = days.stablecoin(0);
  const before = await days.balanceOf(token, DEPOSITOR);
  await days.succeed("redeem", "100", "USDX", ...unlocked(DEPOSITOR));
  const paid = (await days.balanceOf(token, DEPOSITOR)) - before;
  expect(paid).toBeGreaterThan(parseUnits("100", 6));
  expect(paid).toBeLessThan(parseUnits("100.1", 6));
  // More than the estimate, because a deposit into the LP's reserve may follow.
  const { transactions } = await days.reads.getBlock({ includeTransactions: true });
  expect(transactions.at(-1)?.gas).toBeGreaterThan(500_000n);
});

test("another account sends a signed swap, once", async () => {
  const { token } = days.stablecoin(0);
  const treasury = days.deployed.deployment.treasuryStablecoin;
  const words = ["100", "USDX", treasury.symbol];
  expect(await days.refusal("sign-permit", ...words)).toContain("--operator");
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [treasury.delegate, parseUnits("100", 6)],
  });
  await call(days.deployed.sender, "depositor1", token, data);
  const operator = WALLETS.relayer.address;
  const { stdout } = await days.succeed(
    "sign-permit",
    ...words,
    "--operator",
    operator,
    "--unlocked",
    "--from",
    DEPOSITOR,
  );
  const permit = JSON.parse(stdout) as { to: Address; data: Hex };
  const before = await days.balanceOf(token, DEPOSITOR);
  await expect(call(days.deployed.sender, "outsider", permit.to, permit.data)).rejects.toThrow("reverted");
  await call(days.deployed.sender, "relayer", permit.to, permit.data);
  expect(before - (await days.balanceOf(token, DEPOSITOR))).toBe(parseUnits("100", 6));
  await expect(call(days.deployed.sender, "relayer", permit.to, permit.data)).rejects.toThrow("reverted");
});

test("the guardian lowers a cap immediately, the timelock raises it, and verify names the transaction", async () => {
  const lowered = await days.succeed("cap", "set", "USDX", "TBILL", "5", ...unlocked(GUARDIAN));
  const hash = /sent {5}1\/1 (0x\w{64})/.exec(lowered.stdout)?.[1];
  const differing = await days.run("verify", ...days.configured);
  expect(differing.status).toBe(1);
  expect(differing.stdout).toContain("intake cap of lp:USDX for TBILL: 5 TBILL, configured 10000000 TBILL");
  expect(differing.stdout).toContain(`IntakeCapSet in ${hash}`);
  const raise = ["cap", "set", "USDX", "TBILL", "10000000"];
  expect(await days.refusal(...raise, ...unlocked(GUARDIAN))).toContain("the timelock has to make these calls");
  await days.throughTimelock(...raise);
  await days.succeed("verify", ...days.configured);
  expect(await days.refusal("cap", "set", "TRSY", "TRSY", "1")).toContain('has no asset with an intake cap "TRSY"');
});

test("an unannounced operation is detected and cancelled", async () => {
  const grant = ["roles", "grant", "treasury", "MINTER_ROLE", STRANGER];
  await days.schedule(...grant);
  const { stdout } = await days.succeed("queue");
  expect(stdout).toContain(`scheduled by ${PROPOSER.toLowerCase()}`);
  expect(stdout).toContain(`account: ${STRANGER}`);
  const [id = ""] = stdout.split(" ");
  expect(await days.refusal("cancel", id, ...unlocked(STRANGER))).toContain("AccessControlUnauthorizedAccount");
  await days.succeed("cancel", id, ...unlocked(GUARDIAN));
  expect((await days.succeed("queue")).stdout).toBe("Nothing is queued in the timelock\n");
  expect(await days.refusal("cancel", id, "--from", GUARDIAN)).toContain("there is nothing to cancel");
  await days.passTime(TIMELOCK_DELAY_SECONDS + 1);
  expect(await days.refusal(...grant, "--execute", ...unlocked(PROPOSER))).toContain("is not scheduled");
});

test("a pause is seen at once, and so is the operation that ends it after the delay", async () => {
  const isPaused = () =>
    days.reads.readContract({
      address: days.deployed.deployment.coreSwap,
      abi: coreSwapAbi,
      functionName: "paused",
    });
  await days.succeed("pause", "coreswap", ...unlocked(GUARDIAN));
  expect((await days.succeed("status")).stdout).toContain("Attention\n  coreswap is paused\n");
  expect(await days.refusal("swap", "1", "USDX", "TBILL", "--from", STRANGER)).toContain("EnforcedPause");
  expect(await days.refusal("unpause", "coreswap", ...unlocked(GUARDIAN))).toContain("the timelock has to make these");
  await days.schedule("unpause", "coreswap");
  const waiting = (await days.succeed("status")).stdout;
  expect(waiting).toMatch(
    /Attention\n {2}coreswap is paused\n(?: .+\n)* {2}operation 0x\w{64} of the timelock waits\n/,
  );
  expect(waiting).toMatch(/ {2}0x\w{64} {2}waits: from .+ on, in 1 d\n {4}scheduled by .+\n {4}coreswap unpause\(\)$/m);
  await days.passTime(TIMELOCK_DELAY_SECONDS + 1);
  expect(await isPaused()).toBe(true);
  await days.succeed("unpause", "coreswap", "--execute", ...unlocked(PROPOSER));
  expect(await isPaused()).toBe(false);
  const { stdout } = await days.succeed("status");
  expect(stdout).not.toContain("is paused");
  expect(stdout).not.toContain("of the timelock");
});

test("an upgrade waits in the timelock under its address, and is then in the deployment file", async () => {
  const before = days.deployed.deployment;
  const created = await days.contractsUpgrade("--sender", SUCCESSOR, "coreSwap", "--", "--unlocked");
  expect(created).toContain("coreSwap: contracts/src/CoreSwap.sol:CoreSwap is safe to upgrade to");
  const implementation = /coreSwap: new implementation (0x\w{40})/.exec(created)?.[1];
  await days.schedule("upgrade");
  const call = `coreswap upgradeToAndCall(newImplementation: ${implementation}, data: 0x)`;
  expect((await days.succeed("status")).stdout).toContain(`    ${call}\n`);
  expect(await days.refusal("upgrade", "--execute", ...unlocked(PROPOSER))).toContain("still waits");
  await days.passTime(TIMELOCK_DELAY_SECONDS + 1);
  await days.succeed("upgrade", "--execute", ...unlocked(PROPOSER));
  expect((await days.succeed("upgrade")).stdout).toContain("nothing to do");
  const differing = await days.run("verify", ...days.configured);
  expect(differing.stdout).toContain(
    `implementation of coreswap: ${implementation}, in the deployment file ${before.implementations.coreSwap}\n` +
      "         Upgraded in 0x",
  );
  await days.contractsUpgrade("--executed");
  const after = readDeployment(days.deployed.file);
  expect(after).toEqual({ ...before, implementations: { ...before.implementations, coreSwap: implementation } });
  await days.succeed("verify", ...days.configured);
});

test("verify finds settings that are not configured, such as an account that may be custody", async () => {
  const { delegate } = days.stablecoin(1);
  const listing = ["custody", "list", "USDY", SUCCESSOR, "rwa"];
  await days.throughTimelock(...listing);
  const unlisted = await days.run("verify", ...days.configured, "--json");
  expect(unlisted.status).toBe(1);
  const { differences } = JSON.parse(unlisted.stdout);
  expect(differences).toEqual([
    expect.objectContaining({
      text: `lp:USDY lists ${SUCCESSOR} as custody of RWAs, which is not configured`,
      ...{ origin: "event", event: "CustodyListingSet" },
    }),
  ]);
  const name = ["custody", "set", "USDY", "rwa", SUCCESSOR];
  expect(await days.refusal(...name, "--from", days.safes.issuer)).toContain("AddressNotAllowed");
  await days.succeed("custody", "accept", "USDY", ...unlocked(SUCCESSOR));
  await days.throughSafe(days.safes.issuer, ...name);
  const view = { address: delegate, abi: stablecoinDelegateAbi, functionName: "balanceSheetCustodyAddress" } as const;
  expect(await days.reads.readContract(view)).toBe(SUCCESSOR);
  await days.throughSafe(days.safes.issuer, "custody", "set", "USDY", "rwa", delegate);
  await days.throughTimelock("custody", "list", "USDY", SUCCESSOR, "none");
  await days.succeed("verify", ...days.configured);
});

test("an RWA is added with its adapter, its registration, its entry, and the steps of the LPs that trade it", async () => {
  const token = await create(days.deployed.sender, testToken(), ["New Fund", "FUND", 8]);
  expect(await days.refusal("asset", "add", "FUND", ...days.configured)).toContain(
    'the configuration has no RWA "FUND"',
  );
  days.configure((file) => withFund(file, token));
  const add = ["asset", "add", "FUND", ...days.configured];
  let named: readonly string[] = [];
  days.configure((file) => {
    named = file.plainAccounts;
    return { ...file, plainAccounts: [] };
  });
  expect(await days.refusal(...add)).toContain(
    `navPoster ${NAV_POSTER} is controlled by a single key: give an account with code, or name it in plainAccounts`,
  );
  days.configure((file) => ({ ...file, plainAccounts: named }));
  // A call of a contract that does not exist succeeds without an effect, so no step may ask for one.
  expect((await days.succeed("steps", ...days.configured)).stdout).toBe(
    "FUND is not created yet: core asset add FUND\n",
  );
  const other = await create(days.deployed.sender, testToken(), ["Other Fund", "OTHER", 8]);
  const withToken = (address: string) =>
    days.configure((file) => {
      const rwas = file.rwas.map((each) => (each.symbol === "FUND" ? { ...each, token: address } : each));
      return { ...file, rwas };
    });
  withToken(other);
  const mistaken = await days.succeed(...add, "--from", SUCCESSOR);
  expect(mistaken.stdout).toContain(`note     the token ${other} calls itself "OTHER", not FUND`);
  withToken(token);
  const { stdout } = await days.succeed(...add, "--from", SUCCESSOR);
  expect(stdout).not.toContain("calls itself");
  expect(stdout).toContain("creates NavPriceAdapter(");
  expect(stdout).toContain("explorers get its sources by: pnpm forge verify-contract");
  const unregistered = "FUND is not registered yet: nothing was recorded\n";
  expect(await days.refusal(...add, "--record", "--from", SUCCESSOR)).toBe(unregistered);
  await days.succeed(...add, ...unlocked(SUCCESSOR));
  expect(await days.refusal(...add, "--record")).toBe(unregistered);
  await days.throughTimelock(...add);
  await days.succeed(...add, "--record");
  const rwa = readDeployment(days.deployed.file).rwas.find(({ symbol }) => symbol === "FUND");
  expect(rwa).toMatchObject({ token, decimals: 8 });
  const address = rwa?.priceAdapter ?? "0x";
  expect(await days.reads.readContract({ address, abi: navPriceAdapterAbi, functionName: "getPrice" })).toBe(2n * WAD);
  for (const party of [days.safes.usdxCustody, days.safes.issuer])
    await days.throughSafe(party, "steps", ...days.configured);
  await days.succeed("verify", ...days.configured);
  await days.succeed("nav", "post", "FUND", "2.001", ...unlocked(NAV_POSTER));
  const fund = readConfiguration(days.configured[1] ?? "").rwas.find(({ symbol }) => symbol === "FUND");
  if (fund === undefined) throw new Error("the configuration lacks FUND");
  const twin = { ...fund, symbol: "TWIN", id: null };
  expect(navAdapterOf(fund, days.deployed.deployment.timelock ?? "0x").address).toBe(address);
  // A NAV posted for one of them must not price the other.
  expect(navAdapterOf(twin, days.deployed.deployment.timelock ?? "0x").address).not.toBe(address);
});

test("a stablecoin with its LP is added", async () => {
  const token = await create(days.deployed.sender, testToken(), ["New Dollar", "USDZ", 6]);
  days.configure((file) => withDollar(file, token, days.safes));
  expect((await days.succeed("steps", ...days.configured)).stdout).toBe("USDZ is not created yet: core lp add USDZ\n");
  const add = ["lp", "add", "USDZ", ...days.configured];
  await days.succeed(...add, ...unlocked(SUCCESSOR));
  await days.throughTimelock(...add);
  await days.succeed(...add, "--record");
  const entry = readDeployment(days.deployed.file).stablecoins.find(({ symbol }) => symbol === "USDZ");
  const [accepted, , decimals, delegate] = await days.reads.readContract({
    address: days.deployed.deployment.coreSwap,
    abi: coreSwapAbi,
    functionName: "stablecoinInfo",
    args: [entry?.id ?? "0x"],
  });
  expect({ accepted, decimals, delegate }).toEqual({ accepted: true, decimals: 6, delegate: entry?.delegate });
  for (const party of [days.safes.usdxCustody, days.safes.issuer])
    await days.throughSafe(party, "steps", ...days.configured);
  // Some contracts are created by the deployment script, and the adapter of FUND and this LP by the CREATE2 deployer.
  await days.succeed("verify", ...days.configured, "--creations");
});

test("a role moves to an account that has proved that it can send transactions", async () => {
  const rotate = ["roles", "rotate", "nav:TBILL", "NAV_POSTER_ROLE", NAV_POSTER, SUCCESSOR];
  expect(await days.refusal(...rotate.slice(0, 4), STRANGER, SUCCESSOR)).toContain(
    `${STRANGER} does not hold NAV_POSTER_ROLE`,
  );
  await days.throughTimelock(...rotate);
  expect(await days.refusal(...rotate, "--from", STRANGER)).toContain(`${SUCCESSOR} (NAV_POSTER_ROLE)`);
  const shown = await days.succeed(...rotate, ...unlocked(SUCCESSOR));
  const proof = /sent {5}1\/1 (0x\w{64})/.exec(shown.stdout)?.[1] ?? "";
  const foreign = await days.succeed("nav", "post", "TBILL", "1.0531", ...unlocked(NAV_POSTER));
  const foreignHash = /sent {5}1\/1 (0x\w{64})/.exec(foreign.stdout)?.[1] ?? "";
  expect(await days.refusal(...rotate, "--proof", foreignHash)).toContain(`${SUCCESSOR} took no part in it`);
  expect(await days.refusal(...rotate, "--proof", accrual)).toContain("is not from after");
  await days.throughTimelock(...rotate, "--proof", proof);
  expect(await days.refusal("nav", "post", "TBILL", "1.0532", ...unlocked(NAV_POSTER))).toContain(SUCCESSOR);
  await days.succeed("nav", "post", "TBILL", "1.0532", ...unlocked(SUCCESSOR));
  expect((await days.succeed(...rotate)).stdout).toContain("nothing to do");
});

test("tokens and credits of a lost account move together", async () => {
  const move = ["credits", "move", DEPOSITOR, SUCCESSOR];
  const { treasury, treasuryStablecoin } = days.deployed.deployment;
  const shown = await days.succeed(...move);
  expect(shown.stdout).toContain("is not on the blacklist");
  await days.succeed("blacklist", "add", DEPOSITOR, ...unlocked(GUARDIAN));
  const balance = await days.balanceOf(treasury, DEPOSITOR);
  expect(balance).toBeGreaterThan(0n);
  await days.throughTimelock(...move);
  expect(await days.balanceOf(treasury, SUCCESSOR)).toBe(balance);
  const holding = await Promise.all(
    (["credits", "totalWithheldCredits"] as const).map((functionName) =>
      days.reads.readContract({
        address: treasuryStablecoin.delegate,
        abi: treasuryDelegateAbi,
        functionName,
        args: [SUCCESSOR],
      }),
    ),
  );
  expect(holding.reduce((sum, amount) => sum + amount, 0n)).toBe(balance);
  expect(
    await days.reads.readContract({
      address: treasury,
      abi: treasuryAbi,
      functionName: "blacklisted",
      args: [DEPOSITOR],
    }),
  ).toBe(true);
  expect((await days.succeed(...move)).stdout).toContain("nothing to do");
});

test("the tokens and credits that a thief minted are cancelled together", async () => {
  const { treasury, treasuryStablecoin } = days.deployed.deployment;
  const thief = SUCCESSOR;
  const contract = { address: treasuryStablecoin.delegate, abi: treasuryDelegateAbi, args: [thief] } as const;
  const credits = async () =>
    (await days.reads.readContract({ ...contract, functionName: "credits" })) +
    (await days.reads.readContract({ ...contract, functionName: "totalWithheldCredits" }));
  expect(await days.balanceOf(treasury, thief)).toBeGreaterThan(0n);
  expect(await credits()).toBeGreaterThan(0n);
  const before = await days.reads.snapshot();
  const cancel = ["credits", "cancel", thief];
  expect((await days.succeed(...cancel)).stdout).toContain("is not on the blacklist");
  await days.throughTimelock(...cancel);
  expect([await days.balanceOf(treasury, thief), await credits()]).toEqual([0n, 0n]);
  expect((await days.succeed(...cancel)).stdout).toContain("nothing to do");
  await days.reads.revert({ id: before });
});

test("solvency counts what all holders may redeem", async () => {
  const { stdout } = await days.succeed("status", "--solvency", "--json");
  const { solvency } = JSON.parse(stdout);
  expect(BigInt(solvency.credits)).toBe(
    await days.reads.readContract({
      address: days.deployed.deployment.treasury,
      abi: treasuryAbi,
      functionName: "totalSupply",
    }),
  );
  // Rates were posted, and the deposits have not earned anything.
  expect(solvency).toMatchObject({ isSolvent: false, unpricedAssetIds: [] });
  expect((await days.succeed("status", "--solvency")).stdout).toMatch(/Solvency\n {2}NOT COVERED, 99\.\d+%/);
  await days.mint(days.stablecoin(0).token, days.safes.treasuryCustody, parseUnits("5", 6));
  expect((await days.succeed("status", "--solvency")).stdout).toMatch(/Solvency\n {2}covered, 100\.\d+%/);
});

test("an RWA is swapped between two accounts' tokens, within a bound", async () => {
  const [rwa] = days.deployed.deployment.rwas;
  if (rwa === undefined) throw new Error("the deployment lacks an RWA");
  const { token, delegate } = days.stablecoin(0);
  await days.mint(rwa.token, STRANGER, parseUnits("10", 6));
  await days.mint(token, days.safes.usdxCustody, parseUnits("100", 6));
  await days.succeed("swap", "10", "TBILL", "USDX", "--slippage", "1%", ...unlocked(STRANGER));
  expect(await days.balanceOf(rwa.token, STRANGER)).toBe(0n);
  expect(await days.balanceOf(rwa.token, days.safes.usdxCustody)).toBe(parseUnits("10", 6));
  expect(await days.balanceOf(token, STRANGER)).toBeGreaterThan(parseUnits("10.4", 6));
  const args = [STRANGER, delegate] as const;
  expect(await days.reads.readContract({ address: rwa.token, abi: erc20Abi, functionName: "allowance", args })).toBe(
    0n,
  );
  expect(await days.refusal("swap", "1", "TBILL", "USDX", "--slippage", "100%", "--from", STRANGER)).toContain(
    "less than 100%",
  );
});

test("docs/first-days.md shows commands that ran here, in the same order", () => {
  const page = readFileSync("docs/first-days.md", "utf8");
  const lines = page.match(/^pnpm .+$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(40);
  let position = 0;
  for (const line of lines) {
    const found = days.commands.indexOf(line.replace("pnpm ", ""), position);
    expect(found, `${line}; after it ran:\n${days.commands.slice(position).join("\n")}`).toBeGreaterThanOrEqual(
      position,
    );
    position = found + 1;
  }
});
