/** The swap page of the dashboard names whatever prevents a transaction. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Address,
  encodeDeployData,
  erc20Abi,
  type Hash,
  isAddressEqual,
  maxUint256,
  parseEther,
  parseGwei,
  type Transaction,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { coreSwapAbi, navPriceAdapterAbi, treasuryAbi } from "../../abis/index.ts";
import { CHAIN_IDS } from "../../config/networks.ts";
import { artifactOf } from "../../localnet/artifacts.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import type { BrowserWallet } from "./harness/browserWallet.ts";
import { fact, figureIn, panel } from "./harness/dashboard.ts";
import { waitUntil } from "./harness/poll.ts";
import { NETWORK, SwapPage } from "./harness/swapPage.ts";

let swaps: SwapPage;
beforeAll(async () => {
  swaps = await SwapPage.start("dashboard-swap-refusals");
});
afterAll(() => swaps?.stop());
beforeEach(() => swaps.openPage());
afterEach(() => swaps.closePage());

const SWAP = { assetIn: "TBILL", assetOut: "USDC", amount: "100" } as const;
const notice = (title: string) => swaps.page.locator("main .notice strong", { hasText: title });

/** Waits until the page shows the notice, and checks that nothing can be sent then. */
async function expectRefusal(title: string, buttons: readonly string[]): Promise<void> {
  await notice(title).first().waitFor();
  for (const name of buttons) expect(await swaps.button(name).isDisabled(), name).toBe(true);
}

test("no wallet, no amount, or an invalid amount", async () => {
  await swaps.open({ ...SWAP, amount: "" });
  await swaps.page.getByText("No wallet found.").waitFor();
  await swaps.page.getByText("Enter an amount to see what it would settle.").waitFor();
  await swaps.page.getByLabel("Amount in TBILL").fill("1.23456789");
  await swaps.page.getByText("The token has at most 6 digits after the point.").waitFor();
  await swaps.page.getByLabel("Amount in TBILL").fill("1,000");
  await swaps.page.getByText("Enter digits, with at most one decimal point between them.").waitFor();
  await swaps.page.getByLabel("Amount in TBILL").fill("0");
  await swaps.page.getByText("Enter an amount above zero.").waitFor();
});

test("an asset that is not offered: nothing is quoted until another one is chosen", async () => {
  const { TBILL, USDC } = swaps.deployed.assets;
  const unknown = `0x${"ab".repeat(32)}`;
  const query = (assetIn: string, assetOut: string) => `assetIn=${assetIn}&assetOut=${assetOut}&amount=1000`;
  const assetOf = (name: string) =>
    swaps.page.locator("label", { has: swaps.page.locator(`xpath=./span[.="${name}"]`) }).locator("select");
  const [pay, get] = [assetOf("Pay"), assetOf("Get")];
  await swaps.page.goto(`${swaps.baseUrl}/app/swap?${query(unknown, USDC.id)}`);
  await expectRefusal("Not offered:", []);
  await swaps.page.getByText("Choose what to pay and what to get.").waitFor();
  expect([await pay.inputValue(), await get.inputValue()]).toEqual(["", USDC.id]);
  await pay.selectOption("TBILL");
  await swaps.page.getByText("Connect a wallet to swap.").waitFor();
  expect(await figureIn(fact(swaps.page, "You pay"))).toBe("1000");
  expect([await pay.inputValue(), await get.inputValue()]).toEqual([TBILL.id, USDC.id]);

  await swaps.page.goto(`${swaps.baseUrl}/app/swap?${query(USDC.id, unknown)}`);
  await expectRefusal("Not offered:", []);
  await pay.selectOption("TBILL");
  await waitUntil("TBILL is chosen", async () => ((await pay.inputValue()) === TBILL.id ? null : "not yet"));
  expect(await get.inputValue()).toBe("");
  expect(await fact(swaps.page, "You pay").count()).toBe(0);

  // What the page has chosen is named, too, so that it is noticed when it is closed.
  await swaps.page.goto(`${swaps.baseUrl}/app/swap?assetOut=${USDC.id}&amount=1000`);
  await swaps.page.waitForURL(/assetIn=0x.*lp=0x|lp=0x.*assetIn=0x/);
  await swaps.page.getByText("Connect a wallet to swap.").waitFor();
});

