/**
 * Swaps, deposits and redemptions on the dashboard through a wallet that the browser announces. The amounts equal those
 * of the chain and the API.
 */
import type { Schemas } from "@coreswap/client";
import { erc20Abi, type Hash, parseEther } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { treasuryDelegateAbi } from "../../abis/index.ts";
import { shownDecimal } from "../../app/src/format/amount.ts";
import { assetIdText } from "../../app/src/format/names.ts";
import { CHAIN_IDS } from "../../config/networks.ts";
import type { LegAsset } from "../../localnet/assets.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { answerOf, fact, figureIn, inspect, panel, WIDTHS } from "./harness/dashboard.ts";
import { waitUntil } from "./harness/poll.ts";
import { NETWORK, SwapPage } from "./harness/swapPage.ts";

const DAY_SECONDS = 86_400;

let swaps: SwapPage;
beforeAll(async () => {
  swaps = await SwapPage.start("dashboard-swap");
});
afterAll(() => swaps?.stop());
beforeEach(() => swaps.openPage());
afterEach(() => swaps.closePage());

/** The figures that the page shows for a quote: paid, received, and the three fees. */
const figuresOf = (pay: LegAsset, get: LegAsset, fees: LegAsset, quote: Schemas["Quote"]) => [
  swaps.shown(pay, quote.amountIn),
  swaps.shown(get, quote.amountOut),
  ...[quote.issuerFee, quote.spreadFee, quote.lpFee].map((fee) => swaps.shown(fees, fee)),
];

