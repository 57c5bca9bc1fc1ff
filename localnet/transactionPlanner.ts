/** Plans transactions: random, but each with a known result. */
import { getAbiItem, type Hex, toFunctionSelector } from "viem";
import { coreSwapAbi } from "../abis/index.ts";
import { DELISTED_RWA, RWAS } from "./assets.ts";
import { type PlannedLeg, planBatch, planDeposit, planLeg, planRedemption, type RouteId, routeDeck } from "./legs.ts";
import type { Random } from "./random.ts";
import type { Action, Authorization, DealtKind, PlannedTransaction, PlanWorld } from "./transactionPlan.ts";
import {
  ALLOWLIST_ACCOUNTS,
  BROKER_PRINCIPALS,
  DEPOSITORS,
  DESK_PRINCIPALS,
  TRADERS,
  type WalletName,
} from "./wallets.ts";

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

const RECEIVERS: readonly WalletName[] = [...TRADERS, "beneficiary"];

/** The inputs of a plan. */
interface Draw {
  readonly random: Random;
  readonly routes: Iterator<RouteId, never>;
  readonly world: PlanWorld;
  /** The account that swaps or calls, unless the kind requires another one. */
  readonly trader: WalletName;
}

/** A planned transaction without the parts that are drawn in the same way for every kind. */
type Outline = Omit<PlannedTransaction, "kind" | "priorityFeeGwei">;

/** One economic transaction of any kind that needs no preparation. */
export function planTrafficTransaction(random: Random, world: PlanWorld): PlannedTransaction {
  return planTransaction(random.pick(TRAFFIC_KINDS), random, routeDeck(random), world);
}

/**
 * A transaction of a kind that fits the state of the protocol.
 * @param random Source of every draw. The order of draws is part of a seeded history.
 */
export function planTransaction(
  kind: DealtKind,
  random: Random,
  routes: Iterator<RouteId, never>,
  world: PlanWorld,
): PlannedTransaction {
  const priorityFeeGwei = random.integer(1, 3);
  const draw: Draw = { random, routes, world, trader: random.pick(TRADERS) };
  if (kind === "allowlistChange") return { priorityFeeGwei, ...planAllowlistChange(draw) };
  return { kind, priorityFeeGwei, ...PLANNERS[kind](draw) };
}

/** A call by the holder of a role, which succeeds and is not part of the economic history. */
export function planAdministration(sender: WalletName, action: Action, priorityFeeGwei: number): PlannedTransaction {
  return { kind: "administration", priorityFeeGwei, ...other(sender, action) };
}

