/**
 * Runs `examples/react` as an integrator would: in an empty folder, with the packages as they would be published, built
 * by Vite and opened in a browser.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Schemas } from "@coreswap/client";
import { coreSwapActions, realizedLegs, swapInputsOf } from "@coreswap/sdk";
import type { Browser, BrowserContext, Locator } from "playwright-core";
import {
  type Address,
  createPublicClient,
  createWalletClient,
  decodeFunctionData,
  erc20Abi,
  formatUnits,
  type Hash,
  http,
  zeroAddress,
} from "viem";
import { mainnet } from "viem/chains";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { coreSwapAbi } from "../../abis/index.ts";
import type { LegAsset } from "../../localnet/assets.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { freePort, HOST } from "../../localnet/ports.ts";
import { type ManagedProcess, runProcess, startProcess } from "../../localnet/processes.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { ApiClient } from "../e2e/harness/api.ts";
import { startBrowser } from "../e2e/harness/browser.ts";
import { BrowserWallet } from "../e2e/harness/browserWallet.ts";
import { fact, openPage, type Watched } from "../e2e/harness/dashboard.ts";
import { waitUntil } from "../e2e/harness/poll.ts";
import { installTarballs, manifestOf, PACKAGES } from "./support/tarballs.ts";

const LOGS = ".demo/packages/reactExample";
const NETWORK = "evm-mainnet";
const WAIT = { deadlineMs: 60_000 };
const SHOWN_COUNT = 5;
const SLIPPAGE_BPS = 50n;
/** The pairs that the tests quote. */
const PAIRS = [
  ["USDC", "TBILL"],
  ["DAI", "CREDIT"],
] as const;

const deployed = inject("packages");
const { coreSwap, rpcUrl, assets, delegates } = deployed;
const rpcOrigin = new URL(rpcUrl).origin;
const node = createPublicClient({ chain: mainnet, transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 });

let folder: string;
let indexer: Indexer | undefined;
let api: ApiClient;
let server: ManagedProcess | undefined;
let pageUrl: string;
let browser: Browser | undefined;
let context: BrowserContext;
let watched: Watched;

/** Runs one of the programs that were installed in the folder, with Node.js. */
const installed = (name: string, ...args: readonly string[]) => ({
  name,
  command: process.execPath,
  args,
  cwd: folder,
  env: { ...process.env, VITE_API_URL: api.baseUrl, VITE_RPC_URL: rpcUrl },
  logFile: join(LOGS, `${name}.log`),
});

beforeAll(async () => {
  rmSync(LOGS, { recursive: true, force: true });
  indexer = await startIndexer({
    deploymentsDirectory: deployed.deploymentsDirectory,
    rpcUrls: { [deployed.chainId]: rpcUrl },
    database: { pgliteDirectory: join(LOGS, "pglite") },
    logFile: join(LOGS, "indexer.log"),
  });
  api = new ApiClient(indexer.baseUrl);

  folder = mkdtempSync(join(tmpdir(), "coreswap-react-"));
  const example = "examples/react";
  for (const name of ["index.html", "src", "tsconfig.json", "vite.config.ts"]) {
    cpSync(join(example, name), join(folder, name), { recursive: true });
  }
  const manifest = manifestOf(example);
  const tarballs = inject("tarballs");
  const packed = Object.fromEntries(PACKAGES.map((name) => [`@coreswap/${name}`, `file:${tarballs[name]}`]));
  installTarballs(folder, tarballs, {
    ...manifest,
    dependencies: Object.fromEntries(
      Object.entries(manifest.dependencies).map(([name, version]) => [name, packed[name] ?? version]),
    ),
  });
  await runProcess(installed("build", "node_modules/vite/bin/vite.js", "build"));
  await buildReadme();

  const port = await freePort();
  pageUrl = `http://${HOST}:${port}`;
  const options = ["--port", String(port), "--strictPort"];
  server = await startProcess(installed("preview", "node_modules/vite/bin/vite.js", "preview", ...options));
  await waitUntil("the page is served", async () => ((await fetch(pageUrl)).ok ? null : "not yet"), WAIT);
  await indexer.ready();
  await waitUntil("the pairs are indexed", missingPairs, WAIT);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await indexer?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  if (browser === undefined) throw new Error("there is no browser");
  context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin" });
  watched = await openPage(context, pageUrl, api.baseUrl, rpcOrigin);
});
afterEach(async () => {
  await context.close();
  // Errors and warnings of the console, and requests to others than the page's server, the API and the node.
  expect(watched.complaints).toEqual([]);
});