test("no quote service, while a connected wallet quotes by itself", async () => {
  await swaps.page.route("**/v1/quote?*", (route) =>
    route.fulfill({ status: 503, json: { error: "off", status: 503 } }),
  );
  await swaps.installWallet();
  await swaps.open(SWAP);
  await expectRefusal("No quotes", []);
  await swaps.connect();
  await swaps.button("Approve TBILL").waitFor();
});

test("the wrong network, until the wallet switches, and another chain with the same chain ID", async () => {
  const wallet = await swaps.installWallet();
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.button("Approve TBILL").waitFor();
  await wallet.switchChain(CHAIN_IDS.sepolia);
  await notice("Wrong network.").waitFor();
  await swaps.page.getByText("Switch the wallet to Mainnet to swap.").waitFor();
  expect(await swaps.button("Approve TBILL").count()).toBe(0);
  await swaps.press("Switch the wallet to Mainnet");
  await swaps.button("Approve TBILL").waitFor();

  const other = new Sender(swaps.stack.deployed("sepolia")).client;
  const ahead = (await other.getBlockNumber()) - (await swaps.sender.client.getBlockNumber());
  await swaps.sender.client.mine({ blocks: Math.max(1, Number(ahead) + 1) });
  wallet.rpcUrls = { 1: swaps.stack.deployed("sepolia").rpcUrl };
  await swaps.page.reload();
  await expectRefusal("The wallet's node is behind,", []);
  await other.mine({ blocks: Math.max(1, 1 - Number(ahead)) + 100 });
  await expectRefusal("Another chain.", []);
  expect(await swaps.button("Approve TBILL").count()).toBe(0);
});

test("a connection and an approval that the user rejects", async () => {
  const wallet = await swaps.installWallet();
  wallet.isRejecting = true;
  await swaps.open(SWAP);
  await swaps.press("Connect Test Wallet");
  await notice("Rejected.").waitFor();
  wallet.isRejecting = false;
  await swaps.connect();
  await swaps.enabled("Approve TBILL").waitFor();
  wallet.isRejecting = true;
  await swaps.press("Approve TBILL");
  await notice("Rejected.").waitFor();
  expect(await swaps.allowanceOf("TBILL", swaps.deployed.delegates.USDC)).toBe(0n);
});

test("an approval that the user rejects when the page shows another quote", async () => {
  const wallet = await swaps.installWallet();
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.enabled("Approve TBILL").waitFor();
  const answer = wallet.hold();
  wallet.isRejecting = true;
  await swaps.press("Approve TBILL");
  await swaps.page.getByText("Confirm in your wallet").waitFor();
  await swaps.page.getByLabel("Amount in TBILL").fill("101");
  answer();
  await notice("Rejected.").waitFor();
  await swaps.enabled("Approve TBILL").waitFor();
});

test("a batch for which the account would have to be upgraded: call after call instead", async () => {
  const wallet = await swaps.installWallet({ hasBatches: true });
  wallet.isRefusingUpgrade = true;
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.press("Approve and swap");
  await notice("Rejected.").waitFor();
  await swaps.enabled("Approve TBILL").waitFor();
  expect(await swaps.button("Swap").isDisabled()).toBe(true);
});

test("an approval and a swap that the user cancels in the wallet", async () => {
  const wallet = await swaps.installWallet();
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.enabled("Approve TBILL").waitFor();
  await cancelled(wallet, "Approve TBILL", "The approval was cancelled or replaced in the wallet.");
  expect(await swaps.allowanceOf("TBILL", swaps.deployed.delegates.USDC)).toBe(0n);
  await swaps.press("Approve TBILL");
  await swaps.enabled("Swap").waitFor();
  await cancelled(wallet, "Swap", "was cancelled or replaced in the wallet. Nothing was swapped.");
  expect(await swaps.allowanceOf("TBILL", swaps.deployed.delegates.USDC)).toBe(swaps.tokens("TBILL", "100"));
  const { href: cancelledUrl } = new URL(swaps.page.url());
  await swaps.enabled("Swap").waitFor();
  await swaps.press("Swap");
  await swaps.page.waitForURL(({ href }) => href !== cancelledUrl);
  await swaps.sentTransaction();
  expect(await swaps.allowanceOf("TBILL", swaps.deployed.delegates.USDC)).toBe(0n);
});

