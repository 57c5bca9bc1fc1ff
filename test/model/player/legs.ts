/** Random legs for every route, LP and pair, with amounts from one unit to everything the user has. */
import { type Address, type Hex, maxUint256 } from "viem";
import type { Random } from "../../../localnet/random.ts";
import { WAD } from "../arithmetic.ts";
import { UNLIMITED_INTAKE } from "../contracts/delegate.ts";
import type { Protocol } from "../contracts/protocol.ts";
import type { Quote, SwapInputs } from "../contracts/quoting.ts";
import { TreasuryDelegateModel } from "../contracts/treasuryDelegate.ts";
import { worthDown } from "../value.ts";
import type { Subject } from "./disturbances.ts";
import { assetId, RWAS, STABLECOINS, SWEPT_STABLECOIN, TREASURY } from "./terms.ts";
import type { World } from "./world.ts";

interface Pair {
  readonly assetIn: string;
  readonly assetOut: string;
  /** The stablecoin whose delegate settles. */
  readonly lp: string;
}

/** From micro-dollars to 100,000 dollars. */
const MIN_EXPONENT = 12;
const MAX_EXPONENT = 23;

export class Legs {
  readonly #random: Random;
  readonly #world: World;
  readonly #protocol: Protocol;
  /** Decimals and a typical value of each asset, precise enough to choose amounts. */
  readonly #assets: ReadonlyMap<string, { readonly decimals: number; readonly usdWad: bigint }>;

  constructor(random: Random, world: World, protocol: Protocol) {
    this.#random = random;
    this.#world = world;
    this.#protocol = protocol;
    const assets = [...STABLECOINS, ...RWAS, { symbol: TREASURY, decimals: 18, usdWad: WAD }];
    this.#assets = new Map(assets.map((asset) => [asset.symbol, asset]));
  }

  get treasuryDelegate(): TreasuryDelegateModel {
    const delegate = this.#protocol.delegate(this.#world.address(`${TREASURY} delegate`));
    if (!(delegate instanceof TreasuryDelegateModel)) throw new Error("the treasury has another delegate");
    return delegate;
  }

  /** A random leg for a user at a time. Most of these legs succeed. */
  random(now: bigint, user: Address): SwapInputs {
    const routeId = this.#random.between(1n, 8n);
    const pair = this.#pair(routeId);
    // A user without credits cannot redeem. Such legs are kept only once in a while.
    const isVain = pair.assetIn === TREASURY && this.treasuryDelegate.creditsOf(user) === 0n;
    if (isVain && this.#random.chance(4, 5)) return this.random(now, user);
    return this.onRoute(now, user, routeId, pair);
  }

  /** A random leg of a user with the assets of a disturbance. */
  about({ user, rwa, stablecoin, lp }: Subject, now: bigint): SwapInputs {
    const random = this.#random;
    const [other] = random.shuffled(STABLECOINS.filter(({ symbol }) => symbol !== stablecoin));
    const pairs: readonly (readonly [bigint, Pair])[] = [
      [1n, { assetIn: rwa, assetOut: lp, lp }],
      [3n, { assetIn: lp, assetOut: rwa, lp }],
      [7n, { assetIn: stablecoin, assetOut: TREASURY, lp: TREASURY }],
      [7n, { assetIn: TREASURY, assetOut: stablecoin, lp: TREASURY }],
      [7n, { assetIn: stablecoin, assetOut: other?.symbol ?? TREASURY, lp: stablecoin }],
    ];
    const [routeId, pair] = random.pick(pairs);
    return this.onRoute(now, user, routeId + random.between(0n, 1n), pair);
  }

  /** A deposit of a token into the treasury. */
  deposit(symbol: string): SwapInputs {
    const routeId = RWAS.some((rwa) => rwa.symbol === symbol) ? 1n : 7n;
    const leg = legBetween(routeId, { assetIn: symbol, assetOut: TREASURY, lp: TREASURY });
    // The value is at least one unit after fees, also for a token without decimals.
    return { ...leg, assetInAmt: this.#units(symbol, this.#random.between(3_000n, 6_000n) * WAD), assetOutAmt: 0n };
  }

  /** A redemption of part of a user's credits. */
  redemption(now: bigint, user: Address): SwapInputs {
    const routeId = this.#random.pick([3n, 4n, 7n, 8n]);
    const { symbol } = routeId <= 4n ? this.#random.pick(RWAS) : this.#random.pick(STABLECOINS);
    return this.onRoute(now, user, routeId, { assetIn: TREASURY, assetOut: symbol, lp: TREASURY });
  }

  /** A daily intake cap of an asset: unlimited, about what legs bring in, or zero. */
  intakeCap(symbol: string): bigint {
    const random = this.#random;
    const roll = random.integer(1, 20);
    if (roll <= 10) return UNLIMITED_INTAKE;
    if (roll <= 17) return this.#units(symbol, random.between(1_000n, 200_000n) * WAD);
    if (roll <= 19) return random.between(1n, 1_000n);
    return 0n;
  }

  onRoute(now: bigint, user: Address, routeId: bigint, pair: Pair): SwapInputs {
    const leg = legBetween(routeId, pair);
    const isExactIn = routeId % 2n === 1n;
    const amount = this.#amount(user, pair, isExactIn);
    const exact = isExactIn
      ? { ...leg, assetInAmt: amount, assetOutAmt: 0n }
      : { ...leg, assetInAmt: maxUint256, assetOutAmt: amount };
    return this.#random.chance(1, 8) ? this.#bounded(now, user, exact, isExactIn) : exact;
  }

  #pair(routeId: bigint): Pair {
    const random = this.#random;
    const shuffled = random.shuffled(STABLECOINS.map(({ symbol }) => symbol));
    // The stablecoin with derived legs is chosen more often than the others.
    const plain = (random.chance(1, 3) ? [...new Set([SWEPT_STABLECOIN, ...shuffled])] : shuffled) as [string, string];
    const rwas = random.shuffled(RWAS.map(({ symbol }) => symbol)) as [string, string];
    const lp = random.chance(1, 2) ? TREASURY : plain[0];
    if (routeId <= 2n) return { assetIn: rwas[0], assetOut: lp, lp };
    if (routeId <= 4n) return { assetIn: lp, assetOut: rwas[0], lp };
    if (routeId <= 6n) return { assetIn: rwas[0], assetOut: rwas[1], lp };
    if (lp !== TREASURY) return { assetIn: plain[0], assetOut: plain[1], lp: random.pick(plain.slice(0, 2)) };
    return random.chance(1, 2) ? { assetIn: plain[1], assetOut: lp, lp } : { assetIn: lp, assetOut: plain[1], lp };
  }

  #amount(user: Address, { assetIn, assetOut }: Pair, isExactIn: boolean): bigint {
    const symbol = isExactIn ? assetIn : assetOut;
    if (assetIn !== TREASURY) return this.#units(symbol, this.#usdWad());
    const tokens = this.#creditsToRedeem(user);
    return isExactIn ? tokens : this.#units(assetOut, tokens);
  }

