/** The dashboard in a real browser, and the figures that it must show, for the test files about its views. */
import type { Schemas } from "@coreswap/client";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { exactText, parseDecimal } from "../../../app/src/format/amount.ts";
import { clientAddress } from "../../support/clients.ts";
import { timeText } from "../../support/time.ts";
import { ApiClient } from "./api.ts";
import { startBrowser } from "./browser.ts";
import { answerOf, figureIn, openPage, type Watched, waitForAnswers } from "./dashboard.ts";

/** The network whose data the views show. */
export const NETWORK = "evm-mainnet";
const DAY_SECONDS = 86_400;
/** The end of today, so that the range stays the same from request to request. */
const END = (Math.floor(Date.now() / 1000 / DAY_SECONDS) + 1) * DAY_SECONDS;
/** The query of a range of 80 days. */
export const RANGE = `from=${timeText(END - 80 * DAY_SECONDS)}&to=${timeText(END)}`;

/** The dashboard in the current test. */
export interface DashboardSession {
  readonly api: ApiClient;
  /** The browser context of the test. */
  readonly context: BrowserContext;
  /** The page of the test, with its faults. */
  readonly watched: Watched;
  /** Opens a view and waits until it shows the answers of the API. */
  readonly open: (path: string) => Promise<Page>;
}

/** Registers hooks that start a browser for the test file, and open an empty page for each test. */
export function useDashboard(baseUrl: string): DashboardSession {
  let browser: Browser;
  let context: BrowserContext;
  let watched: Watched;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    context = await browser.newContext({
      locale: "en-GB",
      timezoneId: "Europe/Berlin",
      reducedMotion: "reduce",
      // Clients without an address share a limit, which another test file exhausts.
      extraHTTPHeaders: { "X-Test-Client": clientAddress(crypto.randomUUID()) },
    });
    watched = await openPage(context, baseUrl);
    const { page, complaints } = watched;
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (request.resourceType() !== "fetch" || !pathname.startsWith("/v1/")) return;
      // Otherwise a proxy may answer with what it keeps.
      if (request.headers()["min-indexed-block"] === undefined) complaints.push(`${pathname} demands no block`);
    });
  });
  afterEach(() => context.close());
  return {
    api: new ApiClient(baseUrl),
    get context() {
      return context;
    },
    get watched() {
      return watched;
    },
    async open(path) {
      const { page } = watched;
      await page.goto(`${baseUrl}/app${path}`);
      await waitForAnswers(page);
      return page;
    },
  };
}

const SUMMARIES = "**/v1/treasury/summary?*";

/** Changes what the API tells the page about each treasury token, in place of an earlier change. */
export async function changeSummaries(
  page: Page,
  change: (delegate: Schemas["TreasuryDelegateSummary"]) => Partial<Schemas["TreasuryDelegateSummary"]>,
): Promise<void> {
  await page.unroute(SUMMARIES);
  await page.route(SUMMARIES, async (route) => {
    const response = await answerOf(route);
    const summary = (await response.json()) as Schemas["TreasurySummary"];
    const delegates = summary.delegates.map((delegate) => ({ ...delegate, ...change(delegate) }));
    await route.fulfill({ response, json: { ...summary, delegates } });
  });
}

/** Changes what the API tells the page about the index of each network. */
export async function changeStates(page: Page, change: Partial<Schemas["IndexingStatus"]>): Promise<void> {
  await page.route("**/v1/status/indexing", async (route) => {
    const response = await answerOf(route);
    const { networks } = (await response.json()) as Schemas["IndexingStatusAnswer"];
    await route.fulfill({ response, json: { networks: networks.map((network) => ({ ...network, ...change })) } });
  });
}

/** Yield of a summary in which the rates of some days are late; with none, the next day ends tonight. */
export function lateBy(days: number) {
  return { nextDayEndsAt: timeText(END - days * DAY_SECONDS), unpostedDays: days };
}

/** Which block figures are of, and how old it is. */
export const AGE = /block [\d,]+, .+ ago/;

/** The registered assets of the network, by ID. */
export type Assets = ReadonlyMap<string, Asset>;

type Asset = Pick<Schemas["StableAsset"], "symbol" | "decimals">;

/** Reads the registered assets of the network. */
export async function readAssets(api: ApiClient): Promise<Assets> {
  const info = await api.json<Schemas["EvmDeployment"]>("/v1/info/evm?chain=mainnet");
  return new Map<string, Asset>([
    ...info.stable_assets.map((asset) => [asset.stablecoin_id, asset] as const),
    ...info.rwa_assets.map((asset) => [asset.rwa_id, asset] as const),
  ]);
}

/** An exact decimal figure from a number of units of 10^-decimals, as the API writes it. */
export const decimal = (units: string | bigint, decimals: number) => exactText({ units: BigInt(units), decimals });

/** The exact figure of an amount in USD. */
export const usd = (text: string) => exactText(parseDecimal(text));

/** The exact figure of an amount of an asset, given in its smallest units. */
export const amountOf = (assets: Assets, units: string | bigint, id: string) =>
  decimal(units, assets.get(id)?.decimals ?? -1);

/** The exact figure at a place, or the text that stands there instead of a figure. */
export async function figureOrText(place: Locator): Promise<string | null | undefined> {
  return (await place.locator("button.copy").count()) > 0 ? figureIn(place) : place.textContent();
}
