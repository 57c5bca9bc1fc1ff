/**
 * The dashboard in a real browser: its figures are the API's, it is accessible, and it sends no request to other hosts.
 */
import type { Schemas } from "@coreswap/client";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { maxUint256 } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { exactText, parseDecimal } from "../../app/src/format/amount.ts";
import { exactSideOf } from "../../app/src/format/names.ts";
import { ApiClient } from "./harness/api.ts";
import {
  fact,
  figureIn,
  hashesOf,
  inspect,
  openPage,
  panel,
  rowsOf,
  startBrowser,
  type Watched,
  WIDTHS,
  waitForAnswers,
} from "./harness/dashboard.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const NETWORK = "evm-mainnet";
const DAY_SECONDS = 86_400;
/** The end of today, so that the range stays the same from request to request. */
const END = (Math.floor(Date.now() / 1000 / DAY_SECONDS) + 1) * DAY_SECONDS;
const RANGE = `from=${timeOf(END - 80 * DAY_SECONDS)}&to=${timeOf(END)}`;

let browser: Browser;
let context: BrowserContext;
let watched: Watched;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce" });
  watched = await openPage(context, stack.baseUrl);
});
afterEach(() => context.close());

/** Opens a view and waits until it shows the answers of the API. */
async function open(path: string): Promise<Page> {
  const { page } = watched;
  await page.goto(`${stack.baseUrl}/app${path}`);
  await waitForAnswers(page);
  return page;
}

/** An exact decimal figure from a number of units of 10^-decimals, as the API writes it. */
const decimal = (units: string | bigint, decimals: number) => exactText({ units: BigInt(units), decimals });
const usd = (text: string) => exactText(parseDecimal(text));

const NO_CAP = String(2n ** 96n - 1n);
const allowance = (units: string, decimals: number) =>
  BigInt(units) === maxUint256 ? "no limit" : decimal(units, decimals);

/** The exact figure at a place, or the text that stands there instead of a figure. */
async function figureOrText(place: Locator): Promise<string | null | undefined> {
  return (await place.locator("button.copy").count()) > 0 ? figureIn(place) : place.textContent();
}

