/** CoreSwap's records of assets, prices, rates, fees and lists, with the transactions that set them. */
import { type Address, type Hex, maxUint88, zeroAddress, zeroHash } from "viem";
import { MAX_WAD, WAD } from "../arithmetic.ts";
import { type Cell, demand, type State, type Table } from "../state.ts";
import type { Delegate } from "./delegate.ts";
import type { HolderRegister, PriceModel, RiskModel } from "./external.ts";
import { Roles } from "./roles.ts";
import type { Token } from "./token.ts";

/** The contracts by address. */
export interface Surroundings {
  findToken(address: Address): Token | null;
  findDelegate(address: Address): Delegate | null;
  isContract(address: Address): boolean;
  price(address: Address): PriceModel;
  register(address: Address): HolderRegister;
  risk(address: Address): RiskModel;
}

export interface StablecoinRecord {
  readonly id: Hex;
  readonly token: Token;
  readonly delegate: Delegate;
  readonly accepted: boolean;
  readonly yieldBearing: boolean;
}

/** The yield-bearing stablecoin that backs the buffer of a plain stablecoin. */
interface AutoLiquidity {
  readonly id: Hex;
  /** The USD value of the plain stablecoin when its LP agreed, WAD. */
  readonly agreedWad: bigint;
}

export interface RwaRecord {
  readonly id: Hex;
  readonly token: Token;
  /** Zero for none. */
  readonly riskDelegate: Address;
  readonly accepted: boolean;
}

export interface Guardrail {
  readonly priceAdapter: Address;
  readonly band: bigint;
  readonly enabled: boolean;
}

export interface RegistrySetup {
  readonly state: State;
  readonly address: Address;
  readonly admin: Address;
  readonly operator: Address;
  readonly vault: Address;
  readonly surroundings: Surroundings;
}

/** Kinds of rates of a pair, by the event that announces them. */
const PAIR_RATE_EVENTS = {
  discount: "DiscountRateSet",
  redemption: "RedemptionFeeSet",
  acceptance: "StablecoinAcceptanceFeeSet",
  stablecoinRedemption: "StablecoinRedemptionFeeSet",
} as const;

export type PairRate = keyof typeof PAIR_RATE_EVENTS;

const MAX_RATE = (99n * WAD) / 100n;
/**
 * Divisor of two limits: the highest rate of a derived leg (one part of 100), and the largest distance of the USD value
 * from the agreed value (one part of 100).
 */
const DERIVED_LEG_PARTS = 100n;
/** USD values are stored in 88 bits. */
const MAX_USD_VALUE = maxUint88;
const NO_AUTO_LIQUIDITY: AutoLiquidity = { id: zeroHash, agreedWad: 0n };
const NO_GUARDRAIL: Guardrail = { priceAdapter: zeroAddress, band: 0n, enabled: false };

export abstract class Registry {
  readonly address: Address;
  readonly roles: Roles;
  protected readonly state: State;
  protected readonly surroundings: Surroundings;
  protected readonly takeRate: Cell<bigint>;
  protected readonly legMaximum: Cell<bigint>;
  readonly #stablecoins: Table<StablecoinRecord | null>;
  readonly #rwas: Table<RwaRecord | null>;
  readonly #amounts: Table<bigint>;
  readonly #addresses: Table<Address>;
  readonly #flags: Table<boolean>;
  readonly #guardrails: Table<Guardrail>;
  /** Asset IDs by token. */
  readonly #assetIDs: Table<Hex>;
  readonly #autoLiquidity: Table<AutoLiquidity>;
  readonly #vault: Cell<Address>;
  readonly #paused: Cell<boolean>;

  constructor({ state, address, admin, operator, vault, surroundings }: RegistrySetup) {
    this.state = state;
    this.address = address;
    this.surroundings = surroundings;
    this.roles = new Roles(state, address, admin);
    this.roles.give("OPERATOR_ROLE", operator);
    this.takeRate = state.cell(0n);
    this.legMaximum = state.cell(10n);
    this.#stablecoins = state.table<StablecoinRecord | null>(null);
    this.#rwas = state.table<RwaRecord | null>(null);
    this.#amounts = state.table(0n);
    this.#addresses = state.table<Address>(zeroAddress);
    this.#flags = state.table(false);
    this.#guardrails = state.table(NO_GUARDRAIL);
    this.#assetIDs = state.table<Hex>(zeroHash);
    this.#autoLiquidity = state.table(NO_AUTO_LIQUIDITY);
    this.#vault = state.cell(vault);
    this.#paused = state.cell(false);
  }

