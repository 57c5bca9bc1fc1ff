/**
 * Swaps, deposits and redemptions on the dashboard through a wallet that the browser announces. The amounts equal those
 * of the chain and the API, and the page names whatever prevents a transaction.
 */
import { createRequire } from "node:module";
import type { Schemas } from "@coreswap/client";
import type { BrowserContext, Locator, Page } from "playwright-core";
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseEther,
  parseUnits,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { coreSwapAbi, navPriceAdapterAbi, treasuryAbi, treasuryDelegateAbi } from "../../abis/index.ts";
import { exactText } from "../../app/src/format/amount.ts";
import { bytecodeOf, testTokenAbi } from "../../localnet/abis.ts";
import type { LegAsset } from "../../localnet/assets.ts";
import type { DeployedNetwork } from "../../localnet/deployment.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../localnet/wallets.ts";
import { BrowserWallet } from "./harness/browserWallet.ts";
import { waitUntilCaughtUp } from "./harness/converge.ts";
import { fact, figureIn, inspect, openPage, panel, startBrowser, type Watched, WIDTHS } from "./harness/dashboard.ts";
import { waitUntil } from "./harness/poll.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";

const NETWORK = "evm-mainnet";
const CHAIN_IDS = { mainnet: 1, sepolia: 11155111 } as const;
/** Has tokens, but no approval, allowance or role. */
const USER: WalletName = "outsider";
const NOT_ADMITTED: WalletName = "trader3";
/** A smart account from an ERC-4337 library, as wallets delegate to for a batch. */
const BATCH_ACCOUNT = "@account-abstraction/contracts/artifacts/Simple7702Account.json";
/** The page follows an event stream, and shows a transaction within about a second. A busy machine takes longer. */
const SHOWN_WITHIN_MS = 30_000;

let stack: Stack;
let indexer: RunningIndexer;
let deployed: DeployedNetwork;
let sender: Sender;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let context: BrowserContext;
let watched: Watched;
let page: Page;
let batchCode: Hex;

