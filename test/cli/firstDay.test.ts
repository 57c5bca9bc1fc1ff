/**
 * The first days of a protocol, from a deployment in which no party has acted yet. Each test continues where the
 * previous one ended.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
import {
  type Artifact,
  type ConfigurationFile,
  call,
  core,
  create,
  type Deployed,
  deploy,
  executeBatch,
  type Outcome,
  TIMELOCK_DELAY_SECONDS,
} from "./support/deployed.ts";

const PROPOSER = WALLETS.operator.address;
/** The guardian, whitelister, blacklister and pauser of the example. */
const GUARDIAN = WALLETS.admin.address;
const NAV_POSTER = WALLETS.blacklister.address;
const RATE_POSTER = WALLETS.usdcIssuerAdmin.address;
const DEPOSITOR = WALLETS.depositor1.address;
const OTHER = WALLETS.depositor3.address;
const SUCCESSOR = WALLETS.depositor2.address;
const STRANGER = WALLETS.outsider.address;
const DAY_SECONDS = 86_400;
const WAD = 10n ** 18n;

let deployed: Deployed;
/** Safes that serve as every issuer admin, as custody of USDX, and as custody of the treasury token. */
let issuer: Address;
let usdxCustody: Address;
let treasuryCustody: Address;
/** A transaction of the account that later becomes the NAV poster. */
let accrual = "";

beforeAll(async () => {
  deployed = await deploy("firstDay", async (usual, newSafe) => {
    issuer = await newSafe();
    usdxCustody = await newSafe();
    treasuryCustody = await newSafe();
    const [usdx, usdy] = usual.stablecoins;
    return {
      ...usual,
      broadcastPartySteps: false,
      treasury: {
        ...usual.treasury,
        ...{ issuerAdmin: issuer, rwaCustody: treasuryCustody, stablecoinCustody: treasuryCustody },
      },
      stablecoins: [
        { ...usdx, issuerAdmin: issuer, rwaCustody: usdxCustody, stablecoinCustody: usdxCustody },
        { ...usdy, issuerAdmin: issuer },
      ],
      rwas: usual.rwas.map((rwa) => ({ ...rwa, maxAgeSeconds: 0 })),
    };
  });
}, 300_000);

afterAll(async () => {
  await deployed?.node.stop();
});

const run = (...args: string[]) => core(deployed, args);
const unlocked = (from: string) => ["--broadcast", "--unlocked", "--from", from];
const configured = () => ["--config", deployed.configuration];
const reads = () => deployed.sender.client;

async function succeed(...args: string[]): Promise<Outcome> {
  const outcome = await run(...args);
  expect(outcome.status, `${args.join(" ")}: ${outcome.stderr}`).toBe(0);
  expect(outcome.stderr, args.join(" ")).toBe("");
  commands.push(asDocumented(args));
  return outcome;
}

/** Commands that succeeded, with the account names that the documentation uses. */
const commands: string[] = [];

function asDocumented(args: readonly string[]): string {
  const names: Readonly<Record<string, string>> = {
    [PROPOSER]: "proposer",
    [GUARDIAN]: "guardian",
    [NAV_POSTER]: "nav-poster",
    [RATE_POSTER]: "rate-poster",
    [DEPOSITOR]: "depositor",
    [SUCCESSOR]: "successor",
    [issuer]: "issuer-safe",
    [usdxCustody]: "usdx-custody-safe",
    [treasuryCustody]: "treasury-custody-safe",
  };
  let words = args.join(" ").replaceAll(deployed.configuration, "deploy.json");
  words = words.replaceAll(join(deployed.directory, "batch.json"), "batch.json");
  words = words.replace(
    /--unlocked --from (0x\w{40})/,
    (_, account: string) => `--account ${names[account] ?? account}`,
  );
  for (const [account, name] of Object.entries(names)) {
    words = words.replaceAll(account, `$${name.toUpperCase().replaceAll("-", "_")}`);
  }
  return words.replace(/\d{4}-\d\d-\d\d/, "$YESTERDAY").replace(/--proof 0x\w{64}/, "--proof $PROOF");
}

