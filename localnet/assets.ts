/**
 * Assets of the local chains and their terms, the same on every network. Rates are decimal fractions. Prices are USD
 * per whole token in WAD (1e18).
 *
 * They cover every case that the protocol distinguishes: 6, 8 and 18 decimals, a stablecoin whose value is not one
 * dollar, custody accounts, a delegate that keeps its own assets, rates that differ by LP and direction, a rate of
 * zero, the treasury token, and a custody that keeps its reserve in it.
 */
import { parseEther, parseUnits } from "viem";

export const WAD = 10n ** 18n;

export type StablecoinSymbol = "USDC" | "DAI";
export type RwaSymbol = "TBILL" | "MMF" | "CREDIT" | "GOLD";
/** Assets with a test token. */
export type AssetSymbol = StablecoinSymbol | RwaSymbol;
export type TreasurySymbol = "TRSY";
export type LegAsset = AssetSymbol | TreasurySymbol;
/** Stablecoins whose LP can settle a leg. */
export type LpSymbol = StablecoinSymbol | TreasurySymbol;

interface AssetTerms {
  readonly name: string;
  readonly decimals: number;
  /** NAV at deployment, or the USD value of a stablecoin. */
  readonly priceWad: bigint;
}

interface RwaTerms extends AssetTerms {
  readonly maxMovePerPostWad: bigint;
}

export const RWAS: Readonly<Record<RwaSymbol, RwaTerms>> = {
  TBILL: {
    name: "Treasury Bill Fund",
    decimals: 6,
    priceWad: parseEther("1.0523"),
    maxMovePerPostWad: parseEther("0.002"),
  },
  MMF: { name: "Money Market Fund", decimals: 18, priceWad: WAD, maxMovePerPostWad: parseEther("0.0003") },
  CREDIT: {
    name: "Private Credit Fund",
    decimals: 18,
    priceWad: parseEther("104.375216"),
    maxMovePerPostWad: parseEther("0.01"),
  },
  // Delisted during the history.
  GOLD: {
    name: "Gold Certificate",
    decimals: 8,
    priceWad: parseEther("2651.4"),
    maxMovePerPostWad: parseEther("0.005"),
  },
};

export interface PairTerms {
  readonly discountRate: string;
  readonly redemptionFee: string;
}

export interface StablecoinTerms extends AssetTerms {
  readonly issuerPaidProtocolFeeRate: string;
  readonly rwas: Readonly<Partial<Record<RwaSymbol, PairTerms>>>;
  readonly foreign: {
    readonly symbol: StablecoinSymbol;
    readonly acceptanceFee: string;
    readonly redemptionFee: string;
  };
}

export const STABLECOINS: Readonly<Record<StablecoinSymbol, StablecoinTerms>> = {
  USDC: {
    name: "USD Coin",
    decimals: 6,
    priceWad: WAD,
    issuerPaidProtocolFeeRate: "0.0005",
    rwas: {
      TBILL: { discountRate: "0.0015", redemptionFee: "0.001" },
      MMF: { discountRate: "0.0005", redemptionFee: "0.0004" },
      CREDIT: { discountRate: "0.01", redemptionFee: "0.005" },
      GOLD: { discountRate: "0.004", redemptionFee: "0.003" },
    },
    foreign: { symbol: "DAI", acceptanceFee: "0.0002", redemptionFee: "0.0003" },
  },
  DAI: {
    name: "Dai Stablecoin",
    decimals: 18,
    priceWad: parseEther("0.9998"),
    issuerPaidProtocolFeeRate: "0.0002",
    rwas: {
      TBILL: { discountRate: "0.002", redemptionFee: "0.0012" },
      MMF: { discountRate: "0", redemptionFee: "0.0003" },
      CREDIT: { discountRate: "0.012", redemptionFee: "0.006" },
    },
    foreign: { symbol: "USDC", acceptanceFee: "0", redemptionFee: "0.0001" },
  },
};

/** The treasury token and its LP, which lists every plain stablecoin at the same rates. */
export const TREASURY = {
  symbol: "TRSY",
  terms: { name: "Treasury", decimals: 18, priceWad: WAD },
  initialRate: "0.045",
  managementFee: "0.005",
  issuerPaidProtocolFeeRate: "0.0001",
  rwas: {
    TBILL: { discountRate: "0.0012", redemptionFee: "0.0008" },
    MMF: { discountRate: "0.0003", redemptionFee: "0.0003" },
  },
  foreign: { acceptanceFee: "0", redemptionFee: "0.0001" },
} as const satisfies {
  readonly symbol: TreasurySymbol;
  readonly terms: AssetTerms;
  readonly rwas: Readonly<Partial<Record<RwaSymbol, PairTerms>>>;
  readonly [term: string]: unknown;
};

/** RWAs that the treasury LP deals in. */
export const TREASURY_RWAS = Object.keys(TREASURY.rwas) as (keyof typeof TREASURY.rwas)[];

export const STABLECOIN_SYMBOLS = Object.keys(STABLECOINS) as StablecoinSymbol[];
export const RWA_SYMBOLS = Object.keys(RWAS) as RwaSymbol[];
export const ASSET_SYMBOLS: readonly AssetSymbol[] = [...STABLECOIN_SYMBOLS, ...RWA_SYMBOLS];

/** The asset that is delisted during the history. */
export const DELISTED_RWA = "GOLD" satisfies RwaSymbol;
/** The stablecoin whose delegate is replaced during the history. */
export const REPLACED_LP = "DAI" satisfies StablecoinSymbol;
/** The stablecoin with a guardrail, and its band as a WAD fraction. */
export const GUARDED_STABLECOIN = "USDC" satisfies StablecoinSymbol;
export const GUARDRAIL_BAND_WAD = parseEther("0.01");
/** The stablecoin whose custody keeps its reserve in the treasury token. */
export const RESERVED_STABLECOIN = "USDC" satisfies StablecoinSymbol;

export function assetTerms(symbol: LegAsset): AssetTerms {
  if (symbol === TREASURY.symbol) return TREASURY.terms;
  return symbol in RWAS ? RWAS[symbol as RwaSymbol] : STABLECOINS[symbol as StablecoinSymbol];
}

/** Whether the LP of a stablecoin deals in an RWA. */
export function dealsIn(stablecoin: StablecoinSymbol, rwa: RwaSymbol): boolean {
  return STABLECOINS[stablecoin].rwas[rwa] !== undefined;
}

/** Converts whole tokens to the token's smallest units. */
export function wholeTokens(symbol: LegAsset, count: bigint): bigint {
  return parseUnits(count.toString(), assetTerms(symbol).decimals);
}

/** Daily intake cap of each asset that has one, in whole tokens: more than all that a custody starts with. */
export const INTAKE_CAP_TOKENS = 2_000_000_000n;
