/** Makes the rows that a block must have in the history from its receipts, independently of the handlers. */
import {
  type Abi,
  type AbiEvent,
  decodeEventLog,
  decodeFunctionData,
  getAbiItem,
  type Hex,
  toEventSelector,
} from "viem";
import { coreSwapAbi, treasuryAbi } from "../../../abis/index.ts";
import { NodeFailure } from "../../../config/rpc/failures.ts";
import { lowerCase } from "../../../config/rpc/hex.ts";
import { filterClassOf } from "../../indexing/filterClass.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import type { AuditBlock, AuditLog, AuditTransaction } from "./chain.ts";

/** Rows by table and key, such as `swap 120/3/7`. A row is given by its columns, as text. */
export type Rows = ReadonlyMap<string, Readonly<Record<string, string | null>>>;

/** The rows that a block must have, and the keys by which they are found. */
export interface ExpectedRows {
  readonly rows: Rows;
  /** Hashes in `transaction_by_hash`. */
  readonly hashes: readonly string[];
  /** Wallets in `transaction_by_filter`. The empty wallet matches any. */
  readonly wallets: readonly string[];
}

type Contracts = Pick<ApiNetwork, "coreSwap" | "treasury">;

const swapEvent = getAbiItem({ abi: coreSwapAbi, name: "Swap" });
const acceptanceEvent = getAbiItem({ abi: coreSwapAbi, name: "StablecoinAcceptanceSet" });
const addedEvent = getAbiItem({ abi: treasuryAbi, name: "AddedToWhitelist" });
const removedEvent = getAbiItem({ abi: treasuryAbi, name: "RemovedFromWhitelist" });

const SELECTOR_LENGTH = "0x".length + 8;

/**
 * Makes the rows of a block's history. A receipt does not name the LP of a leg, so `lpOf` returns it for the settling
 * stablecoin.
 */
export function expectedRows(block: AuditBlock, contracts: Contracts, lpOf: (id: Hex) => string): ExpectedRows {
  const rows = new Map<string, Record<string, string | null>>();
  const hashes: string[] = [];
  const wallets = new Set([""]);
  for (const transaction of block.transactions) {
    const activities = activitiesOf(transaction, contracts, lpOf);
    const call = directCallOf(transaction, contracts);
    if (activities.length === 0 && call === null) continue;

    const place = `${block.number}/${transaction.transactionIndex}`;
    const own = [...new Set([transaction.from, ...activities.flatMap((activity) => activity.wallets)])];
    const { isSuccess, gasUsed, effectiveGasPrice } = transaction.receipt;
    const filterClass = filterClassOf({
      outcome: isSuccess ? "success" : "revert",
      hasSwap: activities.some(({ table }) => table === "swap"),
      hasAllowlistChange: activities.some(({ table }) => table === "allowlist_change"),
      entrypoint: call?.entrypoint ?? null,
    });
    rows.set(`transaction ${place}`, {
      hash: transaction.hash,
      block_hash: block.hash,
      timestamp: block.timestamp.toString(),
      sender: transaction.from,
      recipient: transaction.to,
      nonce: transaction.nonce.toString(),
      value: transaction.value.toString(),
      selector: transaction.input.length < SELECTOR_LENGTH ? null : transaction.input.slice(0, SELECTOR_LENGTH),
      outcome: isSuccess ? "success" : "revert",
      gas_used: gasUsed.toString(),
      effective_gas_price: effectiveGasPrice.toString(),
      direct_call: call === null ? null : JSON.stringify(call),
      filter_class: filterClass.toString(),
      wallets: [...own].sort().join(","),
    });
    rows.set(`transaction_by_hash ${transaction.hash}`, { place });
    hashes.push(transaction.hash);
    for (const wallet of ["", ...own]) {
      wallets.add(wallet);
      rows.set(`transaction_by_filter ${wallet || "any"} ${filterClass} ${place}`, {});
    }
    for (const { table, logIndex, columns } of activities) rows.set(`${table} ${place}/${logIndex}`, columns);
  }
  return { rows, hashes, wallets: [...wallets] };
}

/** The stablecoins with which the legs of a block settle. */
export function settlingIdsOf(block: AuditBlock, { coreSwap }: Contracts): Hex[] {
  const ids = block.transactions.flatMap(({ receipt }) =>
    receipt.logs.flatMap((log) => {
      const leg = log.address === coreSwap && decode(swapEvent, log);
      return leg ? [lowerCase(leg.args.stablecoinDelegateID)] : [];
    }),
  );
  return [...new Set(ids)];
}