describe("through a wallet", () => {
  afterEach(() => {
    expect(swaps.complaints).toEqual([]);
  });

  test("a swap is quoted without a wallet, approved for exactly its amount, sent and shown", async () => {
    const wallet = await swaps.installWallet();
    await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "1000" });
    await swaps.page.getByText("Connect a wallet to swap.").waitFor();
    await swaps.page.getByText("The quote does not show whether the LP takes the assets or can pay.").waitFor();
    const { TBILL, USDC } = swaps.deployed.assets;
    const common = { assetInId: TBILL.id, assetOutId: USDC.id, stablecoinDelegateId: USDC.id };
    const quote = await swaps.apiQuote({ routeId: "1", ...common, amountIn: String(swaps.tokens("TBILL", "1000")) });
    expect(await swaps.quoteOnPage()).toEqual(figuresOf("TBILL", "USDC", "USDC", quote));
    expect(wallet.requests).not.toContain("eth_requestAccounts");

    await swaps.connect();
    await swaps.button("Approve TBILL").waitFor();
    expect(await swaps.quoteOnPage()).toEqual(figuresOf("TBILL", "USDC", "USDC", quote));
    const minimum = (BigInt(quote.amountOut) * 9_950n + 9_999n) / 10_000n;
    expect(await figureIn(fact(swaps.page, "Minimum received"))).toBe(swaps.shown("USDC", minimum));
    expect(await fact(swaps.page, "Receiver").locator(`[title="${swaps.user.toLowerCase()}"]`).count()).toBe(1);
    expect(await swaps.button("Swap").isDisabled()).toBe(true);
    await swaps.press("Approve TBILL");
    await swaps.enabled("Swap").waitFor();
    expect(await swaps.allowanceOf("TBILL", swaps.deployed.delegates.USDC)).toBe(swaps.tokens("TBILL", "1000"));
    expect(await swaps.allowanceOf("TBILL", swaps.deployed.coreSwap)).toBe(0n);

    const before = await swaps.balances("TBILL", "USDC");
    await swaps.press("Swap");
    const transaction = await swaps.sentTransaction();
    const own = swaps.ownLeg(transaction);
    expect(transaction.directCall?.submittedSwapLegs?.[0]?.assetOutAmount).toBe(String(minimum));
    await swaps.expectRealized(own, { assetIn: "TBILL", assetOut: "USDC", fees: "USDC" }, before);
    expect(await swaps.allowanceOf("TBILL", swaps.deployed.delegates.USDC)).toBe(0n);
  });

  test("the wallet stays connected while the assets are read again", async () => {
    const wallet = await swaps.installWallet();
    await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "5" });
    await swaps.connect();
    await swaps.button("Approve TBILL").waitFor();
    const looks = () => wallet.requests.filter((method) => method === "eth_accounts").length;
    const before = looks();
    // An answer of the last second is not asked for again.
    await swaps.page.waitForTimeout(1_500);
    const read = swaps.page.waitForResponse((answer) => new URL(answer.url()).pathname === "/v1/assets");
    // As if the user came back to the page. Without that, it reads them within half a minute.
    await swaps.page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
    await read;
    await swaps.page.getByLabel("Amount in TBILL").fill("6");
    await waitUntil("the page quotes the new amount", async () =>
      (await figureIn(fact(swaps.page, "You pay"))) === "6" ? null : "not yet",
    );
    expect(looks()).toBe(before);
  });

  test("a deposit approves and swaps in one batch, and then shows credits", async () => {
    const wallet = await swaps.installWallet({ hasBatches: true });
    await swaps.open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "2500.5" });
    await swaps.connect();
    await swaps.button("Approve and deposit").waitFor();
    const before = await swaps.balances("USDC", "TRSY");
    await swaps.press("Approve and deposit");
    const own = swaps.ownLeg(await swaps.sentTransaction());
    await swaps.expectRealized(own, { assetIn: "USDC", assetOut: "TRSY", fees: "TRSY" }, before);
    expect(own.leg.amountIn).toBe(String(swaps.tokens("USDC", "2500.5")));
    expect(wallet.requests).toContain("wallet_sendCalls");
    expect(wallet.requests).not.toContain("eth_sendTransaction");
    const withheld = await swaps.sender.client.readContract({
      abi: treasuryDelegateAbi,
      address: swaps.deployed.treasuryDelegate,
      functionName: "totalWithheldCredits",
      args: [swaps.user],
    });
    expect(withheld).toBe(BigInt(own.leg.amountOut));
  });

  test("a batch that the wallet has is waited for while the wallet's node is away", async () => {
    const chain = createChainClient(swaps.deployed.rpcUrl);
    const wallet = await swaps.installWallet({ hasBatches: true });
    await swaps.open({ action: "deposit", assetIn: "USDC", assetOut: "TRSY", amount: "12" });
    await swaps.connect();
    const before = await swaps.balances("USDC", "TRSY");
    await chain.setAutomine(false);
    const looks = () => wallet.requests.filter((method) => method === "wallet_getCallsStatus").length;
    const lookedTimes = (times: number) =>
      waitUntil(`the page has looked ${times} times`, async () => (looks() < times ? `${looks()}` : null));
    try {
      await swaps.press("Approve and deposit");
      await lookedTimes(1);
      const { rpcUrls } = wallet;
      wallet.rpcUrls = { ...rpcUrls, [CHAIN_IDS.mainnet]: "http://127.0.0.1:9" };
      await lookedTimes(looks() + 8);
      wallet.rpcUrls = rpcUrls;
      await chain.mine({ blocks: 1 });
    } finally {
      await chain.setAutomine(true);
    }
    const own = swaps.ownLeg(await swaps.sentTransaction());
    await swaps.expectRealized(own, { assetIn: "USDC", assetOut: "TRSY", fees: "TRSY" }, before);
  });

  test("a swap that the user confirms after leaving the page is shown when it is opened again", async () => {
    const wallet = await swaps.installWallet();
    await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "20" });
    await swaps.connect();
    await swaps.press("Approve TBILL");
    await swaps.enabled("Swap").waitFor();
    const before = await swaps.balances("TBILL", "USDC");
    const confirm = wallet.hold();
    await swaps.press("Swap");
    await swaps.page.getByText("Confirm in your wallet").waitFor();
    const link = (name: string) => swaps.page.getByRole("navigation").getByRole("link", { name, exact: true });
    await link("Treasury").click();
    await swaps.page.getByRole("heading", { level: 1, name: "Treasury" }).waitFor();
    confirm();
    await waitUntil("the swap is settled", async () => {
      const { in: left } = await swaps.balances("TBILL", "USDC");
      return left < before.in ? null : "not yet";
    });
    expect(new URL(swaps.page.url()).pathname).toBe("/app/treasury");
    await link("Swap").click();
    const own = swaps.ownLeg(await swaps.sentTransaction());
    await swaps.expectRealized(own, { assetIn: "TBILL", assetOut: "USDC", fees: "USDC" }, before);
  });

  test("an approval that is left is set to zero before a token like USDT is approved again", async () => {
    const { delegates, assets } = swaps.deployed;
    const restore = await swaps.refuseChangedAllowances("TBILL");
    try {
      await swaps.call("outsider", assets.TBILL.token, erc20Abi, "approve", [delegates.USDC, 1n]);
      const wallet = await swaps.installWallet();
      await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "10" });
      await swaps.connect();
      await swaps.press("Approve TBILL");
      await swaps.enabled("Swap").waitFor();
      expect(await swaps.allowanceOf("TBILL", delegates.USDC)).toBe(swaps.tokens("TBILL", "10"));
      expect(wallet.requests.filter((method) => method === "eth_sendTransaction")).toHaveLength(2);
      const before = await swaps.balances("TBILL", "USDC");
      await swaps.press("Swap");
      const own = swaps.ownLeg(await swaps.sentTransaction());
      await swaps.expectRealized(own, { assetIn: "TBILL", assetOut: "USDC", fees: "USDC" }, before);
    } finally {
      await restore();
    }
  });

  test("a redemption of an exact output has a maximum input", async () => {
    await swaps.installWallet();
    await swaps.open({ action: "redeem", assetIn: "TRSY", assetOut: "USDC", amount: "300", exact: "out" });
    await swaps.page.getByText("Connect the wallet that holds the credits").waitFor();
    await swaps.connect();
    await swaps.press("Approve TRSY");
    await swaps.enabled("Redeem").waitFor();
    const most = await figureIn(fact(swaps.page, "Maximum paid"));
    const before = await swaps.balances("TRSY", "USDC");
    await swaps.press("Redeem");
    const transaction = await swaps.sentTransaction();
    const own = swaps.ownLeg(transaction);
    await swaps.expectRealized(own, { assetIn: "TRSY", assetOut: "USDC", fees: "TRSY" }, before);
    expect(own.leg.amountOut).toBe(String(swaps.tokens("USDC", "300")));
    expect(swaps.shown("TRSY", transaction.directCall?.submittedSwapLegs?.[0]?.assetInAmount ?? "")).toBe(most);
  });
});

