/**
 * A browser wallet (EIP-6963) for a local chain. It answers as a user with a wallet would, and signs with the keys of
 * the local chain, which never enter the page.
 */
import type { Page } from "playwright-core";
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createChainClient } from "../../../localnet/chain.ts";
import { testKeyOf, WALLETS, type WalletName } from "../../../localnet/wallets.ts";

/** Error codes of EIP-1193, JSON-RPC and EIP-5792. */
const REJECTED = 4001;
const UNKNOWN_METHOD = -32601;
const UNKNOWN_BUNDLE = 5730;
const UPGRADE_REJECTED = 5750;

const batchAbi = parseAbi(["function executeBatch((address target, uint256 value, bytes data)[] calls)"]);

interface WalletOptions {
  readonly account: WalletName;
  readonly chainId: number;
  /** URLs of nodes by chain ID. */
  readonly rpcUrls: Readonly<Record<number, string>>;
  /** Account code that executes a batch (EIP-7702). Without it, the wallet does not support batches. */
  readonly batchCode?: Hex;
}

interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

type Answer = { readonly result: unknown } | { readonly error: { code: number; message: string; data?: unknown } };

/** A wallet in one page, with a record of what the page requested from it. */
export class BrowserWallet {
  /** Methods that the page requested, in order. */
  readonly requests: string[] = [];
  /** Whether the user rejects requests that need consent. */
  isRejecting = false;
  /** Whether the user refuses to let the account execute batches, which the wallet then offers to prepare (EIP-7702). */
  isRefusingUpgrade = false;
  /** Whether the calls of the account fail inside transactions that succeed, as those of a smart account can (ERC-4337). */
  isFailingInside = false;
  /** When the user answers a request that needs consent. */
  #consent: Promise<void> = Promise.resolve();
  /** Whether the node of the wallet leaves requests without an answer. */
  isSilent = false;
  rpcUrls: Readonly<Record<number, string>>;
  readonly #options: WalletOptions;
  readonly #page: Page;
  #chainId: number;
  #isConnected = false;
  readonly #account: WalletName;

  private constructor(page: Page, options: WalletOptions) {
    this.#page = page;
    this.#options = options;
    this.#chainId = options.chainId;
    this.#account = options.account;
    this.rpcUrls = options.rpcUrls;
  }

  /** Installs a wallet in every document that the page opens from now on. */
  static async install(page: Page, options: WalletOptions): Promise<BrowserWallet> {
    const wallet = new BrowserWallet(page, options);
    await page.exposeFunction("askWallet", (method: string, params: readonly unknown[]) =>
      wallet.#answer(method, params),
    );
    await page.addInitScript(announce);
    return wallet;
  }

  /** Lets the user wait before answering; the returned function makes the answer. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#consent = promise;
    return resolve;
  }

  /** Switches the chain, as a user does in the wallet. */
  async switchChain(chainId: number): Promise<void> {
    this.#chainId = chainId;
    await this.#emit("chainChanged", numberToHex(chainId));
  }

