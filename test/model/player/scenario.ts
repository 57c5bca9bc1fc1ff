/** A seeded history of one protocol: blocks of transactions of all kinds, played on the chain and on the model. */
import { type Address, maxUint256, parseEther } from "viem";
import { Random } from "../../../localnet/random.ts";
import { DAY_SECONDS, dayOf } from "../arithmetic.ts";
import { UNLIMITED_INTAKE } from "../contracts/delegate.ts";
import type { Call, Outcome } from "../contracts/protocol.ts";
import type { SwapInputs } from "../contracts/quoting.ts";
import { administer, capIntake, refusedAdministration } from "./administration.ts";
import { type Disturbance, disturb } from "./disturbances.ts";
import { Legs } from "./legs.ts";
import { mistake, NO_PERMIT } from "./mistakes.ts";
import type { Permits } from "./permits.ts";
import type { Player } from "./player.ts";
import { ACTORS, assetId, RWAS, STABLECOINS, SWEPT_STABLECOIN, TREASURY, USERS } from "./terms.ts";
import { accountViews, protocolViews } from "./views.ts";
import type { Step, World } from "./world.ts";

/** Number of blocks between comparisons of every view of every account. */
const CHECKPOINT_BLOCKS = 12;
/**
 * Number of days without a rate on which one account receives deposits of all eight tokens, so that its queue fills.
 */
const HOARDING_DAYS = 9;
/** Maximum number of rates posted in one block. */
const POSTS_PER_BLOCK = 60n;
/** Whole tokens a day. Some purchases are larger. */
const OWN_CAP_TOKENS = 5_000n;

export interface ScenarioOptions {
  readonly seed: bigint;
  readonly player: Player;
  readonly world: World;
  readonly permits: Permits;
  /** Time of the last block, in seconds since 1970. */
  readonly now: bigint;
}

export class Scenario {
  readonly #random: Random;
  readonly #player: Player;
  readonly #world: World;
  readonly #permits: Permits;
  readonly #legs: Legs;
  #now: bigint;
  #block = 0;
  #disturbance: (Disturbance & { readonly untilBlock: number }) | null = null;
  readonly #onOutcome: (step: Step, outcome: Outcome) => void;

  constructor(options: ScenarioOptions, onOutcome: (step: Step, outcome: Outcome) => void) {
    this.#random = new Random(options.seed);
    this.#player = options.player;
    this.#world = options.world;
    this.#permits = options.permits;
    this.#now = options.now;
    this.#legs = new Legs(this.#random, options.world, options.player.protocol);
    this.#onOutcome = onOutcome;
  }

  /** Number of blocks played so far, to report where a failure happened. */
  get block(): number {
    return this.#block;
  }