const PLANNERS: Readonly<Record<Exclude<DealtKind, "allowlistChange">, (draw: Draw) => Outline>> = {
  swap: (draw) => swap(draw, {}),

  swapToOther: (draw) => swap(draw, { receiver: receiverExcept(draw, draw.trader) }),

  swapByAllowance(draw) {
    const { random } = draw;
    const sender = random.pick(["desk", "broker"] as const);
    const user = random.pick(sender === "desk" ? DESK_PRINCIPALS : BROKER_PRINCIPALS);
    const receiver = random.pick([user, sender, receiverExcept(draw, user)]);
    return swap(draw, { sender, user, receiver, authorization: "allowance" });
  },

  swapByPermit(draw) {
    const { random, trader } = draw;
    const sender = random.pick<WalletName>(["relayer", receiverExcept(draw, trader, "beneficiary")]);
    const receiver = random.pick([trader, receiverExcept(draw, trader)]);
    const legs = random.chance(1, 4) ? batch(draw) : [leg(draw)];
    return swap(draw, { sender, receiver, legs, authorization: "permit" });
  },

  swapNested(draw) {
    const { random, trader } = draw;
    const receiver = random.pick([trader, receiverExcept(draw, trader)]);
    const action: Action = { type: "nestedSwap", receiver, leg: leg(draw) };
    return other(trader, action, { economic: true, activities: 1 });
  },

  swapBatch(draw) {
    const { random, trader } = draw;
    const legs = batch(draw);
    return swap(draw, { legs, receiver: random.pick([trader, trader, receiverExcept(draw, trader)]) });
  },

  treasuryDeposit(draw) {
    const { random } = draw;
    const user = random.pick(DEPOSITORS);
    const receiver = random.pick([user, random.pick(DEPOSITORS)]);
    return swap(draw, { user, receiver, legs: [planDeposit(random)], ...maybeByPermit(random) });
  },

  treasuryRedemption(draw) {
    const { random, trader } = draw;
    const user = random.pick(DEPOSITORS);
    const receiver = random.pick([user, trader]);
    return swap(draw, { user, receiver, legs: [planRedemption(random)], ...maybeByPermit(random) });
  },

  accrual({ random }) {
    const accounts = random.shuffled(DEPOSITORS).slice(0, random.integer(1, DEPOSITORS.length));
    return other("outsider", { type: "accrue", accounts });
  },

  revertedNotListed(draw) {
    const user = draw.random.pick(DEPOSITORS);
    const legs: PlannedLeg[] = [{ ...planDeposit(draw.random), bound: "none" }];
    return swap(draw, { user, receiver: "beneficiary", legs, revertsWith: "AccountNotWhitelisted" });
  },

  revertedNoCredits(draw) {
    const legs: PlannedLeg[] = [{ ...planRedemption(draw.random), bound: "none" }];
    return swap(draw, { legs, revertsWith: "InsufficientCredits" });
  },

  revertedBound(draw) {
    // In half of the cases, legs that succeed come first and are undone.
    const before = draw.random.chance(1, 2) ? batch(draw) : [];
    const missed: PlannedLeg = { ...leg(draw), bound: "missed" };
    return swap(draw, { legs: [...before, missed], revertsWith: boundError(missed) });
  },

  revertedBlacklisted(draw) {
    const parties = draw.random.pick<{ user: WalletName; receiver: WalletName }>([
      { user: "barredTrader", receiver: "barredTrader" },
      { user: "barredTrader", receiver: "beneficiary" },
      { user: draw.trader, receiver: "barredTrader" },
    ]);
    return swap(draw, { ...parties, revertsWith: "UserBlacklisted" });
  },

  revertedPaused: (draw) => swap(draw, { revertsWith: "EnforcedPause" }),

  revertedUnauthorized: (draw) =>
    swap(draw, { sender: "outsider", authorization: "allowance", revertsWith: "InsufficientSwapAllowance" }),

  revertedPermit(draw) {
    const expired = draw.random.chance(1, 2);
    return swap(draw, {
      sender: "relayer",
      authorization: expired ? "expiredPermit" : "forgedPermit",
      revertsWith: expired ? "PermitExpired" : "InvalidSignature",
    });
  },

  revertedDelisted(draw) {
    const stablecoinIn = draw.random.chance(1, 2);
    const delistedLeg: PlannedLeg = {
      routeId: stablecoinIn ? 3 : 1,
      assetIn: stablecoinIn ? "USDC" : DELISTED_RWA,
      assetOut: stablecoinIn ? DELISTED_RWA : "USDC",
      settledBy: "USDC",
      amount: draw.random.between(1_000_000n, 900_000_000n),
      bound: "none",
    };
    return swap(draw, { legs: [delistedLeg], revertsWith: "RWANotAccepted" });
  },

  revertedValue: (draw) => swap(draw, { valueWei: draw.random.between(1n, 10n ** 15n), revertsWith: "" }),

  revertedNested(draw) {
    const { trader } = draw;
    const missed: PlannedLeg = { ...leg(draw), bound: "missed" };
    return other(trader, { type: "nestedSwap", receiver: trader, leg: missed }, { revertsWith: boundError(missed) });
  },

  allowlistUnchanged({ random, world }) {
    const account = random.pick([...world.allowlisted]);
    return other("whitelister", { type: "allowlist", method: "addToWhitelist", account }, { economic: true });
  },

  revertedAllowlist({ random, trader }) {
    const method = random.pick(["addToWhitelist", "removeFromWhitelist"] as const);
    const [sender, account, revertsWith] = random.pick<[WalletName, WalletName | null, string]>([
      ["outsider", random.pick(ALLOWLIST_ACCOUNTS), "AccessControlUnauthorizedAccount"],
      [trader, trader, "AccessControlUnauthorizedAccount"],
      ["whitelister", null, "ZeroAddress"],
    ]);
    return other(sender, { type: "allowlist", method, account }, { economic: true, revertsWith });
  },

  undecodable: ({ random, trader }) =>
    other(trader, { type: "rawCall", data: undecodableCalldata(random) }, { revertsWith: "" }),

  noise(draw) {
    const { random, trader } = draw;
    const to = receiverExcept(draw, trader);
    return other(
      trader,
      random.chance(1, 2)
        ? { type: "nativeTransfer", to, valueWei: random.between(1n, 10n ** 16n) }
        : { type: "tokenTransfer", asset: random.pick(["USDC", "MMF"]), to, amount: random.between(1n, 10n ** 6n) },
    );
  },
};