describe("the dashboard shows the figures of the API", () => {
  type Asset = Pick<Schemas["StableAsset"], "symbol" | "decimals">;
  let assets: ReadonlyMap<string, Asset>;
  const amount = (units: string | bigint, id: string) => decimal(units, assets.get(id)?.decimals ?? -1);

  afterEach(() => {
    expect(watched.complaints).toEqual([]);
  });

  beforeAll(async () => {
    const info = await api.json<Schemas["EvmDeployment"]>("/v1/info/evm?chain=mainnet");
    assets = new Map<string, Asset>([
      ...info.stable_assets.map((asset) => [asset.stablecoin_id, asset] as const),
      ...info.rwa_assets.map((asset) => [asset.rwa_id, asset] as const),
    ]);
  });

  test("the overview shows volume in total, by LP and by day, prices, freshness and the newest activity", async () => {
    const volume = await api.json<Schemas["Volume"]>(`/v1/volume?network=${NETWORK}&${RANGE}`);
    const series = await api.json<Schemas["VolumeSeries"]>(
      `/v1/volume/series?network=${NETWORK}&${RANGE}&interval=day`,
    );
    const newest = await api.json<Schemas["TransactionHistory"]>(`/v1/transactions?network=${NETWORK}&limit=8`);
    expect(volume.lpVolumes.length).toBeGreaterThan(1);
    expect(volume.usedPrices.length).toBeGreaterThan(0);

    const page = await open(`/?network=${NETWORK}&${RANGE}`);
    expect(await figureIn(fact(page, "Volume"))).toBe(usd(volume.pricedVolumeUsd));
    expect((await fact(page, "Swap legs").textContent())?.replace(",", "")).toBe(String(volume.totalLegCount));

    const lps = rowsOf(page, "Volume by LP");
    expect(await lps.count()).toBe(volume.lpVolumes.length);
    for (const [index, lp] of volume.lpVolumes.entries()) {
      const row = lps.nth(index);
      expect(await figureIn(row.locator("td").first())).toBe(usd(lp.pricedVolumeUsd));
      expect(await row.locator("td").nth(1).textContent()).toBe(String(lp.totalLegCount));
      expect(await row.locator(`[title="${lp.lpAddress}"]`).count()).toBe(1);
    }

    const prices = rowsOf(page, "Prices used");
    const fees = rowsOf(page, "Fees by LP");
    expect(await fees.count()).toBe(volume.lpVolumes.length + 1);
    for (const [index, paid] of [...volume.lpVolumes, volume].entries()) {
      const cells = fees.nth(index).locator("td");
      for (const [column, wad] of [paid.issuerFeeWad, paid.spreadFeeWad, paid.lpFeeWad].entries()) {
        expect(await figureIn(cells.nth(column))).toBe(decimal(wad, 18));
      }
    }

    for (const [index, price] of volume.usedPrices.entries()) {
      expect(await prices.nth(index).locator("th").textContent()).toBe(assets.get(price.assetId)?.symbol);
      expect(await figureIn(prices.nth(index).locator("td").first())).toBe(decimal(price.priceUsdWad, 18));
      expect(await prices.nth(index).locator("time").getAttribute("datetime")).toBe(price.fetchedAt);
    }

    await page.getByText("Show as a table").click();
    const days = await rowsOf(page, "Volume by bucket").evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    const active = [...new Set(series.buckets.flatMap(({ lpVolumes }) => lpVolumes.map((lp) => lp.lpAddress)))];
    expect(days.map(([from, total, ...rest]) => [from, total, rest.at(-1)])).toEqual(
      series.buckets.map((bucket) => [
        bucket.from.slice(0, 16).replace("T", " "),
        `$${bucket.pricedVolumeUsd}`,
        String(bucket.totalLegCount),
      ]),
    );
    for (const [index, bucket] of series.buckets.entries()) {
      const shown = (days[index] ?? []).slice(2, -1).sort();
      const expected = active.map((lp) => {
        const found = bucket.lpVolumes.find(({ lpAddress }) => lpAddress === lp);
        return `$${found?.pricedVolumeUsd ?? "0.000000"}`;
      });
      expect(shown).toEqual(expected.sort());
    }

    for (const { network, state } of (await api.json<Schemas["IndexingStatusAnswer"]>("/v1/status/indexing"))
      .networks) {
      const card = page.getByRole("region", { name: network === NETWORK ? "Mainnet" : "Sepolia", exact: true });
      expect(await card.locator(".badge").textContent()).toBe(state);
    }
    expect(await hashesOf(rowsOf(page, "Newest activity"))).toEqual(
      newest.transactions.map(({ transactionHash }) => transactionHash),
    );
  });

  test("the transactions view applies each filter and the next page, from the URL and from the form", async () => {
    const [some] = (await api.json<Schemas["TransactionHistory"]>(`/v1/transactions?network=${NETWORK}`)).transactions;
    for (const query of [
      "limit=50",
      "outcome=revert&limit=25",
      "activity=allowlist&limit=25",
      "entrypoint=removeFromWhitelist&limit=25",
      `wallet=${some?.sender}&limit=25`,
      `transactionHash=${some?.transactionHash}&limit=25`,
    ]) {
      const answer = await api.json<Schemas["TransactionHistory"]>(`/v1/transactions?network=${NETWORK}&${query}`);
      expect(answer.transactions.length, query).toBeGreaterThan(0);
      const page = await open(`/transactions?network=${NETWORK}&${query}`);
      const expected = answer.transactions.map(({ transactionHash }) => transactionHash);
      expect(await hashesOf(rowsOf(page, "Transactions")), query).toEqual(expected);
    }

    const filters = `network=${NETWORK}&outcome=success&activity=swap`;
    const first = await api.json<Schemas["TransactionHistory"]>(`/v1/transactions?${filters}&limit=25`);
    const second = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?${filters}&limit=25&cursor=${first.nextCursor}`,
    );
    const page = await open(`/transactions?network=${NETWORK}`);
    await page.getByLabel("Activity").selectOption("swap");
    await page.getByLabel("Outcome").selectOption("success");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/activity=swap/);
    await page.getByRole("link", { name: "Older" }).click();
    await page.locator(`a[title="${second.transactions[0]?.transactionHash}"]`).waitFor();
    expect(await hashesOf(rowsOf(page, "Transactions"))).toEqual(
      second.transactions.map(({ transactionHash }) => transactionHash),
    );
    const csv = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
    expect(new URLSearchParams(csv?.split("?")[1]).toString()).toBe(
      new URLSearchParams({ network: NETWORK, outcome: "success", activity: "swap" }).toString(),
    );
    expect((await api.request(csv ?? "")).status).toBe(200);
  });

  test("the view of a transaction shows its receipt, submitted and realized legs, slack and fees", async () => {
    const { transactions } = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=${NETWORK}&activity=swap&outcome=success&limit=100`,
    );
    const { swap_contract: coreSwap } = await api.json<Schemas["EvmDeployment"]>("/v1/info/evm?chain=mainnet");
    const found = transactions.find(
      ({ directCall, activities }) =>
        (directCall?.submittedSwapLegs ?? []).some(
          (leg) => exactSideOf(leg.routeId) === "in" && leg.assetOutAmount !== "0",
        ) && activities.some((activity) => activity.type === "swap" && activity.operator === coreSwap),
    );
    if (found === undefined) throw new Error("no transaction has a bound and a derived leg");
    const page = await open(`/transactions/${found.transactionHash}?network=${NETWORK}`);
    expect(await page.getByText(found.transactionHash, { exact: true }).count()).toBe(1);
    const receipt = panel(page, "Receipt");
    expect(await fact(receipt, "Gas used").textContent()).toBe(BigInt(found.receipt.gasUsed).toLocaleString("en"));
    expect(await figureIn(fact(receipt, "Gas price"))).toBe(decimal(found.receipt.effectiveGasPrice, 9));

    const swaps = found.activities.filter((activity) => activity.type === "swap");
    const asked = [...(found.directCall?.submittedSwapLegs ?? [])];
    for (const [index, swap] of swaps.entries()) {
      const leg = panel(page, `Leg ${index + 1} of ${swaps.length}`);
      const [sideIn, sideOut] = [leg.locator("tbody tr").nth(0), leg.locator("tbody tr").nth(1)];
      expect(await figureIn(sideIn.locator("td").nth(2))).toBe(amount(swap.amountIn, swap.assetInId));
      expect(await figureIn(sideOut.locator("td").nth(2))).toBe(amount(swap.amountOut, swap.assetOutId));
      expect(await figureIn(fact(leg, "Issuer fee"))).toBe(amount(swap.issuerFee, swap.stablecoinDelegateId));
      expect(await figureIn(fact(leg, "Spread fee"))).toBe(amount(swap.spreadFee, swap.stablecoinDelegateId));
      expect(await figureIn(fact(leg, "LP fee"))).toBe(amount(swap.lpFee, swap.stablecoinDelegateId));
      if (swap.operator === coreSwap) {
        // A prefund takes from the treasury token, and a sweep pays into it.
        const kind = assets.get(swap.assetInId)?.symbol === "TRSY" ? "prefund" : "sweep";
        expect(await leg.locator(".badge").textContent()).toBe(`derived: ${kind}`);
        continue;
      }
      const own = asked.shift();
      if (own === undefined) throw new Error("more legs were realized than submitted");
      const minimum = BigInt(own.assetOutAmount);
      if (exactSideOf(swap.routeId) === "in" && minimum > 0n) {
        expect(await figureIn(sideOut.locator("td").nth(1))).toBe(amount(minimum, swap.assetOutId));
        expect(await figureIn(sideOut.locator("td").nth(3))).toBe(
          amount(BigInt(swap.amountOut) - minimum, swap.assetOutId),
        );
      }
    }
    expect(asked).toEqual([]);
  });

  test("the assets view shows values, prices and the rates of each LP", async () => {
    const { stablecoins, rwas } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
    const page = await open(`/assets?network=${NETWORK}`);
    const stablecoinRows = rowsOf(page, "Stablecoins");
    expect(await stablecoinRows.count()).toBe(stablecoins.length);
    for (const [index, asset] of stablecoins.entries()) {
      const row = stablecoinRows.nth(index);
      expect(await row.locator("th").textContent()).toBe(asset.symbol);
      expect(await figureIn(row.locator("td").first())).toBe(decimal(asset.usdValueWad ?? "", 18));
      expect(await row.locator(`[title="${asset.lpAddress}"]`).count()).toBe(1);
      const rates = [
        ...asset.rwaRates.map((rate) => [rate.discountRateWad, rate.redemptionFeeWad]),
        ...asset.stablecoinRates.map((rate) => [rate.acceptanceFeeWad, rate.redemptionFeeWad]),
      ];
      expect(rates.length).toBeGreaterThan(0);
      const shown = await rowsOf(page, `Rates of the ${asset.symbol} LP`).evaluateAll((rows) =>
        rows.map((each) =>
          [...each.querySelectorAll("td.number button")].map((button) => button.getAttribute("title")?.split("\n")[0]),
        ),
      );
      expect(shown).toEqual(rates.map((pair) => pair.map((wad) => decimal(wad, 16))));
    }
    const rwaRows = rowsOf(page, "RWAs");
    for (const [index, asset] of rwas.entries()) {
      if (asset.price === null) continue;
      expect(await figureIn(rwaRows.nth(index).locator("td").first())).toBe(decimal(asset.price.priceUsdWad, 18));
    }
    expect(rwas.some(({ price }) => price !== null)).toBe(true);
  });

  test("the view of an LP, opened from the assets, shows volume, fees, custody and derived legs", async () => {
    const { stablecoins } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
    for (const { lpAddress, symbol } of stablecoins) {
      const { volume, liquidity } = await api.json<Schemas["Lp"]>(`/v1/lps/${lpAddress}?network=${NETWORK}`);
      if (liquidity === null) throw new Error(`${symbol} has no LP in office`);
      const page = await open(`/assets?network=${NETWORK}`);
      await page.locator(`a[title="${lpAddress}"]`).click();
      // The router changes the URL before it shows the view.
      await page.getByRole("heading", { level: 1, name: `${symbol} LP`, exact: true }).waitFor();
      await waitForAnswers(page);
      expect(await figureIn(fact(page, "Volume since its first leg"))).toBe(usd(volume.pricedVolumeUsd));
      expect(await figureIn(fact(page, "LP fees earned"))).toBe(decimal(volume.lpFeeWad, 18));
      const rows = rowsOf(page, "Custody of the LP");
      expect(await rows.count()).toBe(liquidity.holdings.length);
      for (const [index, holding] of liquidity.holdings.entries()) {
        const { assetId, decimals, balance, approval, intakeCapPerDay, intakeAvailable } = holding;
        const cells = rows.nth(index).locator("td");
        expect(await rows.nth(index).locator("th").textContent()).toBe(assets.get(assetId)?.symbol);
        const allowed = approval === null ? "not needed" : allowance(approval, decimals);
        const intake = (units: string | null) =>
          units === null ? "own token" : intakeCapPerDay === NO_CAP ? "no cap" : decimal(units, decimals);
        const expected = [decimal(balance ?? "", decimals), allowed, intake(intakeAvailable), intake(intakeCapPerDay)];
        for (const [column, text] of expected.entries()) expect(await figureOrText(cells.nth(column))).toBe(text);
      }
      const derived = rowsOf(page, "Allowances of derived legs");
      const { derivedLegs } = liquidity;
      expect(await derived.count()).toBe(derivedLegs === null ? 0 : 2);
      if (derivedLegs === null) continue;
      const { reserveStablecoinId, sweep, prefund } = derivedLegs;
      const decimalsOf = (id: string) => assets.get(id)?.decimals ?? -1;
      for (const [index, [kind, id]] of (
        [
          [sweep, liquidity.stablecoinId],
          [prefund, reserveStablecoinId],
        ] as const
      ).entries()) {
        const cells = derived.nth(index).locator("td");
        expect(await figureOrText(cells.nth(1))).toBe(allowance(kind.inputAllowance, decimalsOf(id)));
        expect(await figureOrText(cells.nth(2))).toBe(allowance(kind.approval, decimalsOf(id)));
      }
    }
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
      ["7 days", decimal(yields.apy7DaysWad ?? "", 16)],
      ["30 days", decimal(yields.apy30DaysWad ?? "", 16)],
    ] as const) {
      expect(await figureIn(fact(page, name)), name).toBe(expected);
    }
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
    await rowsOf(page, "Lately active wallets").first().getByRole("link").click();
    await page.waitForURL(/address=0x/);
    const wallet = new URL(page.url()).searchParams.get("address");
    await panel(page, "Credits").waitFor();
    const { accounts } = await api.json<Schemas["TreasuryAccounts"]>(
      `/v1/treasury/accounts/${wallet}?network=${NETWORK}`,
    );
    const [account] = accounts;
    if (account === undefined) throw new Error("there is no account");
    expect(account.mainCredits === "0" && account.totalWithheldCredits === "0").toBe(false);
    const figures: [string, string][] = [
      ["Tokens held", account.tokenBalance],
      ["Redeemable now", account.redeemableTokens],
      ["Worth, paid in the stablecoin", account.redeemableValueInStablecoin],
      ["Worth, paid in RWA", account.redeemableValueInRwa],
      ["Main credits", account.mainCredits],
      ["Withheld credits", account.totalWithheldCredits],
      ["Earned in stablecoin", account.yieldEarnedInStablecoin],
      ["Earned in RWA", account.yieldEarnedInRwa],
      ["Yield claimed", account.position.yieldClaimed],
      ["Deposited", account.position.deposited],
      ["Redeemed", account.position.redeemed],
      ["Net deposits", account.position.netDeposits],
    ];
    for (const [name, value] of figures) {
      expect(await figureIn(fact(page, name)), name).toBe(amount(value, account.stablecoinId));
    }
    expect(await figureIn(fact(page, "Value of a main credit"))).toBe(decimal(account.yieldMultiplierWad, 18));
    const entries = rowsOf(page, "Withheld entries, oldest first");
    expect(await entries.count()).toBe(account.withheldCredits.length);
    for (const [index, entry] of account.withheldCredits.entries()) {
      expect(await figureIn(entries.nth(index))).toBe(amount(entry.credits, account.stablecoinId));
      const times = await entries
        .nth(index)
        .locator("time")
        .evaluateAll((all) => all.map((time) => time.getAttribute("datetime")));
      expect(times[0]).toBe(timeOf(Number(entry.releaseTimestamp)));
    }
  });

  test("the view of a wallet shows its position by interval, from the URL", async () => {
    const { transactions } = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=${NETWORK}&activity=swap&limit=100`,
    );
    const deposit = transactions
      .flatMap(({ activities }) => activities)
      .find((activity) => activity.type === "swap" && assets.get(activity.assetOutId)?.symbol === "TRSY");
    const wallet = deposit?.type === "swap" ? deposit.receiver : "";
    const query = `network=${NETWORK}&interval=week&${RANGE}`;
    const path = `/v1/treasury/accounts/${wallet}/history?${query}`;
    const [account] = (await api.json<Schemas["TreasuryHistory"]>(path)).accounts;
    if (account === undefined) throw new Error("there is no account");
    const page = await open(`/wallet?address=${wallet}&${query}`);
    await panel(page, "Position over time").getByText("Show as a table").click();
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
        ].map((units) => amount(units, account.stablecoinId)),
      ),
    );
    const chart = panel(page, "Position over time").getByRole("slider");
    await chart.focus();
    await page.keyboard.press("Home");
    const first = account.buckets[0]?.atEnd.netDeposits ?? "";
    expect(await chart.getAttribute("aria-valuetext")).toContain(`: ${amount(first, account.stablecoinId)} TRSY`);
  });

  test("the view of a transaction that failed shows why", async () => {
    const { transactions } = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=${NETWORK}&outcome=revert&limit=1`,
    );
    const hash = transactions[0]?.transactionHash;
    const { revert } = await api.json<Schemas["TransactionRevert"]>(
      `/v1/transactions/${hash}/revert?network=${NETWORK}`,
    );
    if (revert === null) throw new Error("the transaction has not failed");
    const page = await open(`/transactions/${hash}?network=${NETWORK}`);
    const reason = panel(page, "Why it failed");
    expect(await fact(reason, "Error").textContent()).toBe(revert.text);
    expect(await fact(reason, "What to do").textContent()).toBe(revert.advice);
    expect(await fact(reason, "Source").textContent()).toBe("the node's trace of the transaction");
  });

  test("the assets view shows the NAVs of the chosen RWA", async () => {
    const { rwas } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
    const rwa = rwas.find(({ symbol }) => symbol === "TBILL");
    const { before, changes } = await api.json<Schemas["NavHistory"]>(
      `/v1/assets/${rwa?.rwaId}/navs?network=${NETWORK}&${RANGE}`,
    );
    const all = before === null ? changes : [...changes, before];
    expect(changes.length).toBeGreaterThan(2);
    const page = await open(`/assets?network=${NETWORK}&rwa=${rwa?.rwaId}&${RANGE}`);
    const rows = rowsOf(page, "NAVs, newest first");
    expect(await rows.count()).toBe(all.length);
    for (const [index, { at, navWad, transactionHash }] of all.entries()) {
      const row = rows.nth(index);
      expect(await row.locator("time").first().getAttribute("datetime")).toBe(at);
      expect(await figureIn(row.locator("td").nth(1))).toBe(decimal(navWad ?? "", 18));
      expect(await row.locator(`[title="${transactionHash}"]`).count()).toBe(1);
    }
  });

  test("every address, mint and vault of both runtimes can be copied from the networks view", async () => {
    const info = await api.json<Schemas["Deployments"]>("/v1/info");
    const expected = new Set(JSON.stringify(info).match(/0x[0-9a-f]{40,64}(?=")/g));
    for (const { program_id, lp_info } of Object.values(info.svm ?? {})) {
      expected.add(program_id);
      for (const { pairs } of lp_info) for (const { pair, stable_vault } of pairs) expected.add(pair).add(stable_vault);
    }
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open("/networks");
    const shown = await page
      .locator("main code")
      .evaluateAll((codes) => codes.map((code) => code.getAttribute("title")));
    for (const value of expected) expect(shown).toContain(value);
    await page.getByRole("button", { name: "Copy address of the swap contract" }).first().click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(info.evm?.mainnet?.swap_contract);
  });

  test("the status view shows the state, heads and reorganizations of each network", async () => {
    const page = await open("/status");
    const { networks } = await api.json<Schemas["IndexingStatusAnswer"]>("/v1/status/indexing");
    for (const { network, chainId, state, head, newestFinalBlock, reorganizations } of networks) {
      const shown = panel(page, `${network === NETWORK ? "Mainnet" : "Sepolia"} (chain ${chainId})`);
      expect(await shown.locator("header .badge").textContent()).toBe(state);
      expect(await fact(shown, "Newest block of the chain").textContent()).toContain(head?.blockNumber);
      expect(await fact(shown, "Newest final block").textContent()).toBe(newestFinalBlock);
      expect(await fact(shown, "Reorganizations").textContent()).toBe(String(reorganizations));
    }
  });
});

describe("every view of the dashboard", () => {
  let paths: Record<string, string>;
  beforeAll(async () => {
    const { transactions } = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=${NETWORK}&activity=swap&limit=100`,
    );
    const longest = transactions.toSorted((a, b) => b.activities.length - a.activities.length)[0];
    const swap = longest?.activities.find(({ type }) => type === "swap");
    const depositor = transactions
      .flatMap(({ activities }) => activities)
      .find((activity) => activity.type === "swap" && activity.assetOutId.startsWith("0x54525359"));
    const failed = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=${NETWORK}&outcome=revert&limit=1`,
    );
    paths = {
      overview: "/",
      transactions: "/transactions",
      transaction: `/transactions/${longest?.transactionHash}?network=${NETWORK}`,
      failure: `/transactions/${failed.transactions[0]?.transactionHash}?network=${NETWORK}`,
      assets: "/assets",
      lp: `/lps/${swap?.type === "swap" ? swap.lpAddress : ""}`,
      treasury: "/treasury",
      wallets: "/wallet",
      wallet: `/wallet?address=${depositor?.type === "swap" ? depositor.user : ""}`,
      swap: `/swap?network=${NETWORK}&amount=1000`,
      networks: "/networks",
      status: "/status",
    };
  });

  const VIEWS = [
    "overview",
    "transactions",
    "transaction",
    "failure",
    "assets",
    "lp",
    "treasury",
    "wallets",
    "wallet",
    "swap",
    "networks",
    "status",
  ];

  test.each(VIEWS)(
    "%s fits each width, does not shift while it loads, and has no fault that axe finds, in light and dark",
    async (view) => {
      const { page, complaints } = watched;
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await open(paths[view] ?? "");
        await inspect(page, view, width);
      }
      expect(complaints).toEqual([]);
    },
  );
});

