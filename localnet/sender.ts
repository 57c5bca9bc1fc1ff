/** Sends from the wallets of the local chains. Transactions are signed here, and nonces are counted here. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, type Hash, type Hex, parseGwei, type RpcTransactionReceipt } from "viem";
import { type ChainClient, createChainClient } from "./chain.ts";
import { WALLETS, type WalletName } from "./wallets.ts";

/** High enough for any base fee of a local chain. */
const MAX_FEE_PER_GAS = parseGwei("200");
/** A busy machine may not run the node for seconds. */
const RECEIPT_TIMEOUT_MS = 60_000;

export interface OutgoingTransaction {
  readonly from: WalletName;
  /** Absent for a contract creation. */
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
  readonly priorityFeeGwei?: number;
}

export class Sender {
  readonly client: ChainClient;
  readonly chainId: number;
  readonly #nonces = new Map<WalletName, number>();

  constructor({ chainId, rpcUrl }: { readonly chainId: number; readonly rpcUrl: string }) {
    this.chainId = chainId;
    this.client = createChainClient(rpcUrl);
  }

  /**
   * Puts a transaction into the pool. Nothing is simulated, so one that reverts is still mined.
   * @throws when the node refuses it
   */
  async send({ from, to, data, value, gas, priorityFeeGwei = 1 }: OutgoingTransaction): Promise<Hash> {
    const account = WALLETS[from];
    const nonce =
      this.#nonces.get(from) ??
      (await this.client.getTransactionCount({ address: account.address, blockTag: "pending" }));
    const serializedTransaction = await account.signTransaction({
      type: "eip1559",
      chainId: this.chainId,
      nonce,
      gas,
      maxFeePerGas: MAX_FEE_PER_GAS,
      maxPriorityFeePerGas: parseGwei(priorityFeeGwei.toString()),
      ...(to === undefined ? {} : { to }),
      ...(data === undefined ? {} : { data }),
      ...(value === undefined ? {} : { value }),
    });
    const hash = await this.client.sendRawTransaction({ serializedTransaction });
    this.#nonces.set(from, nonce + 1);
    return hash;
  }

  /**
   * The receipt of a transaction that automatic mining includes.
   * @throws Error when it is not mined within a minute
   */
  async waitForReceipt(hash: Hash): Promise<RpcTransactionReceipt> {
    const deadline = Date.now() + RECEIPT_TIMEOUT_MS;
    for (;;) {
      const receipt = await this.client.request({ method: "eth_getTransactionReceipt", params: [hash] });
      if (receipt !== null) return receipt;
      if (Date.now() > deadline) throw new Error(`${hash} was not mined in time; automatic mining may be off`);
      await sleep(10);
    }
  }

  /** Mines one block with everything in the pool; returns its receipts in order. */
  async mine(timestamp?: number): Promise<RpcTransactionReceipt[]> {
    if (timestamp !== undefined) await this.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) });
    await this.client.mine({ blocks: 1 });
    const blockNumber = await this.client.getBlockNumber();
    return this.client.request({ method: "eth_getBlockReceipts", params: [`0x${blockNumber.toString(16)}`] });
  }
}