/** Puts an account on the allowlist, or removes it when it is there. */
function planAllowlistChange({ random, world }: Draw): Outline & Pick<PlannedTransaction, "kind"> {
  const account = random.pick(ALLOWLIST_ACCOUNTS);
  const listed = world.allowlisted.has(account);
  const method = listed ? "removeFromWhitelist" : "addToWhitelist";
  return {
    kind: listed ? "allowlistRemoved" : "allowlistAdded",
    ...other("whitelister", { type: "allowlist", method, account }, { economic: true, activities: 1 }),
  };
}

/** A direct call of `swap`; the defaults are those of a plain swap that succeeds. */
function swap(
  draw: Draw,
  change: Partial<Extract<Action, { type: "swap" }>> & { sender?: WalletName; revertsWith?: string },
): Outline {
  const { sender, revertsWith = null, ...action } = change;
  const user = action.user ?? draw.trader;
  const legs = action.legs ?? [leg(draw)];
  return {
    sender: sender ?? user,
    action: { type: "swap", user, receiver: user, legs, authorization: "self", valueWei: 0n, ...action },
    economic: true,
    activities: revertsWith === null ? legs.length : 0,
    revertsWith,
  };
}

/** Any other transaction; by default it succeeds and is not part of the economic history. */
function other(sender: WalletName, action: Action, outcome: Partial<Outline> = {}): Outline {
  return { sender, action, economic: false, activities: 0, revertsWith: null, ...outcome };
}

function leg({ random, routes, world }: Draw): PlannedLeg {
  return planLeg(random, routes.next().value, world.delisted);
}

function batch({ random, routes, world }: Draw): PlannedLeg[] {
  return planBatch(random, routes, world.delisted);
}

function receiverExcept({ random }: Draw, ...excluded: readonly WalletName[]): WalletName {
  return random.pick(RECEIVERS.filter((name) => !excluded.includes(name)));
}

/** In one case of six, the relayer sends what the user signed. */
function maybeByPermit(random: Random): { sender?: WalletName; authorization?: Authorization } {
  return random.chance(1, 6) ? { sender: "relayer", authorization: "permit" } : {};
}

/** The error of a missed bound: named after the side that is not exact and the kind of asset on it. */
function boundError({ routeId, assetIn, assetOut }: PlannedLeg): string {
  const isExactIn = routeId % 2 === 1;
  const asset = isExactIn ? assetOut : assetIn;
  return `Insufficient${asset in RWAS ? "RWA" : "Stablecoin"}${isExactIn ? "Output" : "Input"}`;
}

const SWAP_SELECTOR = toFunctionSelector(getAbiItem({ abi: coreSwapAbi, name: "swap" }));

/** No calldata, a part of a selector, an unknown function, or the selector of `swap` with too few arguments. */
function undecodableCalldata(random: Random): Hex {
  const word = () => random.next().toString(16).padStart(64, "0");
  return random.pick<Hex>(["0x", "0x1234", `0xdeadbeef${word()}`, SWAP_SELECTOR, `${SWAP_SELECTOR}${word()}`]);
}