test("nothing can be sent while the swap that was sent waits for a block, unless the user gives it up", async () => {
  const chain = createChainClient(swaps.deployed.rpcUrl);
  const { USDC } = swaps.deployed.delegates;
  const waits = swaps.page.getByRole("status").filter({ hasText: "nothing else can be sent" });
  await swaps.approve("TBILL", USDC, "90");
  await swaps.installWallet();
  await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "30" });
  await swaps.connect();
  const before = await swaps.balances("TBILL", "USDC");
  await chain.setAutomine(false);
  try {
    await swaps.press("Swap");
    await swaps.page.waitForURL(/transaction=0x/);
    await waits.waitFor();
    expect(await swaps.button("Swap").isDisabled()).toBe(true);
    await swaps.page.screenshot({ path: "artifacts/dashboard/swap-waiting.png", fullPage: true });
    await swaps.page.reload();
    await waits.waitFor();
    await swaps.button("Swap").waitFor();
    // Longer than the page takes for a new quote.
    await swaps.page.waitForTimeout(8_000);
    expect(await swaps.button("Swap").isDisabled()).toBe(true);
    await chain.mine({ blocks: 1 });
    await swaps.enabled("Swap").waitFor();
    await waits.waitFor({ state: "detached" });
    const own = swaps.ownLeg(await swaps.sentTransaction());
    await swaps.expectRealized(own, { assetIn: "TBILL", assetOut: "USDC", fees: "USDC" }, before);

    // Another order is another transaction.
    await swaps.page.getByLabel("Amount in TBILL").fill("29");
    await swaps.page.waitForURL((url) => !url.searchParams.has("transaction"));
    await panel(swaps.page, "Your transaction").waitFor({ state: "detached" });

    // A transaction that the node forgets, as one with too low a fee.
    await swaps.enabled("Swap").waitFor();
    const { href } = new URL(swaps.page.url());
    await swaps.press("Swap");
    await swaps.page.waitForURL((url) => url.href !== href);
    const hash = new URL(swaps.page.url()).searchParams.get("transaction");
    await waits.waitFor();
    // Another order does not make the one that was sent disappear, also after the page is loaded again.
    await swaps.page.getByLabel("Amount in TBILL").fill("20");
    await swaps.page.waitForURL(/amount=20/);
    await swaps.page.reload();
    expect(new URL(swaps.page.url()).searchParams.get("transaction")).toBe(hash);
    await waits.filter({ hasText: hash?.slice(0, 6) ?? "none" }).waitFor();
    expect(await swaps.button("Swap").isDisabled()).toBe(true);
    await chain.dropTransaction({ hash: hash as Hash });
    await swaps.press("Go on without it");
    await swaps.enabled("Swap").waitFor();
    expect(new URL(swaps.page.url()).searchParams.get("transaction")).toBeNull();
  } finally {
    await chain.setAutomine(true);
  }
  await swaps.press("Swap");
  await swaps.sentTransaction();
  await swaps.approve("TBILL", USDC, "0");
});

