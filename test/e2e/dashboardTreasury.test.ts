/** The treasury and the wallets on the dashboard equal those of the API. */
import type { Schemas } from "@coreswap/client";
import type { Locator, Page } from "playwright-core";
import { parseEther } from "viem";
import { afterEach, beforeAll, expect, inject, test } from "vitest";
import { timeText } from "../support/time.ts";
import { answerOf, fact, figureIn, panel, rowsOf } from "./harness/dashboard.ts";
import {
  type Assets,
  amountOf,
  changeStates,
  changeSummaries,
  decimal,
  lateBy,
  NETWORK,
  RANGE,
  readAssets,
  useDashboard,
} from "./harness/dashboardSession.ts";

const { baseUrl } = inject("sharedStack");
const dashboard = useDashboard(baseUrl);
const { api, open } = dashboard;

let assets: Assets;
beforeAll(async () => {
  assets = await readAssets(api);
});

afterEach(() => {
  expect(dashboard.watched.complaints).toEqual([]);
});

test("the treasury view shows every posted day with its rate, growth and index", async () => {
  const answer = await api.json<Schemas["TreasuryRates"]>(`/v1/treasury/rates?network=${NETWORK}&${RANGE}`);
  const rates = answer.delegates[0]?.rates.toReversed() ?? [];
  expect(rates.length).toBeGreaterThan(60);
  const page = await open(`/treasury?network=${NETWORK}&${RANGE}`);
  const shown = await rowsOf(page, "Posted days, newest first").evaluateAll((rows) =>
    rows.map((row) => [
      row.querySelector("th")?.textContent,
      ...[...row.querySelectorAll("td.number button")].map((button) => button.getAttribute("title")?.split("\n")[0]),
      row.querySelector("a")?.getAttribute("title"),
    ]),
  );
  expect(shown).toEqual(
    rates.map((rate) => [
      rate.startsAt.slice(0, 10),
      decimal(rate.rateWad, 16),
      decimal(rate.growthWad, 16),
      decimal(rate.growthIndexE36, 36),
      rate.transactionHash,
    ]),
  );
});

test("the treasury view shows the token's liabilities, reserve and yield", async () => {
  const { delegates } = await api.json<Schemas["TreasurySummary"]>(`/v1/treasury/summary?network=${NETWORK}`);
  const [delegate] = delegates;
  if (delegate === undefined) throw new Error("there is no yield-bearing delegate");
  const { decimals, supply, solvency, reserveAssets, yield: yields } = delegate;
  const page = await open(`/treasury?network=${NETWORK}&${RANGE}`);
  for (const [name, expected] of [
    ["Supply", decimal(supply, decimals)],
    ["Credits with yield", decimal(solvency.liabilities, decimals)],
    ["Reserve", decimal(solvency.assetsUsdWad, 18)],
    ["Surplus", decimal(solvency.surplusUsdWad, 18)],
    ["Net APY, newest day", decimal(yields.currentApyWad ?? "", 16)],
    ["Net APY, 7 days", decimal(yields.apy7DaysWad ?? "", 16)],
    ["Net APY, 30 days", decimal(yields.apy30DaysWad ?? "", 16)],
  ] as const) {
    expect(await figureIn(fact(page, name)), name).toBe(expected);
  }
  await page.getByText(/^Read at block [\d,]+, .+ ago\./).waitFor();
  expect(await figureIn(fact(page, "Solvency"))).toBe(decimal(solvency.ratioWad ?? "", 16));
  expect(await fact(page, "Solvency").locator(".badge").textContent()).toBe(
    solvency.isSolvent ? "covered" : "not covered",
  );
  const rows = rowsOf(page, "Reserve by asset");
  expect(await rows.count()).toBe(reserveAssets.length);
  for (const [index, { assetId, amount: held, decimals: scale, valueUsdWad, balances }] of reserveAssets.entries()) {
    const cells = rows.nth(index).locator("td");
    expect(await rows.nth(index).locator("th").textContent()).toBe(assets.get(assetId)?.symbol);
    expect(await figureIn(cells.nth(0))).toBe(decimal(held, scale));
    if (valueUsdWad !== null) expect(await figureIn(cells.nth(2))).toBe(decimal(valueUsdWad, 18));
    expect(await cells.nth(3).locator("code").count()).toBe(balances.filter(({ amount: own }) => own !== "0").length);
  }
});