/** Runs a command that must be refused, and returns its message. */
async function refusal(...args: string[]): Promise<string> {
  const outcome = await run(...args);
  expect(outcome.status, args.join(" ")).toBe(1);
  expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  return outcome.stderr;
}

async function passTime(seconds: number): Promise<void> {
  await reads().increaseTime({ seconds });
  await reads().mine({ blocks: 1 });
}

/** Lets the timelock execute the calls of a command. */
async function throughTimelock(...args: string[]): Promise<Outcome> {
  await succeed(...args, "--schedule", ...unlocked(PROPOSER));
  await passTime(TIMELOCK_DELAY_SECONDS + 1);
  return succeed(...args, "--execute", ...unlocked(PROPOSER));
}

/** Writes the batch of a Safe, and executes it. */
async function throughSafe(safe: Address, ...args: string[]): Promise<void> {
  const path = join(deployed.directory, "batch.json");
  await succeed(...args, "--from", safe, "--safe", path);
  await executeBatch(deployed.sender, path);
}

async function mint(token: Address, to: Address, amount: bigint): Promise<void> {
  await call(
    deployed.sender,
    "outsider",
    token,
    encodeFunctionData({ abi: testToken().abi, functionName: "mint", args: [to, amount] }),
  );
}

function testToken(): Artifact {
  const { abi, bytecode } = JSON.parse(readFileSync("out/TestToken.sol/TestToken.json", "utf8"));
  return { abi, bytecode: bytecode.object };
}