/** Builds the component of the package's README as a page of its own, `/readme/`. */
async function buildReadme(): Promise<void> {
  const [, sample = ""] = /^```tsx\n([\s\S]*?)^```/m.exec(readFileSync("packages/react/README.md", "utf8")) ?? [];
  const pairs = PAIRS.map(([stablecoin, rwa]) => [assets[stablecoin].id, assets[rwa].id]);
  mkdirSync(join(folder, "readme"));
  writeFileSync(join(folder, "readme/Buy.tsx"), sample);
  writeFileSync(
    join(folder, "readme/main.tsx"),
    `import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
    import { useState } from "react";
    import { createRoot } from "react-dom/client";
    import { createConfig, http, useConnect, useConnectors, WagmiProvider } from "wagmi";
    import { mainnet } from "wagmi/chains";
    import { Buy } from "./Buy.tsx";

    const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http(${JSON.stringify(rpcUrl)}) } });

    function Connect() {
      const connect = useConnect();
      return useConnectors().map((connector) => (
        <button key={connector.uid} onClick={() => connect.mutate({ connector })}>Connect {connector.name}</button>
      ));
    }

    const pairs = ${JSON.stringify(pairs)} as const;

    function Pairs() {
      const [index, setIndex] = useState<0 | 1>(0);
      return (
        <>
          <button onClick={() => setIndex(index === 0 ? 1 : 0)}>Other pair</button>
          <Buy coreSwap={${JSON.stringify(coreSwap)}} ids={pairs[index]} />
        </>
      );
    }

    createRoot(document.body).render(
      <WagmiProvider config={config}>
        <QueryClientProvider client={new QueryClient()}>
          <Connect />
          <Pairs />
        </QueryClientProvider>
      </WagmiProvider>,
    );
    `,
  );
  const script = '<script type="module" src="./main.tsx"></script>';
  writeFileSync(join(folder, "readme/index.html"), `<!doctype html><title>README</title><body>${script}</body>`);
  const options = ["--base", "/readme/", "--outDir", "../dist/readme", "--config", "vite.config.ts"];
  await runProcess(installed("readme", "node_modules/vite/bin/vite.js", "build", "readme", ...options));
}