beforeAll(async () => {
  stack = await Stack.build({ name: "dashboard-swap", seed: 7, transactionCount: 100, emptyBlocks: 45 });
  deployed = stack.deployed("mainnet");
  sender = new Sender(deployed);
  for (const symbol of ["TBILL", "USDC"] as const) {
    await call("deployer", deployed.assets[symbol].token, testTokenAbi, "mint", [
      addressOf(USER),
      tokens(symbol, "9000"),
    ]);
  }
  await call("whitelister", deployed.treasury, treasuryAbi, "addToWhitelist", [addressOf(USER)]);
  batchCode = await create((createRequire(import.meta.url)(BATCH_ACCOUNT) as { readonly bytecode: Hex }).bytecode);
  indexer = await stack.startIndexer({ name: "indexer" });
  await indexer.process.ready();
  await waitUntilCaughtUp(indexer.api, "mainnet", stack.source("mainnet"));
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

beforeEach(async () => {
  context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
  watched = await openPage(context, indexer.process.baseUrl);
  page = watched.page;
  page.setDefaultTimeout(60_000);
});

afterEach(async () => {
  await context.close();
});

const addressOf = (name: WalletName) => WALLETS[name].address;
const tokens = (symbol: LegAsset, amount: string) => parseUnits(amount, deployed.assets[symbol].decimals);
const shown = (symbol: LegAsset, units: string | bigint) =>
  exactText({ units: BigInt(units), decimals: deployed.assets[symbol].decimals });

/** Sends a call, which must succeed. */
async function call(from: WalletName, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
  const data = encodeFunctionData({ abi, functionName, args });
  const { status } = await sender.waitForReceipt(await sender.send({ from, to, data, gas: 1_000_000n }));
  if (status !== "0x1") throw new Error(`${functionName} by ${from} reverted`);
}

async function create(data: Hex): Promise<Address> {
  const receipt = await sender.waitForReceipt(await sender.send({ from: "deployer", data, gas: 6_000_000n }));
  if (!receipt.contractAddress) throw new Error("the contract was not created");
  return receipt.contractAddress;
}

function balanceOf(symbol: LegAsset, name: WalletName): Promise<bigint> {
  const args = [addressOf(name)] as const;
  return sender.client.readContract({
    abi: erc20Abi,
    address: deployed.assets[symbol].token,
    functionName: "balanceOf",
    args,
  });
}

function allowanceOf(symbol: LegAsset, name: WalletName, spender: Address): Promise<bigint> {
  const args = [addressOf(name), spender] as const;
  return sender.client.readContract({
    abi: erc20Abi,
    address: deployed.assets[symbol].token,
    functionName: "allowance",
    args,
  });
}

interface WalletChoice {
  readonly account?: WalletName;
  readonly hasBatches?: boolean;
}

function installWallet({ account = USER, hasBatches = false }: WalletChoice = {}): Promise<BrowserWallet> {
  return BrowserWallet.install(page, {
    account,
    chainId: CHAIN_IDS.mainnet,
    rpcUrls: { 1: deployed.rpcUrl, 11155111: stack.deployed("sepolia").rpcUrl },
    ...(hasBatches ? { batchCode } : {}),
  });
}

interface OrderText {
  readonly action?: "swap" | "deposit" | "redeem";
  readonly assetIn: LegAsset;
  readonly assetOut: LegAsset;
  readonly amount: string;
  readonly exact?: "in" | "out";
}

function open({ assetIn, assetOut, ...order }: OrderText) {
  const ids = { assetIn: deployed.assets[assetIn].id, assetOut: deployed.assets[assetOut].id };
  const query = new URLSearchParams({ network: NETWORK, ...order, ...ids });
  return page.goto(`${indexer.process.baseUrl}/app/swap?${query}`);
}

/** A button of the page, except those that choose an action. */
const button = (name: string) =>
  page.locator("main").getByRole("button", { name, exact: true }).and(page.locator(":not([aria-pressed])"));
const enabled = (name: string) => button(name).and(page.locator(":enabled"));

/** Presses a button with the keyboard. */
async function press(name: string): Promise<void> {
  await enabled(name).focus();
  await page.keyboard.press("Enter");
}

async function connect(): Promise<void> {
  await press("Connect Test Wallet");
  await button("Disconnect").waitFor();
}

/** The API's quote for the order on the page. */
function apiQuote(order: Record<string, string>): Promise<Schemas["Quote"]> {
  return indexer.api.json(
    `/v1/quote?${new URLSearchParams({ network: NETWORK, user: addressOf(USER).toLowerCase(), ...order })}`,
  );
}

/** The amounts of the quote on the page. */
async function quoteOnPage() {
  const quote = panel(page, "Quote");
  const names = ["You pay", "You get", "Issuer fee", "Spread fee", "LP fee"];
  return Promise.all(names.map((name) => figureIn(fact(quote, name))));
}

const namesOf = (pay: LegAsset, get: LegAsset, fees: LegAsset, quote: Omit<Amounts, "stablecoinDelegateId">) => [
  shown(pay, quote.amountIn),
  shown(get, quote.amountOut),
  ...[quote.issuerFee, quote.spreadFee, quote.lpFee].map((fee) => shown(fees, fee)),
];
type Amounts = Pick<
  Schemas["Quote"],
  "amountIn" | "amountOut" | "issuerFee" | "spreadFee" | "lpFee" | "stablecoinDelegateId"
>;

/** Waits until the API and the page have the transaction that the page sent. */
async function sentTransaction(): Promise<Schemas["Transaction"]> {
  await page.waitForURL(/transaction=0x/);
  const transactionHash = new URL(page.url()).searchParams.get("transaction");
  let found: Schemas["Transaction"] | undefined;
  const shownAt = page
    .getByRole("heading", { name: /^Leg 1 of / })
    .waitFor({ timeout: SHOWN_WITHIN_MS })
    .then(() => performance.now());
  await waitUntil(
    "the API has the transaction",
    async () => {
      const query = `network=${NETWORK}&transactionHash=${transactionHash}`;
      const { transactions } = await indexer.api.json<Schemas["TransactionHistory"]>(`/v1/transactions?${query}`);
      found = transactions[0];
      return found === undefined ? "not yet" : null;
    },
    { deadlineMs: 30_000, intervalMs: 50 },
  );
  const indexedAt = performance.now();
  console.log(`on the page ${Math.round((await shownAt) - indexedAt)} ms after the API`);
  if (found === undefined) throw new Error("the API has no transaction");
  return found;
}

/** The user's own leg in a transaction, and its panel on the page. */
function ownLeg({ activities }: Schemas["Transaction"]): { leg: Schemas["SwapActivity"]; part: Locator } {
  const legs = activities.filter((activity) => activity.type === "swap");
  const index = legs.findIndex(({ user }) => user === addressOf(USER).toLowerCase());
  const leg = legs[index];
  if (leg === undefined) throw new Error("the transaction has no leg of the user");
  return { leg, part: panel(page, `Leg ${index + 1} of ${legs.length}`) };
}

/** Compares a realized leg on the page with the API's, and its amounts with the changes of the balances. */
async function expectRealized(
  { leg, part }: ReturnType<typeof ownLeg>,
  { assetIn, assetOut, fees }: { readonly assetIn: LegAsset; readonly assetOut: LegAsset; readonly fees: LegAsset },
  before: Readonly<Record<"in" | "out", bigint>>,
): Promise<void> {
  const realized = part.locator("tbody tr");
  expect(await figureIn(realized.nth(0).locator("td").nth(2))).toBe(shown(assetIn, leg.amountIn));
  expect(await figureIn(realized.nth(1).locator("td").nth(2))).toBe(shown(assetOut, leg.amountOut));
  for (const [name, fee] of [
    ["Issuer fee", leg.issuerFee],
    ["Spread fee", leg.spreadFee],
    ["LP fee", leg.lpFee],
  ] as const) {
    expect(await figureIn(fact(part, name)), name).toBe(shown(fees, fee));
  }
  expect(before.in - (await balanceOf(assetIn, USER))).toBe(BigInt(leg.amountIn));
  expect((await balanceOf(assetOut, USER)) - before.out).toBe(BigInt(leg.amountOut));
}

const balances = async (assetIn: LegAsset, assetOut: LegAsset) => ({
  in: await balanceOf(assetIn, USER),
  out: await balanceOf(assetOut, USER),
});

describe("through a wallet", () => {
  afterEach(() => {
    expect(watched.complaints).toEqual([]);
  });

  test("a swap is quoted without a wallet, approved for exactly its amount, sent and shown", async () => {
    const wallet = await installWallet();
    await open({ assetIn: "TBILL", assetOut: "USDC", amount: "1000" });
    await page.getByText("Connect a wallet to swap.").waitFor();
    const { TBILL, USDC } = deployed.assets;
    const common = { assetInId: TBILL.id, assetOutId: USDC.id, stablecoinDelegateId: USDC.id };
    const quote = await apiQuote({ routeId: "1", ...common, amountIn: String(tokens("TBILL", "1000")) });
    expect(await quoteOnPage()).toEqual(namesOf("TBILL", "USDC", "USDC", quote));
    expect(wallet.requests).not.toContain("eth_requestAccounts");

    await connect();
    await button("Approve TBILL").waitFor();
    expect(await quoteOnPage()).toEqual(namesOf("TBILL", "USDC", "USDC", quote));
    const minimum = (BigInt(quote.amountOut) * 9_950n + 9_999n) / 10_000n;
    expect(await figureIn(fact(page, "At least"))).toBe(shown("USDC", minimum));
    expect(await button("Swap").isDisabled()).toBe(true);
    await press("Approve TBILL");
    await enabled("Swap").waitFor();
    expect(await allowanceOf("TBILL", USER, deployed.delegates.USDC)).toBe(tokens("TBILL", "1000"));
    expect(await allowanceOf("TBILL", USER, deployed.coreSwap)).toBe(0n);

    const before = await balances("TBILL", "USDC");
    await press("Swap");
    const transaction = await sentTransaction();
    const own = ownLeg(transaction);
    expect(transaction.directCall?.submittedSwapLegs?.[0]?.assetOutAmount).toBe(String(minimum));
    await expectRealized(own, { assetIn: "TBILL", assetOut: "USDC", fees: "USDC" }, before);
    expect(await allowanceOf("TBILL", USER, deployed.delegates.USDC)).toBe(0n);
  });

  test("a deposit approves and swaps in one batch, and then shows credits", async () => {
    const wallet = await installWallet({ hasBatches: true });
    await open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "2500.5" });
    await connect();
    await button("Approve and deposit").waitFor();
    const before = await balances("USDC", "TRSY");
    await press("Approve and deposit");
    const own = ownLeg(await sentTransaction());
    await expectRealized(own, { assetIn: "USDC", assetOut: "TRSY", fees: "TRSY" }, before);
    expect(own.leg.amountIn).toBe(String(tokens("USDC", "2500.5")));
    expect(wallet.requests).toContain("wallet_sendCalls");
    expect(wallet.requests).not.toContain("eth_sendTransaction");
    const withheld = await sender.client.readContract({
      abi: treasuryDelegateAbi,
      address: deployed.treasuryDelegate,
      functionName: "totalWithheldCredits",
      args: [addressOf(USER)],
    });
    expect(withheld).toBe(BigInt(own.leg.amountOut));
  });

  test("a redemption of an exact output has a maximum input", async () => {
    await installWallet();
    await open({ action: "redeem", assetIn: "TRSY", assetOut: "USDC", amount: "300", exact: "out" });
    await page.getByText("Connect the wallet that holds the credits").waitFor();
    await connect();
    await press("Approve TRSY");
    await enabled("Redeem").waitFor();
    const most = await figureIn(fact(page, "At most"));
    const before = await balances("TRSY", "USDC");
    await press("Redeem");
    const transaction = await sentTransaction();
    const own = ownLeg(transaction);
    await expectRealized(own, { assetIn: "TRSY", assetOut: "USDC", fees: "TRSY" }, before);
    expect(own.leg.amountOut).toBe(String(tokens("USDC", "300")));
    expect(shown("TRSY", transaction.directCall?.submittedSwapLegs?.[0]?.assetInAmount ?? "")).toBe(most);
  });
});

