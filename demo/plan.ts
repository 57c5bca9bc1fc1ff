/**
 * The history of a demo network as a plan: what is sent, in which order, and what must come of it. Pure and
 * deterministic: the same seed, chain and count give the same plan. `history.ts` plays it on a chain.
 */
import { getAbiItem, type Hex, toFunctionSelector } from "viem";
import { coreSwapAbi } from "../abis/index.ts";
import { type AssetSymbol, DELISTED_RWA, RWAS } from "./assets.ts";
import { type PlannedLeg, planBatch, planLeg, ROUTE_IDS, type RouteId } from "./legs.ts";
import { Random } from "./random.ts";
import {
  ALLOWLIST_ACCOUNTS,
  BROKER_PRINCIPALS,
  DESK_PRINCIPALS,
  LISTED_AT_SETUP,
  TRADERS,
  type WalletName,
} from "./wallets.ts";

/**
 * Kinds of transactions and how many of a thousand are of each. The others are administration: pauses, list changes and
 * NAV posts, whose number does not depend on the length of the history.
 */
const SHARES = {
  /** One leg by its user, for itself. */
  swap: 370,
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

type DealtKind = keyof typeof SHARES;

export type TransactionKind =
  | Exclude<DealtKind, "allowlistChange">
  | "allowlistAdded"
  | "allowlistRemoved"
  | "administration";

export type Authorisation = "self" | "allowance" | "permit" | "expiredPermit" | "forgedPermit";

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
  | { readonly type: "postNav"; readonly asset: AssetSymbol; readonly navWad: bigint }
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

export interface PlannedBlock {
  /** Place in time between the start (0) and the end (1,000,000) of the history; rises from block to block. */
  readonly timePpm: number;
  readonly transactions: readonly PlannedTransaction[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly chainId: number;
  /** At least 100, so that every kind occurs. */
  readonly transactionCount: number;
}

/** State of the protocol as far as it decides what a planned transaction does. */
export interface PlanWorld {
  readonly delisted: ReadonlySet<AssetSymbol>;
  readonly allowlisted: ReadonlySet<WalletName>;
}

/** What stands at a place of the history: a dealt kind, or a piece of administration. */
type Slot = DealtKind | { readonly action: Action; readonly sender: WalletName };

/** Random numbers of one network: networks with the same seed differ. */
export function randomOf(seed: number, chainId: number): Random {
  return new Random((BigInt(chainId) << 32n) ^ BigInt(seed));
}

/**
 * Plans a history.
 * @throws RangeError below 100 transactions
 */
export function planHistory({ seed, chainId, transactionCount }: PlanOptions): PlannedBlock[] {
  if (transactionCount < 100) throw new RangeError(`a history needs 100 transactions, not ${transactionCount}`);
  const random = randomOf(seed, chainId);
  const slots = planSlots(random, transactionCount);
  const delisted = new Set<AssetSymbol>();
  const allowlisted = new Set<WalletName>(LISTED_AT_SETUP);
  const routes = routeDeck(random);
  const transactions = slots.map((slot): PlannedTransaction => {
    if (typeof slot !== "string") {
      if (slot.action.type === "delist") delisted.add(DELISTED_RWA);
      return administration(random, slot.sender, slot.action);
    }
    const planned = planTransaction(slot, random, routes, { delisted, allowlisted });
    if (planned.action.type === "allowlist" && planned.activities > 0 && planned.action.account) {
      if (planned.kind === "allowlistAdded") allowlisted.add(planned.action.account);
      else allowlisted.delete(planned.action.account);
    }
    return planned;
  });
  return planBlocks(random, transactions);
}

/** Kinds that live traffic draws from. */
const TRAFFIC_KINDS: readonly DealtKind[] = [
  ...Array<DealtKind>(5).fill("swap"),
  "swapToOther",
  "swapByAllowance",
  "swapByPermit",
  "swapNested",
  "swapBatch",
  "allowlistChange",
  "revertedBound",
];

/** One economic transaction of any kind that needs no preparation. */
export function planTrafficTransaction(random: Random, world: PlanWorld): PlannedTransaction {
  return planTransaction(random.pick(TRAFFIC_KINDS), random, routeDeck(random), world);
}

const RECEIVERS: readonly WalletName[] = [...TRADERS, "beneficiary"];

/** Deals the kinds, shuffles them, and puts what depends on time in its place. */
function planSlots(random: Random, transactionCount: number): Slot[] {
  const navPosts = planNavPosts(random);
  // Three pauses of two transactions each, two list changes, a delisting, a replaced delegate.
  const counts = dealCounts(transactionCount - navPosts.length - 10);
  const free = (Object.keys(SHARES) as DealtKind[])
    .filter((kind) => !["revertedBlacklisted", "revertedPaused", "revertedDelisted"].includes(kind))
    .flatMap((kind) => Array<DealtKind>(counts[kind]).fill(kind));
  const slots: Slot[] = random.shuffled(free);

  /** Puts each item at a random place between two parts in a thousand of what is there by then. */
  const scatter = (items: readonly Slot[], fromPerMille: number, toPerMille: number) => {
    for (const item of items) {
      const at = Math.floor((slots.length * random.integer(fromPerMille, toPerMille)) / 1000);
      slots.splice(at, 0, item);
    }
  };
  const repeat = (kind: DealtKind) => Array<DealtKind>(counts[kind]).fill(kind);
  const operator = (action: Action): Slot => ({ sender: "operator", action });
  const blacklister = (listed: boolean): Slot => ({
    sender: "blacklister",
    action: { type: "blacklist", account: "barredTrader", listed },
  });

  scatter(repeat("revertedBlacklisted"), 230, 680);
  scatter([blacklister(true)], 200, 210);
  scatter([blacklister(false)], 710, 720);
  scatter(repeat("revertedDelisted"), 640, 1000);
  scatter([operator({ type: "delist" })], 600, 610);
  scatter([operator({ type: "replaceDelegate" })], 500, 520);
  for (const post of navPosts) scatter([post.slot], post.perMille, post.perMille);
  // Pauses last: nothing may come between a pause and its end but what is meant to meet it.
  const paused = repeat("revertedPaused");
  for (const [index, perMille] of [250, 550, 850].entries()) {
    const attempts = paused.filter((_, place) => place % 3 === index);
    const at = Math.floor((slots.length * perMille) / 1000) + random.integer(0, 9);
    slots.splice(at, 0, { sender: "pauser", action: { type: "pause" } }, ...attempts, operator({ type: "unpause" }));
  }
  return slots;
}

/** Shares of a count, rounded down but at least 1; what is left over becomes plain swaps. */
function dealCounts(total: number): Record<DealtKind, number> {
  const kinds = Object.keys(SHARES) as DealtKind[];
  const sum = kinds.reduce((shares, kind) => shares + SHARES[kind], 0);
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, Math.max(kind === "revertedPaused" ? 3 : 1, Math.floor((total * SHARES[kind]) / sum))]),
  ) as Record<DealtKind, number>;
  counts.swap += total - kinds.reduce((dealt, kind) => dealt + counts[kind], 0);
  return counts;
}