/** Readiness does not wait for blocks that are not final, and on a chain this short, those have the pairs. */
async function missingPairs(): Promise<string | null> {
  const { stablecoins, rwas } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${NETWORK}`);
  const isRated = ([stablecoin, rwa]: (typeof PAIRS)[number]) =>
    rwas.some(({ rwaId }) => rwaId === assets[rwa].id) &&
    stablecoins
      .find(({ stablecoinId }) => stablecoinId === assets[stablecoin].id)
      ?.rwaRates.some(({ rwaId }) => rwaId === assets[rwa].id);
  const missing = PAIRS.filter((pair) => !isRated(pair));
  return missing.length === 0 ? null : `there is no rate of ${missing.join(", ")}`;
}

const amount = (units: bigint | string, symbol: LegAsset) =>
  `${formatUnits(BigInt(units), assets[symbol].decimals)} ${symbol}`;

const symbolOf = (id: string) => {
  const asset = Object.values(assets).find((each) => each.id === id);
  if (asset === undefined) throw new Error(`no asset has the ID ${id}`);
  return asset.symbol;
};

/** What the quote of the page says, by name. */
async function shownQuote(): Promise<Record<string, string | null>> {
  const names = await watched.page.locator("dt").allTextContents();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await fact(watched.page, name).textContent()] as const)),
  );
}

/** What the page must say of a quote: what the contract answers at the block that the page names, and the API now. */
async function expectedQuote(stablecoin: "USDC" | "DAI", rwa: LegAsset, amountIn: bigint, blockNumber: bigint) {
  const pair = { assetInID: assets[stablecoin].id, assetOutID: assets[rwa].id };
  const leg = { ...pair, routeId: 3n, stablecoinDelegateID: pair.assetInID, assetInAmt: amountIn, assetOutAmt: 0n };
  const chain = await node.readContract({
    address: coreSwap,
    abi: coreSwapAbi,
    functionName: "quoteSwap",
    args: [zeroAddress, leg],
    blockNumber,
  });
  const query = new URLSearchParams({
    network: NETWORK,
    user: zeroAddress,
    routeId: "3",
    assetInId: pair.assetInID,
    assetOutId: pair.assetOutID,
    stablecoinDelegateId: pair.assetInID,
    amountIn: String(amountIn),
  });
  const answer = await api.json<Schemas["Quote"]>(`/v1/quote?${query}`);
  expect(answer).toMatchObject({
    amountIn: String(chain.tokenInAmt),
    amountOut: String(chain.tokenOutAmt),
    issuerFee: String(chain.issuerFeeAmt),
    spreadFee: String(chain.spreadFeeAmt),
    lpFee: String(chain.lpFeeAmt),
    delegateAddress: delegates[stablecoin].toLowerCase(),
  });
  return {
    "You pay": amount(amountIn, stablecoin),
    "You receive": amount(answer.amountOut, rwa),
    // At most 0.5 % less, to the last unit.
    "At least": amount(chain.tokenOutAmt - chain.tokenOutAmt / 200n, rwa),
    Slippage: "0.5 %",
    "Issuer fee": amount(answer.issuerFee, stablecoin),
    "Spread fee": amount(answer.spreadFee, stablecoin),
    "LP fee": amount(answer.lpFee, stablecoin),
    Approve: delegates[stablecoin],
    Block: String(blockNumber),
  };
}

/** Waits for the quote of an amount, and compares it with the chain and the API. */
async function verifyQuote(stablecoin: "USDC" | "DAI", rwa: LegAsset, amountIn: bigint): Promise<void> {
  const { page } = watched;
  await page
    .locator("dd", { hasText: amount(amountIn, stablecoin) })
    .first()
    .waitFor();
  await waitUntil(
    "the page shows one whole quote",
    async () => {
      const shown = await shownQuote();
      const expected = await expectedQuote(stablecoin, rwa, amountIn, BigInt(shown.Block ?? 0));
      // It quotes anew with each block, possibly while the parts are read.
      const isMixed = shown.Block !== (await fact(page, "Block").textContent());
      if (isMixed) return "a new block came meanwhile";
      expect(shown).toEqual(expected);
      return null;
    },
    WAIT,
  );
}

/** A row of the table, as text by column. */
async function textsOf(row: Locator): Promise<readonly string[]> {
  const hash = await row.locator("th").getAttribute("title");
  const swaps = await row.locator("td").nth(3).locator("div").allTextContents();
  const cells = await row.locator("td").allTextContents();
  return [hash ?? "", ...cells.slice(0, 3), ...swaps];
}

/** What a row must say of a transaction of the API. */
function expectedTexts({ transactionHash, inclusion, receipt, activities }: Schemas["Transaction"]): readonly string[] {
  const swaps = activities.flatMap((activity) =>
    activity.type === "swap"
      ? [
          `${amount(activity.amountIn, symbolOf(activity.assetInId))} → ` +
            amount(activity.amountOut, symbolOf(activity.assetOutId)),
        ]
      : [],
  );
  const time = new Date(Number(inclusion.timestamp) * 1000).toISOString();
  return [transactionHash, inclusion.blockNumber, time, receipt.outcome, ...swaps];
}

/** Waits until the table equals the API's newest transactions, and returns their hashes. */
async function waitForNewest(condition: (hashes: readonly string[]) => boolean = () => true) {
  const path = `/v1/transactions?network=${NETWORK}&limit=${SHOWN_COUNT}`;
  let hashes: readonly string[] = [];
  await waitUntil(
    "the table equals the newest transactions",
    async () => {
      const { transactions } = await api.json<Schemas["TransactionHistory"]>(path);
      const rows = await watched.page.locator("tbody tr").all();
      const shown = await Promise.all(rows.map(textsOf));
      hashes = transactions.map(({ transactionHash }) => transactionHash);
      if (!condition(hashes)) return `the newest are ${hashes}`;
      const expected = transactions.map(expectedTexts);
      return JSON.stringify(shown) === JSON.stringify(expected) ? null : JSON.stringify({ shown, expected }, null, 1);
    },
    WAIT,
  );
  return hashes;
}

test("compiles with the types of the packages", async () => {
  await runProcess(installed("tsc", resolve("tools/node_modules/typescript/bin/tsc"), "-p", folder));
});

test("shows quotes with their fees and bounds as the chain and the API answer them", async () => {
  const { page } = watched;
  await page.goto(pageUrl);
  const choose = (stablecoin: string, rwa: string) =>
    page.getByLabel("Pair").selectOption({ label: `${stablecoin} → ${rwa}` });
  await choose("USDC", "TBILL");
  await verifyQuote("USDC", "TBILL", 1_000_000_000n);
  await page.getByLabel("Amount").fill("12345.678901");
  await verifyQuote("USDC", "TBILL", 12_345_678_901n);
  await choose("DAI", "CREDIT");
  await verifyQuote("DAI", "CREDIT", 12_345_678_901n * 10n ** 12n);

  // More digits than the token has are no amount: rounding would quote another one.
  await choose("USDC", "TBILL");
  const notUnderstood = page.getByRole("alert").filter({ hasText: "as in 1234.5, with at most 6 digits" });
  for (const text of ["1.0000001", "1,000", "-1", ""]) {
    await page.getByLabel("Amount").fill("1");
    await notUnderstood.waitFor({ state: "detached" });
    await page.getByLabel("Amount").fill(text);
    await notUnderstood.waitFor();
    await page.locator("dl").waitFor({ state: "detached" });
  }
  await page.getByLabel("Amount").fill("0");
  await page.getByRole("alert").filter({ hasText: "InsufficientStablecoinInput" }).waitFor();
  await page.getByLabel("Amount").fill("1");
  await verifyQuote("USDC", "TBILL", 1_000_000n);
  await page.getByRole("alert").waitFor({ state: "detached" });
});

test("shows the newest transactions of the API and the chain, and a swap within its bound as it happens", async () => {
  const { page } = watched;
  await page.goto(pageUrl);
  for (const hash of await waitForNewest()) {
    const { status, blockNumber } = await node.getTransactionReceipt({ hash: hash as Hash });
    const row = page.locator("tr", { has: page.locator(`th[title="${hash}"]`) });
    expect(await row.locator("td").nth(0).textContent()).toBe(String(blockNumber));
    expect(await row.locator("td").nth(2).textContent()).toBe(status === "success" ? "success" : "revert");
  }

  await page.getByLabel("Pair").selectOption({ label: "USDC → TBILL" });
  await verifyQuote("USDC", "TBILL", 1_000_000_000n);
  const trader = createWalletClient({ account: WALLETS.trader8, chain: mainnet, transport: http(rpcUrl) }).extend(
    coreSwapActions({ coreSwap }),
  );
  const [usdc, tbill] = await trader.getSwapAssets({ ids: [assets.USDC.id, assets.TBILL.id] });
  if (usdc?.kind !== "stablecoin" || tbill?.kind !== "rwa") throw new Error("other assets");
  const user: Address = trader.account.address;
  const quote = await trader.quoteLeg({ user, assetIn: usdc, assetOut: tbill, amountIn: 1_000_000_000n });
  const leg = swapInputsOf(quote.leg, "in", quote, SLIPPAGE_BPS);
  expect(await fact(page, "At least").textContent()).toBe(amount(leg.assetOutAmt, "TBILL"));
  const hash = await trader.swap({ legs: [leg] });
  const hashes = await waitForNewest((newest) => newest.includes(hash));
  expect(hashes).toHaveLength(SHOWN_COUNT);
});

test("buys with a wallet: approves the delegate for exactly the amount, and swaps within the bound", async () => {
  const { page } = watched;
  const account = "trader7";
  const user = WALLETS[account].address;
  const [spender, amountIn] = [delegates.USDC, 250_000_000n];
  const view = { address: assets.USDC.token, abi: erc20Abi } as const;
  const allowance = () => node.readContract({ ...view, functionName: "allowance", args: [user, spender] });
  const trader = createWalletClient({ account: WALLETS[account], chain: mainnet, transport: http(rpcUrl) });
  const revoked = await trader.writeContract({ ...view, functionName: "approve", args: [spender, 0n] });
  await node.waitForTransactionReceipt({ hash: revoked });
  await BrowserWallet.install(page, { account, chainId: mainnet.id, rpcUrls: { [mainnet.id]: rpcUrl } });
  await page.goto(pageUrl);
  await page.getByLabel("Pair").selectOption({ label: "USDC → TBILL" });
  await page.getByLabel("Amount").fill("250");
  await page.getByRole("button", { name: "Connect Test Wallet" }).click();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("button", { name: "Swap", exact: true }).and(page.locator(":enabled")).waitFor();
  expect(await allowance()).toBe(amountIn);
  await verifyQuote("USDC", "TBILL", amountIn);
  const minimum = await fact(page, "At least").textContent();
  await page.getByRole("button", { name: "Swap", exact: true }).click();
  const result = await page.getByRole("status").filter({ hasText: "Swapped in" }).textContent();
  const hash = /0x[0-9a-f]{64}/.exec(result ?? "")?.[0] as Hash;
  const { logs } = await node.getTransactionReceipt({ hash });
  const [leg] = realizedLegs({ coreSwap, logs });
  expect(leg).toMatchObject({ user, receiver: user, amountIn });
  const { input } = await node.getTransaction({ hash });
  const { args } = decodeFunctionData({ abi: coreSwapAbi, data: input });
  const [bounds] = (args as readonly unknown[]).filter(Array.isArray) as [{ assetOutAmt: bigint }[]];
  expect(bounds.map(({ assetOutAmt }) => amount(assetOutAmt, "TBILL"))).toEqual([minimum]);
  expect(await allowance()).toBe(0n);
});

test("says why it shows nothing while the node is of another chain", async () => {
  const { page } = watched;
  await page.route(`${rpcOrigin}/**`, async (route) => {
    const { id } = route.request().postDataJSON() as { id: number };
    await route.fulfill({
      json: { jsonrpc: "2.0", id, result: "0x2" },
      headers: { "Access-Control-Allow-Origin": "*" },
    });
  });
  await page.goto(pageUrl);
  await page.getByRole("alert").filter({ hasText: "the node is of chain 2, the API of chain 1" }).waitFor();
  expect(await page.locator("dl, table").count()).toBe(0);
});

test("the component of the README keeps its buttons after a rejection, and while a new block is read", async () => {
  const { page } = watched;
  const account = "trader6";
  const trader = createWalletClient({ account: WALLETS[account], chain: mainnet, transport: http(rpcUrl) });
  const approval = { address: assets.USDC.token, abi: erc20Abi, functionName: "approve" } as const;
  const revoked = await trader.writeContract({ ...approval, args: [delegates.USDC, 0n] });
  await node.waitForTransactionReceipt({ hash: revoked });
  const wallet = await BrowserWallet.install(page, { account, chainId: mainnet.id, rpcUrls: { [mainnet.id]: rpcUrl } });
  await page.goto(`${pageUrl}/readme/`);
  await page.getByRole("button", { name: "Connect Test Wallet" }).click();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  // Connected, or the wallet would reject that.
  await button("Approve").waitFor();
  wallet.isRejecting = true;
  await button("Approve").click();
  await page.getByText("User rejected the request.").waitFor();
  wallet.isRejecting = false;
  await button("Approve").click();
  await button("Swap").waitFor();
  await page.getByText("User rejected the request.").waitFor({ state: "detached" });

  await page.evaluate(() => {
    const gone = () => [...document.querySelectorAll("button")].every(({ textContent }) => textContent !== "Swap");
    new MutationObserver(() => {
      if (gone()) Object.assign(globalThis, { hasVanished: true });
    }).observe(document.body, { childList: true, subtree: true });
  });
  const quoted = page.waitForRequest((request) => (request.postData() ?? "").includes("eth_call"));
  await createChainClient(rpcUrl).mine({ blocks: 1 });
  await (await quoted).response();
  expect(await page.evaluate(() => "hasVanished" in globalThis)).toBe(false);
  await button("Swap").click();
  await page.getByText(/Sent: 0x[0-9a-f]{64}/).waitFor();
});

test("the component of the README offers no quote of the pair that was chosen before", async () => {
  const { page } = watched;
  await BrowserWallet.install(page, { account: "trader6", chainId: mainnet.id, rpcUrls: { [mainnet.id]: rpcUrl } });
  await page.goto(`${pageUrl}/readme/`);
  await page.getByRole("button", { name: "Connect Test Wallet" }).click();
  const shown = page.getByText("1,000 dollars buy");
  const other = page.getByRole("button", { name: "Other pair" });
  await shown.waitFor();
  const first = await shown.textContent();
  await other.click();
  await waitUntil("the other quote", async () => ((await shown.textContent()) === first ? first : null), WAIT);
  // The assets of the first pair are known, but not its quote at the new block.
  const quoted = page.waitForResponse((response) => (response.request().postData() ?? "").includes("eth_call"));
  await createChainClient(rpcUrl).mine({ blocks: 1 });
  await (await quoted).finished();
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(rpcUrl, async (route) => {
    if ((route.request().postData() ?? "").includes("eth_call")) await held;
    await route.continue();
  });
  await other.click();
  await page.getByText("Connect a wallet, or wait for the quote.").waitFor();
  expect(await page.getByRole("button", { name: /^(Approve|Swap)$/ }).count()).toBe(0);
  goOn();
  await shown.waitFor();
  await page.unrouteAll({ behavior: "wait" });
});
