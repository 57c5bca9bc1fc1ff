/** The swap page of the dashboard in a real browser, with its own chain, index and wallets. */
import { createRequire } from "node:module";
import type { Schemas } from "@coreswap/client";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import {
  type Abi,
  type Address,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  parseUnits,
} from "viem";
import { mainnet } from "viem/chains";
import { expect } from "vitest";
import { treasuryAbi } from "../../../abis/index.ts";
import { exactText } from "../../../app/src/format/amount.ts";
import { CHAIN_IDS } from "../../../config/networks.ts";
import { testTokenAbi } from "../../../localnet/abis.ts";
import { artifactOf } from "../../../localnet/artifacts.ts";
import type { LegAsset } from "../../../localnet/assets.ts";
import type { DeployedNetwork } from "../../../localnet/deployment.ts";
import { Sender } from "../../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../../localnet/wallets.ts";
import { BROWSER_TIMEOUT_MS, startBrowser } from "./browser.ts";
import { BrowserWallet } from "./browserWallet.ts";
import { waitUntilCaughtUp } from "./converge.ts";
import { fact, figureIn, openPage, panel, type Watched } from "./dashboard.ts";
import { waitUntil } from "./poll.ts";
import { type RunningIndexer, Stack } from "./stack.ts";

/** The network of the page. */
export const NETWORK = "evm-mainnet";
/** The usual user, who has tokens and is whitelisted, but has no approval, allowance or role. */
const USER: WalletName = "outsider";
/** A smart account from an ERC-4337 library, as wallets delegate to for a batch. */
const BATCH_ACCOUNT = "@account-abstraction/contracts/artifacts/Simple7702Account.json";

interface WalletChoice {
  readonly account?: WalletName;
  readonly hasBatches?: boolean;
}

/** An order, as the query of the page gives it. */
interface OrderText {
  readonly action?: "swap" | "deposit" | "redeem";
  readonly assetIn: LegAsset;
  readonly assetOut: LegAsset;
  readonly amount: string;
  readonly exact?: "in" | "out";
}

/** The user's own leg in a transaction, and its panel on the page. */
interface OwnLeg {
  readonly leg: Schemas["SwapActivity"];
  readonly part: Locator;
}

interface OpenPage extends Watched {
  readonly context: BrowserContext;
}

export class SwapPage {
  readonly stack: Stack;
  readonly deployed: DeployedNetwork;
  readonly sender: Sender;
  readonly #indexer: RunningIndexer;
  readonly #browser: Browser;
  readonly #batchCode: Hex;
  #open: OpenPage | undefined;

  private constructor(stack: Stack, indexer: RunningIndexer, browser: Browser, batchCode: Hex) {
    this.stack = stack;
    this.deployed = stack.deployed("mainnet");
    this.sender = new Sender(this.deployed);
    this.#indexer = indexer;
    this.#browser = browser;
    this.#batchCode = batchCode;
  }

