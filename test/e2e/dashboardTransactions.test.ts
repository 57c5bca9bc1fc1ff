/** The transactions on the dashboard equal those of the API. */
import { readFileSync } from "node:fs";
import type { Schemas } from "@coreswap/client";
import { afterEach, beforeAll, expect, inject, test } from "vitest";
import { exactSideOf } from "../../app/src/format/names.ts";
import { apiTime, secondsOf } from "../../app/src/format/time.ts";
import { MAXIMUM_CSV_TRANSACTIONS } from "../../src/api/transactions/route.ts";
import { type CsvRow, parseCsv } from "../support/csv.ts";
import { fact, figureIn, hashesOf, panel, rowsOf } from "./harness/dashboard.ts";
import { type Assets, amountOf, decimal, NETWORK, readAssets, useDashboard } from "./harness/dashboardSession.ts";

const dashboard = useDashboard(inject("sharedStack").baseUrl);
const { api, open } = dashboard;

let assets: Assets;
beforeAll(async () => {
  assets = await readAssets(api);
});

afterEach(() => {
  expect(dashboard.watched.complaints).toEqual([]);
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
  const released = Promise.withResolvers<void>();
  await page.route("**/v1/transactions?*activity=swap*", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Apply" }).click();
  // The page still shows the answer before, whose cursor belongs to other filters.
  await page.locator(".before").waitFor();
  const older = page.getByRole("link", { name: "Older" });
  expect(await older.getAttribute("href")).toBeNull();
  released.resolve();
  await older.and(page.locator(`[href*="cursor=${first.nextCursor}"]`)).click();
  await page.locator(`a[title="${second.transactions[0]?.transactionHash}"]`).waitFor();
  expect(await hashesOf(rowsOf(page, "Transactions"))).toEqual(
    second.transactions.map(({ transactionHash }) => transactionHash),
  );
  const csv = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
  expect(new URLSearchParams(csv?.split("?")[1]).toString()).toBe(
    new URLSearchParams({ network: NETWORK, outcome: "success", activity: "swap" }).toString(),
  );
  expect((await api.request(csv ?? "")).status).toBe(200);

  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL((url) => !url.searchParams.has("activity"));
  expect(await page.getByLabel("Activity").inputValue()).toBe("");
  // What was typed and not applied goes, too, although the filters stay the same.
  await page.getByLabel("Entrypoint").fill("swap");
  await page.getByRole("button", { name: "Clear" }).click();
  expect(await page.getByLabel("Entrypoint").inputValue()).toBe("");
});

test("the file of the transactions view takes a range of days, and says whether these are final", async () => {
  const query = `network=${NETWORK}&outcome=success`;
  const whole = parseCsv((await api.request(`/v1/transactions.csv?${query}`)).text).rows;
  const dayOf = (row: CsvRow | undefined) => apiTime(Number(row?.timestamp)).slice(0, 10);
  const [lastDay, firstDay] = [dayOf(whole[Math.floor(whole.length / 3)]), dayOf(whole[Math.floor(whole.length / 2)])];
  const page = await open(`/transactions?${query}`);
  const listed = await hashesOf(rowsOf(page, "Transactions"));
  await page.getByLabel("File from").fill(firstDay);
  await page.waitForURL((url) => url.searchParams.get("from") === `${firstDay}T00:00:00Z`);
  await page.getByLabel("through").fill(lastDay);
  await page.getByText("All blocks of these days are final").waitFor();
  // The list has no range.
  expect(await hashesOf(rowsOf(page, "Transactions"))).toEqual(listed);

  const link = page.getByRole("link", { name: "Download as CSV" });
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const { rows } = parseCsv(readFileSync(await download.path(), "utf8"));
    return { name: download.suggestedFilename(), rows };
  };
  const wanted = whole.filter((row) => dayOf(row) >= firstDay && dayOf(row) <= lastDay);
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.length).toBeLessThan(whole.length);
  const saved = await save();
  expect(saved.rows).toEqual(wanted);
  const end = apiTime(secondsOf(`${lastDay}T00:00:00Z`) + 86_400).replaceAll(/[-:]/g, "");
  expect(saved.name).toBe(`transactions-${NETWORK}-from-${firstDay.replaceAll("-", "")}T000000Z-to-${end}.csv`);

  // Other filters keep the days, and the URL has them.
  await page.getByLabel("Outcome").selectOption("revert");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/outcome=revert/);
  await page.reload();
  expect(await page.getByLabel("File from").inputValue()).toBe(firstDay);
  expect(await page.getByLabel("through").inputValue()).toBe(lastDay);

  // The last day is after the newest final block.
  await page.getByLabel("through").fill("2999-12-31");
  await page.getByText("These days are not final yet").waitFor();
  expect((await save()).name).toMatch(/-to-30000101T000000Z-not-final\.csv$/);

  await page.getByLabel("through").fill("1999-12-31");
  await page.getByText("The last day is before the first.").waitFor();
  expect(await link.count()).toBe(0);
  await page.getByLabel("File from").fill("");
  await page.waitForURL((url) => !url.searchParams.has("from"));
  await link.waitFor();
  await page.getByLabel("through").fill("");
  await page.waitForURL((url) => !url.searchParams.has("to"));
  expect(await link.getAttribute("href")).toBe(`/v1/transactions.csv?network=${NETWORK}&outcome=revert`);
});

