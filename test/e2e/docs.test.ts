/** The API explorer in a real browser, which may contact only this server. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ApiClient } from "./harness/api.ts";
import { BROWSER_TIMEOUT_MS, startBrowser } from "./harness/browser.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

test("/docs lists every operation, and its Execute button shows the real answer", async () => {
  const page = await browser.newPage({ bypassCSP: false });
  page.setDefaultTimeout(BROWSER_TIMEOUT_MS);
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(stack.baseUrl) && !request.url().startsWith("data:")) foreign.push(request.url());
  });

  await page.goto(`${stack.baseUrl}/docs`);
  await page.locator(".opblock-summary-path").first().waitFor();
  const shown = await page
    .locator(".opblock-summary-path")
    .evaluateAll((elements) => elements.map((element) => element.getAttribute("data-path")));
  const { paths } = await api.json<{ paths: Record<string, unknown> }>("/openapi.json");
  expect(shown.sort()).toEqual(Object.keys(paths).sort());

  const operation = page.locator("#operations-deployments-getSvmInfo");
  await operation.locator(".opblock-summary-control").click();
  await operation.locator("select").first().selectOption("devnet");
  await operation.getByRole("button", { name: "Execute" }).click();
  const live = operation.locator(".live-responses-table");
  await live.waitFor();
  expect((await live.locator(".response-col_status").last().textContent())?.trim()).toMatch(/^200/);
  const text = await live.locator(".highlight-code code, .highlight-code pre").first().textContent();
  expect(JSON.parse(text ?? "")).toEqual(await api.json("/v1/info/svm?chain=devnet"));
  expect(await operation.locator(".request-url").textContent()).toContain(`${stack.baseUrl}/v1/info/svm?chain=devnet`);

  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
});
