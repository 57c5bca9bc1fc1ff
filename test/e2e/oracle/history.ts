/** Recomputes the transaction history of a network from a snapshot of its chain. */
import { type Address, decodeEventLog, decodeFunctionData, type Hex, toEventSelector } from "viem";
import { coreSwapCalls, coreSwapEvents, treasuryCalls, treasuryEvents } from "../publishedAbi.ts";
import { type ChainLog, type ChainSnapshot, type ChainTransaction, lower } from "./chain.ts";

/** The two proxies whose events and calls make up the history. */
export interface Contracts {
  readonly coreSwap: Address;
  readonly treasury: Address;
}

export interface SwapActivity {
  readonly type: "swap";
  readonly logIndex: string;
  readonly contract: Address;
  readonly user: Address;
  readonly operator: Address;
  readonly receiver: Address;
  readonly routeId: string;
  readonly assetInId: Hex;
  readonly assetOutId: Hex;
  readonly stablecoinDelegateId: Hex;
  readonly lpAddress: Address;
  readonly amountIn: string;
  readonly amountOut: string;
  readonly issuerFee: string;
  readonly spreadFee: string;
  readonly lpFee: string;
}

interface AllowlistActivity {
  readonly type: "allowlist";
  readonly logIndex: string;
  readonly contract: Address;
  readonly action: "added" | "removed";
  readonly wallet: Address;
}

type DirectCall =
  | {
      readonly contract: Address;
      readonly entrypoint: "swap";
      readonly submittedSwapLegs: readonly {
        readonly routeId: string;
        readonly assetInId: Hex;
        readonly assetOutId: Hex;
        readonly stablecoinDelegateId: Hex;
        readonly assetInAmount: string;
        readonly assetOutAmount: string;
      }[];
      readonly user: Address;
      readonly receiver: Address;
    }
  | {
      readonly contract: Address;
      readonly entrypoint: "addToWhitelist" | "removeFromWhitelist";
      readonly submittedSwapLegs: null;
      readonly wallet: Address;
    };

/** A transaction as the API publishes it. */
export interface HistoryTransaction {
  readonly transactionHash: Hex;
  readonly inclusion: {
    readonly blockNumber: string;
    readonly blockHash: Hex;
    readonly transactionIndex: string;
    readonly timestamp: string;
  };
  readonly sender: Address;
  readonly recipient: Address | null;
  readonly nonce: string;
  readonly value: string;
  readonly selector: Hex | null;
  readonly receipt: {
    readonly outcome: "success" | "revert";
    readonly gasUsed: string;
    readonly effectiveGasPrice: string;
  };
  readonly directCall: DirectCall | null;
  readonly activities: readonly (SwapActivity | AllowlistActivity)[];
}

/** One realized leg with its place on the chain and the numbers from which volume is computed. */
export interface RealizedLeg {
  readonly blockNumber: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly lpAddress: Address;
  /** The value of the leg: a stablecoin value at 18 decimals, or an amount of the RWA that came in. */
  readonly worth:
    | { readonly kind: "stablecoin"; readonly valueWad: bigint }
    | { readonly kind: "rwa"; readonly assetId: Hex; readonly amount: bigint; readonly decimals: number };
  /** Fees in whole units of the settling stablecoin, times 10^18. */
  readonly feesWad: { readonly issuer: bigint; readonly spread: bigint; readonly lp: bigint };
}

interface Registry {
  readonly stablecoins: Map<Hex, { readonly decimals: number; readonly delegate: Address }>;
  readonly rwas: Map<Hex, { readonly decimals: number }>;
}

export interface RecomputedHistory {
  /** Newest first, as the API lists them. */
  readonly transactions: readonly HistoryTransaction[];
  /** Oldest first. */
  readonly legs: readonly RealizedLeg[];
}

/**
 * Walks the chain once from its beginning, and maintains the registry of assets from its configuration events.
 * @throws Error when a leg names an asset that no earlier event registered
 */
export function recomputeHistory(chain: ChainSnapshot, contracts: Contracts): RecomputedHistory {
  const registry: Registry = { stablecoins: new Map(), rwas: new Map() };
  const transactions: HistoryTransaction[] = [];
  const legs: RealizedLeg[] = [];
  for (const transaction of chain.transactions) {
    const activities: (SwapActivity | AllowlistActivity)[] = [];
    for (const log of transaction.logs) {
      if (log.address === lower(contracts.coreSwap)) {
        const realized = readCoreSwapLog(log, transaction, registry);
        if (realized) {
          activities.push(realized.activity);
          legs.push(realized.leg);
        }
      } else if (log.address === lower(contracts.treasury)) {
        const change = readTreasuryLog(log);
        if (change) activities.push(change);
      }
    }
    const directCall = decodeDirectCall(transaction, contracts);
    if (activities.length > 0 || directCall) transactions.push(publish(transaction, directCall, activities));
  }
  return { transactions: transactions.reverse(), legs };
}

function publish(
  transaction: ChainTransaction,
  directCall: DirectCall | null,
  activities: HistoryTransaction["activities"],
): HistoryTransaction {
  return {
    transactionHash: transaction.hash,
    inclusion: {
      blockNumber: String(transaction.blockNumber),
      blockHash: transaction.blockHash,
      transactionIndex: String(transaction.transactionIndex),
      timestamp: String(transaction.timestamp),
    },
    sender: transaction.from,
    recipient: transaction.to,
    nonce: String(transaction.nonce),
    value: String(transaction.value),
    // A selector has four bytes: "0x" and eight digits.
    selector: transaction.input.length < 10 ? null : (transaction.input.slice(0, 10) as Hex),
    receipt: {
      outcome: transaction.status === "success" ? "success" : "revert",
      gasUsed: String(transaction.gasUsed),
      effectiveGasPrice: String(transaction.effectiveGasPrice),
    },
    directCall,
    activities,
  };
}