/** NAV posts within the maximum move of each adapter: one RWA rises steadily, another moves both ways. */
function planNavPosts(random: Random): { readonly perMille: number; readonly slot: Slot }[] {
  const posts: { perMille: number; slot: Slot }[] = [];
  const post = (asset: "TBILL" | "CREDIT", navWad: bigint, perMille: number) =>
    posts.push({ perMille, slot: { sender: "navPoster", action: { type: "postNav", asset, navWad } } });
  let navWad = RWAS.TBILL.priceWad;
  for (let perMille = 60; perMille < 1000; perMille += 95) {
    navWad += (navWad * random.between(20n, 60n)) / 100_000n;
    post("TBILL", navWad, perMille);
  }
  navWad = RWAS.CREDIT.priceWad;
  for (const perMille of [300, 580, 880]) {
    navWad += (navWad * random.between(-500n, 700n)) / 100_000n;
    post("CREDIT", navWad, perMille);
  }
  return posts;
}

/** Endless routes in which each of the eight occurs once in every eight. */
function* routeDeck(random: Random): Generator<RouteId, never> {
  for (;;) yield* random.shuffled(ROUTE_IDS);
}

function administration(random: Random, sender: WalletName, action: Action): PlannedTransaction {
  return {
    kind: "administration",
    sender,
    action,
    economic: false,
    activities: 0,
    revertsWith: null,
    priorityFeeGwei: random.integer(1, 3),
  };
}

function planTransaction(
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

/** One to six transactions a block, and an empty block now and then, at uneven distances in time. */
function planBlocks(random: Random, transactions: readonly PlannedTransaction[]): PlannedBlock[] {
  const contents: PlannedTransaction[][] = [];
  for (let next = 0; next < transactions.length; ) {
    const size = random.chance(1, 16) ? 0 : random.integer(1, 6);
    contents.push(transactions.slice(next, next + size));
    next += size;
  }
  const weights = contents.map(() => random.integer(1, 9));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return contents.map((block, index) => {
    passed += weights[index] as number;
    return { timePpm: Math.floor((passed * 1_000_000) / total), transactions: block };
  });
}
