/** Setup transactions: contracts created and called before a history starts. */
import { type Abi, type Address, encodeDeployData, encodeFunctionData, getAddress, type Hash } from "viem";
import { artifactOf } from "./artifacts.ts";
import type { ChainNode } from "./nodes.ts";
import { type OutgoingTransaction, Sender } from "./sender.ts";
import type { WalletName } from "./wallets.ts";

const TRANSACTIONS_PER_BLOCK = 60;
const CALL_GAS = 600_000n;
const CREATION_GAS = 6_000_000n;

/** Sends setup transactions in large blocks; each must succeed. */
export class Setup {
  readonly #sender: Sender;
  readonly #sent: { readonly hash: Hash; readonly what: string }[] = [];

  constructor(node: Pick<ChainNode, "chainId" | "rpcUrl">) {
    this.#sender = new Sender(node);
  }

  /** Turns automatic mining off. */
  async begin(): Promise<void> {
    await this.#sender.client.setAutomine(false);
  }

  /**
   * Puts a call into the next block.
   * @throws Error when the block was full and one of its transactions failed
   */
  async call(from: WalletName, to: Address, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void> {
    const data = encodeFunctionData({ abi, functionName, args });
    await this.#send({ from, to, data, gas: CALL_GAS }, functionName);
  }

  /**
   * Creates a contract, alone in its block.
   * @param abi At least its constructor.
   * @param contract Its name, as compiled.
   * @returns Its address, checksummed.
   * @throws Error when the creation, or an earlier transaction, failed
   */
  async create(abi: Abi, contract: string, args: readonly unknown[]): Promise<Address> {
    await this.#flush();
    const data = encodeDeployData({ abi, bytecode: artifactOf(contract).bytecode, args });
    await this.#send({ from: "deployer", data, gas: CREATION_GAS }, `creation of ${contract}`);
    const [receipt] = await this.#flush();
    if (!receipt?.contractAddress) throw new Error(`the creation of ${contract} returned no address`);
    return getAddress(receipt.contractAddress);
  }

  /**
   * Mines the remaining transactions.
   * @throws Error when a transaction failed
   */
  async end(): Promise<void> {
    await this.#flush();
  }

  async #send(transaction: OutgoingTransaction, what: string): Promise<void> {
    this.#sent.push({ hash: await this.#sender.send(transaction), what: `${what} by ${transaction.from}` });
    if (this.#sent.length >= TRANSACTIONS_PER_BLOCK) await this.#flush();
  }

  async #flush() {
    if (this.#sent.length === 0) return [];
    const receipts = await this.#sender.mine();
    for (const { hash, what } of this.#sent.splice(0)) {
      const receipt = receipts.find(({ transactionHash }) => transactionHash === hash);
      if (receipt?.status !== "0x1") throw new Error(`${what} ${receipt ? "reverted" : "was not mined"}: ${hash}`);
    }
    return receipts;
  }
}
