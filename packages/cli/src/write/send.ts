/** Sends transactions, one after the other, and never the same one twice. */
import { setTimeout as sleep } from "node:timers/promises";
import { gasLimitOf } from "@coreswap/sdk";
import {
  type Address,
  BaseError,
  formatGwei,
  type Hash,
  HttpRequestError,
  InternalRpcError,
  isAddressEqual,
  keccak256,
  parseTransaction,
  ResourceUnavailableRpcError,
  ResponseBodyTooLargeError,
  SocketClosedError,
  TimeoutError,
  type TransactionReceipt,
  type TransactionSerializedEIP1559,
} from "viem";
import { type NodeClient, readFailure } from "../chain/connect.ts";
import { callText } from "../decode.ts";
import { explainRevert, revertData } from "../errors/revert.ts";
import { Failure } from "../failure.ts";
import { oneLine } from "../text.ts";
import { max, raisedFee } from "./fees.ts";
import type { Journal, SentTransaction } from "./journal.ts";
import { type Call, isSameCall } from "./plan.ts";
import type { Signer } from "./signer.ts";

const POLL_MS = 500;

export interface Sending {
  readonly client: NodeClient;
  readonly chainId: number;
  readonly signer: Signer;
  readonly journal: Journal;
  /** Seconds to wait for a receipt. */
  readonly waitSeconds: number;
  /** Fee per gas above which nothing is sent. The node proposes the fee, and can be wrong. */
  readonly maxFeePerGas: bigint;
}

export interface Mined {
  readonly transaction: SentTransaction;
  readonly receipt: TransactionReceipt;
}

interface EarlierTransaction {
  /** The transaction that an earlier run sent last. */
  readonly sent: SentTransaction;
  /** That one, or one that it replaces. Null while none of them has a receipt. */
  readonly mined: Mined | null;
}

/**
 * Finds the transaction that an earlier run sent. Sends nothing to the node, because the user may no longer want it.
 * The journal keeps it, also with a receipt, until the caller has drawn the conclusions.
 * @returns the transaction; null when there is none, or another transaction used its nonce
 * @throws Failure when its nonce is used by a transaction that is not final yet
 */
export async function findEarlier({ client, journal, signer }: Sending): Promise<EarlierTransaction | null> {
  const sent = journal.read();
  if (sent === null) return null;
  const { address } = signer;
  const [finalNonce, nextNonce] = await Promise.all([
    client.getTransactionCount({ address, blockTag: "finalized" }),
    client.getTransactionCount({ address, blockTag: "latest" }),
  ]);
  const mined = await minedOf(client, sent);
  if (mined !== null || nextNonce <= sent.nonce) return { sent, mined };
  if (finalNonce <= sent.nonce) {
    // The transaction itself may have used the nonce: one of several nodes behind a URL can lack its receipt, and a
    // reorganization can exchange the two.
    throw new Failure(
      `nonce ${sent.nonce} of ${address} is used, and the node has no receipt of ${sent.hash}, which an earlier command ` +
        "sent with that nonce. Run the command again when the block is final, after about 15 minutes. If an explorer shows " +
        `that another transaction used the nonce, remove ${journal.path} to go on at once. Nothing was sent.`,
    );
  }
  console.log(`${sent.hash}, sent earlier, was replaced: another transaction has its nonce ${sent.nonce}`);
  journal.clear(sent.hash);
  return null;
}

/**
 * Sends the transaction of an earlier run to the node again, and waits for its receipt.
 * @throws Failure when the node refuses it or it reverts, or when there is still no receipt
 */
export async function resume(sending: Sending, sent: SentTransaction): Promise<TransactionReceipt> {
  const refusal = await handOver(sending.client, sent);
  if (refusal !== null) {
    throw new Failure(
      `the node refuses transaction ${sent.hash} (nonce ${sent.nonce}), which an earlier run sent, and another node may ` +
        `still have it: ${refusal}. Nothing else was sent.`,
    );
  }
  return finish(sending, sent);
}

/**
 * Signs a call with the nonce of an earlier run's transaction and a higher fee, and waits until one of them is mined:
 * never both, because they share a nonce.
 * @param call that of the transaction, or another one
 * @throws Failure when the fee would be above the limit, when the node refuses the replacement, when the transaction of
 * another call is mined in its place, or when there is still no receipt
 */