test("the view of a wallet, opened from the list, shows credits, withheld entries and the redeemable value", async () => {
  const page = await open(`/wallet?network=${NETWORK}`);
  await rowsOf(page, "Recently active wallets").first().getByRole("link").click();
  await page.waitForURL(/address=0x/);
  const wallet = new URL(page.url()).searchParams.get("address");
  await panel(page, "Credits at the last accrual").waitFor();
  const { accounts } = await api.json<Schemas["TreasuryAccounts"]>(
    `/v1/treasury/accounts/${wallet}?network=${NETWORK}`,
  );
  const [account] = accounts;
  if (account === undefined) throw new Error("there is no account");
  expect(account.mainCredits === "0" && account.totalWithheldCredits === "0").toBe(false);
  const figures: [string, string][] = [
    ["Tokens held", account.tokenBalance],
    ["Redeemable now", account.redeemableTokens],
    ["Value for a stablecoin, before fees", account.redeemableValueInStablecoin],
    ["Value for an RWA, before fees", account.redeemableValueInRwa],
    ["Main credits", account.mainCredits],
    ["Withheld credits", account.totalWithheldCredits],
    ["Yield so far, for a stablecoin", account.yieldEarnedInStablecoin],
    ["Yield so far, for an RWA", account.yieldEarnedInRwa],
    ["Yield claimed", account.position.yieldClaimed],
    ["Deposited", account.position.deposited],
    ["Redeemed", account.position.redeemed],
    ["Net deposits", account.position.netDeposits],
  ];
  for (const [name, value] of figures) {
    expect(await figureIn(fact(page, name)), name).toBe(amountOf(assets, value, account.stablecoinId));
  }
  expect(await figureIn(fact(page, "Value of a main credit"))).toBe(decimal(account.yieldMultiplierWad, 18));
  const entries = rowsOf(page, "Withheld entries, oldest first");
  expect(await entries.count()).toBe(account.withheldCredits.length);
  for (const [index, entry] of account.withheldCredits.entries()) {
    expect(await figureIn(entries.nth(index))).toBe(amountOf(assets, entry.credits, account.stablecoinId));
    const times = await entries
      .nth(index)
      .locator("time")
      .evaluateAll((all) => all.map((time) => time.getAttribute("datetime")));
    expect(times[0]).toBe(timeText(Number(entry.releaseTimestamp)));
  }

  expect(account.redeemableTokens).not.toBe("0");
  const symbol = assets.get(account.stablecoinId)?.symbol;
  await page.getByRole("link", { name: `Redeem ${symbol}`, exact: true }).click();
  await page.getByRole("heading", { name: "Swap on Mainnet" }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("action"), searchParams.get("assetIn")]).toEqual(["redeem", account.stablecoinId]);
});

test("the view of a wallet shows its position by interval, from the URL", async () => {
  const wallet = await someDepositor();
  const query = `network=${NETWORK}&interval=week&${RANGE}`;
  const path = `/v1/treasury/accounts/${wallet}/history?${query}`;
  const [account] = (await api.json<Schemas["TreasuryHistory"]>(path)).accounts;
  if (account === undefined) throw new Error("there is no account");
  const page = await open(`/wallet?address=${wallet}&${query}`);
  await panel(page, "Net deposits over time").getByText("Show as a table").click();
  const shown = await rowsOf(page, "Position by interval").evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll("button.copy")].map((cell) => cell.getAttribute("title")?.split("\n")[0]),
    ),
  );
  expect(shown).toEqual(
    account.buckets.map(({ atEnd, ...flows }) =>
      [
        ...[flows.deposited, flows.redeemed, flows.yieldClaimed, flows.creditsMovedIn, flows.creditsMovedOut],
        ...[atEnd.netDeposits, atEnd.yieldClaimed, atEnd.credits],
      ].map((units) => amountOf(assets, units, account.stablecoinId)),
    ),
  );
  const chart = panel(page, "Net deposits over time").getByRole("slider");
  await chart.focus();
  await page.keyboard.press("Home");
  const first = account.buckets[0]?.atEnd.netDeposits ?? "";
  expect(await chart.getAttribute("aria-valuetext")).toContain(
    `: ${amountOf(assets, first, account.stablecoinId)} TRSY`,
  );
});