  /** Some credits of a user, the withheld ones, all of them, or one more than all. */
  #creditsToRedeem(user: Address): bigint {
    const delegate = this.treasuryDelegate;
    const available = delegate.creditsOf(user);
    const withheld = delegate.totalWithheldCredits(user);
    switch (this.#random.integer(0, 11)) {
      case 0:
        return available;
      case 1:
        return available + 1n;
      case 2:
        return withheld;
      case 3:
        return withheld + 1n;
      case 4:
        return this.#random.between(0n, 3n);
      default:
        return (available * this.#random.between(1n, 999n)) / 1000n;
    }
  }

  #usdWad(): bigint {
    const magnitude = 10n ** BigInt(this.#random.integer(MIN_EXPONENT, MAX_EXPONENT - 1));
    return (magnitude * this.#random.between(1_000_000n, 9_999_999n)) / 1_000_000n;
  }

  #units(symbol: string, usdWad: bigint): bigint {
    const asset = this.#assets.get(symbol);
    if (!asset) throw new Error(`${symbol} is not an asset`);
    const units = worthDown(usdWad, { decimals: 18, usdWad: WAD }, asset);
    // For a token without decimals, most small values are less than one unit.
    return units === 0n && !this.#random.chance(1, 10) ? this.#random.between(1n, 20n) : units;
  }

  /** The same leg with the tightest bound that it meets in the current state, or with a bound one unit beyond that. */
  #bounded(now: bigint, user: Address, leg: SwapInputs, isExactIn: boolean): SwapInputs {
    const quote = this.#protocol.view(now, this.#world.call("core", "quoteSwap", user, leg));
    if (quote instanceof Error) return leg;
    const { tokenInAmt, tokenOutAmt } = quote as Quote;
    const beyond = this.#random.chance(1, 3) ? 1n : 0n;
    return isExactIn ? { ...leg, assetOutAmt: tokenOutAmt + beyond } : { ...leg, assetInAmt: tokenInAmt - beyond };
  }
}

function legBetween(routeId: bigint, { assetIn, assetOut, lp }: Pair) {
  const ids: readonly [Hex, Hex, Hex] = [assetId(assetIn), assetId(assetOut), assetId(lp)];
  return { routeId, assetInID: ids[0], assetOutID: ids[1], stablecoinDelegateID: ids[2] };
}
