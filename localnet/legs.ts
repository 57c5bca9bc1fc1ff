/** Random swap legs over all routes. */
import {
  type AssetSymbol,
  assetTerms,
  dealsIn,
  type LegAsset,
  type LpSymbol,
  RWA_SYMBOLS,
  type RwaSymbol,
  STABLECOIN_SYMBOLS,
  type StablecoinSymbol,
  TREASURY,
  TREASURY_RWAS,
  WAD,
} from "./assets.ts";
import type { Random } from "./random.ts";

/**
 * Routes 1 and 2 swap an RWA for a stablecoin, 3 and 4 a stablecoin for an RWA, 5 and 6 an RWA for an RWA, 7 and 8 a
 * stablecoin for a stablecoin. Odd routes are exact in, even routes exact out.
 */
export const ROUTE_IDS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

export type RouteId = (typeof ROUTE_IDS)[number];

export interface PlannedLeg {
  readonly routeId: RouteId;
  readonly assetIn: LegAsset;
  readonly assetOut: LegAsset;
  /** The stablecoin whose LP settles. */
  readonly settledBy: LpSymbol;
  /** Amount of the exact side, in its smallest units. */
  readonly amount: bigint;
  /** Limit on the other side: none, slightly beyond the quote, or one that the quote misses. */
  readonly bound: "none" | "quoted" | "missed";
}

/** An endless sequence of routes, in which each of the eight occurs once in every eight draws. */
export function* routeDeck(random: Random): Generator<RouteId, never> {
  for (;;) yield* random.shuffled(ROUTE_IDS);
}

/** A leg worth 10 to 5,000 dollars that the protocol accepts. */
export function planLeg(random: Random, routeId: RouteId, delisted: ReadonlySet<AssetSymbol>): PlannedLeg {
  const settledBy = random.pick(STABLECOIN_SYMBOLS);
  const [assetIn, assetOut] = planPair(random, routeId, settledBy, delisted);
  return legOf(random, routeId, settledBy, [assetIn, assetOut]);
}

/** A deposit for treasury tokens: of an RWA (routes 1, 2) or a stablecoin (7, 8). */
export function planDeposit(random: Random): PlannedLeg {
  const routeId = random.pick([1, 2, 7, 8] as const);
  const assetIn = routeId <= 2 ? random.pick(TREASURY_RWAS) : random.pick(STABLECOIN_SYMBOLS);
  return legOf(random, routeId, TREASURY.symbol, [assetIn, TREASURY.symbol]);
}

/** A redemption of treasury tokens for an RWA (routes 3, 4) or a stablecoin (7, 8). */
export function planRedemption(random: Random): PlannedLeg {
  const routeId = random.pick([3, 4, 7, 8] as const);
  const assetOut = routeId <= 4 ? random.pick(TREASURY_RWAS) : random.pick(STABLECOIN_SYMBOLS);
  return legOf(random, routeId, TREASURY.symbol, [TREASURY.symbol, assetOut]);
}

function legOf(
  random: Random,
  routeId: RouteId,
  settledBy: LpSymbol,
  [assetIn, assetOut]: readonly [LegAsset, LegAsset],
): PlannedLeg {
  const exact = routeId % 2 === 1 ? assetIn : assetOut;
  return {
    routeId,
    assetIn,
    assetOut,
    settledBy,
    amount: amountWorth(random, exact, random.between(1_000n, 500_000n)),
    bound: random.chance(2, 3) ? "quoted" : "none",
  };
}

/** Two to five legs. */
export function planBatch(
  random: Random,
  routes: Iterator<RouteId, never>,
  delisted: ReadonlySet<AssetSymbol>,
): PlannedLeg[] {
  return Array.from({ length: random.integer(2, 5) }, () => planLeg(random, routes.next().value, delisted));
}

function planPair(
  random: Random,
  routeId: RouteId,
  settledBy: StablecoinSymbol,
  delisted: ReadonlySet<AssetSymbol>,
): [AssetSymbol, AssetSymbol] {
  const [first, second] = random.shuffled<RwaSymbol>(
    RWA_SYMBOLS.filter((symbol) => dealsIn(settledBy, symbol) && !delisted.has(symbol)),
  ) as [RwaSymbol, RwaSymbol];
  const foreign = random.pick(STABLECOIN_SYMBOLS.filter((symbol) => symbol !== settledBy));
  switch (routeId) {
    case 1:
    case 2:
      return [first, settledBy];
    case 3:
    case 4:
      return [settledBy, first];
    case 5:
    case 6:
      return [first, second];
    case 7:
    case 8:
      return random.chance(1, 2) ? [settledBy, foreign] : [foreign, settledBy];
  }
}

/** An amount worth about that many cents, with digits down to the smallest unit. */
function amountWorth(random: Random, symbol: LegAsset, cents: bigint): bigint {
  const { decimals, priceWad } = assetTerms(symbol);
  const whole = 10n ** BigInt(decimals);
  return (cents * whole * WAD) / (100n * priceWad) + random.between(0n, whole / 1_000n);
}