  async play(blocks: number): Promise<void> {
    const hoardingBlock = this.#random.chance(1, 2) ? this.#random.integer(10, blocks - 1) : null;
    await this.#playBlock([this.#autoLiquidity(), ...this.#fundReserve()]);
    await this.#playBlock(this.#capIntakes());
    while (this.#block < blocks) {
      if (this.#block === hoardingBlock) await this.#hoard();
      this.#now += this.#pause();
      const steps: Step[] = [...this.#endDisturbance()];
      const count = this.#random.integer(1, 4);
      while (steps.length < count) steps.push(...(await this.#action()));
      await this.#playBlock(steps);
    }
    await this.#compareEverything();
  }

  async #playBlock(steps: readonly Step[]): Promise<void> {
    this.#block += 1;
    for (const step of steps) await this.#preview(step);
    const outcomes = await this.#player.play(this.#now, steps);
    for (const [index, step] of steps.entries()) {
      const outcome = outcomes[index];
      if (outcome) this.#onOutcome(step, outcome);
    }
    if (this.#block % CHECKPOINT_BLOCKS === 0) {
      await this.#compareEverything();
      return;
    }
    const touched = new Set(steps.flatMap(({ from, call }) => [from, ...accountsIn(call)]));
    await this.#compare([...touched]);
  }

  /** Compares what the state before the block returns: the quotes of a swap's legs, and the flags of an accrual. */
  async #preview({ from, call }: Step): Promise<void> {
    if (call.functionName === "swap") {
      const [user, , inputs] = call.args as [Address, Address, readonly SwapInputs[]];
      const quotes = inputs.map((leg) => this.#world.call("core", "quoteSwap", user, leg));
      await this.#player.compareViews(this.#now, quotes);
    }
    if (call.functionName === "accrueInterest") await this.#player.compareViews(this.#now, [call], from);
  }

  async #compareEverything(): Promise<void> {
    await this.#compare([...USERS.map(({ address }) => address), ...Object.values(ACTORS)]);
    await this.#player.compareViews(this.#now, protocolViews(this.#random, this.#world, this.#legs));
  }

  /** Compares views at the time of the block, and some time later, when more may have become due. */
  async #compare(accounts: readonly Address[]): Promise<void> {
    const views = accounts.flatMap((account) => accountViews(this.#random, this.#world, this.#legs, account));
    await this.#player.compareViews(this.#now, views);
    await this.#player.compareViews(this.#now + this.#random.between(0n, 3n * DAY_SECONDS), views);
  }

  /** Seconds until the next block: mostly within a day, sometimes weeks, or exactly until midnight. */
  #pause(): bigint {
    const random = this.#random;
    const roll = random.integer(1, 100);
    if (roll <= 45) return random.between(1n, 3_600n);
    if (roll <= 70) return random.between(3_600n, 50_000n);
    if (roll <= 88) return random.between(50_000n, 4n * DAY_SECONDS);
    if (roll <= 92) return random.between(5n, 20n) * DAY_SECONDS + random.between(0n, 3_600n);
    if (roll <= 93) return random.between(30n, 150n) * DAY_SECONDS;
    return DAY_SECONDS - (this.#now % DAY_SECONDS);
  }

  async #action(): Promise<Step[]> {
    const random = this.#random;
    const user = random.pick(USERS);
    if (this.#disturbance && random.chance(1, 2)) {
      const { subject } = this.#disturbance;
      return [this.#swap(subject.user, [this.#legs.about(subject, this.#now)])];
    }
    if (random.chance(1, 20)) {
      if (random.chance(1, 2)) return [refusedAdministration(random, this.#world)];
      return [administer(random, this.#world, this.#player.protocol, this.#legs)];
    }
    const roll = random.integer(1, 100);
    if (roll <= 34) return [this.#swap(user.address, [this.#legs.random(this.#now, user.address)])];
    if (roll <= 46) return [this.#redeem()];
    if (roll <= 52) {
      const legs = Array.from({ length: random.integer(2, 4) }, () => this.#legs.random(this.#now, user.address));
      return [this.#swap(user.address, legs)];
    }
    if (roll <= 58) return [this.#brokered(user.address)];
    if (roll <= 62) return [this.#allow(user.address)];
    if (roll <= 65) return [await this.#permitted()];
    if (roll <= 73) return this.#postRates();
    if (roll <= 75) return [this.#correctRate()];
    if (roll <= 82) return [this.#accrue(user.address)];
    if (roll <= 84) return [this.#transfer(user.address)];
    if (roll <= 86) return this.#postNavs(random.pick(RWAS).symbol);
    if (roll <= 90) return [this.#setting()];
    if (roll <= 94) return this.#beginDisturbance();
    return [mistake(random, this.#world, this.#legs, this.#now)];
  }

  // Swaps

  #swap(user: Address, legs: readonly SwapInputs[], receiver = this.#receiver(user)): Step {
    return { from: user, call: this.#world.call("core", "swap", user, receiver, legs, NO_PERMIT) };
  }

  /** Returns the receiver, which is usually the user. */
  #receiver(user: Address): Address {
    const roll = this.#random.integer(1, 40);
    if (roll <= 30) return user;
    if (roll <= 37) return this.#random.pick(USERS).address;
    return roll <= 39 ? ACTORS.vault : ACTORS.stranger;
  }

  /** A redemption by an account that has credits, if there is one. */
  #redeem(): Step {
    const holders = USERS.filter(({ address }) => this.#legs.treasuryDelegate.creditsOf(address) > 0n);
    const { address } = this.#random.pick(holders.length > 0 ? holders : USERS);
    return this.#swap(address, [this.#legs.redemption(this.#now, address)]);
  }

  #brokered(user: Address): Step {
    const { call } = this.#swap(user, [this.#legs.random(this.#now, user)]);
    return { from: ACTORS.broker, call };
  }

  #allow(user: Address): Step {
    const random = this.#random;
    const asset = assetId(random.pick([...STABLECOINS, ...RWAS, { symbol: TREASURY }]).symbol);
    const amount = random.chance(1, 2) ? maxUint256 : 10n ** BigInt(random.integer(0, 26));
    const args = [ACTORS.broker, asset, amount, random.chance(3, 4)];
    return { from: user, call: this.#world.call("core", "adjustSwapInputAllowance", ...args) };
  }

  /** A swap that the user signed for any sender, sometimes with a mistake. */
  async #permitted(): Promise<Step> {
    const random = this.#random;
    const user = random.pick(USERS);
    const legs = [this.#legs.random(this.#now, user.address)];
    const deadline = this.#now + random.between(-1n, 20n);
    const operator = random.chance(1, 5) ? user.address : ACTORS.relayer;
    const nonce = this.#player.protocol.view(this.#now, this.#world.call("core", "nonces", user.address)) as bigint;
    const permit = { user: user.address, operator, receiver: user.address, inputs: legs, nonce, deadline };
    const flaw = random.integer(1, 10);
    const signature = await this.#permits.sign(flaw === 1 ? random.pick(USERS) : user, {
      ...permit,
      ...(flaw === 2 ? { nonce: nonce + 1n } : {}),
      ...(flaw === 3 ? { receiver: ACTORS.relayer } : {}),
    });
    const args = [user.address, user.address, legs, { deadline, signature }];
    return { from: operator, call: this.#world.call("core", "swap", ...args) };
  }

  /** Deposits all eight tokens a day into one queue, without rates. The last deposits find the queue full. */
  async #hoard(): Promise<void> {
    const hoarder = this.#random.pick(USERS).address;
    const tokens = [...STABLECOINS, ...RWAS].map(({ symbol }) => symbol);
    for (let day = 0; day < HOARDING_DAYS; day++) {
      this.#now += DAY_SECONDS;
      const legs = () => tokens.map((symbol) => this.#legs.deposit(symbol));
      // Nothing may prevent these deposits, not even an outdated NAV.
      const end = day === 0 ? this.#clearTheWay(tokens) : [];
      const steps = [this.#swap(hoarder, legs(), hoarder), this.#swap(ACTORS.vault, legs(), ACTORS.vault)];
      // The deposits of others take one record per day. Their fee goes to the vault even when the queue of the vault is
      // full.
      const { address } = this.#random.pick(USERS);
      steps.push(this.#swap(address, [this.#legs.deposit("S18")], address));
      const gifts = STABLECOINS.map(({ symbol }) => this.#legs.deposit(symbol));
      steps.push(this.#swap(address, gifts, hoarder));
      await this.#playBlock([...end, ...steps]);
    }
  }

  /** Ends whatever prevents deposits into the treasury from settling. */
  #clearTheWay(tokens: readonly string[]): Step[] {
    return [
      ...this.#endDisturbance(true),
      ...RWAS.map((rwa) => this.#postNav(rwa.symbol, 0n)),
      ...tokens.map((symbol) => capIntake(this.#world, TREASURY, symbol, UNLIMITED_INTAKE)),
    ];
  }

  /**
   * Sets caps of every kind, from zero to unlimited, except for the reserve that prefunds and sweeps need. Of an LP's own
   * stablecoin, the LP with two custodies gets a cap that some purchases exceed, and the treasury refuses one.
   */
  #capIntakes(): Step[] {
    const random = this.#random;
    const ofForeign = [TREASURY, ...STABLECOINS.map(({ symbol }) => symbol)].flatMap((lp) =>
      [...STABLECOINS, ...RWAS]
        .filter(({ symbol }) => symbol !== lp && !(lp === TREASURY && symbol === SWEPT_STABLECOIN))
        .filter(() => random.chance(2, 5))
        .map(({ symbol }) => capIntake(this.#world, lp, symbol, this.#legs.intakeCap(symbol))),
    );
    const ofOwn = STABLECOINS.filter(({ hasCustodyAccounts }) => hasCustodyAccounts).map(({ symbol, decimals }) =>
      capIntake(this.#world, symbol, symbol, OWN_CAP_TOKENS * 10n ** BigInt(decimals)),
    );
    return [...ofForeign, ...ofOwn, capIntake(this.#world, TREASURY, TREASURY, 1n)];
  }

  #autoLiquidity(): Step {
    const name = `${SWEPT_STABLECOIN} delegate`;
    const call = this.#world.call(name, "setAutoLiquidityStablecoinID", assetId(TREASURY));
    return { from: ACTORS.issuer, call };
  }

  /** Gives a first reserve to the custody whose buffer runs out. */
  #fundReserve(): Step[] {
    const custody = ACTORS.stablecoinCustody;
    const { address } = this.#random.pick(USERS);
    return [{ ...this.#legs.deposit("S18"), assetInAmt: 10n ** 24n }].map((leg) => this.#swap(address, [leg], custody));
  }

  // The treasury

  #postRates(): Step[] {
    const random = this.#random;
    const delegate = this.#legs.treasuryDelegate;
    const today = dayOf(this.#now);
    const last = delegate.lastRatePostingDay();
    const next = last === 0n ? today - random.between(1n, 2n) : last + 1n;
    const until = random.chance(1, 4) ? today - random.between(1n, 3n) : today - 1n;
    const steps: Step[] = [];
    for (let day = next; day <= until && day < next + POSTS_PER_BLOCK; day++) {
      const args = [day, this.#rate()];
      steps.push({ from: ACTORS.ratePoster, call: this.#world.call("TRSY delegate", "postDailyRate", ...args) });
    }
    return steps;
  }

  #correctRate(): Step {
    const delegate = this.#legs.treasuryDelegate;
    const first = delegate.firstRateDay();
    const last = delegate.lastRatePostingDay();
    const recent = last - 20n > first ? last - 20n : first;
    const day = this.#random.between(this.#random.chance(1, 5) ? first : recent, last);
    return { from: ACTORS.admin, call: this.#world.call("TRSY delegate", "correctDailyRate", day, this.#rate()) };
  }

  /** A gross APY, WAD: zero, about the fee, a round one, the cap, or any up to the cap. */
  #rate(): bigint {
    const random = this.#random;
    const cap = this.#legs.treasuryDelegate.maxDailyRate();
    const rates = [0n, parseEther("0.005") - 1n, parseEther("0.005") + 1n, parseEther("0.05"), cap];
    return random.chance(1, 2) ? random.pick(rates) : random.between(0n, cap);
  }

  #accrue(user: Address): Step {
    const random = this.#random;
    const from = random.pick([ACTORS.stranger, user]);
    const limit = () => random.pick([maxUint256, 1n, 1n, 2n, random.between(1n, 30n)]);
    if (random.chance(1, 4)) {
      const users = random.shuffled(USERS).slice(0, random.integer(0, 6));
      const accounts = [...users.map(({ address }) => address), ACTORS.vault];
      return { from, call: this.#world.call("TRSY delegate", "batchAccrueInterest", accounts) };
    }
    return { from, call: this.#world.call("TRSY delegate", "accrueInterest", user, limit(), limit()) };
  }

  #transfer(user: Address): Step {
    const random = this.#random;
    const balance = this.#player.protocol.token(this.#world.address("TRSY token")).balanceOf(user);
    const amount = random.chance(1, 10) ? balance + 1n : (balance * random.between(0n, 500n)) / 1000n;
    const receiver = random.pick([...USERS.map(({ address }) => address), ACTORS.stablecoinCustody]);
    return { from: user, call: this.#world.call("TRSY token", "transfer", receiver, amount) };
  }

  // Administration

  #setting(): Step {
    const random = this.#random;
    const step = (from: Address, name: string, functionName: string, ...args: readonly unknown[]): Step => ({
      from,
      call: this.#world.call(name, functionName, ...args),
    });
    const { operator, issuer, admin, stranger, stablecoinCustody } = ACTORS;
    const lp = random.pick([TREASURY, TREASURY, ...STABLECOINS.map(({ symbol }) => symbol)]);
    const rwa = random.pick(RWAS);
    const stablecoin = random.pick(STABLECOINS);
    const foreign = this.#world.address(`${stablecoin.symbol} token`);
    const rate = random.chance(1, 12)
      ? random.pick([1n, parseEther("0.5"), parseEther("0.99")])
      : random.between(0n, parseEther("0.02"));
    const moved = (value: bigint, permille: bigint) =>
      (value * random.between(1000n - permille, 1000n + permille)) / 1000n;
    const earning = USERS.filter(({ address }) => this.#legs.treasuryDelegate.credits(address) > 0n);
    const user = random.pick(earning.length > 0 ? earning : USERS).address;
    return random.pick<() => Step>([
      () => step(issuer, `${lp} delegate`, "setRWADiscountRate", assetId(rwa.symbol), rate),
      () => step(issuer, `${lp} delegate`, "setRWARedemptionFee", assetId(rwa.symbol), rate),
      () => step(issuer, `${lp} delegate`, "setStablecoinAcceptanceFee", foreign, rate),
      () =>
        step(
          ...([stablecoinCustody, "core", "adjustSwapInputAllowance", this.#world.address("core")] as const),
          ...[assetId(SWEPT_STABLECOIN), 10n ** random.between(9n, 12n), random.chance(3, 4)],
        ),
      () => step(issuer, `${lp} delegate`, "setStablecoinRedemptionFee", foreign, rate),
      () => step(operator, "core", "setIssuerPaidProtocolFeeRate", assetId(lp), rate),
      () => step(operator, "core", "setSpreadProtocolTakeRate", random.pick([0n, parseEther("1"), rate * 20n])),
      () => step(operator, "core", "setProtocolFeeExempt", assetId(lp), random.chance(1, 3)),
      () => step(operator, "core", "setStablecoinUSDValue", assetId(stablecoin.symbol), moved(stablecoin.usdWad, 9n)),
      () => step(operator, "core", "setMaxSwapLegs", random.between(8n, 12n)),
      () => step(stranger, `${rwa.symbol} price`, "postNav", moved(rwa.usdWad, 50n)),
      () => step(issuer, "TRSY delegate", "setManagementFee", random.between(0n, parseEther("0.05"))),
      () => step(admin, "TRSY delegate", "setMaxDailyRate", random.between(parseEther("0.15"), parseEther("0.3"))),
      () =>
        step(
          ...([admin, "TRSY delegate", "setMaxFallbackRateSeconds"] as const),
          random.pick([0n, DAY_SECONDS, 3n * DAY_SECONDS, random.between(DAY_SECONDS, 7n * DAY_SECONDS)]),
        ),
      () =>
        step(
          ...([admin, "TRSY delegate", "setUserYieldMultiplier", user] as const),
          random.between(parseEther("1"), parseEther("1.2")),
        ),
    ])();
  }

  /** Posts a NAV once, or several times in one block, which together exceed the daily limit. */
  #postNavs(symbol: string): Step[] {
    if (this.#random.chance(3, 4)) return [this.#postNav(symbol, 52n)];
    return Array.from({ length: 3 }, () => this.#postNav(symbol, 48n));
  }

  /** Posts a NAV moved by up to the given number of thousandths. 50 are allowed. */
  #postNav(symbol: string, permille: bigint): Step {
    const adapter = this.#world.address(`${symbol} price`);
    const nav = this.#player.protocol.view(this.#now, { to: adapter, functionName: "navWad", args: [] }) as bigint;
    const factor = this.#random.between(1000n - permille, 1000n + permille);
    const args = [(nav * factor) / 1000n];
    return { from: ACTORS.navPoster, call: { to: adapter, functionName: "postNav", args } };
  }

  #beginDisturbance(): Step[] {
    if (this.#disturbance) return [];
    const disturbance = disturb(this.#random, this.#world, this.#player.protocol);
    this.#disturbance = { ...disturbance, untilBlock: this.#block + this.#random.integer(1, 4) };
    return [disturbance.begin];
  }

  #endDisturbance(atOnce = false): Step[] {
    if (!this.#disturbance || (!atOnce && this.#block < this.#disturbance.untilBlock)) return [];
    const { end } = this.#disturbance;
    this.#disturbance = null;
    return [end];
  }
}

/** The users and receivers that a call names. */
function accountsIn({ functionName, args }: Call): Address[] {
  if (functionName === "swap") return (args as [Address, Address]).slice(0, 2);
  if (functionName === "moveCredits") return (args as [Address, Address]).slice(0, 2);
  if (functionName === "accrueInterest" || functionName === "setUserYieldMultiplier") return [args[0] as Address];
  return [];
}