  /**
   * Builds the chain and the index, funds the usual user, and starts a browser without a page.
   * @param name names the files of the stack
   */
  static async start(name: string): Promise<SwapPage> {
    const stack = await Stack.build({ name, seed: 7, transactionCount: 100, emptyBlocks: 45 });
    try {
      const batchCode = await prepareAccounts(stack.deployed("mainnet"));
      const indexer = await stack.startIndexer({ name: "indexer", networks: ["mainnet"] });
      await indexer.process.ready();
      await waitUntilCaughtUp(indexer.api, "mainnet", stack.source("mainnet"));
      const browser = await startBrowser();
      stack.endWithStack(() => browser.close());
      return new SwapPage(stack, indexer, browser, batchCode);
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.stack.stop();
  }

  /** Opens an empty page for one test. */
  async openPage(): Promise<void> {
    const context = await this.#browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
    this.#open = { context, ...(await openPage(context, this.baseUrl)) };
  }

  async closePage(): Promise<void> {
    await this.#open?.context.close();
    this.#open = undefined;
  }

  get page(): Page {
    if (this.#open === undefined) throw new Error("no page is open");
    return this.#open.page;
  }

  /** Errors of the page, and requests to other hosts. */
  get complaints(): readonly string[] {
    return this.#open?.complaints ?? [];
  }

  get api() {
    return this.#indexer.api;
  }

  get baseUrl(): string {
    return this.#indexer.process.baseUrl;
  }

  /** The amount in smallest units of a token. */
  tokens(symbol: LegAsset, amount: string): bigint {
    return parseUnits(amount, this.deployed.assets[symbol].decimals);
  }

  /** The exact figure that the page shows for an amount in smallest units of a token. */
  shown(symbol: LegAsset, units: string | bigint): string {
    return exactText({ units: BigInt(units), decimals: this.deployed.assets[symbol].decimals });
  }

  /** Sends a call, which must succeed. */
  call(from: WalletName, to: Address, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void> {
    return call(this.sender, from, to, { abi, functionName, args });
  }

  /** Creates a contract and returns its address. */
  create(data: Hex): Promise<Address> {
    return create(this.sender, data);
  }

  /** Approves the user's tokens from outside of the page, which sends the user's other transactions. */
  async approve(symbol: LegAsset, spender: Address, amount: string): Promise<void> {
    const wallet = createWalletClient({
      account: WALLETS[USER],
      chain: mainnet,
      transport: http(this.deployed.rpcUrl),
    });
    const hash = await wallet.writeContract({
      abi: erc20Abi,
      address: this.deployed.assets[symbol].token,
      functionName: "approve",
      args: [spender, this.tokens(symbol, amount)],
    });
    await this.sender.client.waitForTransactionReceipt({ hash });
  }

  allowanceOf(symbol: LegAsset, spender: Address): Promise<bigint> {
    const args = [addressOf(USER), spender] as const;
    const address = this.deployed.assets[symbol].token;
    return this.sender.client.readContract({ abi: erc20Abi, address, functionName: "allowance", args });
  }

  /** Makes a token like USDT, which refuses to change an allowance that is not zero. Returns what undoes this. */
  async refuseChangedAllowances(symbol: LegAsset): Promise<() => Promise<void>> {
    const { client } = this.sender;
    const { token, decimals } = this.deployed.assets[symbol];
    const abi = parseAbi(["constructor(uint8 decimals)"]);
    const { bytecode } = artifactOf("ApproveFromZeroToken");
    const strict = await this.create(encodeDeployData({ abi, bytecode, args: [decimals] }));
    const replaceBy = (code: Hex | undefined) => client.setCode({ address: token, bytecode: code ?? "0x" });
    const before = await client.getCode({ address: token });
    await replaceBy(await client.getCode({ address: strict }));
    return () => replaceBy(before);
  }

  /** The user's balances of the assets of a leg. */
  async balances(assetIn: LegAsset, assetOut: LegAsset) {
    return { in: await this.#balanceOf(assetIn), out: await this.#balanceOf(assetOut) };
  }

  #balanceOf(symbol: LegAsset): Promise<bigint> {
    const args = [addressOf(USER)] as const;
    const address = this.deployed.assets[symbol].token;
    return this.sender.client.readContract({ abi: erc20Abi, address, functionName: "balanceOf", args });
  }

  installWallet({ account = USER, hasBatches = false }: WalletChoice = {}): Promise<BrowserWallet> {
    return BrowserWallet.install(this.page, {
      account,
      chainId: CHAIN_IDS.mainnet,
      rpcUrls: {
        [CHAIN_IDS.mainnet]: this.deployed.rpcUrl,
        [CHAIN_IDS.sepolia]: this.stack.deployed("sepolia").rpcUrl,
      },
      ...(hasBatches ? { batchCode: this.#batchCode } : {}),
    });
  }

  async open({ assetIn, assetOut, ...order }: OrderText): Promise<void> {
    const ids = { assetIn: this.deployed.assets[assetIn].id, assetOut: this.deployed.assets[assetOut].id };
    const query = new URLSearchParams({ network: NETWORK, ...order, ...ids });
    await this.page.goto(`${this.baseUrl}/app/swap?${query}`);
  }

  /** A button of the page, except those that choose an action. */
  button(name: string): Locator {
    const { page } = this;
    return page.locator("main").getByRole("button", { name, exact: true }).and(page.locator(":not([aria-pressed])"));
  }

  enabled(name: string): Locator {
    return this.button(name).and(this.page.locator(":enabled"));
  }

  /** Presses a button with the keyboard. */
  async press(name: string): Promise<void> {
    await this.enabled(name).focus();
    await this.page.keyboard.press("Enter");
  }

  async connect(): Promise<void> {
    await this.press("Connect Test Wallet");
    await this.button("Disconnect").waitFor();
  }

  /** The API's quote for an order of the usual user. */
  apiQuote(order: Record<string, string>): Promise<Schemas["Quote"]> {
    const query = new URLSearchParams({ network: NETWORK, user: addressOf(USER).toLowerCase(), ...order });
    return this.api.json(`/v1/quote?${query}`);
  }

  /** The amounts of the quote on the page: paid, received, and the three fees. */
  async quoteOnPage(): Promise<(string | undefined)[]> {
    const quote = panel(this.page, "Quote");
    const names = ["You pay", "You receive", "Issuer fee", "Spread fee", "LP fee"];
    return Promise.all(names.map((name) => figureIn(fact(quote, name))));
  }

  /** Waits until the API and the page have the transaction that the page sent. */
  async sentTransaction(): Promise<Schemas["Transaction"]> {
    await this.page.waitForURL(/transaction=0x/);
    const transactionHash = new URL(this.page.url()).searchParams.get("transaction");
    let found: Schemas["Transaction"] | undefined;
    const isShown = this.page.getByRole("heading", { name: /^Leg 1 of / }).waitFor();
    const isIndexed = waitUntil(
      "the API has the transaction",
      async () => {
        const query = `network=${NETWORK}&transactionHash=${transactionHash}`;
        const { transactions } = await this.api.json<Schemas["TransactionHistory"]>(`/v1/transactions?${query}`);
        found = transactions[0];
        return found === undefined ? "not yet" : null;
      },
      { deadlineMs: BROWSER_TIMEOUT_MS, intervalMs: 50 },
    );
    await Promise.all([isShown, isIndexed]);
    if (found === undefined) throw new Error("the API has no transaction");
    return found;
  }

  ownLeg({ activities }: Schemas["Transaction"]): OwnLeg {
    const legs = activities.filter((activity) => activity.type === "swap");
    const index = legs.findIndex(({ user }) => user === addressOf(USER).toLowerCase());
    const leg = legs[index];
    if (leg === undefined) throw new Error("the transaction has no leg of the user");
    return { leg, part: panel(this.page, `Leg ${index + 1} of ${legs.length}`) };
  }

  /** Compares a realized leg on the page with the API's, and its amounts with the changes of the balances. */
  async expectRealized(
    { leg, part }: OwnLeg,
    { assetIn, assetOut, fees }: { readonly assetIn: LegAsset; readonly assetOut: LegAsset; readonly fees: LegAsset },
    before: Readonly<Record<"in" | "out", bigint>>,
  ): Promise<void> {
    const realized = part.locator("tbody tr");
    expect(await figureIn(realized.nth(0).locator("td").nth(2))).toBe(this.shown(assetIn, leg.amountIn));
    expect(await figureIn(realized.nth(1).locator("td").nth(2))).toBe(this.shown(assetOut, leg.amountOut));
    for (const [name, fee] of [
      ["Issuer fee", leg.issuerFee],
      ["Spread fee", leg.spreadFee],
      ["LP fee", leg.lpFee],
    ] as const) {
      expect(await figureIn(fact(part, name)), name).toBe(this.shown(fees, fee));
    }
    const after = await this.balances(assetIn, assetOut);
    expect(before.in - after.in).toBe(BigInt(leg.amountIn));
    expect(after.out - before.out).toBe(BigInt(leg.amountOut));
  }

  /** The address of the usual user. */
  get user(): Address {
    return addressOf(USER);
  }
}

function addressOf(name: WalletName): Address {
  return WALLETS[name].address;
}

/** Funds and whitelists the usual user, and creates the smart account for batches, whose address is returned. */
async function prepareAccounts(deployed: DeployedNetwork): Promise<Address> {
  const sender = new Sender(deployed);
  for (const symbol of ["TBILL", "USDC"] as const) {
    const { token, decimals } = deployed.assets[symbol];
    const args = [addressOf(USER), parseUnits("9000", decimals)];
    await call(sender, "deployer", token, { abi: testTokenAbi, functionName: "mint", args });
  }
  const admission = { abi: treasuryAbi, functionName: "addToWhitelist", args: [addressOf(USER)] };
  await call(sender, "whitelister", deployed.treasury, admission);
  const { bytecode } = createRequire(import.meta.url)(BATCH_ACCOUNT) as { readonly bytecode: Hex };
  return create(sender, bytecode);
}

interface FunctionCall {
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

async function call(sender: Sender, from: WalletName, to: Address, call: FunctionCall): Promise<void> {
  const data = encodeFunctionData(call);
  const { status } = await sender.waitForReceipt(await sender.send({ from, to, data, gas: 1_000_000n }));
  if (status !== "0x1") throw new Error(`${call.functionName} by ${from} reverted`);
}

async function create(sender: Sender, data: Hex): Promise<Address> {
  const receipt = await sender.waitForReceipt(await sender.send({ from: "deployer", data, gas: 6_000_000n }));
  if (!receipt.contractAddress) throw new Error("the contract was not created");
  return receipt.contractAddress;
}
