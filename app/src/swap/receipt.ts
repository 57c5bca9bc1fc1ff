/** Waits until what the wallet sent is mined. */
import type { Hash, TransactionReceipt } from "viem";
import { waitForTransactionReceipt } from "viem/actions";
import type { WalletClient } from "./preview.ts";

const POLLING_MS = 1_000;
/** A wallet may wait for its user, or send with too low a fee. */
const TIMEOUT_MS = 600_000;

export interface Mined {
  readonly receipt: TransactionReceipt;
  /** False if the user cancelled or replaced the transaction in the wallet: the receipt is then of another one. */
  readonly isOwn: boolean;
}

/**
 * Waits for the receipt of a transaction, or of the same one at a higher fee, which has another hash, or of another one
 * with its nonce.
 * @throws viem's errors if the node fails, or nothing is mined within ten minutes
 */
export async function receiptOf(client: WalletClient, hash: Hash): Promise<Mined> {
  let isOwn = true;
  const receipt = await waitForTransactionReceipt(client, {
    hash,
    pollingInterval: POLLING_MS,
    timeout: TIMEOUT_MS,
    onReplaced: ({ reason }) => {
      isOwn = reason === "repriced";
    },
  });
  return { receipt, isOwn };
}