describe("the page names what prevents a transaction", () => {
  const SWAP = { assetIn: "TBILL", assetOut: "USDC", amount: "100" } as const;
  const notice = (title: string) => page.locator("main .notice strong", { hasText: title });

  /** Waits until the page shows the notice, and checks that nothing can be sent then. */
  async function expectRefusal(title: string, buttons: readonly string[]): Promise<void> {
    await notice(title).first().waitFor();
    for (const name of buttons) expect(await button(name).isDisabled(), name).toBe(true);
  }

  test("no wallet, no amount, an invalid amount, or an asset that is not offered", async () => {
    await open({ ...SWAP, amount: "" });
    await page.getByText("No wallet found.").waitFor();
    await page.getByText("Enter an amount to see what it would settle.").waitFor();
    await page.getByLabel("Amount in TBILL").fill("1.23456789");
    await page.getByText("The token has 6 digits after the point.").waitFor();
    await page.getByLabel("Amount in TBILL").fill("1,000");
    await page.getByText("An amount has digits, and at most one point between them.").waitFor();
    await page.getByLabel("Amount in TBILL").fill("0");
    await page.getByText("An amount is above zero.").waitFor();
    await page.goto(`${indexer.process.baseUrl}/app/swap?assetIn=0x${"ab".repeat(32)}`);
    await page.getByText("Not offered:").waitFor();
  });

  test("no quote service, while a connected wallet quotes by itself", async () => {
    await page.route("**/v1/quote?*", (route) => route.fulfill({ status: 503, json: { error: "off", status: 503 } }));
    await installWallet();
    await open(SWAP);
    await expectRefusal("No quotes", []);
    await connect();
    await button("Approve TBILL").waitFor();
  });

  test("the wrong network, until the wallet switches, and another chain with the same chain ID", async () => {
    const wallet = await installWallet();
    await open(SWAP);
    await connect();
    await button("Approve TBILL").waitFor();
    await wallet.switchChain(CHAIN_IDS.sepolia);
    await notice("Wrong network.").waitFor();
    expect(await button("Approve TBILL").count()).toBe(0);
    await press("Switch the wallet to Mainnet");
    await button("Approve TBILL").waitFor();

    const other = new Sender(stack.deployed("sepolia")).client;
    const ahead = (await other.getBlockNumber()) - (await sender.client.getBlockNumber());
    await sender.client.mine({ blocks: Math.max(1, Number(ahead) + 1) });
    wallet.rpcUrls = { 1: stack.deployed("sepolia").rpcUrl };
    await page.reload();
    await expectRefusal("The wallet's node is behind,", []);
    await other.mine({ blocks: Math.max(1, 1 - Number(ahead)) + 100 });
    await expectRefusal("Another chain.", []);
    expect(await button("Approve TBILL").count()).toBe(0);
  });

  test("a connection and an approval that the user rejects", async () => {
    const wallet = await installWallet();
    wallet.isRejecting = true;
    await open(SWAP);
    await press("Connect Test Wallet");
    await notice("Rejected.").waitFor();
    wallet.isRejecting = false;
    await connect();
    await enabled("Approve TBILL").waitFor();
    wallet.isRejecting = true;
    await press("Approve TBILL");
    await notice("Rejected.").waitFor();
    expect(await allowanceOf("TBILL", USER, deployed.delegates.USDC)).toBe(0n);
  });

  test("an insufficient balance", async () => {
    await installWallet();
    await open({ ...SWAP, amount: "9000000" });
    await connect();
    await expectRefusal("Insufficient balance.", ["Approve TBILL", "Swap"]);
  });

  test("insufficient credits for a redemption", async () => {
    await installWallet({ account: "trader4" });
    await open({ action: "redeem", assetIn: "TRSY", assetOut: "USDC", amount: "5" });
    await connect();
    await expectRefusal("Insufficient credits.", []);
    expect(await button("Redeem").count()).toBe(0);
  });

  test("a deposit by an account that is not whitelisted", async () => {
    await installWallet({ account: NOT_ADMITTED });
    await open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "5" });
    await connect();
    await expectRefusal("Not whitelisted.", ["Approve USDC", "Deposit"]);
  });

  test("a pause, until it ends", async () => {
    await installWallet();
    await open(SWAP);
    await connect();
    await enabled("Approve TBILL").waitFor();
    await call("pauser", deployed.coreSwap, coreSwapAbi, "pause", []);
    await expectRefusal("Paused.", ["Approve TBILL", "Swap"]);
    await call("operator", deployed.coreSwap, coreSwapAbi, "unpause", []);
    await enabled("Approve TBILL").waitFor();
  });

  test("an account that the protocol or the treasury token has blacklisted", async () => {
    await installWallet();
    await call("blacklister", deployed.coreSwap, coreSwapAbi, "setBlacklisted", [addressOf(USER), true]);
    await open(SWAP);
    await connect();
    await expectRefusal("Blacklisted.", ["Approve TBILL", "Swap"]);
    await call("blacklister", deployed.coreSwap, coreSwapAbi, "setBlacklisted", [addressOf(USER), false]);
    await enabled("Approve TBILL").waitFor();

    await call("blacklister", deployed.treasury, treasuryAbi, "addToBlacklist", [addressOf(USER)]);
    await open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "5" });
    await expectRefusal("Blacklisted.", ["Approve USDC", "Deposit"]);
    await call("blacklister", deployed.treasury, treasuryAbi, "removeFromBlacklist", [addressOf(USER)]);
    await enabled("Approve USDC").waitFor();
  });

  test("a stale price, in a quote of the API and in a quote of the wallet", async () => {
    const { TBILL, USDC } = deployed.assets;
    const [navWad, maxMoveWad] = [parseEther("1.05"), parseEther("0.01")];
    const args = [addressOf("admin"), addressOf("navPoster"), navWad, maxMoveWad, parseEther("0.5"), 1n] as const;
    const bytecode = bytecodeOf("NavPriceAdapter");
    const adapter = await create(encodeDeployData({ abi: navPriceAdapterAbi, bytecode, args }));
    const use = (address: Address) =>
      call("operator", deployed.coreSwap, coreSwapAbi, "setRwaPriceAdapter", [TBILL.id, address]);
    await sender.client.increaseTime({ seconds: 5 });
    await use(adapter);
    // A page that had a quote before would keep it next to the refusal.
    const leg = { routeId: "1", assetInId: TBILL.id, assetOutId: USDC.id, stablecoinDelegateId: USDC.id };
    const query = new URLSearchParams({ network: NETWORK, user: addressOf(USER), ...leg, amountIn: "1000000" });
    await waitUntil(
      "the API refuses the quote",
      async () => {
        const { status, text } = await indexer.api.request(`/v1/quote?${query}`);
        return status === 422 ? null : text;
      },
      { deadlineMs: 60_000 },
    );
    await installWallet();
    await open(SWAP);
    await expectRefusal("Stale price.", []);
    await connect();
    await expectRefusal("Stale price.", []);
    await page.getByText("Swaps of this RWA wait for a NAV").waitFor();
    await use(deployed.priceAdapters.TBILL);
    await enabled("Approve TBILL").waitFor();
  });
});

test("the page fits each width, does not shift, and has no fault that axe finds, with a wallet and after a swap", async () => {
  await installWallet();
  await open({ assetIn: "TBILL", assetOut: "USDC", amount: "20000000" });
  await connect();
  await page.getByText("Insufficient balance.").waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await page.getByText("Insufficient balance.").waitFor();
    await inspect(page, "swap-wallet", width);
  }
  const { transactions } = await indexer.api.history(NETWORK, { limit: 1, activity: "swap", outcome: "success" });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(
      `${indexer.process.baseUrl}/app/swap?network=${NETWORK}&amount=12.5&assetIn=${deployed.assets.TBILL.id}&transaction=${transactions[0]?.transactionHash}`,
    );
    await page.getByRole("heading", { name: /^Leg 1 of / }).waitFor();
    await button("Approve TBILL").waitFor();
    await inspect(page, "swap-sent", width);
  }
  expect(watched.complaints).toEqual([]);
});
