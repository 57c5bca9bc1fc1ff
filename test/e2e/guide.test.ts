/** The built documentation site in a real browser, served by the process of the API. It may contact no other host. */
import { globSync } from "node:fs";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { BROWSER_TIMEOUT_MS, startBrowser } from "./harness/browser.ts";
import { type Notes, openPage } from "./harness/dashboard.ts";
import { waitUntil } from "./harness/poll.ts";

const stack = inject("sharedStack");
const GUIDE = `${stack.baseUrl}/docs/guide`;
const PAGES = globSync("**/*.html", { cwd: "docs/.vitepress/dist" }).map((file) => file.replace(/\.html$/, ""));

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

test("every built page is answered with 200 and the same strict policy, and an unknown page with 404", async () => {
  expect(PAGES).toContain("getting-started");
  expect(PAGES).toContain("reference/contracts/CoreSwap");
  const policies = new Set<string | null>();
  for (const page of PAGES.filter((name) => name !== "404")) {
    const response = await fetch(`${GUIDE}/${page}`);
    expect(response.status, page).toBe(200);
    policies.add(response.headers.get("content-security-policy"));
  }
  expect(policies.size).toBe(1);
  const [policy] = policies;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe-inline");
  // Each hash allows one more inline script or style. The site generator writes about a dozen.
  expect(policy?.match(/'sha256-/g)?.length).toBeLessThan(20);
  expect((await fetch(`${GUIDE}/nothing`)).status).toBe(404);
});

test("search finds a contract's function by its name, and the result opens it", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const { page, complaints } = await openPage(context, stack.baseUrl);
  await page.goto(GUIDE, { waitUntil: "networkidle" });
  const box = page.locator(".VPLocalSearchBox input");
  await waitUntil(
    "the search box opens",
    async () => {
      // The page listens for the keys only once its scripts have run.
      if (!(await box.isVisible())) await page.keyboard.press("Control+k");
      return (await box.isVisible()) ? null : "not yet";
    },
    { deadlineMs: BROWSER_TIMEOUT_MS, intervalMs: 1_000 },
  );
  await box.fill("adjustSwapInputAllowance");
  const result = page.locator(".VPLocalSearchBox .result", { hasText: "CoreSwap" }).first();
  await result.click();
  await page.waitForURL(/\/reference\/contracts\/CoreSwap.*adjustswapinputallowance/);
  await page.locator("h3", { hasText: "adjustSwapInputAllowance" }).waitFor();
  // After moving to another page, the policy of the first page still applies.
  await page.locator(".VPSidebar a", { hasText: "Routes and fees" }).click();
  await page.locator("h1", { hasText: "Routes and fees" }).waitFor();
  expect(complaints).toEqual([]);
  expect((await page.evaluate(() => (globalThis as unknown as { notes: Notes }).notes)).violations).toEqual([]);
  await context.close();
});

test.each(["getting-started", "concepts/fees", "reference/api/volume"])(
  "%s has no accessibility fault",
  async (name) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 1440, height: 900 },
        reducedMotion: "reduce",
      });
      const { page, complaints } = await openPage(context, stack.baseUrl);
      await page.goto(`${GUIDE}/${name}`, { waitUntil: "networkidle" });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("; ")}`)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    }
  },
);

test.each([360, 768, 1440])("pages fit a window %s px wide, in light and dark", async (width) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: "reduce",
    });
    const { page, complaints } = await openPage(context, stack.baseUrl);
    for (const name of ["", "concepts/yield", "architecture", "reference/contracts/CoreSwap", "security"]) {
      await page.goto(`${GUIDE}/${name}`, { waitUntil: "networkidle" });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, name).toBeLessThanOrEqual(0);
    }
    expect(complaints).toEqual([]);
    await context.close();
  }
});
