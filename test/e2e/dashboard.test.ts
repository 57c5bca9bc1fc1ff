/** Every view of the dashboard is accessible and fits each width. Also tests what the views have in common. */
import { setTimeout as pause } from "node:timers/promises";
import type { Schemas } from "@coreswap/client";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { fact, inspect, panel, rowsOf, WIDTHS, walkByTab } from "./harness/dashboard.ts";
import { changeStates, changeSummaries, lateBy, NETWORK, RANGE, useDashboard } from "./harness/dashboardSession.ts";

const stack = inject("sharedStack");
const dashboard = useDashboard(stack.baseUrl);
const { api, open } = dashboard;

describe("every view of the dashboard", () => {
  let paths: Record<string, string>;
  beforeAll(async () => {
    const { transactions } = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=${NETWORK}&activity=swap&limit=100`,
    );
    const longest = transactions.toSorted((a, b) => b.activities.length - a.activities.length)[0];
    const { stablecoins } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
    // This LP keeps a reserve in the treasury token.
    const lp = stablecoins.find(({ symbol }) => symbol === "USDC");
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
      lp: `/lps/${lp?.lpAddress}?network=${NETWORK}`,
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
    "%s fits each width, does not shift while it loads, and has no fault that axe finds, in light and dark; the Tab key reaches every control in order, and shows which one it has reached",
    async (view) => {
      const { page, complaints } = dashboard.watched;
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await open(paths[view] ?? "");
        await inspect(page, view, width);
      }
      const { controls, visited, unmarked } = await walkByTab(page);
      expect(controls.length).toBeGreaterThan(10);
      expect(visited).toEqual(controls);
      expect(unmarked).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

test("the status page does not shift when a late rate comes after the states", async () => {
  const { page } = dashboard.watched;
  await changeSummaries(page, ({ yield: yields }) => ({ yield: { ...yields, ...lateBy(12) } }));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await open("/status");
    await page.getByText("12 daily rates missing").first().waitFor();
    await inspect(page, "status-late", width);
  }
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
  const day = buckets.slice(1, 3).map(({ from }) => `${from.slice(0, 10)} 00:00`);
  // The clocks may change on that day, so that its end is in another zone than its beginning.
  const localDay = day.map((time) => time.replace(/00:00$/, "0[12]:00( (CET|CEST|GMT\\+[12]))?"));
  const bothZones = new RegExp(`${day.join(" to ")} UTC \\(${localDay.join(" to ")}\\)`);
  expect(await chart.getAttribute("aria-valuetext")).toMatch(bothZones);
  expect(await page.locator("figcaption .place").textContent()).toMatch(bothZones);

  await page.getByLabel("Network").selectOption("evm-sepolia");
  await page.waitForURL(/network=evm-sepolia/);
  await page.getByLabel("Colors").selectOption("dark");
  await page.getByLabel("Times").selectOption("local");
  await page.getByRole("link", { name: "Transactions", exact: true }).click();
  await page.getByRole("heading", { name: "Transactions on Sepolia" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Transactions on Sepolia" }).waitFor();
  const time = rowsOf(page, "Transactions").first().locator("time");
  expect(await time.textContent()).toMatch(/ (CET|CEST|GMT\+[12])$/);
  expect(await time.getAttribute("title")).toMatch(/ UTC$/);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  expect(dashboard.watched.complaints).toEqual([]);
});

test("charts are drawn in a browser whose locale is none that Intl accepts", async () => {
  const { page } = dashboard.watched;
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" }));
  await open(`/?network=${NETWORK}`);
  await page.locator(".chart canvas").waitFor();
  expect(dashboard.watched.complaints).toEqual([]);
});

test("a missing page or transaction, a refused query and an unreachable server each show a message", async () => {
  const page = await open(`/transactions/0x${"0".repeat(64)}?network=${NETWORK}`);
  await page.getByText("Mainnet has no such transaction").waitFor();
  await page.goto(`${stack.baseUrl}/app/no-such-view`);
  await page.getByText("There is no such page.").waitFor();
  expect(await page.title()).toBe("No such page – CoreSwap");
  await page.goto(`${stack.baseUrl}/app/transactions?network=${NETWORK}&cursor=AAAA`);
  await page.getByRole("alert").getByText("cursor: accepts nextCursor").waitFor();
  // A request that is refused is not sent again.
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("transactionHash=abc")) asked.push(request.url());
  });
  await open(`/transactions/abc?network=${NETWORK}`);
  await page.getByRole("alert").getByText("transactionHash").waitFor();
  await pause(2_000);
  expect(asked).toHaveLength(1);

  await open("/status");
  await page.route("**/v1/**", (route) => route.abort());
  await page.getByText("Stale:").waitFor();
  await page.getByText("The server does not answer.").waitFor();
  await page.unroute("**/v1/**");
  await page.getByText("Stale:").waitFor({ state: "detached" });
});

test("a range that the API refuses is named once, in its form, and not asked for", async () => {
  const page = await open(`/?network=${NETWORK}&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`);
  const alerts = page.locator("main [role=alert]");
  expect(await alerts.allTextContents()).toEqual(["The last day is before the first. The range is not applied."]);
  expect(await page.getByLabel("From").inputValue()).toBe("2026-02-01");
  await page.getByLabel("From").fill("2024-01-01");
  await page.getByText("A range has at most 365 days.").waitFor();
  await page.getByLabel("From").fill("2025-12-01");
  await alerts.waitFor({ state: "detached" });
  await fact(page, "Range").getByText("2025-12-01 00:00:00 UTC").waitFor();
  expect(dashboard.watched.complaints).toEqual([]);
});

test("amounts of any size fit the quote on a phone", async () => {
  const { page } = dashboard.watched;
  await page.setViewportSize({ width: 360, height: 900 });
  await open(`/swap?network=${NETWORK}&amount=99999999999999.123456`);
  await fact(page, "Minimum received").locator("button.copy").waitFor();
  const wide = await page
    .locator(".quote dd")
    .evaluateAll((values) =>
      values.flatMap((value) => (value.scrollWidth > value.clientWidth ? value.textContent : [])),
    );
  expect(wide).toEqual([]);
});

test("a part that fails hides no other, and a view that fails leaves the navigation", async () => {
  const series = "**/v1/volume/series*";
  const { page } = dashboard.watched;
  await page.route(series, (route) => route.fulfill({ status: 500, json: { error: "broken", status: 500 } }));
  await open(`/?network=${NETWORK}`);
  await page.getByText("The request failed.").waitFor();
  // Takes precedence over the route before, so that no request succeeds in between.
  await page.route(series, () => undefined);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Retrying …").waitFor();
  expect(await rowsOf(page, "Newest activity").count()).toBeGreaterThan(0);

  await page.unroute(series);
  await page.route(series, (route) => route.fulfill({ json: {} }));
  await page.reload();
  await page.getByText("This page failed.").waitFor();
  await page.getByRole("navigation", { name: "Views" }).getByText("Transactions").click();
  await rowsOf(page, "Transactions").first().waitFor();

  await page.route("**/v1/assets?*", (route) => route.abort());
  await page.getByRole("navigation", { name: "Views" }).getByText("Status").click();
  await page.getByText("no answer").first().waitFor();
  expect(await page.getByText("Next daily rate").count()).toBeGreaterThan(0);
});

test("a frame that fails, and a script that does not arrive, leave a message and not a blank page", async () => {
  const { page } = dashboard.watched;
  const status = "**/v1/status/indexing";
  await page.route(status, (route) => route.fulfill({ json: {} }));
  await page.goto(`${stack.baseUrl}/app/status`);
  await page.getByText("This page failed.").waitFor();
  await page.unroute(status);
  await page.getByRole("button", { name: "Load it again" }).click();
  await page.getByRole("heading", { name: "Status of the index" }).waitFor();

  await page.route("**/app/assets/*.js", (route) => route.abort());
  await page.reload();
  await page.getByText("The page has not started yet.").waitFor();
});

test("while no node answers, what is not known is said to be unknown, with the API's reason, also while it is asked again", async () => {
  const { page } = dashboard.watched;
  await changeStates(page, { state: "unreachable", reason: "no node answers" });
  const error = "the node cannot be asked";
  await page.route(/\/v1\/(treasury\/summary|quote)\?/, async (route) => {
    await route.fulfill({ status: 503, json: { error, status: 503 } });
  });
  await open(`/?network=${NETWORK}`);
  await page.getByText(/^Mainnet is unreachable: no node answers\. For \d+ .*\.$/).waitFor();
  // Screen readers read a status again when its text changes, as a time that goes on does.
  expect(await page.getByRole("status").filter({ hasText: "Mainnet is" }).textContent()).toBe(
    "Mainnet is unreachable: no node answers.",
  );
  await panel(page, "Treasury").getByText(error).waitFor();
  expect(await fact(page, "Blocks behind").textContent()).toBe("unknown");
  await open("/status");
  expect(await fact(page, "Lag").textContent()).toBe("unknown");

  await open(`/swap?network=${NETWORK}&amount=1000`);
  await page.getByText(error).waitFor();
  await open(`/treasury?network=${NETWORK}`);
  await page.getByText(error).waitFor();
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.route("**/v1/treasury/summary?*", () => undefined);
  await again.click();
  await page.getByText(`${error} Retrying …`).waitFor();
});

test("figures are marked as stale without a network, and while the server accepts requests and answers none", async () => {
  const page = await open("/status");
  const warning = page.getByText("The server does not answer.");
  await dashboard.context.setOffline(true);
  await warning.waitFor();
  await page.getByText("Stale:").waitFor();
  expect(await panel(page, "Mainnet (chain 1)").locator("header .badge").textContent()).toBe("no answer");
  await dashboard.context.setOffline(false);
  await warning.waitFor({ state: "detached" });

  await page.route("**/v1/**", () => undefined);
  // The computer slept for a day. The requests fail after half a minute.
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 86_400_000;
  });
  await page.getByText("The server has not answered yet.").first().waitFor();
  await warning.waitFor();
  await page.getByText("Stale:").waitFor();
});

test("key figures of the treasury are marked, and rates not called late, while the request for newer ones takes long, before it fails", async () => {
  const summaries = "**/v1/treasury/summary?*";
  const page = await open(`/?network=${NETWORK}`);
  await fact(panel(page, "Treasury"), "Supply").locator("button.copy").waitFor();
  // The requests fail after half a minute.
  const wakeWithoutSummary = async () => {
    await page.route(summaries, () => undefined);
    await page.evaluate(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 86_400_000;
      // As if the user came back to the page.
      dispatchEvent(new Event("visibilitychange"));
    });
  };
  await wakeWithoutSummary();
  await panel(page, "Treasury").getByText("no answer").waitFor({ timeout: 15_000 });

  await page.unroute(summaries);
  await changeSummaries(page, ({ yield: yields }) => ({ yield: { ...yields, ...lateBy(0) } }));
  await open(`/swap?network=${NETWORK}&action=redeem`);
  await page.getByText("No daily rate is late.").waitFor();
  await page.unroute(summaries);
  await wakeWithoutSummary();
  await page.getByText("It is not known whether daily rates are late.").waitFor({ timeout: 15_000 });
});

test("on a phone, each cell of a table is labelled with its column, and screen readers find the same rows and cells", async () => {
  const page = await open(`/transactions?network=${NETWORK}`);
  const session = await dashboard.context.newCDPSession(page);
  const rolesAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => String(role?.value));
    return ["table", "row", "columnheader", "rowheader", "cell"].map((name) => [
      name,
      roles.filter((role) => role === name).length,
    ]);
  };
  const wide = await rolesAt(1440);
  // Only a table that scrolls is a stop of the Tab key.
  expect(await page.locator("section.scroll[tabindex]").count()).toBe(0);
  expect(Object.fromEntries(wide)).toMatchObject({ table: 1, row: 26, columnheader: 7, rowheader: 25, cell: 150 });
  await page.setViewportSize({ width: 600, height: 900 });
  await page.locator("section.scroll[tabindex='0']").waitFor();
  expect(await rolesAt(360)).toEqual(wide);
  const labels = await rowsOf(page, "Transactions")
    .first()
    .locator("td")
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
  expect(labels).toEqual(["Outcome", "What", "In", "Out", "Time", "Sender"].map((name) => `"${name}" / ""`));
  expect(await rowsOf(page, "Transactions").first().getAttribute("role")).toBe("row");
});
