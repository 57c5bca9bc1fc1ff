/** The assets and LPs on the dashboard equal those of the API. */
import type { Schemas } from "@coreswap/client";
import { maxUint96, maxUint256 } from "viem";
import { afterEach, beforeAll, expect, inject, test } from "vitest";
import { answerOf, fact, figureIn, panel, rowsOf, waitForAnswers } from "./harness/dashboard.ts";
import {
  AGE,
  type Assets,
  amountOf,
  decimal,
  figureOrText,
  NETWORK,
  RANGE,
  readAssets,
  usd,
  useDashboard,
} from "./harness/dashboardSession.ts";

const dashboard = useDashboard(inject("sharedStack").baseUrl);
const { api, open } = dashboard;

const NO_CAP = String(maxUint96);
const allowance = (units: string, decimals: number) =>
  BigInt(units) === maxUint256 ? "no limit" : decimal(units, decimals);

let assets: Assets;
beforeAll(async () => {
  assets = await readAssets(api);
});

afterEach(() => {
  expect(dashboard.watched.complaints).toEqual([]);
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
    const usdWad = asset.nav?.navWad ?? asset.price?.priceUsdWad;
    if (usdWad === undefined) continue;
    expect(await figureIn(rwaRows.nth(index).locator("td").first())).toBe(decimal(usdWad, 18));
  }
  expect(rwas.some(({ nav }) => nav !== null)).toBe(true);
  expect(rwas.some(({ price }) => price !== null)).toBe(true);
});

test("the assets view shows the NAVs of the chosen RWA", async () => {
  const { rwas } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
  const rwa = rwas.find(({ symbol }) => symbol === "TBILL");
  const { before, changes } = await api.json<Schemas["NavHistory"]>(
    `/v1/assets/${rwa?.rwaId}/navs?network=${NETWORK}&${RANGE}`,
  );
  const all = before === null ? changes : [...changes, before];
  expect(changes.length).toBeGreaterThan(2);
  expect(rwa?.nav).toEqual({ navWad: changes[0]?.navWad, postedAt: changes[0]?.navPostedAt });
  const page = await open(`/assets?network=${NETWORK}&rwa=${rwa?.rwaId}&${RANGE}`);
  const rows = rowsOf(page, "NAVs, newest first");
  expect(await rows.count()).toBe(all.length);
  for (const [index, { at, navWad, transactionHash }] of all.entries()) {
    const row = rows.nth(index);
    expect(await row.locator("time").first().getAttribute("datetime")).toBe(at);
    expect(await figureIn(row.locator("td").nth(1))).toBe(decimal(navWad ?? "", 18));
    expect(await row.locator(`[title="${transactionHash}"]`).count()).toBe(1);
  }
  // The range ends in the future, of which nobody knows the NAV.
  const chart = page.getByRole("slider");
  await chart.focus();
  await page.keyboard.press("End");
  const end = (await chart.getAttribute("aria-valuetext"))?.match(/^(\S+) (\S+) UTC/);
  expect(Date.parse(`${end?.[1]}T${end?.[2]}Z`)).toBeLessThanOrEqual(Date.now());
  // The other network may not have this RWA.
  await page.getByLabel("Network").selectOption("evm-sepolia");
  await page.waitForURL(/network=evm-sepolia/);
  expect(new URL(page.url()).searchParams.get("rwa")).toBeNull();
});