  // Assets

  setStablecoinAcceptance(id: Hex, delegate: Address, token: Address, accepted: boolean, yieldBearing: boolean): void {
    this.#demandOperator();
    const current = this.stablecoin(id);
    const record = this.surroundings.findDelegate(delegate);
    const matches = record?.matches(this.address, id, token, yieldBearing) === true;
    const isSame = current?.token.address === token && current.yieldBearing === yieldBearing;
    // A registered delegate may be excluded from further swaps without a check.
    const isKept = isSame && current.delegate.address === delegate && !accepted;
    demand(matches || isKept, "InvalidDelegate");
    if (record === null) throw new Error(`${delegate} is no delegate`);
    const registered = isSame ? current.token : this.#register(id, token);
    if (!isSame && yieldBearing) demand([0n, WAD].includes(this.stablecoinUSDValue(id)), "InvalidRate");
    this.#stablecoins.set(id, { id, token: registered, delegate: record, accepted, yieldBearing });
    if (accepted) this.#flags.set(["bound", id], true);
    const { decimals } = registered;
    this.state.emit(this.address, "StablecoinAcceptanceSet", id, delegate, token, decimals, accepted, yieldBearing);
  }

  setRWAAcceptance(id: Hex, riskDelegate: Address, token: Address, accepted: boolean): void {
    this.#demandOperator();
    demand(riskDelegate === zeroAddress || this.surroundings.isContract(riskDelegate), "InvalidDelegate");
    const current = this.#rwas.get(id);
    const registered = current?.token.address === token ? current.token : this.#register(id, token);
    this.#rwas.set(id, { id, token: registered, riskDelegate, accepted });
    if (accepted) this.#flags.set(["bound", id], true);
    this.state.emit(this.address, "RWAAcceptanceSet", id, riskDelegate, token, registered.decimals, accepted);
  }