function balanceOf(token: Address, account: Address): Promise<bigint> {
  return reads().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

function stablecoin(index: number) {
  const found = deployed.deployment.stablecoins[index];
  if (found === undefined) throw new Error("the deployment lacks a stablecoin");
  return found;
}

/** Changes the configuration, as an operator edits its file. */
function configure(change: (file: ConfigurationFile) => ConfigurationFile): void {
  const file = JSON.parse(readFileSync(deployed.configuration, "utf8")) as ConfigurationFile;
  writeFileSync(deployed.configuration, JSON.stringify(change(file)));
}

test("the parties take their steps through Safe files, until the chain is as configured", async () => {
  const before = await run("verify", ...configured());
  expect(before.status).toBe(1);
  expect(before.stdout).toContain("a step of the deployment that is still to be done");
  const listed = await succeed("steps", ...configured(), "--json");
  const { steps } = JSON.parse(listed.stdout) as { steps: { by: string; call: string }[] };
  expect(new Set(steps.map(({ by }) => by.slice(0, 42)))).toEqual(new Set([issuer, usdxCustody, treasuryCustody]));
  // The issuer admin's steps need the consent of custody.
  const early = await refusal("steps", ...configured(), "--from", issuer);
  expect(early).toContain("AddressNotAllowed");
  await throughSafe(usdxCustody, "steps", ...configured());
  await throughSafe(treasuryCustody, "steps", ...configured());
  await throughSafe(issuer, "steps", ...configured());
  expect((await succeed("steps", ...configured())).stdout).toBe("Nothing is left to do: the chain is as configured\n");
  expect((await succeed("verify", ...configured())).stdout).toContain("nothing differs");
});

test("a whitelisted account deposits within its bound, and a stranger is refused", async () => {
  const { timestamp } = await reads().getBlock();
  const yesterday = new Date(Number(timestamp - 86_400n) * 1000).toISOString().slice(0, 10);
  await succeed("nav", "post", "TBILL", "1.053", ...unlocked(NAV_POSTER));
  await succeed("rate", "post", `${yesterday}=4.5%`, ...unlocked(RATE_POSTER));
  const { token, delegate } = stablecoin(0);
  await mint(token, DEPOSITOR, parseUnits("5000", 6));
  expect(await refusal("deposit", "1000", "USDX", "--from", DEPOSITOR)).toContain("would revert: ");
  await succeed("whitelist", "add", DEPOSITOR, ...unlocked(GUARDIAN));
  expect(await refusal("deposit", "1000", "USDX", "--from", DEPOSITOR, "--bound", "1001")).toContain(
    "beyond the bound of 1001 TRSY",
  );
  const shown = await succeed("deposit", "1000", "USDX", "--from", DEPOSITOR);
  expect(shown.stdout).toContain("approve(spender: ");
  expect(await balanceOf(deployed.deployment.treasury, DEPOSITOR)).toBe(0n);
  await succeed("deposit", "1000", "USDX", ...unlocked(DEPOSITOR));
  await mint(token, OTHER, parseUnits("10", 6));
  await succeed("whitelist", "add", OTHER, DEPOSITOR, ...unlocked(GUARDIAN));
  await succeed("deposit", "10", "USDX", ...unlocked(OTHER));
  expect(await balanceOf(deployed.deployment.treasury, DEPOSITOR)).toBe(1_000n * WAD);
  const treasuryDelegate = deployed.deployment.treasuryStablecoin.delegate;
  for (const spender of [treasuryDelegate, delegate]) {
    const args = [DEPOSITOR, spender] as const;
    expect(await reads().readContract({ address: token, abi: erc20Abi, functionName: "allowance", args })).toBe(0n);
  }
});

test("late rates are posted in order, and every account accrues them in batches", async () => {
  await passTime(4 * DAY_SECONDS);
  expect((await succeed("status")).stdout).toContain("4 daily rates are missing");
  await succeed("rate", "post", "4.6%", ...unlocked(RATE_POSTER));
  expect(await refusal("accrue", DEPOSITOR)).toContain("--from");
  expect(await refusal("accrue", "--all", "--gas-per-batch", "30000", "--from", SUCCESSOR)).toContain(
    "raise --gas-per-batch",
  );
  const one = await succeed("accrue", DEPOSITOR, "--from", SUCCESSOR);
  const gas = Number(/^gas {6}(\d+)$/m.exec(one.stdout)?.[1]);
  const batches = ["--gas-per-batch", String(gas + 20_000)];
  const { stdout } = await succeed("accrue", "--all", ...batches, ...unlocked(SUCCESSOR));
  expect(stdout).toContain("Accrue 2 of 2 accounts in 2 transactions");
  accrual = /sent {5}2\/2 (0x\w{64})/.exec(stdout)?.[1] ?? "";
  const address = deployed.deployment.treasuryStablecoin.delegate;
  const args = [DEPOSITOR] as const;
  expect(await reads().readContract({ address, abi: treasuryDelegateAbi, functionName: "credits", args })).toBe(
    1_000n * WAD,
  );
  expect((await succeed("accrue", "--all", "--from", SUCCESSOR)).stdout).toContain("nothing to do");
});

test("a redemption pays the yield", async () => {
  const { token } = stablecoin(0);
  const before = await balanceOf(token, DEPOSITOR);
  await succeed("redeem", "100", "USDX", ...unlocked(DEPOSITOR));
  const paid = (await balanceOf(token, DEPOSITOR)) - before;
  expect(paid).toBeGreaterThan(parseUnits("100", 6));
  expect(paid).toBeLessThan(parseUnits("100.1", 6));
  // More than the estimate, because a deposit into the LP's reserve may follow.
  const { transactions } = await reads().getBlock({ includeTransactions: true });
  expect(transactions.at(-1)?.gas).toBeGreaterThan(500_000n);
});

test("another account sends a signed swap, once", async () => {
  const { token } = stablecoin(0);
  const treasury = deployed.deployment.treasuryStablecoin;
  const words = ["100", "USDX", treasury.symbol];
  expect(await refusal("sign-permit", ...words)).toContain("--operator");
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [treasury.delegate, parseUnits("100", 6)],
  });
  await call(deployed.sender, "depositor1", token, data);
  const operator = WALLETS.relayer.address;
  const { stdout } = await succeed("sign-permit", ...words, "--operator", operator, "--unlocked", "--from", DEPOSITOR);
  const permit = JSON.parse(stdout) as { to: Address; data: Hex };
  const before = await balanceOf(token, DEPOSITOR);
  await expect(call(deployed.sender, "outsider", permit.to, permit.data)).rejects.toThrow("reverted");
  await call(deployed.sender, "relayer", permit.to, permit.data);
  expect(before - (await balanceOf(token, DEPOSITOR))).toBe(parseUnits("100", 6));
  await expect(call(deployed.sender, "relayer", permit.to, permit.data)).rejects.toThrow("reverted");
});