test("a swap that the user sped up, and one that the user cancelled, after leaving the page and returning", async () => {
  const wallet = await swaps.installWallet();
  const { USDC } = swaps.deployed.delegates;
  await swaps.approve("TBILL", USDC, "100");
  await swaps.open(SWAP);
  await swaps.connect();
  const hash = await replaced(wallet, "Swap", (sent) => sent);
  const isShown = async () => {
    await swaps.page.waitForURL(({ searchParams }) => searchParams.get("transaction") === hash);
    await swaps.sentTransaction();
  };
  await isShown();
  await leaveAndReturn();
  await isShown();

  await swaps.approve("TBILL", USDC, "100");
  await swaps.open(SWAP);
  const message = "was cancelled or replaced in the wallet. Nothing was swapped.";
  await cancelled(wallet, "Swap", message);
  await leaveAndReturn();
  await swaps.page.getByText(message).waitFor();
  await swaps.approve("TBILL", USDC, "0");
});

/** Leaves the swap page for another one, and returns. */
async function leaveAndReturn(): Promise<void> {
  const link = (name: string) => swaps.page.getByRole("navigation").getByRole("link", { name, exact: true });
  await link("Treasury").click();
  await swaps.page.getByRole("heading", { level: 1, name: "Treasury" }).waitFor();
  await link("Swap").click();
}

/** Presses a button, and sends an empty transaction in place of the one that the wallet has sent. */
async function cancelled(wallet: BrowserWallet, button: string, message: string): Promise<void> {
  await replaced(wallet, button, ({ from }) => ({ to: from, input: "0x", gas: 21_000n }));
  await swaps.page.getByText(message).waitFor();
}

type SentCall = Pick<Transaction, "to" | "input" | "gas">;

/** Presses a button, and sends another transaction, at a higher fee, in place of the one that the wallet has sent. */
async function replaced(
  wallet: BrowserWallet,
  button: string,
  replacementOf: (sent: Transaction) => SentCall,
): Promise<Hash> {
  const chain = createChainClient(swaps.deployed.rpcUrl);
  const account = WALLETS.outsider;
  const { address } = account;
  const nonce = await chain.getTransactionCount({ address });
  await chain.setAutomine(false);
  try {
    const looks = () => wallet.requests.filter((method) => method === "eth_getTransactionByHash").length;
    const before = looks();
    await swaps.press(button);
    await waitUntil("the wallet has sent it, and the page has seen it", async () => {
      const pending = await chain.getTransactionCount({ address, blockTag: "pending" });
      return pending > nonce && looks() > before ? null : `${pending} transactions, ${looks() - before} looks`;
    });
    const { transactions } = await chain.getBlock({ blockTag: "pending", includeTransactions: true });
    const sent = transactions.find(({ from }) => isAddressEqual(from, address));
    if (sent === undefined) throw new Error("the node has no transaction of the account");
    const { to, input, gas } = replacementOf(sent);
    const fee = parseGwei("500");
    const serializedTransaction = await account.signTransaction({
      type: "eip1559",
      chainId: CHAIN_IDS.mainnet,
      ...{ nonce, to, data: input, gas, maxFeePerGas: fee, maxPriorityFeePerGas: fee },
    });
    const hash = await chain.sendRawTransaction({ serializedTransaction });
    await chain.mine({ blocks: 1 });
    return hash;
  } finally {
    await chain.setAutomine(true);
  }
}

test("a swap and a batch that fail inside a transaction that succeeds", async () => {
  const { USDC } = swaps.deployed.delegates;
  const wallet = await swaps.installWallet();
  await swaps.approve("TBILL", USDC, "100");
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.enabled("Swap").waitFor();
  wallet.isFailingInside = true;
  await swaps.press("Swap");
  const failed = swaps.page.getByText("but nothing was swapped: the account's call failed inside it.");
  await failed.waitFor();
  // It is never in the index, so what the wallet's node said of it counts without the wallet, too.
  await swaps.press("Disconnect");
  await swaps.button("Connect Test Wallet").waitFor();
  await failed.waitFor();
  await swaps.page.getByLabel("Amount in TBILL").fill("90");
  await swaps.page.waitForURL((url) => !url.searchParams.has("transaction"));

  await swaps.approve("TBILL", USDC, "0");
  await swaps.closePage();
  await swaps.openPage();
  const batches = await swaps.installWallet({ hasBatches: true });
  batches.isFailingInside = true;
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.press("Approve and swap");
  await notice("Wallet error.").waitFor();
  await swaps.page
    .getByText(/The batch failed \(status 500\) in transaction 0x\w{64}\. Nothing was swapped\./)
    .waitFor();
});

