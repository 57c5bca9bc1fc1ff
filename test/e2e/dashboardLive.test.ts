/** An open dashboard follows the chain: it adds new transactions, and removes those of blocks that are replaced. */

import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPEAT_MS } from "../../app/src/api/workerProtocol.ts";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { startBrowser } from "./harness/browser.ts";
import { waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { hashesOf, openPage, rowsOf, waitForAnswers } from "./harness/dashboard.ts";
import { waitUntil } from "./harness/poll.ts";
import { reorganize } from "./harness/reorganize.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";

const SENT = 3;
/** Milliseconds within which the page shows a transaction of a new block. */
const SOON_MS = 3_000;
/** A busy machine shows only some transactions that soon, of which one is enough. */
const MOST_SENT = 20;
/** A page requests everything again at this interval, whether it has a stream or not. */
const SLOW_MS = 30_000;

let stack: Stack;
let indexer: RunningIndexer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  stack = await Stack.build({
    name: "dashboard-live",
    networks: ["mainnet"],
    seed: 5,
    transactionCount: 100,
    emptyBlocks: 45,
  });
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

test("the stream alone makes a transaction appear on the open page within seconds, and disappear when its block is rolled back", async () => {
  const { api, process } = indexer;
  const deployed = stack.deployed("mainnet");
  const { page, complaints } = await openPage(context, process.baseUrl);
  await keepIntervals(page, OF_STREAM);
  await page.goto(`${process.baseUrl}/app/transactions?network=evm-mainnet`);
  await waitForAnswers(page);
  const shown = () => hashesOf(rowsOf(page, "Transactions"));
  const newestOf = async () =>
    (await api.history("evm-mainnet", { limit: 100 })).transactions.map(({ transactionHash }) => transactionHash);

  const random = randomOf(1, deployed.chainId);
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let count = 0; count < SENT || (fastestMs > SOON_MS && count < MOST_SENT); count += 1) {
    const { hash } = await sendOne({ deployed, random });
    const minedAt = performance.now();
    await page.locator(`tbody a[title="${hash}"]`).waitFor();
    fastestMs = Math.min(fastestMs, performance.now() - minedAt);
  }
  expect(fastestMs).toBeLessThanOrEqual(SOON_MS);

  const { removed } = await reorganize(deployed.rpcUrl, SENT);
  await waitForHistory(api, "mainnet", stack.source("mainnet"));
  await waitUntil("the page shows the new chain", async () => {
    const [onPage, newest] = [await shown(), await newestOf()];
    const isSame = JSON.stringify(onPage) === JSON.stringify(newest.slice(0, onPage.length));
    return isSame && onPage.length > SENT ? null : `${onPage} ≠ ${newest}`;
  });
  const onPage = await shown();
  expect(removed.filter((hash) => onPage.includes(hash))).toEqual([]);
  expect(complaints).toEqual([]);
});

test("two pages of a browser share one stream, and the stream stays open for one page when the other closes", async () => {
  const { process } = indexer;
  const proxy = await countingProxy(process.baseUrl);
  const shared = await browser.newContext({ locale: "en-GB" });
  try {
    const pages: Page[] = [];
    for (const _ of [1, 2]) {
      const { page } = await openPage(shared, proxy.baseUrl);
      await keepIntervals(page, OF_STREAM);
      await page.goto(`${proxy.baseUrl}/app/transactions?network=evm-mainnet`);
      await waitForAnswers(page);
      pages.push(page);
    }
    await waitUntil("the stream is open", async () => (proxy.streams() > 0 ? null : "not yet"));
    const random = randomOf(3, stack.deployed("mainnet").chainId);
    const showsNext = async (open: readonly Page[]) => {
      const { hash } = await sendOne({ deployed: stack.deployed("mainnet"), random });
      await waitUntilApiHas(hash);
      for (const page of open) await waitUntilShown(page, hash);
    };
    await showsNext(pages);
    const [first, second] = pages;
    if (first === undefined || second === undefined) throw new Error("there are not two pages");
    await first.close();
    await showsNext([second]);
    expect(proxy.streams()).toBe(1);
    await second.close();
    await waitUntil("the stream is closed", async () => (proxy.openStreams() === 0 ? null : "not yet"));
  } finally {
    await shared.close();
    await proxy.stop();
  }
});

test("a page without a worker and a stream shows a new transaction by polling, also if answers take longer than that", async () => {
  const { process } = indexer;
  const { page } = await openPage(context, process.baseUrl);
  await keepIntervals(page, { from: 0, below: SLOW_MS });
  // As browsers do for pages that may not store data. The page then opens its own stream.
  await page.addInitScript(() => {
    globalThis.SharedWorker = class extends EventTarget {
      constructor() {
        super();
        throw new DOMException("The operation is insecure.", "SecurityError");
      }
    } as unknown as typeof SharedWorker;
  });
  let refused = 0;
  await page.route("**/v1/events?*", async (route) => {
    refused += 1;
    await route.fulfill({ status: 503, contentType: "application/json", body: "{}" });
  });
  await page.goto(`${process.baseUrl}/app/transactions?network=evm-mainnet`);
  await waitForAnswers(page);
  await page.route("**/v1/transactions?*", async (route) => {
    await pause(6_000);
    await route.continue();
  });
  const deployed = stack.deployed("mainnet");
  const { hash } = await sendOne({ deployed, random: randomOf(2, deployed.chainId) });
  await waitUntilApiHas(hash);
  await waitUntilShown(page, hash);
  expect(refused).toBeGreaterThan(0);
});

async function waitUntilApiHas(hash: string) {
  const has = async () => {
    const { transactions } = await indexer.api.history("evm-mainnet", { limit: 100 });
    return transactions.some(({ transactionHash }) => transactionHash === hash) ? null : "not yet";
  };
  await waitUntil("the API has it", has);
}

async function waitUntilShown(page: Page, hash: string) {
  const has = async () => ((await hashesOf(rowsOf(page, "Transactions"))).includes(hash) ? null : "not yet");
  await waitUntil("the page shows it", has);
}

interface Intervals {
  /** Milliseconds, included. */
  readonly from: number;
  readonly below: number;
}

/** What a page repeats for its stream, without polling. */
const OF_STREAM: Intervals = { from: REPEAT_MS, below: REPEAT_MS + 1 };

/**
 * Lets a page repeat only what it repeats at the given intervals. Whatever else shows a change then works, however long
 * it takes on a busy machine.
 */
async function keepIntervals(page: Page, kept: Intervals) {
  await page.addInitScript(({ from, below }) => {
    const repeat = globalThis.setInterval;
    const repeatKept = (task: () => void, ms: number) => (ms >= from && ms < below ? repeat(task, ms) : 0);
    Object.assign(globalThis, { setInterval: repeatKept });
  }, kept);
}

/** Passes requests on to a server, and counts the event streams. */
async function countingProxy(baseUrl: string) {
  let streams = 0;
  let openStreams = 0;
  const server = createServer((incoming, outgoing) => {
    const isStream = incoming.url?.startsWith("/v1/events") ?? false;
    const passed = request(`${baseUrl}${incoming.url}`, { method: incoming.method, headers: incoming.headers });
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    if (isStream) {
      streams += 1;
      openStreams += 1;
    }
    outgoing.on("close", () => {
      if (isStream) openStreams -= 1;
      passed.destroy();
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    streams: () => streams,
    openStreams: () => openStreams,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
