/** A browser on the dashboard, and where to find its figures. */
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContext, type Locator, type Page, chromium as playwright } from "playwright-core";

/** What the page records about itself. */
export interface Notes {
  /** Violations of its content security policy. */
  readonly violations: string[];
  readonly layoutShift: number;
}

/** A page, and what it did wrong: errors, and requests to other hosts. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/** Starts the browser that is installed as a package. */
export async function startBrowser(): Promise<Browser> {
  // The package's arguments disable web security, which the test is about, and end the browser with a context.
  const unwanted = ["--disable-web-security", "--single-process", "--no-zygote"];
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((argument) => !unwanted.includes(argument)),
    headless: true,
  });
}

/** Opens an empty page, which may contact only the given origin. */
export async function openPage(context: BrowserContext, baseUrl: string): Promise<Watched> {
  await context.addInitScript(observe);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}

/** Waits until a view shows answers everywhere. The page keeps a stream open, so that the network never falls idle. */
export async function waitForAnswers(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector("main h1") !== null && document.querySelector(".loading, .before") === null,
  );
}

/** Runs in the page: records violations of its policy, and sums up its layout shifts. */
function observe(): void {
  const notes = { violations: [] as string[], layoutShift: 0 };
  Object.assign(globalThis, { notes });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    notes.violations.push(`${violatedDirective} ${blockedURI}`);
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) notes.layoutShift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** The exact figure shown at a place, which its button copies. */
export async function figureIn(place: Locator): Promise<string | undefined> {
  const title = await place.locator("button.copy").first().getAttribute("title");
  return title?.split("\n")[0];
}

/** The value of a named fact. */
export function fact(place: Page | Locator, name: string): Locator {
  return place.locator(`xpath=.//dt[normalize-space()="${name}"]/following-sibling::dd`).first();
}

/** A part of a view by its title. */
export function panel(page: Page, title: string): Locator {
  return page.locator("section.panel", { has: page.getByRole("heading", { name: title, exact: true, level: 2 }) });
}

/** Rows of a table by its caption. */
export function rowsOf(page: Page, caption: string): Locator {
  return page.locator("table", { has: page.locator(`xpath=./caption[.="${caption}"]`) }).locator("tbody tr");
}

/** Hashes of transactions in the first column. */
export function hashesOf(rows: Locator): Promise<(string | null | undefined)[]> {
  return rows.evaluateAll((all) => all.map((row) => row.querySelector("th a")?.getAttribute("title")));
}
