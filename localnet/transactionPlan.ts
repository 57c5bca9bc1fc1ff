/** The transactions that a history and live traffic are made of: random, but each with a known result. */
import { getAbiItem, type Hex, toFunctionSelector } from "viem";
import { coreSwapAbi } from "../abis/index.ts";
import { type AssetSymbol, DELISTED_RWA, RWAS, type RwaSymbol } from "./assets.ts";
import { type PlannedLeg, planBatch, planDeposit, planLeg, planRedemption, ROUTE_IDS, type RouteId } from "./legs.ts";
import type { Random } from "./random.ts";
import {
  ALLOWLIST_ACCOUNTS,
  BROKER_PRINCIPALS,
  DEPOSITORS,
  DESK_PRINCIPALS,
  TRADERS,
  type WalletName,
} from "./wallets.ts";

/**
 * Kinds of transactions and how many of a thousand are of each. The others are administration: pauses, list changes and
 * NAV posts, whose number does not depend on the length of the history.
 */
export const SHARES = {
  /** One leg by its user, for itself. */
  swap: 240,
  /** The receiver is not the user. */
  swapToOther: 60,
  /** Sent by an operator with a standing input allowance. */
  swapByAllowance: 75,
  /** Sent by a relayer with the user's signature. */
  swapByPermit: 65,
  /** Inside a call to another contract. */
  swapNested: 60,
  /** Several legs. */
  swapBatch: 100,
  /** A deposit for treasury tokens, often for another account. */
  treasuryDeposit: 60,
  /** Principal and accrued yield, paid in a stablecoin or an RWA. */
  treasuryRedemption: 50,
  /** A call that accrues interest for one account or several. */
  accrual: 12,
  revertedBound: 40,
  revertedBlacklisted: 14,
  revertedPaused: 20,
  /** An operator without allowance. */
  revertedUnauthorised: 10,
  /** A signature that expired or is another account's. */
  revertedPermit: 10,
  /** An asset no longer accepted. */
  revertedDelisted: 10,
  /** Native value sent along, which `swap` refuses. */
  revertedValue: 6,
  /** A deposit for an account that is not on the allowlist. */
  revertedNotListed: 4,
  /** A redemption by an account without credits. */
  revertedNoCredits: 4,
  /** A nested swap that misses its bound; nothing of it is part of the economic history. */
  revertedNested: 8,
  /** Turns into removals about every other time. */
  allowlistChange: 72,
  /** Adds an account that is listed already: succeeds without an event. */
  allowlistUnchanged: 12,
  revertedAllowlist: 18,
  /** Calldata that is no call of CoreSwap's interface. */
  undecodable: 15,
  /** Transfers of native value and of tokens. */
  noise: 35,
} as const;

export type DealtKind = keyof typeof SHARES;

export type TransactionKind =
  | Exclude<DealtKind, "allowlistChange">
  | "allowlistAdded"
  | "allowlistRemoved"
  | "administration";

type Authorisation = "self" | "allowance" | "permit" | "expiredPermit" | "forgedPermit";

export type Action =
  | {
      readonly type: "swap";
      readonly user: WalletName;
      readonly receiver: WalletName;
      readonly legs: readonly PlannedLeg[];
      readonly authorisation: Authorisation;
      readonly valueWei: bigint;
    }
  | { readonly type: "nestedSwap"; readonly receiver: WalletName; readonly leg: PlannedLeg }
  | {
      readonly type: "allowlist";
      readonly method: "addToWhitelist" | "removeFromWhitelist";
      /** Null stands for the zero address. */
      readonly account: WalletName | null;
    }
  | { readonly type: "rawCall"; readonly data: Hex }
  | { readonly type: "nativeTransfer"; readonly to: WalletName; readonly valueWei: bigint }
  | { readonly type: "tokenTransfer"; readonly asset: AssetSymbol; readonly to: WalletName; readonly amount: bigint }
  | { readonly type: "accrue"; readonly accounts: readonly WalletName[] }
  | { readonly type: "postRate" | "correctRate"; readonly dayNumber: number; readonly grossRateWad: bigint }
  | { readonly type: "postNav"; readonly asset: RwaSymbol; readonly navWad: bigint }
  | { readonly type: "pause" | "unpause" | "delist" | "replaceDelegate" }
  | { readonly type: "blacklist"; readonly account: WalletName; readonly listed: boolean };

export interface PlannedTransaction {
  readonly kind: TransactionKind;
  readonly sender: WalletName;
  readonly action: Action;
  /** Part of the economic history: a direct call of swap or of the allowlist, or a transaction with their events. */
  readonly economic: boolean;
  /** Number of swap and allowlist events that it must emit. */
  readonly activities: number;
  /** Name of the error it must revert with, "" for a revert without data; null when it must succeed. */
  readonly revertsWith: string | null;
  readonly priorityFeeGwei: number;
}

