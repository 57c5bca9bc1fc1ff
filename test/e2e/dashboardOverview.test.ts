/** The figures of the overview, the networks view and the status view equal those of the API. */
import type { Schemas } from "@coreswap/client";
import { afterEach, beforeAll, expect, inject, test } from "vitest";
import { knownUntil, lateDaysAt } from "../../app/src/treasury/lateDays.ts";
import { withoutExplorerLinks } from "../../src/api/dashboard/handler.ts";
import { staticFile } from "../../src/api/http/staticFiles.ts";
import { parseCsv } from "../support/csv.ts";
import { answerOf, fact, figureIn, hashesOf, inspect, panel, rowsOf, WIDTHS } from "./harness/dashboard.ts";
import {
  AGE,
  type Assets,
  changeSummaries,
  decimal,
  lateBy,
  NETWORK,
  RANGE,
  readAssets,
  usd,
  useDashboard,
} from "./harness/dashboardSession.ts";
import { waitUntil } from "./harness/poll.ts";

const dashboard = useDashboard(inject("sharedStack").baseUrl);
const { api, open } = dashboard;

let assets: Assets;
beforeAll(async () => {
  assets = await readAssets(api);
});

afterEach(() => {
  expect(dashboard.watched.complaints).toEqual([]);
});

/** The indexing status of each network. */
async function readStatus() {
  return (await api.json<Schemas["IndexingStatusAnswer"]>("/v1/status/indexing")).networks;
}