test("the first view loads at most 200 KB of files, and only the swap page loads the files for wallets", async () => {
  const bytesOf = async (path: string) => {
    const page = await open(path);
    return page.evaluate(() =>
      [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter(({ name }) => new URL(name).pathname.startsWith("/app"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
  };
  const first = await bytesOf("/");
  expect(first).toBeGreaterThan(50_000);
  expect(first).toBeLessThanOrEqual(200_000);
  const swap = await bytesOf("/swap");
  console.log(`first view ${first} bytes, swap page ${swap} bytes`);
  expect(swap).toBeGreaterThan(first);
  expect(swap).toBeLessThanOrEqual(300_000);
});

test("the keyboard moves along a chart, and the chosen network, time zone and colors persist", async () => {
  const page = await open(`/?network=${NETWORK}&${RANGE}`);
  const chart = page.getByRole("slider");
  const { buckets } = await api.json<Schemas["VolumeSeries"]>(
    `/v1/volume/series?network=${NETWORK}&${RANGE}&interval=day`,
  );
  await chart.focus();
  await page.keyboard.press("Home");
  expect(await chart.getAttribute("aria-valuetext")).toContain(`${buckets[0]?.pricedVolumeUsd} USD`);
  await page.keyboard.press("ArrowRight");
  expect(await chart.getAttribute("aria-valuetext")).toContain(`${buckets[1]?.pricedVolumeUsd} USD`);

  await page.getByLabel("Network").selectOption("evm-sepolia");
  await page.waitForURL(/network=evm-sepolia/);
  await page.getByLabel("Colours").selectOption("dark");
  await page.getByLabel("Times").selectOption("local");
  await page.getByRole("link", { name: "Transactions", exact: true }).click();
  await page.getByRole("heading", { name: "Transactions on Sepolia" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Transactions on Sepolia" }).waitFor();
  const time = rowsOf(page, "Transactions").first().locator("time");
  expect(await time.textContent()).toMatch(/ (CET|CEST|GMT\+[12])$/);
  expect(await time.getAttribute("title")).toMatch(/ UTC$/);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  expect(watched.complaints).toEqual([]);
});

test("a missing page or transaction, a refused query and an unreachable server each show a message", async () => {
  const page = await open(`/transactions/0x${"0".repeat(64)}?network=${NETWORK}`);
  await page.getByText("Mainnet has no such transaction").waitFor();
  await page.goto(`${stack.baseUrl}/app/no-such-view`);
  await page.getByText("There is no such page.").waitFor();
  await page.goto(`${stack.baseUrl}/app/transactions?network=${NETWORK}&cursor=AAAA`);
  await page.getByRole("alert").getByText("cursor: accepts nextCursor").waitFor();

  await open("/status");
  await page.route("**/v1/**", (route) => route.abort());
  await page.getByText("Stale:").waitFor();
  await page.getByText("The server does not answer.").waitFor();
  await page.unroute("**/v1/**");
  await page.getByText("Stale:").waitFor({ state: "detached" });
});

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