test("the guardian lowers a cap immediately, the timelock raises it, and verify names the transaction", async () => {
  const lowered = await succeed("cap", "set", "USDX", "TBILL", "5", ...unlocked(GUARDIAN));
  const hash = /sent {5}1\/1 (0x\w{64})/.exec(lowered.stdout)?.[1];
  const differing = await run("verify", ...configured());
  expect(differing.status).toBe(1);
  expect(differing.stdout).toContain("intake cap of lp:USDX for TBILL: 5 TBILL, configured 10000000 TBILL");
  expect(differing.stdout).toContain(`IntakeCapSet in ${hash}`);
  const raise = ["cap", "set", "USDX", "TBILL", "10000000"];
  expect(await refusal(...raise, ...unlocked(GUARDIAN))).toContain("the timelock has to make these calls");
  await throughTimelock(...raise);
  await succeed("verify", ...configured());
  expect(await refusal("cap", "set", "USDX", "USDX", "1")).toContain('"USDX" is no foreign asset');
});

test("an unannounced operation is detected and cancelled", async () => {
  const grant = ["roles", "grant", "treasury", "MINTER_ROLE", STRANGER];
  await succeed(...grant, "--schedule", ...unlocked(PROPOSER));
  const { stdout } = await succeed("queue");
  expect(stdout).toContain(`scheduled by ${PROPOSER.toLowerCase()}`);
  expect(stdout).toContain(`account: ${STRANGER}`);
  const [id = ""] = stdout.split(" ");
  expect(await refusal("cancel", id, ...unlocked(STRANGER))).toContain("AccessControlUnauthorizedAccount");
  await succeed("cancel", id, ...unlocked(GUARDIAN));
  expect((await succeed("queue")).stdout).toBe("Nothing waits in the timelock\n");
  expect(await refusal("cancel", id, "--from", GUARDIAN)).toContain("there is nothing to cancel");
  await passTime(TIMELOCK_DELAY_SECONDS + 1);
  expect(await refusal(...grant, "--execute", ...unlocked(PROPOSER))).toContain("is not scheduled");
});

test("verify finds settings that are not configured, such as an account that may be custody", async () => {
  const { delegate } = stablecoin(1);
  const listing = ["custody", "list", "USDY", SUCCESSOR, "rwa"];
  await throughTimelock(...listing);
  const unlisted = await run("verify", ...configured(), "--json");
  expect(unlisted.status).toBe(1);
  const { differences } = JSON.parse(unlisted.stdout);
  expect(differences).toEqual([
    expect.objectContaining({
      text: `lp:USDY lists ${SUCCESSOR} as custody of RWAs, which is not configured`,
      event: "CustodyListingSet",
    }),
  ]);
  const name = ["custody", "set", "USDY", "rwa", SUCCESSOR];
  expect(await refusal(...name, "--from", issuer)).toContain("AddressNotAllowed");
  await succeed("custody", "accept", "USDY", ...unlocked(SUCCESSOR));
  await throughSafe(issuer, ...name);
  const view = { address: delegate, abi: stablecoinDelegateAbi, functionName: "balanceSheetCustodyAddress" } as const;
  expect(await reads().readContract(view)).toBe(SUCCESSOR);
  await throughSafe(issuer, "custody", "set", "USDY", "rwa", delegate);
  await throughTimelock("custody", "list", "USDY", SUCCESSOR, "none");
  await succeed("verify", ...configured());
});

