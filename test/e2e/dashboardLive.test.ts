/** An open dashboard follows the chain: new transactions come, those of a reorganization go. */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { hashesOf, openPage, rowsOf, startBrowser, waitForAnswers } from "./harness/dashboard.ts";
import { waitUntil } from "./harness/poll.ts";
import { reorganize } from "./harness/reorganize.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";

const SENT = 3;
const SHOWN_WITHIN_MS = 3_000;
/** The page asks every four seconds while it has no stream, and every thirty seconds anyway. */
const POLLED_WITHIN_MS = 10_000;

let stack: Stack;
let indexer: RunningIndexer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  stack = await Stack.build({ name: "dashboard-live", seed: 5, transactionCount: 100, emptyBlocks: 45 });
  indexer = await stack.startIndexer({ name: "indexer" });
  await indexer.process.ready();
  await waitUntilCaughtUp(indexer.api, "mainnet", stack.source("mainnet"));
  browser = await startBrowser();
  context = await browser.newContext({ locale: "en-GB" });
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test("a transaction appears on the open page within three seconds of the API, and disappears when its block is rolled back", async () => {
  const { api, process } = indexer;
  const deployed = stack.deployed("mainnet");
  const { page, complaints } = await openPage(context, process.baseUrl);
  await page.goto(`${process.baseUrl}/app/transactions?network=evm-mainnet`);
  await waitForAnswers(page);
  const shown = () => hashesOf(rowsOf(page, "Transactions"));
  const newestOf = async () =>
    (await api.history("evm-mainnet", { limit: 100 })).transactions.map(({ transactionHash }) => transactionHash);

  const random = randomOf(1, deployed.chainId);
  for (let count = 0; count < SENT; count += 1) {
    const { hash } = await sendOne({ deployed, random });
    await waitUntil("the API has it", async () => ((await newestOf()).includes(hash) ? null : "not yet"), {
      deadlineMs: 20_000,
    });
    await waitUntil("the page shows it", async () => ((await shown()).includes(hash) ? null : "not yet"), {
      deadlineMs: SHOWN_WITHIN_MS,
    });
  }

  const { removed } = await reorganize(deployed.rpcUrl, SENT);
  await waitForHistory(api, "mainnet", stack.source("mainnet"));
  await waitUntil(
    "the page shows the new chain",
    async () => {
      const [onPage, newest] = [await shown(), await newestOf()];
      return JSON.stringify(onPage) === JSON.stringify(newest.slice(0, onPage.length)) ? null : `${onPage} ≠ ${newest}`;
    },
    { deadlineMs: SHOWN_WITHIN_MS },
  );
  const kept = await newestOf();
  expect(removed.filter((hash) => kept.includes(hash)).length).toBeLessThan(removed.length);
  expect(complaints).toEqual([]);
});

test("a page without an event stream still shows a new transaction, by polling", async () => {
  const { api, process } = indexer;
  const { page } = await openPage(context, process.baseUrl);
  let refused = 0;
  await page.route("**/v1/events?*", async (route) => {
    refused += 1;
    await route.fulfill({ status: 503, contentType: "application/json", body: "{}" });
  });
  await page.goto(`${process.baseUrl}/app/transactions?network=evm-mainnet`);
  await waitForAnswers(page);
  const deployed = stack.deployed("mainnet");
  const { hash } = await sendOne({ deployed, random: randomOf(2, deployed.chainId) });
  const has = async (shown: readonly unknown[]) => (shown.includes(hash) ? null : "not yet");
  await waitUntil(
    "the API has it",
    async () => {
      const { transactions } = await api.history("evm-mainnet", { limit: 100 });
      return has(transactions.map(({ transactionHash }) => transactionHash));
    },
    { deadlineMs: 20_000 },
  );
  await waitUntil("the page shows it", async () => has(await hashesOf(rowsOf(page, "Transactions"))), {
    deadlineMs: POLLED_WITHIN_MS,
  });
  expect(refused).toBeGreaterThan(0);
});