test("the view of an LP, opened from the assets, shows volume, fees, custody and derived legs", async () => {
  const { stablecoins, rwas } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
  const prices = new Map([
    ...stablecoins.map(({ stablecoinId, usdValueWad }) => [stablecoinId, usdValueWad] as const),
    ...rwas.map(({ rwaId, nav, price }) => [rwaId, nav?.navWad ?? price?.priceUsdWad] as const),
  ]);
  for (const { lpAddress, symbol } of stablecoins) {
    const { volume, liquidity } = await api.json<Schemas["Lp"]>(`/v1/lps/${lpAddress}?network=${NETWORK}`);
    if (liquidity === null) throw new Error(`${symbol} has no LP in office`);
    const page = await open(`/assets?network=${NETWORK}`);
    await page.locator(`a[title="${lpAddress}"]`).click();
    // The router changes the URL before it shows the view.
    await page.getByRole("heading", { level: 1, name: `${symbol} LP on Mainnet`, exact: true }).waitFor();
    await waitForAnswers(page);
    expect(await figureIn(fact(page, "Volume since its first leg"))).toBe(usd(volume.pricedVolumeUsd));
    expect(await figureIn(fact(page, "LP fees earned"))).toBe(decimal(volume.lpFeeWad, 18));
    expect(await fact(page, "LP fees earned").locator(".unit").textContent()).toBe(symbol);
    const overTime = page.getByRole("link", { name: "Volume and fees over time" });
    expect(await overTime.getAttribute("href")).toBe(`/app/?network=${NETWORK}&lp=${lpAddress}`);
    const rows = rowsOf(page, "Custody of the LP");
    expect(await rows.count()).toBe(liquidity.holdings.length);
    for (const [index, holding] of liquidity.holdings.entries()) {
      const { assetId, decimals, balance, approval, intakeCapPerDay, intakeAvailable } = holding;
      const cells = rows.nth(index).locator("td");
      expect(await rows.nth(index).locator("th").textContent()).toBe(assets.get(assetId)?.symbol);
      const allowed = approval === null ? "not needed" : allowance(approval, decimals);
      const intake = (units: string | null) =>
        units === null ? "own token" : intakeCapPerDay === NO_CAP ? "no cap" : decimal(units, decimals);
      const value = BigInt(balance ?? "") * BigInt(prices.get(assetId) ?? "");
      const expected = [
        decimal(balance ?? "", decimals),
        decimal(value, decimals + 18),
        allowed,
        intake(intakeAvailable),
        intake(intakeCapPerDay),
      ];
      for (const [column, text] of expected.entries()) expect(await figureOrText(cells.nth(column))).toBe(text);
    }
    const derived = rowsOf(page, "Allowances of derived legs");
    const { derivedLegs } = liquidity;
    expect(await derived.count()).toBe(derivedLegs === null ? 0 : 2);
    if (derivedLegs === null) continue;
    const { reserveStablecoinId, sweep, prefund } = derivedLegs;
    const custody = liquidity.holdings.find(({ assetId }) => assetId === liquidity.stablecoinId)?.custody;
    const { accounts } = await api.json<Schemas["TreasuryAccounts"]>(
      `/v1/treasury/accounts/${custody}?network=${NETWORK}`,
    );
    const reserve = accounts.find(({ stablecoinId }) => stablecoinId === reserveStablecoinId);
    if (reserve === undefined) throw new Error("the custody has no account");
    await fact(page, "Redeemable").locator("button.copy").waitFor();
    await panel(page, "Custody").getByText(AGE).waitFor();
    await fact(page, "Read at").getByText(AGE).waitFor();
    await page.getByText(/^Allowances read at block [\d,]+, .+ ago\./).waitFor();
    for (const [name, units] of [
      ["Held by the custody", reserve.tokenBalance],
      ["Redeemable", reserve.redeemableTokens],
      ["Value before fees", reserve.redeemableValueInStablecoin],
    ] as const) {
      expect(await figureIn(fact(page, name)), name).toBe(amountOf(assets, units, reserveStablecoinId));
    }
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

test("an LP whose custodies are one other account shows that the cap of its own stablecoin does not count", async () => {
  const { stablecoins } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
  const lp = stablecoins.find(({ symbol }) => symbol === "USDC");
  const { page } = dashboard.watched;
  await page.route("**/v1/lps/*", async (route) => {
    const response = await answerOf(route);
    const answer = (await response.json()) as Schemas["Lp"];
    const [own, ...listed] = answer.liquidity?.holdings ?? [];
    const holdings = [{ ...own, intakeCapPerDay: "1000000", intakeAvailable: "1000000" }, ...listed].map((holding) => ({
      ...holding,
      custody: own?.custody ?? null,
    }));
    await route.fulfill({ response, json: { ...answer, liquidity: { ...answer.liquidity, holdings } } });
  });
  await open(`/lps/${lp?.lpAddress}?network=${NETWORK}`);
  const cells = rowsOf(page, "Custody of the LP").first().locator("td");
  expect([await cells.nth(3).textContent(), await figureIn(cells.nth(4))]).toEqual(["not counted", "1"]);
  expect(await rowsOf(page, "Custody of the LP").getByText("not counted").count()).toBe(1);
});

test("an LP without a custody for an asset shows no approval of it, which is not to say that it needs none", async () => {
  const { stablecoins } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
  const lp = stablecoins.find(({ symbol }) => symbol === "DAI");
  const { page } = dashboard.watched;
  await page.route("**/v1/lps/*", async (route) => {
    const response = await answerOf(route);
    const answer = (await response.json()) as Schemas["Lp"];
    const holdings = answer.liquidity?.holdings.map((holding) =>
      holding.kind === "rwa" ? { ...holding, custody: null, balance: null, approval: null } : holding,
    );
    await route.fulfill({ response, json: { ...answer, liquidity: { ...answer.liquidity, holdings } } });
  });
  await open(`/lps/${lp?.lpAddress}?network=${NETWORK}`);
  const rows = rowsOf(page, "Custody of the LP").filter({ hasText: "not set" });
  expect(await rows.count()).toBeGreaterThan(0);
  for (const row of await rows.all()) {
    const cells = await row.locator("td").allTextContents();
    expect(cells.slice(0, 3)).toEqual(["–", "–", "–"]);
  }
});