test("an RWA is added with its adapter, its registration, its entry, and the steps of the LPs that trade it", async () => {
  const token = await create(deployed.sender, testToken(), ["New Fund", "FUND", 8]);
  expect(await refusal("asset", "add", "FUND", ...configured())).toContain('"FUND" is no RWA of the configuration');
  configure((file) => ({
    ...file,
    rwas: [
      ...file.rwas,
      { ...file.rwas[0], ...{ name: "New Fund", symbol: "FUND", token, decimals: 8, navWad: "2000000000000000000" } },
    ],
    stablecoins: file.stablecoins.map((each) =>
      each.symbol === "USDX"
        ? {
            ...each,
            rwas: [
              ...(each.rwas as unknown[]),
              {
                symbol: "FUND",
                discountRateWad: "1000000000000000",
                redemptionFeeWad: "1000000000000000",
                intakeCap: "100000000",
              },
            ],
          }
        : each,
    ),
  }));
  const add = ["asset", "add", "FUND", ...configured()];
  // A call of a contract that does not exist succeeds without an effect, so no step may ask for one.
  expect((await succeed("steps", ...configured())).stdout).toBe("FUND is not created yet: core asset add FUND\n");
  expect((await succeed(...add, "--from", SUCCESSOR)).stdout).toContain("creates NavPriceAdapter(");
  await succeed(...add, ...unlocked(SUCCESSOR));
  expect(await refusal(...add, "--record")).toContain("not registered yet");
  await throughTimelock(...add);
  await succeed(...add, "--record");
  const rwa = readDeployment(deployed.file).rwas.find(({ symbol }) => symbol === "FUND");
  expect(rwa).toMatchObject({ token, decimals: 8 });
  const address = rwa?.priceAdapter ?? "0x";
  expect(await reads().readContract({ address, abi: navPriceAdapterAbi, functionName: "getPrice" })).toBe(2n * WAD);
  for (const party of [usdxCustody, issuer]) await throughSafe(party, "steps", ...configured());
  await succeed("verify", ...configured());
  await succeed("nav", "post", "FUND", "2.001", ...unlocked(NAV_POSTER));
});

test("a stablecoin with its LP is added", async () => {
  const token = await create(deployed.sender, testToken(), ["New Dollar", "USDZ", 6]);
  configure((file) => ({
    ...file,
    stablecoins: [
      ...file.stablecoins,
      {
        ...{ name: "New Dollar", symbol: "USDZ", id: null, token, decimals: 6, issuerAdmin: issuer },
        ...{ rwaCustody: null, stablecoinCustody: usdxCustody, usdValueWad: String(WAD), protocolFeeExempt: false },
        ...{ issuerPaidProtocolFeeRateWad: "500000000000000", guardrail: null, stablecoins: [] },
        rwas: [{ symbol: "TBILL", discountRateWad: "1000000000000000", redemptionFeeWad: "0", intakeCap: "1000000" }],
      },
    ],
  }));
  const add = ["lp", "add", "USDZ", ...configured()];
  await succeed(...add, ...unlocked(SUCCESSOR));
  await throughTimelock(...add);
  await succeed(...add, "--record");
  const entry = readDeployment(deployed.file).stablecoins.find(({ symbol }) => symbol === "USDZ");
  const [accepted, , decimals, delegate] = await reads().readContract({
    address: deployed.deployment.coreSwap,
    abi: coreSwapAbi,
    functionName: "stablecoinInfo",
    args: [entry?.id ?? "0x"],
  });
  expect({ accepted, decimals, delegate }).toEqual({ accepted: true, decimals: 6, delegate: entry?.delegate });
  for (const party of [usdxCustody, issuer]) await throughSafe(party, "steps", ...configured());
  await succeed("verify", ...configured());
});