test("assets with the same symbol are told apart by their IDs, in the form, on the buttons and in the names of LPs", async () => {
  const { DAI, USDC } = swaps.deployed.assets;
  const rename = async (pattern: string) => {
    await swaps.page.route(pattern, async (route) => {
      const response = await answerOf(route);
      await route.fulfill({ response, body: (await response.text()).replaceAll('"symbol":"DAI"', '"symbol":"USDC"') });
    });
  };
  await rename("**/v1/info");
  await rename("**/v1/assets?*");
  await swaps.installWallet();
  await swaps.open({ assetIn: "DAI", assetOut: "USDC", amount: "1" });
  await swaps.connect();
  const [dai, usdc] = [DAI.id, USDC.id].map((id) => `USDC (${assetIdText(id)})`);
  const pay = swaps.page.locator("label", { has: swaps.page.locator('xpath=./span[.="Pay"]') }).locator("option");
  expect(await pay.allTextContents()).toEqual(expect.arrayContaining([dai, usdc, "TBILL"]));
  await swaps.button(`Approve ${dai}`).waitFor();
  await swaps.page.getByLabel(`Amount in ${dai}`).waitFor();
  expect(await fact(swaps.page, "You receive").locator(".unit").textContent()).toBe(usdc);
  expect([`${dai} LP`, `${usdc} LP`]).toContain(await fact(swaps.page, "Settled by").locator("a").textContent());
  await swaps.page.screenshot({ path: "artifacts/dashboard/swap-same-symbol.png", fullPage: true });
});

test("each LP that can settle the pair is shown with what it quotes, and a hint says that another one quotes more", async () => {
  const { DAI, USDC } = swaps.deployed.assets;
  const leg = { routeId: "7", assetInId: DAI.id, assetOutId: USDC.id, amountIn: String(swaps.tokens("DAI", "1000")) };
  const offers = await Promise.all(
    (["DAI", "USDC"] as const).map(async (symbol) => {
      const stablecoinDelegateId = swaps.deployed.assets[symbol].id;
      const { amountOut } = await swaps.apiQuote({ ...leg, stablecoinDelegateId });
      const { text } = shownDecimal({ units: BigInt(amountOut), decimals: USDC.decimals });
      return { id: stablecoinDelegateId, symbol, amountOut: BigInt(amountOut), text: `${symbol}: ${text} USDC` };
    }),
  );
  const [most, least] = offers.toSorted((one, other) => (one.amountOut > other.amountOut ? -1 : 1));
  if (most === undefined || least === undefined || most.amountOut === least.amountOut)
    throw new Error("no LP quotes more");
  await swaps.open({ assetIn: "DAI", assetOut: "USDC", amount: "1000" });
  const choice = swaps.page.getByLabel("Settled by the LP of");
  for (const { text } of offers) await choice.locator("option", { hasText: text }).waitFor({ state: "attached" });
  const hint = swaps.page.getByText(`The ${most.symbol} LP quotes more`);
  await choice.selectOption(least.id);
  await hint.waitFor();
  await choice.selectOption(most.id);
  await hint.waitFor({ state: "detached" });
});