test("a transaction that the index does not answer for yet, then cannot look up, then does not have", async () => {
  const LOOK_UPS = "**/v1/transactions?*";
  const answer = Promise.withResolvers<void>();
  await swaps.page.route(LOOK_UPS, async (route) => {
    await answer.promise;
    await route.fulfill({ status: 503, json: { error: "off", status: 503 } });
  });
  await swaps.page.goto(`${swaps.baseUrl}/app/swap?network=${NETWORK}&transaction=0x${"ab".repeat(32)}`);
  const state = panel(swaps.page, "Your transaction").getByRole("status");
  await state.filter({ hasText: "Loading …" }).waitFor();
  answer.resolve();
  await state.filter({ hasText: "cannot be looked up in the index: 503: off" }).waitFor();
  await swaps.page.unroute(LOOK_UPS);
  await swaps.page.reload();
  await state.filter({ hasText: "is not in the index." }).waitFor();
  await swaps.press("Go on without it");
  await swaps.page.waitForURL((url) => !url.searchParams.has("transaction"));
  await state.waitFor({ state: "detached" });
});

test("an insufficient balance", async () => {
  await swaps.installWallet();
  await swaps.open({ ...SWAP, amount: "9000000" });
  await swaps.connect();
  await expectRefusal("Insufficient balance.", ["Approve TBILL", "Swap"]);
});

test("an LP whose custody has not approved enough of an asset, or lacks it", async () => {
  const { delegates, assets } = swaps.deployed;
  const { address: custody } = WALLETS.usdcRwaCustody;
  const { token } = assets.TBILL;
  const moveTBILL = (from: "usdcRwaCustody" | "deployer", to: Address, amount: bigint) =>
    swaps.call(from, token, erc20Abi, "transfer", [to, amount]);
  await swaps.installWallet();
  await swaps.approve("USDC", delegates.USDC, "100");
  await swaps.call("usdcRwaCustody", token, erc20Abi, "approve", [delegates.USDC, 0n]);
  await swaps.open({ assetIn: "USDC", assetOut: "TBILL", amount: "100" });
  await swaps.connect();
  await expectRefusal("The LP cannot pay.", ["Swap"]);
  await swaps.page.getByText("The error is ERC20InsufficientAllowance(").waitFor();
  expect(await notice("Insufficient balance.").count()).toBe(0);

  await swaps.call("usdcRwaCustody", token, erc20Abi, "approve", [delegates.USDC, maxUint256]);
  const balance = { abi: erc20Abi, address: token, functionName: "balanceOf", args: [custody] } as const;
  const held = await swaps.sender.client.readContract(balance);
  await moveTBILL("usdcRwaCustody", WALLETS.deployer.address, held);
  await swaps.page.getByText("The error is ERC20InsufficientBalance(").waitFor();
  await moveTBILL("deployer", custody, held);
  await swaps.enabled("Swap").waitFor();
  await swaps.approve("USDC", delegates.USDC, "0");
});

test("insufficient credits for a redemption", async () => {
  await swaps.installWallet({ account: "trader4" });
  await swaps.open({ action: "redeem", assetIn: "TRSY", assetOut: "USDC", amount: "5" });
  await swaps.connect();
  await expectRefusal("Insufficient credits.", []);
  expect(await swaps.button("Redeem").count()).toBe(0);
});

test("a deposit by an account that is not whitelisted", async () => {
  await swaps.installWallet({ account: "trader3" });
  await swaps.open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "5" });
  await swaps.connect();
  await expectRefusal("Not whitelisted.", ["Approve USDC", "Deposit"]);
});

test("a pause, until it ends", async () => {
  await swaps.installWallet();
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.enabled("Approve TBILL").waitFor();
  await swaps.call("pauser", swaps.deployed.coreSwap, coreSwapAbi, "pause", []);
  await expectRefusal("Paused.", ["Approve TBILL", "Swap"]);
  await swaps.call("operator", swaps.deployed.coreSwap, coreSwapAbi, "unpause", []);
  await swaps.enabled("Approve TBILL").waitFor();
});