test("a role moves to an account that has proved that it can send transactions", async () => {
  const rotate = ["roles", "rotate", "nav:TBILL", "NAV_POSTER_ROLE", NAV_POSTER, SUCCESSOR];
  expect(await refusal(...rotate.slice(0, 4), STRANGER, SUCCESSOR)).toContain(
    `${STRANGER} does not hold NAV_POSTER_ROLE`,
  );
  await throughTimelock(...rotate);
  expect(await refusal(...rotate, "--from", STRANGER)).toContain(`${SUCCESSOR} (NAV_POSTER_ROLE)`);
  const shown = await succeed(...rotate, ...unlocked(SUCCESSOR));
  const proof = /sent {5}1\/1 (0x\w{64})/.exec(shown.stdout)?.[1] ?? "";
  const foreign = await succeed("nav", "post", "TBILL", "1.0531", ...unlocked(NAV_POSTER));
  const foreignHash = /sent {5}1\/1 (0x\w{64})/.exec(foreign.stdout)?.[1] ?? "";
  expect(await refusal(...rotate, "--proof", foreignHash)).toContain(`${SUCCESSOR} took no part in it`);
  expect(await refusal(...rotate, "--proof", accrual)).toContain("is not from after");
  await throughTimelock(...rotate, "--proof", proof);
  expect(await refusal("nav", "post", "TBILL", "1.0532", ...unlocked(NAV_POSTER))).toContain(SUCCESSOR);
  await succeed("nav", "post", "TBILL", "1.0532", ...unlocked(SUCCESSOR));
  expect((await succeed(...rotate)).stdout).toContain("nothing to do");
});

test("tokens and credits of a lost account move together", async () => {
  const move = ["credits", "move", DEPOSITOR, SUCCESSOR];
  const { treasury, treasuryStablecoin } = deployed.deployment;
  const shown = await succeed(...move);
  expect(shown.stdout).toContain("is not on the blacklist");
  await succeed("blacklist", "add", DEPOSITOR, ...unlocked(GUARDIAN));
  const balance = await balanceOf(treasury, DEPOSITOR);
  expect(balance).toBeGreaterThan(0n);
  await throughTimelock(...move);
  expect(await balanceOf(treasury, SUCCESSOR)).toBe(balance);
  const holding = await Promise.all(
    (["credits", "totalWithheldCredits"] as const).map((functionName) =>
      reads().readContract({
        address: treasuryStablecoin.delegate,
        abi: treasuryDelegateAbi,
        functionName,
        args: [SUCCESSOR],
      }),
    ),
  );
  expect(holding.reduce((sum, amount) => sum + amount, 0n)).toBe(balance);
  expect(
    await reads().readContract({ address: treasury, abi: treasuryAbi, functionName: "blacklisted", args: [DEPOSITOR] }),
  ).toBe(true);
  expect((await succeed(...move)).stdout).toContain("nothing to do");
});

test("solvency counts what all holders may redeem", async () => {
  const { stdout } = await succeed("status", "--solvency", "--json");
  const { solvency } = JSON.parse(stdout);
  expect(BigInt(solvency.credits)).toBe(
    await reads().readContract({
      address: deployed.deployment.treasury,
      abi: treasuryAbi,
      functionName: "totalSupply",
    }),
  );
  // Rates were posted, and the deposits have not earned anything.
  expect(solvency).toMatchObject({ isSolvent: false, unpricedAssetIds: [] });
  expect((await succeed("status", "--solvency")).stdout).toMatch(/Solvency\n {2}NOT COVERED, 99\.\d+%/);
  await mint(stablecoin(0).token, treasuryCustody, parseUnits("5", 6));
  expect((await succeed("status", "--solvency")).stdout).toMatch(/Solvency\n {2}covered, 100\.\d+%/);
});