test("the amount in the field is that of the quote after going back, although the field has the focus", async () => {
  const field = swaps.page.getByLabel(/^Amount in /);
  const paid = () => figureIn(fact(swaps.page, "You pay"));
  await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "100" });
  await swaps.page.getByText("Connect a wallet to swap.").waitFor();
  await swaps.page.getByRole("link", { name: "Swap", exact: true }).click();
  await swaps.page.getByText("Enter an amount to see what it would settle.").waitFor();
  await field.fill("7");
  await swaps.page.waitForURL(/amount=7/);
  await swaps.page.goBack();
  await waitUntil("the page quotes the amount before", async () =>
    (await paid()) === swaps.shown("TBILL", swaps.tokens("TBILL", "100")) ? null : "not yet",
  );
  expect(await field.inputValue()).toBe("100");
});

test("the page fits each width, does not shift, and has no fault that axe finds, with a wallet and after a swap", async () => {
  await swaps.installWallet();
  await swaps.open({ assetIn: "TBILL", assetOut: "USDC", amount: "20000000" });
  await swaps.connect();
  await swaps.page.getByText("Insufficient balance.").waitFor();
  for (const width of WIDTHS) {
    await swaps.page.setViewportSize({ width, height: 900 });
    await swaps.page.reload();
    await swaps.page.getByText("Insufficient balance.").waitFor();
    await inspect(swaps.page, "swap-wallet", width);
  }
  const { transactions } = await swaps.api.history(NETWORK, { limit: 1, activity: "swap", outcome: "success" });
  for (const width of WIDTHS) {
    await swaps.page.setViewportSize({ width, height: 900 });
    await swaps.page.goto(
      `${swaps.baseUrl}/app/swap?network=${NETWORK}&amount=12.5&assetIn=${swaps.deployed.assets.TBILL.id}&transaction=${transactions[0]?.transactionHash}`,
    );
    await swaps.page.getByRole("heading", { name: /^Leg 1 of / }).waitFor();
    await swaps.button("Approve TBILL").waitFor();
    await inspect(swaps.page, "swap-sent", width);
  }
  expect(swaps.complaints).toEqual([]);
});

test("a redemption while daily rates are late names the missing days, until they are posted", async () => {
  const { client } = swaps.sender;
  const { treasuryDelegate, assets } = swaps.deployed;
  const readYield = async () => {
    const { delegates } = await swaps.api.json<Schemas["TreasurySummary"]>(`/v1/treasury/summary?network=${NETWORK}`);
    const found = delegates.find(({ stablecoinId }) => stablecoinId === assets.TRSY.id);
    if (found === undefined) throw new Error("the summary has no delegate of TRSY");
    return found.yield;
  };
  /** Posts the rates of the newest ended days, except the last ones. The index takes the time of blocks with events. */
  const postAllBut = async (missing: number) => {
    const end = (await client.getBlock()).timestamp / BigInt(DAY_SECONDS) - BigInt(missing);
    const { lastPostedDay } = await readYield();
    for (let day = lastPostedDay === null ? end - 1n : BigInt(lastPostedDay) + 1n; day < end; day++) {
      await swaps.call("ratePoster", treasuryDelegate, treasuryDelegateAbi, "postDailyRate", [
        day,
        parseEther("0.045"),
      ]);
    }
    await waitUntil(`${missing} rates are missing`, async () => {
      const { lastPostedDay: newest, unpostedDays } = await readYield();
      return newest === String(end - 1n) && unpostedDays === missing ? null : `${unpostedDays} after ${newest}`;
    });
  };
  const late = swaps.page.getByRole("status").filter({ hasText: "Rates are late." });
  await client.increaseTime({ seconds: 4 * DAY_SECONDS });
  await client.mine({ blocks: 1 });
  await postAllBut(2);
  await swaps.open({ action: "redeem", assetIn: "TRSY", assetOut: "TBILL", amount: "300" });
  await late.filter({ hasText: "The rates of 2 days are not posted yet" }).waitFor();
  await postAllBut(0);
  // As if the user came back to the page. Without that, it reads the summary within half a minute.
  await swaps.page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await late.waitFor({ state: "detached" });
});
