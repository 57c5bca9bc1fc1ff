/**
 * Rebuilds the model's settings from the events of a chain. Settings that only block requested legs (CoreSwap's pause,
 * holder registers, risk controls, guardrails) are omitted: a swap that the chain settled was not blocked. Settings
 * that can prevent only a sweep are applied.
 */
import { type Address, getAddress, type Hex, zeroAddress } from "viem";
import type { RealizedLeg } from "../e2e/oracle/history.ts";
import { MAX_UINT256, WAD } from "./arithmetic.ts";
import type { CoreSwapModel } from "./contracts/coreSwap.ts";
import type { Protocol } from "./contracts/protocol.ts";
import type { PairRate } from "./contracts/registry.ts";
import type { Token } from "./contracts/token.ts";
import type { TreasuryDelegateModel } from "./contracts/treasuryDelegate.ts";
import type { ModelEvent } from "./state.ts";

/** Has every role of the replayed contracts, because the holders on the chain do not matter here. */
const ADMINISTRATOR = getAddress("0x00000000000000000000000000000000000000ad");

interface StablecoinEntry {
  readonly decimals: number;
  readonly delegate: Address;
  readonly token: Address;
  readonly yieldBearing: boolean;
}

type Apply = (contract: Address, args: readonly unknown[]) => void;

export class AdministrationReplay {
  readonly #protocol: Protocol;
  readonly #core: CoreSwapModel;
  readonly #stablecoins = new Map<Hex, StablecoinEntry>();
  readonly #rwaDecimals = new Map<Hex, number>();
  readonly #treasuryDelegates = new Map<Address, TreasuryDelegateModel>();
  readonly #treasuryTokens = new Set<Address>();
  readonly #handlers: Readonly<Record<string, Apply>>;

  /** @param registrations the acceptance events of the whole chain, so that every contract exists from its beginning */
  constructor(protocol: Protocol, core: Address, registrations: readonly ModelEvent[]) {
    this.#protocol = protocol;
    const parties = { admin: ADMINISTRATOR, operator: ADMINISTRATOR, vault: zeroAddress };
    this.#core = protocol.addCoreSwap(core, parties, () => true);
    protocol.state.caller = ADMINISTRATOR;
    this.#core.roles.give("BLACKLISTER_ROLE", ADMINISTRATOR);
    this.#core.setMaxSwapLegs(32n);
    this.#createContracts(registrations);
    this.#handlers = { ...this.#assetHandlers(), ...this.#delegateHandlers(), ...this.#treasuryHandlers() };
  }

  isTreasuryDelegate(address: Address): boolean {
    return this.#treasuryDelegates.has(address);
  }

  /** Applies the events of a transaction in their order. */
  apply(timestamp: bigint, events: readonly ModelEvent[]): void {
    this.#protocol.state.now = timestamp;
    for (const { contract, name, args } of events) {
      this.#protocol.state.caller = ADMINISTRATOR;
      // Delegates repeat some of CoreSwap's events under the same names.
      const handler = this.#handlers[`${contract === this.#core.address ? "core " : ""}${name}`];
      handler?.(contract, args);
    }
  }

  approve(token: Token, owner: Address, spender: Address, value: bigint): void {
    this.#protocol.state.caller = owner;
    token.approve(spender, value);
  }

  /** The LP, fees and worth of a leg, from the arguments of its event. */
  worthOf(swap: readonly unknown[]): Pick<RealizedLeg, "lpAddress" | "worth" | "feesWad"> {
    const [, assetIn, assetOut, , , , settling] = swap as readonly Hex[];
    const [amountIn, amountOut, ...fees] = swap.slice(7) as [bigint, bigint, bigint, bigint, bigint];
    const stablecoinIn = this.#stablecoins.get(assetIn as Hex);
    const stablecoinOut = this.#stablecoins.get(assetOut as Hex);
    const lp = this.#stablecoins.get(settling as Hex);
    if (!lp) throw new Error(`${settling} settles and is not a stablecoin`);
    const wad = (amount: bigint, { decimals }: StablecoinEntry) => amount * 10n ** BigInt(18 - decimals);
    const [issuer, spread, lpPart] = fees;
    const charged = {
      lpAddress: lp.delegate.toLowerCase() as Address,
      feesWad: { issuer: wad(issuer, lp), spread: wad(spread, lp), lp: wad(lpPart, lp) },
    };
    if (stablecoinIn) return { ...charged, worth: { kind: "stablecoin", valueWad: wad(amountIn, stablecoinIn) } };
    if (stablecoinOut) {
      const gross = fees.reduce((total, fee) => total + fee, amountOut);
      return { ...charged, worth: { kind: "stablecoin", valueWad: wad(gross, stablecoinOut) } };
    }
    const decimals = this.#rwaDecimals.get(assetIn as Hex);
    if (decimals === undefined) throw new Error(`${assetIn} comes in and is not an asset`);
    return { ...charged, worth: { kind: "rwa", assetId: assetIn as Hex, amount: amountIn, decimals } };
  }