  /**
   * Binds an ID to a token, whatever token it was bound to before. An ID keeps kind, token and yield from its first
   * acceptance. A token has at most one ID.
   */
  #register(id: Hex, address: Address): Token {
    demand(id !== zeroHash && !this.#flags.get("bound", id), "AssetIDAlreadyRegistered", id);
    for (const former of [this.stablecoin(id), this.#rwas.get(id)]) {
      if (former !== null) this.#assetIDs.set(former.token.address, zeroHash);
    }
    this.#stablecoins.set(id, null);
    this.#rwas.set(id, null);
    const token = this.surroundings.findToken(address);
    demand(token !== null && this.#assetIDs.get(address) === zeroHash, "InvalidAssetAddress");
    demand(token.decimals <= 18, "UnsupportedDecimals", BigInt(token.decimals));
    this.#assetIDs.set(address, id);
    return token;
  }

  /** The data of an ID as a stablecoin, or zeros when it is none. */
  stablecoinInfo(id: Hex): readonly [boolean, boolean, number, Address, Address] {
    const record = this.stablecoin(id);
    if (record === null) return [false, false, 0, zeroAddress, zeroAddress];
    const { accepted, yieldBearing, token, delegate } = record;
    return [accepted, yieldBearing, token.decimals, delegate.address, token.address];
  }

  /** The data of an ID as an RWA, or zeros when it is none. */
  rwaInfo(id: Hex): readonly [boolean, boolean, number, Address, Address] {
    const record = this.#rwas.get(id);
    if (record === null) return [false, false, 0, zeroAddress, zeroAddress];
    const { accepted, token, riskDelegate } = record;
    return [accepted, riskDelegate !== zeroAddress, token.decimals, riskDelegate, token.address];
  }

  /** The record of a stablecoin, accepted or not, or null when there is none. */
  protected stablecoin(id: Hex): StablecoinRecord | null {
    return this.#stablecoins.get(id);
  }

  acceptedStablecoin(id: Hex): StablecoinRecord {
    const record = this.#stablecoins.get(id);
    demand(record?.accepted === true, "StablecoinNotAccepted");
    return record;
  }

  acceptedRwa(id: Hex): RwaRecord {
    const record = this.#rwas.get(id);
    demand(record?.accepted === true, "RWANotAccepted");
    return record;
  }

  // Prices

  setRwaPriceAdapter(id: Hex, adapter: Address): void {
    this.#demandOperator();
    this.#addresses.set(["price", id], adapter);
    this.state.emit(this.address, "RwaPriceAdapterSet", id, adapter);
  }

  setRwaWhitelistAdapter(id: Hex, adapter: Address): void {
    this.#demandOperator();
    this.#addresses.set(["register", id], adapter);
    this.state.emit(this.address, "RwaWhitelistAdapterSet", id, adapter);
  }

  setStablecoinUSDValue(id: Hex, value: bigint): void {
    this.#demandOperator();
    const isYieldBearing = this.#stablecoins.get(id)?.yieldBearing === true;
    demand(value <= MAX_USD_VALUE && (!isYieldBearing || value === WAD), "InvalidRate");
    this.#amounts.set(["usd", id], value);
    this.state.emit(this.address, "StablecoinUSDValueSet", id, value);
  }

  configureStablecoinGuardrail(id: Hex, priceAdapter: Address, band: bigint, enabled: boolean): void {
    this.#demandOperator();
    demand(band < WAD, "InvalidRate");
    this.#guardrails.set(id, { priceAdapter, band, enabled });
    this.state.emit(this.address, "StablecoinPriceGuardrailSet", id, priceAdapter, band);
    this.state.emit(this.address, "StablecoinGuardrailEnabledSet", id, enabled);
  }

  stablecoinUSDValue(id: Hex): bigint {
    return this.#amounts.get("usd", id);
  }

  /** USD per whole token of an RWA, WAD. */
  protected priceOf(id: Hex): bigint {
    const adapter = this.#addresses.get("price", id);
    demand(adapter !== zeroAddress, "PriceAdapterNotSet", id);
    const price = this.surroundings.price(adapter).getPrice();
    demand(price > 0n && price <= MAX_WAD, "InvalidPrice");
    return price;
  }

  /** The administered USD value of a whole stablecoin, WAD. */
  protected usdValueOf(id: Hex): bigint {
    const value = this.stablecoinUSDValue(id);
    demand(value > 0n, "USDValueNotSet", id);
    return value;
  }

  /**
   * Applies the guardrail of a stablecoin, which only blocks and never prices. An oracle price of zero is outside any
   * band.
   */
  protected guard(id: Hex): void {
    const { priceAdapter, band, enabled } = this.#guardrails.get(id);
    if (!enabled) return;
    demand(priceAdapter !== zeroAddress, "StablecoinPriceAdapterNotSet", id);
    demand(band > 0n, "StablecoinGuardrailBandNotSet", id);
    const administered = this.stablecoinUSDValue(id);
    const observed = this.surroundings.price(priceAdapter).getPrice();
    const distance = observed > administered ? observed - administered : administered - observed;
    demand(distance * WAD <= band * administered, "StablecoinPriceOutsideBand", id, administered, observed, band);
  }

  protected demandHolder(id: Hex, account: Address): void {
    const adapter = this.#addresses.get("register", id);
    if (adapter === zeroAddress) return;
    demand(this.surroundings.register(adapter).isWhitelisted(account), "UserNotWhitelisted", id, account);
  }

  // Rates

  setIssuerPaidProtocolFeeRate(id: Hex, rate: bigint): void {
    this.#demandOperator();
    demand(rate <= MAX_RATE, "InvalidRate");
    const oldRate = this.issuerPaidProtocolFeeRates(id);
    this.#amounts.set(["issuerPaid", id], rate);
    this.state.emit(this.address, "IssuerPaidProtocolFeeRateSet", id, oldRate, rate);
  }

  setProtocolFeeExempt(id: Hex, exempt: boolean): void {
    this.#demandOperator();
    this.#flags.set(["exempt", id], exempt);
    this.state.emit(this.address, "ProtocolFeeExemptSet", id, exempt);
  }

  setSpreadProtocolTakeRate(rate: bigint): void {
    this.#demandOperator();
    demand(rate <= WAD, "InvalidRate");
    this.state.emit(this.address, "SpreadProtocolTakeRateSet", this.takeRate.value, rate);
    this.takeRate.value = rate;
  }

  /** Called by the delegate of the stablecoin. `other` is the ID of an RWA or the token of a foreign stablecoin. */
  setPairRate(kind: PairRate, id: Hex, other: Hex, rate: bigint): void {
    demand(rate <= MAX_RATE, "InvalidRate");
    this.#amounts.set([kind, id, other], rate);
    this.state.emit(this.address, PAIR_RATE_EVENTS[kind], id, other, rate);
  }

  pairRate(kind: PairRate, id: Hex, other: Hex): bigint {
    return this.#amounts.get(kind, id, other);
  }

  issuerPaidProtocolFeeRates(id: Hex): bigint {
    return this.#amounts.get("issuerPaid", id);
  }

  protocolFeeExempt(id: Hex): boolean {
    return this.#flags.get("exempt", id);
  }

  // Auto-liquidity

  /** Called by the delegate of the stablecoin. Zero clears the setting. */
  setAutoLiquidity(id: Hex, other: Hex): void {
    if (other !== zeroHash) {
      demand(other !== id, "IdenticalStablecoins");
      const record = this.#stablecoins.get(other);
      demand(record?.accepted === true && record.yieldBearing, "StablecoinNotAccepted");
    }
    this.#autoLiquidity.set(id, { id: other, agreedWad: this.stablecoinUSDValue(id) });
    this.state.emit(this.address, "AutoLiquidityStablecoinIDSet", id, other);
  }

  autoLiquidityStablecoinIDs(id: Hex): Hex {
    return this.#autoLiquidity.get(id).id;
  }

  /** Refuses a derived leg of a plain stablecoin on terms to which its LP did not agree. */
  protected demandAgreedTerms(id: Hex, reserveRate: bigint): void {
    const { agreedWad } = this.#autoLiquidity.get(id);
    const value = this.stablecoinUSDValue(id);
    const distance = value > agreedWad ? value - agreedWad : agreedWad - value;
    const isAgreed = distance * DERIVED_LEG_PARTS <= agreedWad && reserveRate * DERIVED_LEG_PARTS <= WAD;
    demand(isAgreed, "DerivedLegTooExpensive", id);
  }

  // Protocol

  setCoreVault(vault: Address): void {
    this.#demandOperator();
    this.state.emit(this.address, "CoreVaultSet", this.#vault.value, vault);
    this.#vault.value = vault;
  }

  coreVault(): Address {
    return this.#vault.value;
  }

  setMaxSwapLegs(maximum: bigint): void {
    this.#demandOperator();
    demand(maximum >= 1n && maximum <= 32n, "InvalidLegCount");
    this.state.emit(this.address, "MaxSwapLegsSet", this.legMaximum.value, maximum);
    this.legMaximum.value = maximum;
  }

  setBlacklisted(user: Address, listed: boolean): void {
    this.roles.demand("BLACKLISTER_ROLE");
    this.#flags.set(["blacklist", user], listed);
    this.state.emit(this.address, "UserBlacklistUpdated", user, listed);
  }

  blacklisted(user: Address): boolean {
    return this.#flags.get("blacklist", user);
  }

  paused(): boolean {
    return this.#paused.value;
  }

  pause(): void {
    if (!this.roles.has("OPERATOR_ROLE", this.state.caller)) this.roles.demand("EXTERNAL_PAUSER_ROLE");
    demand(!this.paused(), "EnforcedPause");
    this.#paused.value = true;
    this.state.emit(this.address, "Paused", this.state.caller);
  }

  unpause(): void {
    this.#demandOperator();
    demand(this.paused(), "ExpectedPause");
    this.#paused.value = false;
    this.state.emit(this.address, "Unpaused", this.state.caller);
  }

  #demandOperator(): void {
    this.roles.demand("OPERATOR_ROLE");
  }
}
