/** Opens the dashboard in a browser and locates its figures. */
import { join } from "node:path";
import axe from "axe-core";
import type { APIResponse, BrowserContext, Locator, Page, Route } from "playwright-core";
import { expect } from "vitest";
import { BROWSER_TIMEOUT_MS } from "./browser.ts";

const SCREENSHOTS = "artifacts/dashboard";

/** Widths at which every view is inspected, and the colors at each: a phone, a tablet and a screen. */
const COLOR_SCHEMES = { 360: "light", 768: "dark", 1440: "light" } as const;

type Width = keyof typeof COLOR_SCHEMES;

export const WIDTHS: readonly Width[] = [360, 768, 1440];

/** Below this width, rows of tables with many columns are blocks, so that no table scrolls sideways. */
const NARROWEST_TABLE_PX = 561;

/** What the page records about itself. */
export interface Notes {
  /** Violations of its content security policy. */
  readonly violations: string[];
  readonly layoutShift: number;
  /** What shifted, and from where to where. */
  readonly shifted: string[];
}

/** An entry of the Layout Instability API, which TypeScript does not know. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** A page and its faults: errors, requests to other hosts, and requests that a cache may answer. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens an empty page, which may contact only the given origins. */
export async function openPage(context: BrowserContext, ...origins: readonly string[]): Promise<Watched> {
  await context.addInitScript(observe);
  context.setDefaultTimeout(BROWSER_TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!origins.includes(new URL(request.url()).origin)) complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}

/** Waits until all parts of a view show answers. The page keeps a stream open, so the network never becomes idle. */
export async function waitForAnswers(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector("main h1") !== null && document.querySelector(".loading, [aria-busy=true]") === null,
  );
}

/**
 * Inspects what a page shows, in the colors of its width: axe finds no fault, nothing is wider than the page, no table
 * scrolls sideways on a phone, no element shifted while the page loaded, and the policy was not violated. Keeps a
 * screenshot.
 */
export async function inspect(page: Page, name: string, width: Width): Promise<void> {
  const { violations, layoutShift, shifted, overflow, wideTables } = await page.evaluate(() => ({
    ...(globalThis as unknown as { notes: Notes }).notes,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    wideTables: [...document.querySelectorAll("section.scroll")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((table) => table.getAttribute("aria-label")),
  }));
  expect(violations).toEqual([]);
  expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
  if (width < NARROWEST_TABLE_PX) expect(wideTables, `${width} px`).toEqual([]);
  expect(layoutShift, `${width} px: ${shifted.join(", ")}`).toBeLessThanOrEqual(0.01);
  const colorScheme = COLOR_SCHEMES[width];
  await page.emulateMedia({ colorScheme });
  await page.evaluate(axe.source);
  const { violations: faults } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
  );
  expect(
    faults.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    `${width} px, ${colorScheme}`,
  ).toEqual([]);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
}

/** The server's answer to a request of a page. The server may close an idle connection just when it is used again. */
export function answerOf(route: Route, changes: { readonly url?: string } = {}): Promise<APIResponse> {
  return route.fetch({ maxRetries: 3, ...changes });
}

/** Where the Tab key leads on a page. */
interface Walk {
  /** What can be operated, in the order of the page. */
  readonly controls: readonly string[];
  /** What had the focus, one after the other. */
  readonly visited: readonly string[];
  /** Which of them did not show that they had it. */
  readonly unmarked: readonly string[];
}

/** Presses Tab until the focus has left the page. */
export async function walkByTab(page: Page): Promise<Walk> {
  const controls = await page.evaluate(() => {
    const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
    const elements = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
      (element) =>
        element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled"),
    );
    Object.assign(globalThis, { controls: elements });
    return elements.map(({ outerHTML }, index) => `${index} ${outerHTML.slice(0, 120)}`);
  });
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const index = (globalThis as unknown as { controls: Element[] }).controls.indexOf(element);
      const isMarked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
      return { index, isMarked, isPage: element === document.body, html: element.outerHTML.slice(0, 120) };
    });
  const visited: string[] = [];
  const unmarked: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const { index, isMarked, isPage, html } = await focused();
    if (isPage || (index === 0 && visited.length > 1)) return { controls, visited, unmarked };
    const name = `${index} ${html}`;
    // A field for a date keeps the focus for each of its parts.
    if (visited.at(-1) === name) continue;
    visited.push(name);
    if (!isMarked) unmarked.push(name);
  }
}

/** Runs in the page: records violations of its policy, and adds up its layout shifts. */
function observe(): void {
  const notes = { violations: [] as string[], layoutShift: 0, shifted: [] as string[] };
  Object.assign(globalThis, { notes });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    notes.violations.push(`${violatedDirective} ${blockedURI}`);
  });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue;
      notes.layoutShift += value;
      for (const { node, previousRect, currentRect } of sources) {
        const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`;
        notes.shifted.push(`${node?.textContent?.slice(0, 30)} (${place(previousRect)} → ${place(currentRect)})`);
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** The exact figure shown at a place, as its button copies it. */
export async function figureIn(place: Locator): Promise<string | undefined> {
  const title = await place.locator("button.copy").first().getAttribute("title");
  return title?.split("\n")[0];
}

/** The value of a named fact. */
export function fact(place: Page | Locator, name: string): Locator {
  return place.locator(`xpath=.//dt[normalize-space()="${name}"]/following-sibling::dd`).first();
}

/** A panel of a view, found by its title. */
export function panel(page: Page, title: string): Locator {
  return page.locator("section.panel", { has: page.getByRole("heading", { name: title, exact: true, level: 2 }) });
}

/** The rows of a table, found by its caption. */
export function rowsOf(page: Page, caption: string): Locator {
  return page.locator("table", { has: page.locator(`xpath=./caption[.="${caption}"]`) }).locator("tbody tr");
}

/** Transaction hashes in the first column. */
export function hashesOf(rows: Locator): Promise<(string | null | undefined)[]> {
  return rows.evaluateAll((all) => all.map((row) => row.querySelector("th a")?.getAttribute("title")));
}