export async function replace(sending: Sending, sent: SentTransaction, call: Call): Promise<TransactionReceipt> {
  const { client, chainId, signer, journal } = sending;
  const {
    gas: sentGas,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
  } = parseTransaction(sent.signed as TransactionSerializedEIP1559);
  if (sentGas === undefined) throw new Error(`${journal.path} has a transaction without a gas limit`);
  const gas = isSameCall(call, sent) ? sentGas : await estimateGas(sending, call);
  const usual = await client.estimateFeesPerGas();
  const fees = {
    maxFeePerGas: max(usual.maxFeePerGas, raisedFee(maxFeePerGas)),
    maxPriorityFeePerGas: max(usual.maxPriorityFeePerGas, raisedFee(maxPriorityFeePerGas)),
  };
  requireFee(sending, fees.maxFeePerGas, "a replacement needs");
  const { replaces = [], ...replaced } = sent;
  const { nonce } = replaced;
  const { to, data } = call;
  const signed = await signer.sign({ chainId, nonce, to, data, gas, ...fees });
  const replacement = { hash: keccak256(signed), nonce, to, data, signed, replaces: [replaced, ...replaces] };
  journal.replace(replacement);
  const refusal = await handOver(client, replacement);
  // The node refuses a replacement also because a transaction that it replaces was mined meanwhile.
  if (refusal !== null && (await minedOf(client, replacement)) === null) {
    throw new Failure(
      `the node refuses the replacement ${replacement.hash} of ${sent.hash} (nonce ${nonce} of ${signer.address}): ` +
        `${refusal}. Each of them may still be mined, and only one.`,
    );
  }
  return finish(sending, replacement);
}

function requireFee({ maxFeePerGas }: Sending, fee: bigint, what: string): void {
  if (fee <= maxFeePerGas) return;
  throw new Failure(
    `${what} a fee of ${formatGwei(fee)} gwei, and --max-fee-gwei is ${formatGwei(maxFeePerGas)}: it was not sent`,
  );
}

/**
 * Signs and sends one call, and waits for its receipt.
 * @throws Failure when the node refuses it or it reverts; when there is no receipt, the message names what was sent
 */
export async function send(sending: Sending, call: Call): Promise<TransactionReceipt> {
  const { client, chainId, signer, journal } = sending;
  const [gas, fees, nonce, pendingNonce] = await Promise.all([
    estimateGas(sending, call).catch((error: unknown) => {
      throw error instanceof Failure ? error : new Failure(`the transaction was not sent: ${readFailure(error)}`);
    }),
    client.estimateFeesPerGas(),
    client.getTransactionCount({ address: signer.address, blockTag: "latest" }),
    client.getTransactionCount({ address: signer.address, blockTag: "pending" }),
  ]);
  if (pendingNonce > nonce) throw await notMined(sending, nonce, pendingNonce);
  requireFee(sending, fees.maxFeePerGas, "the transaction needs");
  const signed = await signer.sign({ chainId, nonce, to: call.to, data: call.data, gas, ...fees });
  const sent = { hash: keccak256(signed), nonce, to: call.to, data: call.data, signed };
  journal.write(sent);
  const refusal = await handOver(client, sent);
  if (refusal !== null) {
    journal.clear(sent.hash);
    throw new Failure(`the node refused the transaction, which was not sent: ${refusal}`);
  }
  return finish(sending, sent);
}

/** Names the transactions that another program or machine sent, behind which one of this run would have to wait. */
async function notMined(
  { signer: { address }, journal: { path }, client }: Sending,
  nonce: number,
  pendingNonce: number,
): Promise<Failure> {
  const sent = await pendingTransactions(client, address);
  const waiting = Array.from({ length: pendingNonce - nonce }, (_, index) => {
    const hash = sent.get(nonce + index);
    return `nonce ${nonce + index}${hash === undefined ? "" : ` (${hash})`}`;
  });
  return new Failure(
    `the node has transactions of ${address} that are not mined, and of which ${path} has no record: ` +
      `${waiting.join(", ")}. Nothing more was sent. Run the command again when they are mined. If one is stuck, replace ` +
      "it: on another machine that sent it, by any command with --replace, else by an empty transaction of the account " +
      "to itself, with that nonce and a higher fee.",
  );
}

/** Hashes of an account's transactions in the node's pending block, by nonce. Not every node shows them. */
async function pendingTransactions(client: NodeClient, account: Address): Promise<ReadonlyMap<number, Hash>> {
  try {
    const { transactions } = await client.getBlock({ blockTag: "pending", includeTransactions: true });
    const own = transactions.filter(({ from }) => isAddressEqual(from, account));
    return new Map(own.map(({ nonce, hash }) => [nonce, hash]));
  } catch {
    return new Map();
  }
}

/**
 * Returns the gas limit of a call: the node's estimate, plus a margin for state that changes before the call is mined.
 * @throws Failure when the call would revert, naming the error; viem's errors when the node fails
 */