function readCoreSwapLog(
  log: ChainLog,
  transaction: ChainTransaction,
  registry: Registry,
): { activity: SwapActivity; leg: RealizedLeg } | null {
  const event = decodeKnownEvent(coreSwapEvents, log);
  if (event?.eventName === "StablecoinAcceptanceSet") {
    const { stablecoinID, decimals, delegate } = event.args;
    registry.stablecoins.set(lower(stablecoinID), { decimals, delegate: lower(delegate) });
    registry.rwas.delete(lower(stablecoinID));
  }
  if (event?.eventName === "RWAAcceptanceSet") {
    registry.rwas.set(lower(event.args.rwaID), { decimals: event.args.decimals });
    registry.stablecoins.delete(lower(event.args.rwaID));
  }
  if (event?.eventName !== "Swap") return null;

  const { args } = event;
  const settling = registry.stablecoins.get(lower(args.stablecoinDelegateID));
  if (!settling) throw new Error(`${transaction.hash}: unregistered stablecoin ${args.stablecoinDelegateID}`);
  const activity: SwapActivity = {
    type: "swap",
    logIndex: String(log.logIndex),
    contract: log.address,
    user: lower(args.user),
    operator: lower(args.operator),
    receiver: lower(args.receiver),
    routeId: String(args.routeId),
    assetInId: lower(args.assetInID),
    assetOutId: lower(args.assetOutID),
    stablecoinDelegateId: lower(args.stablecoinDelegateID),
    lpAddress: settling.delegate,
    amountIn: String(args.amountIn),
    amountOut: String(args.amountOut),
    issuerFee: String(args.issuerFeeAmt),
    spreadFee: String(args.spreadFeeAmt),
    lpFee: String(args.lpFeeAmt),
  };
  const leg: RealizedLeg = {
    blockNumber: transaction.blockNumber,
    timestamp: transaction.timestamp,
    lpAddress: settling.delegate,
    worth: worthOf(activity, registry, transaction.hash),
    feesWad: {
      issuer: toWad(args.issuerFeeAmt, settling.decimals),
      spread: toWad(args.spreadFeeAmt, settling.decimals),
      lp: toWad(args.lpFeeAmt, settling.decimals),
    },
  };
  return { activity, leg };
}

/** The kind of each side comes from the registry, never from `routeId`. */
function worthOf(swap: SwapActivity, registry: Registry, transactionHash: Hex): RealizedLeg["worth"] {
  const stablecoinIn = registry.stablecoins.get(swap.assetInId);
  if (stablecoinIn) return { kind: "stablecoin", valueWad: toWad(BigInt(swap.amountIn), stablecoinIn.decimals) };
  const rwaIn = registry.rwas.get(swap.assetInId);
  if (!rwaIn) throw new Error(`${transactionHash}: unregistered asset in ${swap.assetInId}`);
  const stablecoinOut = registry.stablecoins.get(swap.assetOutId);
  if (stablecoinOut) {
    const gross = BigInt(swap.amountOut) + BigInt(swap.issuerFee) + BigInt(swap.spreadFee) + BigInt(swap.lpFee);
    return { kind: "stablecoin", valueWad: toWad(gross, stablecoinOut.decimals) };
  }
  return { kind: "rwa", assetId: swap.assetInId, amount: BigInt(swap.amountIn), decimals: rwaIn.decimals };
}

function toWad(amount: bigint, decimals: number): bigint {
  return amount * 10n ** BigInt(18 - decimals);
}

function readTreasuryLog(log: ChainLog): AllowlistActivity | null {
  const event = decodeKnownEvent(treasuryEvents, log);
  if (!event) return null;
  return {
    type: "allowlist",
    logIndex: String(log.logIndex),
    contract: log.address,
    action: event.eventName === "AddedToWhitelist" ? "added" : "removed",
    wallet: lower(event.args.account),
  };
}

function decodeDirectCall({ to, input }: ChainTransaction, contracts: Contracts): DirectCall | null {
  if (to === lower(contracts.coreSwap)) {
    const call = decoded(() => decodeFunctionData({ abi: coreSwapCalls, data: input }));
    if (!call) return null;
    const [user, receiver, inputs] = call.args;
    return {
      contract: to,
      entrypoint: "swap",
      submittedSwapLegs: inputs.map((leg) => ({
        routeId: String(leg.routeId),
        assetInId: lower(leg.assetInID),
        assetOutId: lower(leg.assetOutID),
        stablecoinDelegateId: lower(leg.stablecoinDelegateID),
        assetInAmount: String(leg.assetInAmt),
        assetOutAmount: String(leg.assetOutAmt),
      })),
      user: lower(user),
      receiver: lower(receiver),
    };
  }
  if (to === lower(contracts.treasury)) {
    const call = decoded(() => decodeFunctionData({ abi: treasuryCalls, data: input }));
    if (!call) return null;
    return { contract: to, entrypoint: call.functionName, submittedSwapLegs: null, wallet: lower(call.args[0]) };
  }
  return null;
}

/** Returns null when the calldata does not decode, because it is then no direct call. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/**
 * Decodes a log of one of the given events, and returns null for any other log. Throws when a known event does not
 * decode.
 */
export function decodeKnownEvent<const abi extends typeof coreSwapEvents | typeof treasuryEvents>(
  abi: abi,
  log: ChainLog,
) {
  const [topic] = log.topics;
  if (!topic || !abi.some((event) => toEventSelector(event) === topic)) return null;
  return decodeEventLog({ abi, topics: [topic, ...log.topics.slice(1)], data: log.data });
}