test("the end of a file of some days is not named until the API has said whether these are final", async () => {
  const { page, complaints } = dashboard.watched;
  const answer = Promise.withResolvers<void>();
  await page.route("**/v1/transactions.csv?*", async (route) => {
    await answer.promise;
    await route.abort();
  });
  await open(`/transactions?network=${NETWORK}&to=2020-01-01T00:00:00Z`);
  const most = MAXIMUM_CSV_TRANSACTIONS.toLocaleString("en");
  await page.getByText(`A file has at most ${most} transactions, newest first`).waitFor();
  const end = page.getByText("The file ends at block");
  expect(await end.count()).toBe(0);
  answer.resolve();
  await page.getByText("Whether all blocks of these days are final is not known.").waitFor();
  expect(await end.count()).toBe(0);
  // The browser reports the requests that failed.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("Failed to load resource");
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
    expect(await figureIn(sideIn.locator("td").nth(2))).toBe(amountOf(assets, swap.amountIn, swap.assetInId));
    expect(await figureIn(sideOut.locator("td").nth(2))).toBe(amountOf(assets, swap.amountOut, swap.assetOutId));
    expect(await figureIn(fact(leg, "Issuer fee"))).toBe(amountOf(assets, swap.issuerFee, swap.stablecoinDelegateId));
    expect(await figureIn(fact(leg, "Spread fee"))).toBe(amountOf(assets, swap.spreadFee, swap.stablecoinDelegateId));
    expect(await figureIn(fact(leg, "LP fee"))).toBe(amountOf(assets, swap.lpFee, swap.stablecoinDelegateId));
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
      expect(await figureIn(sideOut.locator("td").nth(1))).toBe(amountOf(assets, minimum, swap.assetOutId));
      expect(await figureIn(sideOut.locator("td").nth(3))).toBe(
        amountOf(assets, BigInt(swap.amountOut) - minimum, swap.assetOutId),
      );
    }
  }
  expect(asked).toEqual([]);
});

test("the transactions view marks what a reverted swap only requested, and shows a dash for what was not paid", async () => {
  const { transactions } = await api.json<Schemas["TransactionHistory"]>(
    `/v1/transactions?network=${NETWORK}&outcome=revert&entrypoint=swap&limit=25`,
  );
  const failed = transactions.find(({ directCall }) => (directCall?.submittedSwapLegs ?? []).length > 0);
  const leg = failed?.directCall?.submittedSwapLegs?.[0];
  if (failed === undefined || leg === undefined) throw new Error("no swap has reverted");
  const page = await open(`/transactions?network=${NETWORK}&transactionHash=${failed.transactionHash}`);
  const cells = rowsOf(page, "Transactions").first().locator("td");
  const [given, missing] = exactSideOf(leg.routeId) === "in" ? [2, 3] : [3, 2];
  expect(await cells.nth(given).textContent()).toMatch(/^requested /);
  expect(await figureIn(cells.nth(given))).toBe(
    given === 2
      ? amountOf(assets, leg.assetInAmount, leg.assetInId)
      : amountOf(assets, leg.assetOutAmount, leg.assetOutId),
  );
  const missingId = missing === 2 ? leg.assetInId : leg.assetOutId;
  expect(await cells.nth(missing).textContent()).toBe(`–${assets.get(missingId)?.symbol}`);
});

test("the view of a transaction that failed shows why", async () => {
  const { transactions } = await api.json<Schemas["TransactionHistory"]>(
    `/v1/transactions?network=${NETWORK}&outcome=revert&limit=1`,
  );
  const hash = transactions[0]?.transactionHash;
  const { revert } = await api.json<Schemas["TransactionRevert"]>(`/v1/transactions/${hash}/revert?network=${NETWORK}`);
  if (revert === null) throw new Error("the transaction has not failed");
  const page = await open(`/transactions/${hash}?network=${NETWORK}`);
  const reason = panel(page, "Why it failed");
  expect(await fact(reason, "Error").textContent()).toBe(revert.text);
  expect(await fact(reason, "What to do").textContent()).toBe(revert.advice);
  expect(await fact(reason, "Source").textContent()).toBe("the node's trace of the transaction");
});