/** The delegates that a block sets for a stablecoin. */
export function delegatesSetIn(block: AuditBlock, { coreSwap }: Pick<Contracts, "coreSwap">, id: Hex): Hex[] {
  return block.transactions.flatMap(({ receipt }) =>
    receipt.logs.flatMap((log) => {
      const change = log.address === coreSwap && decode(acceptanceEvent, log);
      return change && lowerCase(change.args.stablecoinID) === id ? [lowerCase(change.args.delegate)] : [];
    }),
  );
}

interface Activity {
  readonly table: "swap" | "allowlist_change";
  readonly logIndex: string;
  readonly wallets: readonly string[];
  readonly columns: Record<string, string | null>;
}

function activitiesOf(
  { receipt }: AuditTransaction,
  { coreSwap, treasury }: Contracts,
  lpOf: (id: Hex) => string,
): Activity[] {
  return receipt.logs.flatMap((log): Activity[] => {
    const logIndex = log.logIndex.toString();
    if (log.address === coreSwap) {
      const args = decode(swapEvent, log)?.args;
      if (args === undefined) return [];
      const [user, operator, receiver] = [args.user, args.operator, args.receiver].map(lowerCase) as [Hex, Hex, Hex];
      const settlingId = lowerCase(args.stablecoinDelegateID);
      const columns = {
        contract: coreSwap,
        user,
        operator,
        receiver,
        route_id: args.routeId.toString(),
        asset_in_id: lowerCase(args.assetInID),
        asset_out_id: lowerCase(args.assetOutID),
        stablecoin_delegate_id: settlingId,
        lp_address: lpOf(settlingId),
        amount_in: args.amountIn.toString(),
        amount_out: args.amountOut.toString(),
        issuer_fee: args.issuerFeeAmt.toString(),
        spread_fee: args.spreadFeeAmt.toString(),
        lp_fee: args.lpFeeAmt.toString(),
      };
      return [{ table: "swap", logIndex, wallets: [user, operator, receiver], columns }];
    }
    if (log.address !== treasury) return [];
    const added = decode(addedEvent, log);
    const change = added ?? decode(removedEvent, log);
    if (change === null) return [];
    const wallet = lowerCase(change.args.account);
    const columns = { contract: treasury, action: added === null ? "removed" : "added", wallet };
    return [{ table: "allowlist_change", logIndex, wallets: [wallet], columns }];
  });
}

/** The API's `directCall` of a top-level call to one of the proxies, or null when it does not decode. */
function directCallOf({ to, input }: AuditTransaction, { coreSwap, treasury }: Contracts) {
  if (to === coreSwap) {
    const call = decodeCall(coreSwapAbi, input);
    if (call?.functionName !== "swap") return null;
    const [user, receiver, legs] = call.args;
    return {
      contract: coreSwap,
      entrypoint: "swap" as const,
      submittedSwapLegs: legs.map((leg) => ({
        routeId: leg.routeId.toString(),
        assetInId: lowerCase(leg.assetInID),
        assetOutId: lowerCase(leg.assetOutID),
        stablecoinDelegateId: lowerCase(leg.stablecoinDelegateID),
        assetInAmount: leg.assetInAmt.toString(),
        assetOutAmount: leg.assetOutAmt.toString(),
      })),
      user: lowerCase(user),
      receiver: lowerCase(receiver),
    };
  }
  if (to !== treasury) return null;
  const call = decodeCall(treasuryAbi, input);
  if (call?.functionName !== "addToWhitelist" && call?.functionName !== "removeFromWhitelist") return null;
  return {
    contract: treasury,
    entrypoint: call.functionName,
    submittedSwapLegs: null,
    wallet: lowerCase(call.args[0]),
  };
}

/** Anyone can send any bytes to a contract, so calldata that does not decode is an ordinary case. */
function decodeCall<const abi extends Abi>(abi: abi, data: Hex) {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    return null;
  }
}

/**
 * Decodes a log as an event. Returns null when it is a different event.
 * @throws NodeFailure when the log has the event's selector but not its format, which none of these contracts
 * emits
 */
function decode<const Event extends AbiEvent>(event: Event, log: AuditLog) {
  const [selector, ...rest] = log.topics;
  if (selector !== toEventSelector(event)) return null;
  try {
    return decodeEventLog({ abi: [event] as const, topics: [selector, ...rest], data: log.data });
  } catch (cause) {
    throw new NodeFailure("damaged", `log ${log.logIndex} does not have the format of its event`, cause);
  }
}
