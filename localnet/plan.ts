/**
 * The history of a local chain as a plan: what is sent, in which order, and the expected results. The same seed, chain
 * and count give the same plan. `history.ts` plays it on a chain.
 */
import { type AssetSymbol, DELISTED_RWA, RWAS } from "./assets.ts";
import { routeDeck } from "./legs.ts";
import { Random } from "./random.ts";
import { type Action, type DealtKind, type PlannedTransaction, SHARES } from "./transactionPlan.ts";
import { planAdministration, planTransaction } from "./transactionPlanner.ts";
import { LISTED_AT_SETUP, type WalletName } from "./wallets.ts";

export interface PlannedBlock {
  /** Position in time between the start (0) and the end (1,000,000) of the history; increases from block to block. */
  readonly timePpm: number;
  readonly transactions: readonly PlannedTransaction[];
}

interface PlanOptions {
  readonly seed: number;
  readonly chainId: number;
  /** At least 100, so that every kind occurs. */
  readonly transactionCount: number;
}

/** One slot of the history: a kind of transaction drawn at random, or a piece of administration. */
type Slot = DealtKind | { readonly action: Action; readonly sender: WalletName };

/** Random numbers of one chain: chains with the same seed differ. */
export function randomOf(seed: number, chainId: number): Random {
  return new Random((BigInt(chainId) << 32n) ^ BigInt(seed));
}

/**
 * Plans a history.
 * @throws RangeError below 100 transactions
 */
export function planHistory({ seed, chainId, transactionCount }: PlanOptions): PlannedBlock[] {
  if (transactionCount < 100)
    throw new RangeError(`a history needs at least 100 transactions, not ${transactionCount}`);
  const random = randomOf(seed, chainId);
  const slots = planSlots(random, transactionCount);
  const delisted = new Set<AssetSymbol>();
  const allowlisted = new Set<WalletName>(LISTED_AT_SETUP);
  const routes = routeDeck(random);
  const transactions = slots.map((slot): PlannedTransaction => {
    if (typeof slot !== "string") {
      if (slot.action.type === "delist") delisted.add(DELISTED_RWA);
      return planAdministration(slot.sender, slot.action, random.integer(1, 3));
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

/** Distributes the kinds, shuffles them, and puts administration at its time. */
function planSlots(random: Random, transactionCount: number): Slot[] {
  const navPosts = planNavPosts(random);
  // Three pauses of two transactions each, two list changes, a delisting, a replaced delegate.
  const counts = dealCounts(transactionCount - navPosts.length - 10);
  const free = (Object.keys(SHARES) as DealtKind[])
    .filter((kind) => !["revertedBlacklisted", "revertedPaused", "revertedDelisted"].includes(kind))
    .flatMap((kind) => Array<DealtKind>(counts[kind]).fill(kind));
  const slots: Slot[] = random.shuffled(free);

  /** Puts each item at a random place between two marks, in thousandths of the slots present at that time. */
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
  // Pauses last: between a pause and its end, only transactions that are meant to fail may come.
  const paused = repeat("revertedPaused");
  for (const [index, perMille] of [250, 550, 850].entries()) {
    const attempts = paused.filter((_, place) => place % 3 === index);
    const at = Math.floor((slots.length * perMille) / 1000) + random.integer(0, 9);
    slots.splice(at, 0, { sender: "pauser", action: { type: "pause" } }, ...attempts, operator({ type: "unpause" }));
  }
  return slots;
}

/** Shares of a count, rounded down but at least 1; the remainder becomes plain swaps. */
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
    const move = (navWad * random.between(100n, 300n)) / 100_000n;
    navWad += random.chance(1, 2) ? move : -move;
    post("CREDIT", navWad, perMille);
  }
  return posts;
}

/** One to six transactions per block, and sometimes an empty block, at irregular intervals. */
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
