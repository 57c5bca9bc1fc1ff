/** The parts of a Ponder event that the handlers' helpers need, whatever its source. */
import type { Context } from "ponder:registry";
import type { Address, Hash, Hex } from "viem";

/** An event of any source, and its block. */
export interface BlockEvent {
  /** Ponder's checkpoint of the event, which is unique and ascending within a network. */
  readonly id: string;
  readonly block: { readonly number: bigint; readonly hash: Hash; readonly timestamp: bigint };
}

/** An event that is a log of a contract. */
export interface LogEvent extends BlockEvent {
  readonly log: { readonly logIndex: number };
}

/** An event that comes with its transaction and receipt. */
export interface TransactionEvent extends BlockEvent {
  readonly transaction: {
    readonly hash: Hash;
    readonly transactionIndex: number;
    readonly from: Address;
    readonly to: Address | null;
    readonly nonce: number;
    readonly value: bigint;
    readonly input: Hex;
  };
  readonly transactionReceipt: {
    readonly status: "success" | "reverted";
    readonly gasUsed: bigint;
    readonly effectiveGasPrice: bigint;
    readonly logsBloom: Hex;
  };
}

export type { Context };