test("an account that the protocol or the treasury token has blacklisted", async () => {
  await swaps.installWallet();
  await swaps.call("blacklister", swaps.deployed.coreSwap, coreSwapAbi, "setBlacklisted", [swaps.user, true]);
  await swaps.open(SWAP);
  await swaps.connect();
  await expectRefusal("Blacklisted.", ["Approve TBILL", "Swap"]);
  await swaps.call("blacklister", swaps.deployed.coreSwap, coreSwapAbi, "setBlacklisted", [swaps.user, false]);
  await swaps.enabled("Approve TBILL").waitFor();

  await swaps.call("blacklister", swaps.deployed.treasury, treasuryAbi, "addToBlacklist", [swaps.user]);
  await swaps.open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "5" });
  await expectRefusal("Blacklisted.", ["Approve USDC", "Deposit"]);
  await swaps.call("blacklister", swaps.deployed.treasury, treasuryAbi, "removeFromBlacklist", [swaps.user]);
  await swaps.enabled("Approve USDC").waitFor();
});

test("a stale price, in a quote of the API and in a quote of the wallet", async () => {
  const { TBILL, USDC } = swaps.deployed.assets;
  const [navWad, maxMoveWad] = [parseEther("1.05"), parseEther("0.01")];
  const args = [WALLETS.admin.address, WALLETS.navPoster.address, navWad, maxMoveWad, parseEther("0.5"), 1n] as const;
  const { bytecode } = artifactOf("NavPriceAdapter");
  const adapter = await swaps.create(encodeDeployData({ abi: navPriceAdapterAbi, bytecode, args }));
  const use = (address: Address) =>
    swaps.call("operator", swaps.deployed.coreSwap, coreSwapAbi, "setRwaPriceAdapter", [TBILL.id, address]);
  await swaps.sender.client.increaseTime({ seconds: 5 });
  await use(adapter);
  // A page that had a quote before would keep it next to the refusal.
  const leg = { routeId: "1", assetInId: TBILL.id, assetOutId: USDC.id, stablecoinDelegateId: USDC.id };
  const query = new URLSearchParams({ network: NETWORK, user: swaps.user, ...leg, amountIn: "1000000" });
  await waitUntil("the API refuses the quote", async () => {
    const { status, text } = await swaps.api.request(`/v1/quote?${query}`);
    return status === 422 ? null : text;
  });
  await swaps.installWallet();
  await swaps.open(SWAP);
  await expectRefusal("Stale price.", []);
  await swaps.connect();
  await expectRefusal("Stale price.", []);
  await swaps.page.getByText("Swaps of this RWA wait for a NAV").waitFor();
  await use(swaps.deployed.priceAdapters.TBILL);
  await swaps.enabled("Approve TBILL").waitFor();
});

test("a node of the wallet that does not answer: the quote is stale", async () => {
  const wallet = await swaps.installWallet();
  await swaps.open(SWAP);
  await swaps.connect();
  await swaps.enabled("Approve TBILL").waitFor();
  const place = await swaps.button("Approve TBILL").boundingBox();
  wallet.isSilent = true;
  await swaps.page.getByText("Stale quote:").waitFor();
  // Screen readers read a status again when its text changes, as the age of a block does.
  const status = swaps.page.getByRole("status").filter({ hasText: "Stale quote:" });
  await status.filter({ hasText: "no newer one came." }).waitFor();
  expect(await status.locator("time").count()).toBe(0);
  expect(await swaps.button("Approve TBILL").isDisabled()).toBe(true);
  expect(await swaps.button("Approve TBILL").boundingBox()).toEqual(place);
  wallet.isSilent = false;
  await swaps.enabled("Approve TBILL").waitFor();
});

test("a node of the wallet that hangs from the beginning, while the chain goes on", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const wallet = await swaps.installWallet();
  const { rpcUrls } = wallet;
  wallet.rpcUrls = { ...rpcUrls, [CHAIN_IDS.mainnet]: `http://127.0.0.1:${port}` };
  try {
    await swaps.open(SWAP);
    await swaps.connect();
    const isNoticed = notice("Wallet error.")
      .waitFor()
      .then(() => true);
    while (!(await Promise.race([isNoticed, pause(3_000)]))) await swaps.sender.client.mine({ blocks: 1 });
    wallet.rpcUrls = rpcUrls;
    await swaps.enabled("Approve TBILL").waitFor();
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