  #createContracts(registrations: readonly ModelEvent[]): void {
    const known = new Set<Address>();
    const isNew = (address: Address) => !known.has(address) && known.add(address) !== undefined;
    for (const { name, args } of registrations) {
      if (name === "RwaPriceAdapterSet") {
        const [, adapter] = args as [Hex, Address];
        if (adapter !== zeroAddress && isNew(adapter)) this.#protocol.addPrice(adapter, 0n);
      }
      if (name === "RWAAcceptanceSet") {
        const [, , token, decimals] = args as [Hex, Address, Address, number];
        if (isNew(token)) this.#protocol.addToken(token, decimals);
      }
      if (name === "StablecoinAcceptanceSet") {
        const [id, delegate, token, decimals, , yieldBearing] = args as [
          Hex,
          Address,
          Address,
          number,
          boolean,
          boolean,
        ];
        if (isNew(token)) {
          if (yieldBearing) this.#createTreasuryToken(token);
          else this.#protocol.addToken(token, decimals);
        }
        if (isNew(delegate)) this.#createDelegate(id, delegate, token, yieldBearing);
      }
    }
  }

  #createTreasuryToken(address: Address): void {
    this.#treasuryTokens.add(address);
    const { roles } = this.#protocol.addTreasuryToken(address, ADMINISTRATOR);
    for (const role of ["WHITELISTER_ROLE", "BLACKLISTER_ROLE", "PAUSER_ROLE"]) roles.give(role, ADMINISTRATOR);
  }

  /** Applies a pause of a token. Delegates report theirs with `PauseCauseSet`. */
  #pauseToken(address: Address, isSet: boolean): void {
    if (!this.#treasuryTokens.has(address)) return;
    const token = this.#protocol.treasuryToken(address);
    if (isSet) token.pause();
    else token.unpause();
  }

  #setPauseCauses(address: Address, emergency: boolean, issuer: boolean): void {
    const delegate = this.#protocol.delegate(address);
    if (emergency && !delegate.emergencyPaused()) delegate.pause();
    if (!emergency && delegate.emergencyPaused()) delegate.unpause();
    if (issuer && !delegate.issuerPaused()) delegate.pauseCore();
    if (!issuer && delegate.issuerPaused()) delegate.unpauseCore();
  }

  #createDelegate(stablecoinID: Hex, address: Address, token: Address, yieldBearing: boolean): void {
    const common = { stablecoinID, address, core: this.#core, admin: ADMINISTRATOR, issuerAdmin: ADMINISTRATOR };
    if (!yieldBearing) {
      this.#protocol.addBalanceSheetDelegate({ ...common, token: this.#protocol.token(token) });
      return;
    }
    const delegate = this.#protocol.addTreasuryDelegate({
      ...{ ...common, token: this.#protocol.treasuryToken(token), ratePoster: ADMINISTRATOR, timestamp: 0n },
      // Events contain net rates, from which no fee may be deducted again.
      ...{ initialRate: 0n, managementFee: 0n },
    });
    delegate.setMaxDailyRate(WAD);
    this.#treasuryDelegates.set(address, delegate);
  }

  #assetHandlers(): Record<string, Apply> {
    const core = this.#core;
    const pairRate =
      (kind: PairRate): Apply =>
      (_, args) =>
        core.setPairRate(kind, ...(args as [Hex, Hex, bigint]));
    return {
      "core StablecoinAcceptanceSet": (_, args) => {
        const [id, delegate, token, decimals, accepted, yieldBearing] = args as [
          ...[Hex, Address, Address, number, boolean, boolean],
        ];
        core.setStablecoinAcceptance(id, delegate, token, accepted, yieldBearing);
        this.#stablecoins.set(id, { decimals, delegate, token, yieldBearing });
        this.#rwaDecimals.delete(id);
      },
      "core RWAAcceptanceSet": (_, args) => {
        const [id, , token, decimals, accepted] = args as [Hex, Address, Address, number, boolean];
        core.setRWAAcceptance(id, zeroAddress, token, accepted);
        this.#rwaDecimals.set(id, decimals);
        this.#stablecoins.delete(id);
      },
      "core RwaPriceAdapterSet": (_, args) => core.setRwaPriceAdapter(...(args as [Hex, Address])),
      "core StablecoinUSDValueSet": (_, args) => core.setStablecoinUSDValue(...(args as [Hex, bigint])),
      "core IssuerPaidProtocolFeeRateSet": (_, [id, , rate]) =>
        core.setIssuerPaidProtocolFeeRate(id as Hex, rate as bigint),
      "core SpreadProtocolTakeRateSet": (_, [, rate]) => core.setSpreadProtocolTakeRate(rate as bigint),
      "core ProtocolFeeExemptSet": (_, args) => core.setProtocolFeeExempt(...(args as [Hex, boolean])),
      "core CoreVaultSet": (_, [, vault]) => core.setCoreVault(vault as Address),
      "core AutoLiquidityStablecoinIDSet": (_, args) => core.setAutoLiquidity(...(args as [Hex, Hex])),
      "core DiscountRateSet": pairRate("discount"),
      "core RedemptionFeeSet": pairRate("redemption"),
      "core StablecoinAcceptanceFeeSet": pairRate("acceptance"),
      "core StablecoinRedemptionFeeSet": pairRate("stablecoinRedemption"),
      "core SwapInputAllowanceSet": (_, [user, operator, asset, amount]) => {
        this.#protocol.state.caller = user as Address;
        core.adjustSwapInputAllowance(operator as Address, asset as Hex, MAX_UINT256, false);
        core.adjustSwapInputAllowance(operator as Address, asset as Hex, amount as bigint, true);
      },
      "core UserBlacklistUpdated": (_, args) => core.setBlacklisted(...(args as [Address, boolean])),
      NavPosted: (adapter, [price]) => this.#protocol.price(adapter).setPrice(price as bigint),
      Approval: (token, [owner, spender, value]) =>
        this.approve(this.#protocol.token(token), owner as Address, spender as Address, value as bigint),
    };
  }

  #delegateHandlers(): Record<string, Apply> {
    const custody =
      (set: "setRWACustodyAddress" | "setStablecoinCustodyAddress"): Apply =>
      (address, [account]) => {
        const delegate = this.#protocol.delegate(address);
        this.#protocol.state.caller = account as Address;
        delegate.acceptCustody();
        this.#protocol.state.caller = ADMINISTRATOR;
        delegate.setCustodyListing(account as Address, true, true);
        delegate[set](account as Address);
      };
    return {
      BlacklistUpdated: (address, args) =>
        this.#protocol.delegate(address).setBlacklist(...(args as [Address, boolean])),
      RWACustodyAddressSet: custody("setRWACustodyAddress"),
      StablecoinCustodyAddressSet: custody("setStablecoinCustodyAddress"),
      IntakeCapSet: (address, args) => this.#protocol.delegate(address).setIntakeCap(...(args as [Address, bigint])),
      PauseCauseSet: (address, [, emergency, issuer]) =>
        this.#setPauseCauses(address, emergency as boolean, issuer as boolean),
      RWAWhitelist: (address, args) => this.#protocol.delegate(address).whitelistRWA(...(args as [Address, boolean])),
      StablecoinWhitelist: (address, args) =>
        this.#protocol.delegate(address).whitelistStablecoin(...(args as [Address, boolean])),
    };
  }

  #treasuryHandlers(): Record<string, Apply> {
    const delegate = (address: Address) => {
      const found = this.#treasuryDelegates.get(address);
      if (!found) throw new Error(`${address} is not the treasury's delegate`);
      return found;
    };
    return {
      AddedToBlacklist: (token, [account]) => this.#protocol.treasuryToken(token).addToBlacklist(account as Address),
      RemovedFromBlacklist: (token, [account]) =>
        this.#protocol.treasuryToken(token).removeFromBlacklist(account as Address),
      Paused: (address) => this.#pauseToken(address, true),
      Unpaused: (address) => this.#pauseToken(address, false),
      AddedToWhitelist: (token, [account]) => this.#protocol.treasuryToken(token).addToWhitelist(account as Address),
      RemovedFromWhitelist: (token, [account]) =>
        this.#protocol.treasuryToken(token).removeFromWhitelist(account as Address),
      DailyRatePosted: (address, args) => delegate(address).postDailyRate(...(args as [bigint, bigint])),
      DailyRateCorrected: (address, [day, , rate]) => delegate(address).correctDailyRate(day as bigint, rate as bigint),
      MaxFallbackRateSecondsUpdated: (address, [, window]) =>
        delegate(address).setMaxFallbackRateSeconds(window as bigint),
      CreditsMoved: (address, [from, to, withheld, main]) =>
        delegate(address).moveCredits(from as Address, to as Address, (withheld as bigint) + (main as bigint)),
      YieldMultiplierUpdated: (address, [user, , multiplier]) =>
        delegate(address).setUserYieldMultiplier(user as Address, multiplier as bigint),
    };
  }
}
