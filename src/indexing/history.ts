/** Writes rows of the transaction history: `transaction`, `transaction_by_hash` and `transaction_by_filter`. */
import { transaction, transactionByFilter, transactionByHash } from "ponder:schema";
import { type Address, type Hex, size, slice } from "viem";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { DirectCall } from "./directCall.ts";
import type { Context, TransactionEvent } from "./events.ts";
import { type FilterTraits, filterClassOf, traitsOf } from "./filterClass.ts";

/** Means "any wallet" in `transaction_by_filter`. */
const ANY_WALLET = "";

const SELECTOR_BYTES = 4;

/**
 * Adds a transaction to the history for its decoded top-level call, whether or not it reverted. Ponder delivers the
 * call before any log of its transaction.
 */
export async function recordDirectCall(context: Context, event: TransactionEvent, directCall: DirectCall) {
  const outcome = outcomeOf(event);
  const traits: FilterTraits = {
    outcome,
    // A successful `swap` emits a Swap event for each of its legs, and has at least one leg. Storing it immediately
    // under the class that it will have after these events avoids moving its rows. Before the contract was deployed, a
    // call of its address succeeded without an event.
    hasSwap: directCall.entrypoint === "swap" && outcome === "success" && hasLogs(event),
    hasAllowlistChange: false,
    entrypoint: directCall.entrypoint,
  };
  await insertTransaction(context, event, directCall, traits, []);
}

/**
 * Adds the transaction of a realized activity to the history, or the activity to its transaction. Wallets are
 * lower-case.
 */
export async function recordActivity(
  context: Context,
  event: TransactionEvent,
  activity: { readonly type: "swap" | "allowlist"; readonly wallets: readonly Address[] },
) {
  const key = transactionKey(context, event);
  const filed = await context.db.find(transaction, key);
  if (filed === null) {
    const traits: FilterTraits = {
      outcome: outcomeOf(event),
      hasSwap: activity.type === "swap",
      hasAllowlistChange: activity.type === "allowlist",
      entrypoint: null,
    };
    await insertTransaction(context, event, null, traits, activity.wallets);
    return;
  }

  const filedWallets = filed.wallets.split(",");
  const newWallets = distinct(activity.wallets.filter((wallet) => !filedWallets.includes(wallet)));
  const traits = traitsOf(filed.filterClass);
  const filterClass = filterClassOf({
    ...traits,
    hasSwap: traits.hasSwap || activity.type === "swap",
    hasAllowlistChange: traits.hasAllowlistChange || activity.type === "allowlist",
  });
  const isReclassified = filterClass !== filed.filterClass;
  if (!isReclassified && newWallets.length === 0) return;

  const wallets = [...filedWallets, ...newWallets];
  if (isReclassified) {
    for (const wallet of [ANY_WALLET, ...filedWallets]) {
      await context.db.delete(transactionByFilter, { ...key, wallet, filterClass: filed.filterClass });
    }
  }
  const unfiled = isReclassified ? [ANY_WALLET, ...wallets] : newWallets;
  await context.db.insert(transactionByFilter).values(unfiled.map((wallet) => ({ ...key, wallet, filterClass })));
  await context.db.update(transaction, key).set({ filterClass, wallets: wallets.join(",") });
}

async function insertTransaction(
  context: Context,
  event: TransactionEvent,
  directCall: DirectCall | null,
  traits: FilterTraits,
  otherWallets: readonly Address[],
) {
  const { block, transaction: envelope, transactionReceipt: receipt } = event;
  const key = transactionKey(context, event);
  const hash = lowerCase(envelope.hash);
  const sender = lowerCase(envelope.from);
  const wallets = distinct([sender, ...otherWallets]);
  const filterClass = filterClassOf(traits);

  await context.db.insert(transactionByHash).values({ ...key, hash });
  await context.db
    .insert(transactionByFilter)
    .values([ANY_WALLET, ...wallets].map((wallet) => ({ ...key, wallet, filterClass })));
  await context.db.insert(transaction).values({
    ...key,
    hash,
    blockHash: lowerCase(block.hash),
    timestamp: block.timestamp,
    sender,
    recipient: envelope.to === null ? null : lowerCase(envelope.to),
    nonce: BigInt(envelope.nonce),
    value: envelope.value,
    selector: selectorOf(envelope.input),
    outcome: traits.outcome,
    gasUsed: receipt.gasUsed,
    effectiveGasPrice: receipt.effectiveGasPrice,
    directCall: directCall === null ? null : JSON.stringify(directCall),
    filterClass,
    wallets: wallets.join(","),
  });
}

function hasLogs({ transactionReceipt: { logsBloom } }: TransactionEvent): boolean {
  return BigInt(logsBloom) !== 0n;
}

/** Returns distinct wallets, in order of first appearance. */
function distinct(wallets: readonly string[]): string[] {
  return [...new Set(wallets)];
}

/**
 * Returns the key of a transaction in every table of the history, which is also the start of the keys of its
 * activities.
 */
export function transactionKey(context: Context, { block, transaction: { transactionIndex } }: TransactionEvent) {
  return { chainId: context.chain.id, blockNumber: Number(block.number), transactionIndex };
}

function outcomeOf({ transactionReceipt }: TransactionEvent): FilterTraits["outcome"] {
  return transactionReceipt.status === "success" ? "success" : "revert";
}

function selectorOf(calldata: Hex): Hex | null {
  return size(calldata) < SELECTOR_BYTES ? null : lowerCase(slice(calldata, 0, SELECTOR_BYTES));
}