export async function estimateGas({ client, signer }: Pick<Sending, "client" | "signer">, call: Call): Promise<bigint> {
  try {
    const estimate = await client.estimateGas({ account: signer.address, ...call });
    return gasLimitOf(estimate, call.extraGas);
  } catch (error) {
    const data = revertData(error);
    if (data === null) throw error;
    throw new Failure(`would revert: ${explainRevert(data)} It was not sent.`);
  }
}

/**
 * Sends a signed transaction to the node.
 * @returns why the node refused it; null when the node has it, or may have it
 */
export async function handOver(
  client: NodeClient,
  { signed, hash }: Pick<SentTransaction, "signed" | "hash">,
): Promise<string | null> {
  try {
    await client.sendRawTransaction({ serializedTransaction: signed });
  } catch (error) {
    // A node that answers with an error has refused the transaction, unless it already knows it.
    const isHere =
      isUndecided(error) || /already (known|imported)/i.test(readFailure(error)) || (await isKnown(client, hash));
    if (!isHere) return readFailure(error);
  }
  return null;
}

/** Requests the receipt of a transaction until it exists. */
async function finish(sending: Sending, sent: SentTransaction): Promise<TransactionReceipt> {
  const { client, signer, journal, waitSeconds } = sending;
  const deadline = performance.now() + waitSeconds * 1000;
  for (;;) {
    let reason = "it is not mined yet";
    try {
      const mined = await minedOf(client, sent);
      if (mined !== null) {
        journal.clear(sent.hash);
        const { transaction, receipt } = mined;
        if (!isSameCall(transaction, sent)) throw takenBy(mined, sent);
        if (receipt.status === "reverted") throw await reverted(client, signer.address, transaction, receipt);
        return receipt;
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      reason = readFailure(error);
    }
    if (performance.now() > deadline) throw noReceipt(sending, sent, reason);
    await sleep(POLL_MS);
  }
}

function noReceipt({ signer, waitSeconds }: Sending, { hash, nonce }: SentTransaction, reason: string): Failure {
  return new Failure(
    `transaction ${hash} (nonce ${nonce} of ${signer.address}) was handed to the node, and has no receipt after ` +
      `${waitSeconds} s: ${oneLine(reason)}. Look the hash up in an explorer. Run the same command again when a node ` +
      "responds: it looks for this transaction first, and does nothing twice. With --replace it raises the fee.",
  );
}

function takenBy({ transaction, receipt }: Mined, sent: SentTransaction): Failure {
  return new Failure(
    `transaction ${transaction.hash} of an earlier command was mined (${receipt.status}): ${callText(transaction.data)}. ` +
      `It has the nonce of ${sent.hash}, so nothing of this command was done. Run it again.`,
  );
}

/** Finds which was mined of a transaction and those that it replaces. Null when the node has no receipt of them. */
async function minedOf(client: NodeClient, sent: SentTransaction): Promise<Mined | null> {
  const found = await Promise.all(
    [sent, ...(sent.replaces ?? [])].map(async (transaction) => {
      const receipt = await receiptOf(client, transaction.hash);
      return receipt === null ? [] : [{ transaction, receipt }];
    }),
  );
  return found.flat()[0] ?? null;
}

/** Returns the receipt of a transaction, or null when the node has none. */
export async function receiptOf(client: NodeClient, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof BaseError && error.name === "TransactionReceiptNotFoundError") return null;
    throw error;
  }
}

async function isKnown(client: NodeClient, hash: Hash): Promise<boolean> {
  try {
    await client.getTransaction({ hash });
    return true;
  } catch (error) {
    if (error instanceof BaseError && error.name === "TransactionNotFoundError") return false;
    // It is unknown whether the node has the transaction, so it counts as sent.
    return true;
  }
}

/**
 * Whether the node may have the transaction despite the error: the connection failed without an answer, the answer was
 * not read, or something in between gave up waiting for the node.
 */
function isUndecided(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const undecided = [
    ...[HttpRequestError, TimeoutError, SocketClosedError, ResponseBodyTooLargeError],
    ...[InternalRpcError, ResourceUnavailableRpcError],
  ];
  return error.walk((each) => undecided.some((kind) => each instanceof kind)) !== null;
}

/** Describes why a mined transaction reverted, as far as the node can tell. */
export async function reverted(
  client: NodeClient,
  account: Address,
  { hash, to, data }: Pick<SentTransaction, "hash" | "data"> & { readonly to: Address | null },
  { blockNumber }: TransactionReceipt,
): Promise<Failure> {
  let reason = "the node cannot say why.";
  try {
    await client.call({ account, to, data, blockNumber: blockNumber - 1n });
  } catch (error) {
    const returned = revertData(error);
    if (returned !== null) reason = explainRevert(returned);
  }
  return new Failure(`transaction ${hash} was mined in block ${blockNumber} and reverted: ${reason}`);
}