  async #emit(event: string, value: unknown): Promise<void> {
    await this.#page.evaluate(
      ([name, data]) =>
        (globalThis as unknown as { emitWallet: (name: unknown, data: unknown) => void }).emitWallet(name, data),
      [event, value] as const,
    );
  }

  async #answer(method: string, params: readonly unknown[]): Promise<Answer> {
    this.requests.push(method);
    if (this.isSilent) return new Promise(() => undefined);
    const needsConsent = [
      "eth_requestAccounts",
      "eth_sendTransaction",
      "wallet_sendCalls",
      "wallet_requestPermissions",
    ];
    if (needsConsent.includes(method)) await this.#consent;
    if (this.isRejecting && needsConsent.includes(method)) {
      return { error: { code: REJECTED, message: "User rejected the request." } };
    }
    switch (method) {
      case "eth_requestAccounts":
        this.#isConnected = true;
        return { result: [WALLETS[this.#account].address] };
      case "eth_accounts":
        return { result: this.#isConnected ? [WALLETS[this.#account].address] : [] };
      case "eth_chainId":
        return { result: numberToHex(this.#chainId) };
      case "wallet_switchEthereumChain":
        await this.switchChain(Number((params[0] as { chainId: Hex }).chainId));
        return { result: null };
      case "wallet_getCapabilities":
        if (this.#options.batchCode === undefined) break;
        return {
          result: {
            [numberToHex(this.#chainId)]: { atomic: { status: this.isRefusingUpgrade ? "ready" : "supported" } },
          },
        };
      case "wallet_sendCalls":
        if (this.#options.batchCode === undefined) break;
        if (this.isRefusingUpgrade) return { error: { code: UPGRADE_REJECTED, message: "Upgrade rejected." } };
        return {
          result: { id: await this.#sendBatch((params[0] as { calls: Call[] }).calls, this.#options.batchCode) },
        };
      case "wallet_getCallsStatus":
        return this.#statusOf(params[0] as Hex);
      case "eth_sendTransaction": {
        const { address } = WALLETS[this.#account];
        return this.#askNode(method, this.isFailingInside ? [{ from: address, to: address }] : params);
      }
      default:
        // A wallet passes the methods that it does not implement to its node.
        if (method.startsWith("eth_")) return this.#askNode(method, params);
    }
    return { error: { code: UNKNOWN_METHOD, message: `The method ${method} is not supported.` } };
  }

  async #askNode(method: string, params: readonly unknown[]): Promise<Answer> {
    const response = await fetch(this.#rpcUrl(), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as Answer;
  }

  /** Sends one transaction from the account to itself, with the code of a smart account delegated to it. */
  async #sendBatch(calls: readonly Call[], code: Hex): Promise<Hex> {
    const client = createChainClient(this.#rpcUrl());
    const account = privateKeyToAccount(testKeyOf(this.#account));
    const { address } = account;
    const nonce = await client.getTransactionCount({ address });
    const authorization = await account.signAuthorization({ address: code, chainId: this.#chainId, nonce: nonce + 1 });
    const data = encodeFunctionData({
      abi: batchAbi,
      functionName: "executeBatch",
      args: [this.isFailingInside ? [] : calls.map(({ to, data: input }) => ({ target: to, value: 0n, data: input }))],
    });
    const { baseFeePerGas } = await client.getBlock();
    return client.sendRawTransaction({
      serializedTransaction: await account.signTransaction({
        type: "eip7702",
        chainId: this.#chainId,
        nonce,
        to: address,
        data,
        gas: 3_000_000n,
        maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 10n ** 9n,
        maxPriorityFeePerGas: 10n ** 9n,
        authorizationList: [authorization],
      }),
    });
  }

  async #statusOf(id: Hex): Promise<Answer> {
    const client = createChainClient(this.#rpcUrl());
    const receipt = await client.request({ method: "eth_getTransactionReceipt", params: [id] });
    if (id.length !== 66) return { error: { code: UNKNOWN_BUNDLE, message: "Unknown bundle." } };
    const common = { version: "2.0.0", id, chainId: numberToHex(this.#chainId), atomic: true };
    if (receipt === null) return { result: { ...common, status: 100 } };
    return {
      result: { ...common, status: this.isFailingInside || receipt.status !== "0x1" ? 500 : 200, receipts: [receipt] },
    };
  }

  #rpcUrl(): string {
    const url = this.rpcUrls[this.#chainId];
    if (url === undefined) throw new Error(`the wallet has no node of chain ${this.#chainId}`);
    return url;
  }
}

/** Runs in the page: announces a provider, as the content script of an extension does. */
function announce(): void {
  const { askWallet } = globalThis as unknown as {
    askWallet: (method: string, params: unknown) => Promise<Answer>;
  };
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const provider = {
    async request({ method, params }: { method: string; params?: unknown }) {
      const answer = await askWallet(method, params ?? []);
      if ("result" in answer) return answer.result;
      throw Object.assign(new Error(answer.error.message), answer.error);
    },
    on(event: string, listener: (value: unknown) => void) {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener);
    },
  };
  const emitWallet = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value);
  };
  Object.assign(globalThis, { emitWallet });
  const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
  const info = { uuid: "5d3bd1c5-6a3e-4c33-8b0a-6a0f8e2e7f4c", name: "Test Wallet", icon, rdns: "test.wallet" };
  const detail = Object.freeze({ info, provider });
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", tell);
  tell();
}