test("the view of a wallet shows no transactions of the wallet before while its own are loading", async () => {
  const page = await open(`/wallet?network=${NETWORK}&address=${await someDepositor()}`);
  const rows = rowsOf(page, "Newest transactions of the wallet");
  await rows.first().waitFor();
  const other = `0x${"ab".repeat(20)}`;
  await page.route(
    ({ pathname, searchParams }) => pathname === "/v1/transactions" && searchParams.get("wallet") === other,
    () => undefined,
  );
  const answers = ["", "/history"].map((part) =>
    page.waitForResponse((answer) => new URL(answer.url()).pathname === `/v1/treasury/accounts/${other}${part}`),
  );
  await page.getByLabel("Address").fill(other);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await Promise.all(answers);
  // The page shows both in this time.
  await page.waitForTimeout(500);
  expect(await rows.count()).toBe(0);
});

/** The text of a fact about the treasury token, once it is there. */
async function treasuryFact(place: Page | Locator, name: string): Promise<string> {
  await fact(place, name).locator("button.copy, .badge").first().waitFor();
  return fact(place, name).evaluate((value) => {
    const shown = value.cloneNode(true) as Element;
    for (const part of shown.querySelectorAll(".hidden, .copied")) part.remove();
    return (shown.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  });
}

/** Opens the treasury view, then the overview, and returns the same fact of both. */
async function factOfBothViews(name: string): Promise<string[]> {
  const own = await treasuryFact(await open(`/treasury?network=${NETWORK}&${RANGE}`), name);
  return [own, await treasuryFact(panel(await open(`/?network=${NETWORK}`), "Treasury"), name)];
}

const wads = (amount: string) => String(parseEther(amount));

test("while a price is missing, reserve, surplus and ratio are lower bounds that name the assets left out", async () => {
  const { page } = dashboard.watched;
  const { delegates } = await api.json<Schemas["TreasurySummary"]>(`/v1/treasury/summary?network=${NETWORK}`);
  const unpriced = delegates[0]?.reserveAssets[0]?.assetId ?? "";
  const without = `without ${assets.get(unpriced)?.symbol}`;
  const covering = {
    isSolvent: true,
    assetsUsdWad: wads("1250"),
    surplusUsdWad: wads("250"),
    sharedAssetsUsdWad: "0",
    ratioWad: wads("1.25"),
    unpricedAssetIds: [unpriced],
  };
  await changeSummaries(page, ({ solvency }) => ({ solvency: { ...solvency, ...covering } }));
  for (const text of await factOfBothViews("Reserve")) expect(text).toBe(`at least $1,250.00 ${without}`);
  for (const text of await factOfBothViews("Solvency")) expect(text).toBe(`covered at least 125% ${without}`);
  await open(`/treasury?network=${NETWORK}&${RANGE}`);
  expect(await treasuryFact(page, "Surplus")).toBe(`at least $250.00 ${without}`);

  const missing = { ...covering, isSolvent: null, surplusUsdWad: wads("-50"), ratioWad: wads("0.96") };
  await changeSummaries(page, ({ solvency }) => ({ solvency: { ...solvency, ...missing } }));
  for (const text of await factOfBothViews("Solvency"))
    expect(text).toBe(`unknown: prices are missing at least 96% ${without}`);
  await page.screenshot({ path: "artifacts/dashboard/overview-unpriced.png", fullPage: true });
  await open(`/treasury?network=${NETWORK}&${RANGE}`);
  expect(await treasuryFact(page, "Surplus")).toBe(`unknown at least -$50.00 ${without}`);
  await page.screenshot({ path: "artifacts/dashboard/treasury-unpriced.png", fullPage: true });
});

test("while it is not known whether daily rates are late, the wallet and a redemption say so", async () => {
  const views = await viewsOfLateRates();
  const { page, complaints } = dashboard.watched;
  const summaries = "**/v1/treasury/summary?*";
  const answer = Promise.withResolvers<void>();
  await page.route(summaries, async (route) => {
    await answer.promise;
    await route.fulfill({ status: 503, json: { error: "the node cannot be asked", status: 503 } });
  });
  await page.goto(`${baseUrl}/app${views[0]}`);
  await page.getByText("It is not known yet whether daily rates are late.").waitFor();
  answer.resolve();
  for (const view of views) {
    await open(view);
    const unknown = page.getByRole("status").filter({ hasText: "It is not known whether daily rates are late." });
    await unknown.filter({ hasText: "the node cannot be asked" }).waitFor();
  }
  await changeSummaries(page, ({ yield: yields }) => ({ yield: { ...yields, ...lateBy(3) } }));
  for (const view of views) {
    await open(view);
    await page.getByText("The rates of 3 days are not posted yet").waitFor();
  }
  await changeSummaries(page, ({ yield: yields }) => ({ yield: { ...yields, ...lateBy(0) } }));
  for (const view of views) {
    await open(view);
    await page.getByText("No daily rate is late.").waitFor();
  }
  // The browser writes about each answer of 503.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("503")));
});

test("while the index is not live, only the days up to its newest block count, and it is not known whether rates are late", async () => {
  const { page } = dashboard.watched;
  const late = lateBy(3);
  const timestamp = String(Date.parse(late.nextDayEndsAt) / 1000 - 60);
  await page.route("**/v1/treasury/summary?*", async (route) => {
    const response = await answerOf(route);
    const summary = (await response.json()) as Schemas["TreasurySummary"];
    const delegates = summary.delegates.map((delegate) => ({ ...delegate, yield: { ...delegate.yield, ...late } }));
    await route.fulfill({ response, json: { ...summary, delegates, block: { ...summary.block, timestamp } } });
  });
  const nextRate = async () => fact(await open(`/treasury?network=${NETWORK}&${RANGE}`), "Next rate");
  await (await nextRate()).getByText("3 daily rates missing").waitFor();

  await changeStates(page, { state: "stopped", reason: "the indexer does not run" });
  await (await nextRate()).getByText(/^due/).waitFor();
  await open(`/?network=${NETWORK}`);
  const apy = fact(panel(page, "Treasury"), "Net APY, 30 days");
  await apy.locator("button.copy").waitFor();
  expect(await apy.locator(".badge").count()).toBe(0);
  for (const view of await viewsOfLateRates()) {
    await open(view);
    const unknown = page.getByRole("status").filter({ hasText: "It is not known whether daily rates are late." });
    await unknown.filter({ hasText: "The index of the network is not live." }).waitFor();
  }

  // A summary from before the end of a backfill lacks what was indexed until then.
  await changeStates(page, { state: "live", stateSince: timeText(Math.floor(Date.now() / 1000) + 3_600) });
  for (const view of await viewsOfLateRates()) {
    await open(view);
    await page.getByText("It is not known yet whether daily rates are late.").waitFor();
  }
  await (await nextRate()).getByText(/^due/).waitFor();
});

test("the part of the reserve that other LPs share is written beside the verdict, and only where there is one", async () => {
  const { page } = dashboard.watched;
  const changeShared = (sharedAssetsUsdWad: string) =>
    changeSummaries(page, ({ solvency }) => ({ solvency: { ...solvency, sharedAssetsUsdWad } }));
  await changeShared("0");
  for (const text of await factOfBothViews("Solvency")) expect(text).not.toContain("shared");
  await changeShared(wads("1234500"));
  for (const text of await factOfBothViews("Solvency"))
    expect(text).toMatch(/% \$1,234,500\.00 of the reserve is shared with other LPs$/);
});

/** The views of a redemption and of a wallet, which say whether rates are late. */
async function viewsOfLateRates(): Promise<string[]> {
  return [`/swap?network=${NETWORK}&action=redeem`, `/wallet?network=${NETWORK}&address=${await someDepositor()}`];
}

/** A wallet that got treasury tokens for a deposit. */
async function someDepositor(): Promise<string> {
  const { transactions } = await api.json<Schemas["TransactionHistory"]>(
    `/v1/transactions?network=${NETWORK}&activity=swap&limit=100`,
  );
  const deposit = transactions
    .flatMap(({ activities }) => activities)
    .find((activity) => activity.type === "swap" && assets.get(activity.assetOutId)?.symbol === "TRSY");
  if (deposit?.type !== "swap") throw new Error("there is no deposit");
  return deposit.receiver;
}