test("the overview shows volume in total, by LP and by day, prices, freshness and the newest activity", async () => {
  const volume = await api.json<Schemas["Volume"]>(`/v1/volume?network=${NETWORK}&${RANGE}`);
  const series = await api.json<Schemas["VolumeSeries"]>(`/v1/volume/series?network=${NETWORK}&${RANGE}&interval=day`);
  const newest = await api.json<Schemas["TransactionHistory"]>(`/v1/transactions?network=${NETWORK}&limit=8`);
  expect(volume.lpVolumes.length).toBeGreaterThan(1);
  expect(volume.usedPrices.length).toBeGreaterThan(0);

  const page = await open(`/?network=${NETWORK}&${RANGE}`);
  expect(await figureIn(fact(page, "Volume"))).toBe(usd(volume.pricedVolumeUsd));
  expect((await fact(page, "Swap legs").textContent())?.replace(",", "")).toBe(String(volume.totalLegCount));

  const byVolume = volume.lpVolumes.toSorted((a, b) => Number(b.pricedVolumeUsd) - Number(a.pricedVolumeUsd));
  const lps = rowsOf(page, "Volume by LP");
  expect(await lps.count()).toBe(volume.lpVolumes.length);
  for (const [index, lp] of byVolume.entries()) {
    const row = lps.nth(index);
    expect(await figureIn(row.locator("td").first())).toBe(usd(lp.pricedVolumeUsd));
    const units = (text: string) => BigInt(text.replace(".", ""));
    const percentage = (units(lp.pricedVolumeUsd) * 10n ** 18n) / units(volume.pricedVolumeUsd);
    expect(await figureIn(row.locator("td").nth(1))).toBe(decimal(percentage, 16));
    expect(await row.locator("td").nth(2).textContent()).toBe(String(lp.totalLegCount));
    expect(await row.locator(`[title="${lp.lpAddress}"]`).count()).toBe(1);
  }

  const prices = rowsOf(page, "Prices used");
  const fees = rowsOf(page, "Fees by LP");
  expect(await fees.count()).toBe(volume.lpVolumes.length + 1);
  for (const [index, paid] of [...byVolume, volume].entries()) {
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

  const file = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  expect(file).toMatch(/^\/v1\/volume\/series\.csv\?/);
  const { rows } = parseCsv((await api.request(file ?? "")).text);
  expect(
    rows.filter(({ lpAddress }) => lpAddress !== "").map((row) => [row.from, row.lpAddress, row.pricedVolumeUsd]),
  ).toEqual(
    series.buckets.flatMap(({ from, lpVolumes }) => lpVolumes.map((lp) => [from, lp.lpAddress, lp.pricedVolumeUsd])),
  );

  const { delegates } = await api.json<Schemas["TreasurySummary"]>(`/v1/treasury/summary?network=${NETWORK}`);
  const [delegate] = delegates;
  const treasury = panel(page, "Treasury");
  await fact(treasury, "Supply").locator("button.copy").waitFor();
  expect(await figureIn(fact(treasury, "Supply"))).toBe(decimal(delegate?.supply ?? "", delegate?.decimals ?? 0));
  expect(await figureIn(fact(treasury, "Reserve"))).toBe(decimal(delegate?.solvency.assetsUsdWad ?? "", 18));

  // A busy machine changes a state for a moment.
  await waitUntil("each card shows the state of its network", async () => {
    const shown: string[] = [];
    for (const { network, state } of await readStatus()) {
      const card = page.getByRole("region", { name: network === NETWORK ? "Mainnet" : "Sepolia", exact: true });
      const badge = await card.locator(".badge").textContent();
      if (badge !== state) shown.push(`${network} is ${state}, and its card says ${badge}`);
    }
    return shown.length === 0 ? null : shown.join();
  });
  expect(await hashesOf(rowsOf(page, "Newest activity"))).toEqual(
    newest.transactions.map(({ transactionHash }) => transactionHash),
  );
});

test("links lead to no explorer where the server says that there is none", async () => {
  const { transactions } = await api.json<Schemas["TransactionHistory"]>(`/v1/transactions?network=${NETWORK}&limit=1`);
  const [{ transactionHash: hash } = { transactionHash: "" }] = transactions;
  const { context } = dashboard;
  await context.route(/\/app\//, async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await answerOf(route);
    const page = staticFile("index.html", await response.body());
    const body = Buffer.from(withoutExplorerLinks(new Map([["index.html", page]])).get("index.html")?.body ?? []);
    return route.fulfill({ response, body });
  });
  for (const path of ["/networks", `/transactions/${hash}?network=${NETWORK}`]) {
    const page = await open(path);
    expect(await page.locator("main code").count()).toBeGreaterThan(0);
    expect(await page.locator('a[href^="https:"]').count()).toBe(0);
  }
  await context.unroute(/\/app\//);
  const page = await open(`/transactions/${hash}?network=${NETWORK}`);
  expect(await page.locator(`a[href="https://etherscan.io/tx/${hash}"]`).count()).toBe(1);
});

test("every address, mint and vault of both runtimes can be copied and looked up from the networks view", async () => {
  const info = await api.json<Schemas["Deployments"]>("/v1/info");
  const expected = new Set(JSON.stringify(info).match(/0x[0-9a-f]{40,64}(?=")/g));
  for (const { program_id, lp_info } of Object.values(info.svm ?? {})) {
    expected.add(program_id);
    for (const { pairs } of lp_info) for (const { pair, stable_vault } of pairs) expected.add(pair).add(stable_vault);
  }
  await dashboard.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open("/networks");
  const shown = await page.locator("main code").evaluateAll((codes) => codes.map((code) => code.getAttribute("title")));
  for (const value of expected) expect(shown).toContain(value);
  const links = await page
    .locator("main a:has(code)")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  expect(links).toEqual(
    expect.arrayContaining([
      `https://etherscan.io/address/${info.evm?.mainnet?.swap_contract}`,
      `https://sepolia.etherscan.io/address/${info.evm?.sepolia?.treasury_contract}`,
      `https://explorer.solana.com/address/${info.svm?.mainnet?.program_id}`,
      `https://explorer.solana.com/address/${info.svm?.devnet?.program_id}?cluster=devnet`,
    ]),
  );
  // The page says so for a moment only, in which a busy machine may not look.
  const saysCopied = page.evaluate(
    () =>
      new Promise<void>((settle) => {
        const look = () => {
          const texts = [...document.querySelectorAll(".copied")].map(({ textContent }) => textContent);
          if (texts.includes("Copied")) settle();
        };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );
  const button = page.getByRole("button", { name: "Copy address of the swap contract" }).first();
  await Promise.all([saysCopied, button.click()]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(info.evm?.mainnet?.swap_contract);
});

test("the status view shows the state, heads, reorganizations, oldest price reading and NAV, and next rate of each network", async () => {
  const page = await open("/status");
  for (const { network, chainId, newestFinalBlock, reorganizations } of await readStatus()) {
    const shown = panel(page, `${network === NETWORK ? "Mainnet" : "Sepolia"} (chain ${chainId})`);
    await waitUntil("the page shows the state and the head", async () => {
      const status = (await readStatus()).find((each) => each.network === network);
      const badge = await shown.locator("header .badge").textContent();
      const head = await fact(shown, "Newest block that the node last reported").textContent();
      const isShown = badge === status?.state && head?.includes(String(status?.head?.blockNumber));
      return isShown ? null : `${badge}, ${head}; the API says ${JSON.stringify(status)}`;
    });
    expect(await fact(shown, "Newest final block").textContent()).toBe(newestFinalBlock);
    expect(await fact(shown, "Reorganizations").textContent()).toBe(String(reorganizations));

    const assets = await api.json<Schemas["Assets"]>(`/v1/assets?network=${network}`);
    const rwas = assets.rwas.filter(({ accepted }) => accepted);
    const prices = rwas.flatMap(({ symbol, price }) => (price === null ? [] : [{ symbol, readAt: price.fetchedAt }]));
    const oldest = prices.map(({ readAt }) => readAt).toSorted()[0];
    const symbols = prices.flatMap(({ symbol, readAt }) => (readAt === oldest ? [symbol] : []));
    await fact(shown, "Oldest price reading").getByText("ago").waitFor();
    expect(symbols).toContain((await fact(shown, "Oldest price reading").textContent())?.split(" ", 1)[0]);
    const posted = rwas.flatMap(({ nav }) => nav?.postedAt ?? []).toSorted();
    expect(await fact(shown, "Oldest NAV").locator("time").getAttribute("datetime")).toBe(posted[0]);

    const data = await api.json<Schemas["TreasurySummary"]>(`/v1/treasury/summary?network=${network}`);
    const state = (await readStatus()).find((each) => each.network === network)?.state;
    const time = knownUntil(data.block, Date.now() / 1000, state === "live");
    const lateDays = data.delegates.map((delegate) => lateDaysAt(delegate.yield, time));
    await fact(shown, "Next daily rate")
      .getByText(/due|missing/)
      .waitFor();
    const rates = await fact(shown, "Next daily rate").textContent();
    expect([...(rates ?? "").matchAll(/(\d+) daily rates? missing/g)].map(([, days]) => Number(days))).toEqual(
      lateDays.filter((days) => days > 0),
    );
  }
});

test("an LP that was replaced is named as such, in the overview and on its own page", async () => {
  const former = `0x${"ab".repeat(20)}`;
  const { page } = dashboard.watched;
  await page.route("**/v1/volume?*", async (route) => {
    const response = await answerOf(route);
    const volume = (await response.json()) as Schemas["Volume"];
    const lpVolumes = volume.lpVolumes.map((lp, index) => (index === 0 ? { ...lp, lpAddress: former } : lp));
    await route.fulfill({ response, json: { ...volume, lpVolumes } });
  });
  await open(`/?network=${NETWORK}&${RANGE}`);
  for (const table of ["Volume by LP", "Fees by LP"]) {
    expect(await rowsOf(page, table).locator(`a[title="${former}"]`).textContent()).toBe("former LP 0xabab…abab");
  }

  const [current] = (await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`)).stablecoins;
  await page.route(`**/v1/lps/${former}?*`, async (route) => {
    const response = await answerOf(route, {
      url: route
        .request()
        .url()
        .replace(former, current?.lpAddress ?? ""),
    });
    const lp = (await response.json()) as Schemas["Lp"];
    await route.fulfill({ response, json: { ...lp, lpAddress: former, liquidity: null } });
  });
  await rowsOf(page, "Fees by LP").locator(`a[title="${former}"]`).click();
  await page.getByText("CoreSwap has replaced this delegate.").waitFor();
  await open(`/lps/0x${"cd".repeat(20)}?network=${NETWORK}`);
  await page.getByText("Not an LP.").waitFor();
});

test("the overview says how many daily rates are missing beside the APY, without a shift, and nothing while none is", async () => {
  const { page } = dashboard.watched;
  const changeLateDays = (days: number) =>
    changeSummaries(page, ({ solvency, yield: yields }) => ({
      solvency: { ...solvency, sharedAssetsUsdWad: String(1_234_500n * 10n ** 18n) },
      yield: { ...yields, ...lateBy(days) },
    }));
  const apy = fact(panel(page, "Treasury"), "Net APY, 30 days");
  await changeLateDays(12);
  // It began when the day before it ended.
  const firstMissing = lateBy(13).nextDayEndsAt.slice(0, 10);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await open(`/?network=${NETWORK}`);
    await apy.getByText("12 daily rates missing").waitFor();
    await apy.getByText(`since ${firstMissing} (UTC)`).waitFor();
    await inspect(page, "overview-late", width);
  }
  await changeLateDays(0);
  await open(`/?network=${NETWORK}`);
  await apy.locator("button.copy").waitFor();
  expect(await apy.locator(".badge").count()).toBe(0);
  await fact(panel(page, "Treasury"), "Read at").getByText(AGE).waitFor();
});