test("an adapter is created once, at the announced address", async () => {
  const { abi, bytecode } = JSON.parse(readFileSync("out/SettableFeed.sol/SettableFeed.json", "utf8"));
  const feed = await create(deployed.sender, { abi, bytecode: bytecode.object }, [8]);
  const { timestamp } = await reads().getBlock();
  const data = encodeFunctionData({ abi, functionName: "set", args: [123_000_000n, timestamp] });
  await call(deployed.sender, "outsider", feed, data);
  const adapter = ["adapter", "deploy", "chainlink", feed];
  expect(await refusal(...adapter)).toContain("this adapter needs --max-age");
  const created = await succeed(...adapter, "--max-age", "86400", ...unlocked(OTHER));
  const address = /Create the chainlink adapter (0x\w{40})/.exec(created.stdout)?.[1] as Address;
  const priceWad = await reads().readContract({ address, abi: navPriceAdapterAbi, functionName: "getPrice" });
  expect(priceWad).toBe((123n * WAD) / 100n);
  const again = await succeed(...adapter, "--max-age", "86400", ...unlocked(OTHER));
  expect(again.stdout).toContain("nothing to do");
});

test("a bridge mints within a limit, which is set before it may mint", async () => {
  const bridge = deployed.safe;
  const { treasury } = deployed.deployment;
  const limit = () =>
    reads().readContract({ address: treasury, abi: treasuryAbi, functionName: "bridgeLimit", args: [bridge] });
  expect(await refusal("bridge", "add", STRANGER, "1000")).toContain("has no code");
  await throughTimelock("bridge", "add", bridge, "1000");
  expect(await limit()).toEqual([1_000n * WAD, 1_000n * WAD]);
  await succeed("bridge", "limit", bridge, "10", ...unlocked(GUARDIAN));
  expect(await limit()).toEqual([10n * WAD, 10n * WAD]);
  const verified = await run("verify", ...configured());
  expect(verified.stdout).toContain(`treasury BRIDGE_ROLE: ${bridge}, configured nobody`);
});

test("an RWA is swapped between two accounts' tokens, within a bound", async () => {
  const [rwa] = deployed.deployment.rwas;
  if (rwa === undefined) throw new Error("the deployment lacks an RWA");
  const { token, delegate } = stablecoin(0);
  await mint(rwa.token, STRANGER, parseUnits("10", 6));
  await mint(token, usdxCustody, parseUnits("100", 6));
  await succeed("swap", "10", "TBILL", "USDX", "--slippage", "1%", ...unlocked(STRANGER));
  expect(await balanceOf(rwa.token, STRANGER)).toBe(0n);
  expect(await balanceOf(rwa.token, usdxCustody)).toBe(parseUnits("10", 6));
  expect(await balanceOf(token, STRANGER)).toBeGreaterThan(parseUnits("10.4", 6));
  const args = [STRANGER, delegate] as const;
  expect(await reads().readContract({ address: rwa.token, abi: erc20Abi, functionName: "allowance", args })).toBe(0n);
  expect(await refusal("swap", "1", "TBILL", "USDX", "--slippage", "100%", "--from", STRANGER)).toContain(
    "less than 100%",
  );
});

test("docs/first-days.md shows commands that ran here, in the same order", () => {
  const page = readFileSync("docs/first-days.md", "utf8");
  const lines = page.match(/^pnpm core .+$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(20);
  let position = 0;
  for (const line of lines) {
    const found = commands.indexOf(line.replace("pnpm core ", ""), position);
    expect(found, `${line}; after it ran:\n${commands.slice(position).join("\n")}`).toBeGreaterThanOrEqual(position);
    position = found + 1;
  }
});