/** State of the protocol as far as it decides what a planned transaction does. */
export interface PlanWorld {
  readonly delisted: ReadonlySet<AssetSymbol>;
  readonly allowlisted: ReadonlySet<WalletName>;
}

/** Kinds that live traffic draws from. */
const TRAFFIC_KINDS: readonly DealtKind[] = [
  ...Array<DealtKind>(5).fill("swap"),
  "swapToOther",
  "swapByAllowance",
  "swapByPermit",
  "swapNested",
  "swapBatch",
  "treasuryDeposit",
  "treasuryRedemption",
  "allowlistChange",
  "revertedBound",
];

/** One economic transaction of any kind that needs no preparation. */
export function planTrafficTransaction(random: Random, world: PlanWorld): PlannedTransaction {
  return planTransaction(random.pick(TRAFFIC_KINDS), random, routeDeck(random), world);
}

/** Endless routes in which each of the eight occurs once in every eight. */
export function* routeDeck(random: Random): Generator<RouteId, never> {
  for (;;) yield* random.shuffled(ROUTE_IDS);
}

const RECEIVERS: readonly WalletName[] = [...TRADERS, "beneficiary"];

/** A transaction of a kind that fits the state of the protocol. */
export function planTransaction(
  kind: DealtKind,
  random: Random,
  routes: Iterator<RouteId, never>,
  world: PlanWorld,
): PlannedTransaction {
  const priorityFeeGwei = random.integer(1, 3);
  const leg = () => planLeg(random, routes.next().value, world.delisted);
  const trader = random.pick(TRADERS);
  const otherThan = (...excluded: WalletName[]) => random.pick(RECEIVERS.filter((name) => !excluded.includes(name)));

  /** A direct call of `swap`; the defaults are those of a plain swap that succeeds. */
  const swap = (
    change: Partial<Extract<Action, { type: "swap" }>> & { sender?: WalletName; revertsWith?: string },
  ): PlannedTransaction => {
    const { sender, revertsWith = null, ...action } = change;
    const user = action.user ?? trader;
    const legs = action.legs ?? [leg()];
    return {
      kind: kind as TransactionKind,
      sender: sender ?? user,
      action: { type: "swap", user, receiver: user, legs, authorisation: "self", valueWei: 0n, ...action },
      economic: true,
      activities: revertsWith === null ? legs.length : 0,
      revertsWith,
      priorityFeeGwei,
    };
  };
  const other = (
    sender: WalletName,
    action: Action,
    outcome: Partial<PlannedTransaction> = {},
  ): PlannedTransaction => ({
    kind: kind as TransactionKind,
    sender,
    action,
    economic: false,
    activities: 0,
    revertsWith: null,
    priorityFeeGwei,
    ...outcome,
  });

  switch (kind) {
    case "swap":
      return swap({});
    case "swapToOther":
      return swap({ receiver: otherThan(trader) });
    case "swapByAllowance": {
      const sender = random.pick(["desk", "broker"] as const);
      const user = random.pick(sender === "desk" ? DESK_PRINCIPALS : BROKER_PRINCIPALS);
      return swap({ sender, user, receiver: random.pick([user, sender, otherThan(user)]), authorisation: "allowance" });
    }
    case "swapByPermit": {
      const sender = random.pick<WalletName>(["relayer", otherThan(trader, "beneficiary")]);
      const receiver = random.pick([trader, otherThan(trader)]);
      const legs = random.chance(1, 4) ? planBatch(random, routes, world.delisted) : [leg()];
      return swap({ sender, receiver, legs, authorisation: "permit" });
    }
    case "swapNested":
      return other(
        trader,
        { type: "nestedSwap", receiver: random.pick([trader, otherThan(trader)]), leg: leg() },
        { economic: true, activities: 1 },
      );
    case "swapBatch":
      return swap({
        legs: planBatch(random, routes, world.delisted),
        receiver: random.pick([trader, trader, otherThan(trader)]),
      });
    case "treasuryDeposit": {
      const user = random.pick(DEPOSITORS);
      const receiver = random.pick([user, random.pick(DEPOSITORS)]);
      return swap({ user, receiver, legs: [planDeposit(random)], ...maybeByPermit(random) });
    }
    case "treasuryRedemption": {
      const user = random.pick(DEPOSITORS);
      const receiver = random.pick([user, trader]);
      return swap({ user, receiver, legs: [planRedemption(random)], ...maybeByPermit(random) });
    }
    case "accrual": {
      const accounts = random.shuffled(DEPOSITORS).slice(0, random.integer(1, DEPOSITORS.length));
      return other("outsider", { type: "accrue", accounts });
    }
    case "revertedNotListed":
      return swap({
        user: random.pick(DEPOSITORS),
        receiver: "beneficiary",
        legs: [{ ...planDeposit(random), bound: "none" }],
        revertsWith: "AccountNotWhitelisted",
      });
    case "revertedNoCredits":
      return swap({ legs: [{ ...planRedemption(random), bound: "none" }], revertsWith: "InsufficientCredits" });
    case "revertedBound": {
      // In half of the cases legs that succeed come first, and are undone.
      const before = random.chance(1, 2) ? planBatch(random, routes, world.delisted) : [];
      const missed: PlannedLeg = { ...leg(), bound: "missed" };
      return swap({ legs: [...before, missed], revertsWith: boundError(missed) });
    }
    case "revertedBlacklisted":
      return swap({
        ...random.pick<{ user: WalletName; receiver: WalletName }>([
          { user: "barredTrader", receiver: "barredTrader" },
          { user: "barredTrader", receiver: "beneficiary" },
          { user: trader, receiver: "barredTrader" },
        ]),
        revertsWith: "UserBlacklisted",
      });
    case "revertedPaused":
      return swap({ revertsWith: "EnforcedPause" });
    case "revertedUnauthorised":
      return swap({ sender: "outsider", authorisation: "allowance", revertsWith: "InsufficientSwapAllowance" });
    case "revertedPermit": {
      const expired = random.chance(1, 2);
      return swap({
        sender: "relayer",
        authorisation: expired ? "expiredPermit" : "forgedPermit",
        revertsWith: expired ? "PermitExpired" : "InvalidSignature",
      });
    }
    case "revertedDelisted": {
      const stablecoinIn = random.chance(1, 2);
      const delistedLeg: PlannedLeg = {
        routeId: stablecoinIn ? 3 : 1,
        assetIn: stablecoinIn ? "USDC" : DELISTED_RWA,
        assetOut: stablecoinIn ? DELISTED_RWA : "USDC",
        settledBy: "USDC",
        amount: random.between(1_000_000n, 900_000_000n),
        bound: "none",
      };
      return swap({ legs: [delistedLeg], revertsWith: "RWANotAccepted" });
    }
    case "revertedValue":
      return swap({ valueWei: random.between(1n, 10n ** 15n), revertsWith: "" });
    case "revertedNested": {
      const missed: PlannedLeg = { ...leg(), bound: "missed" };
      return other(trader, { type: "nestedSwap", receiver: trader, leg: missed }, { revertsWith: boundError(missed) });
    }
    case "allowlistChange": {
      const account = random.pick(ALLOWLIST_ACCOUNTS);
      const listed = world.allowlisted.has(account);
      return other(
        "whitelister",
        { type: "allowlist", method: listed ? "removeFromWhitelist" : "addToWhitelist", account },
        { kind: listed ? "allowlistRemoved" : "allowlistAdded", economic: true, activities: 1 },
      );
    }
    case "allowlistUnchanged":
      return other(
        "whitelister",
        { type: "allowlist", method: "addToWhitelist", account: random.pick([...world.allowlisted]) },
        { economic: true },
      );
    case "revertedAllowlist": {
      const method = random.pick(["addToWhitelist", "removeFromWhitelist"] as const);
      const [sender, account, revertsWith] = random.pick<[WalletName, WalletName | null, string]>([
        ["outsider", random.pick(ALLOWLIST_ACCOUNTS), "AccessControlUnauthorizedAccount"],
        [trader, trader, "AccessControlUnauthorizedAccount"],
        ["whitelister", null, "ZeroAddress"],
      ]);
      return other(sender, { type: "allowlist", method, account }, { economic: true, revertsWith });
    }
    case "undecodable":
      return other(trader, { type: "rawCall", data: undecodableCalldata(random) }, { revertsWith: "" });
    case "noise": {
      const to = otherThan(trader);
      return other(
        trader,
        random.chance(1, 2)
          ? { type: "nativeTransfer", to, valueWei: random.between(1n, 10n ** 16n) }
          : { type: "tokenTransfer", asset: random.pick(["USDC", "MMF"]), to, amount: random.between(1n, 10n ** 6n) },
      );
    }
  }
}

/** Every sixth time the relayer sends what the user signed. */
function maybeByPermit(random: Random): { sender?: WalletName; authorisation?: Authorisation } {
  return random.chance(1, 6) ? { sender: "relayer", authorisation: "permit" } : {};
}

/** The error of a missed bound: named after the side that is not exact and the kind of asset on it. */
function boundError({ routeId, assetIn, assetOut }: PlannedLeg): string {
  const isExactIn = routeId % 2 === 1;
  const asset = isExactIn ? assetOut : assetIn;
  return `Insufficient${asset in RWAS ? "RWA" : "Stablecoin"}${isExactIn ? "Output" : "Input"}`;
}

const SWAP_SELECTOR = toFunctionSelector(getAbiItem({ abi: coreSwapAbi, name: "swap" }));

/** Nothing at all, a part of a selector, an unknown function, or the selector of `swap` with too few arguments. */
function undecodableCalldata(random: Random): Hex {
  const word = () => random.next().toString(16).padStart(64, "0");
  return random.pick<Hex>(["0x", "0x1234", `0xdeadbeef${word()}`, SWAP_SELECTOR, `${SWAP_SELECTOR}${word()}`]);
}
