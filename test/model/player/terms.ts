/** The accounts and the assets of the scenarios. */
import { type Address, getAddress, type Hex, keccak256, parseEther, stringToHex, toHex } from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";
import { MNEMONIC } from "../../../localnet/wallets.ts";

/** Accounts with credits, and with keys that sign permits. */
export const USERS: readonly HDAccount[] = Array.from({ length: 26 }, (_, addressIndex) =>
  mnemonicToAccount(MNEMONIC, { addressIndex }),
);

const ACTOR_NAMES = [
  "deployer",
  "admin",
  "operator",
  "blacklister",
  "pauser",
  "vault",
  "ratePoster",
  "navPoster",
  /** Issuer admin of every LP. */
  "issuer",
  "treasuryRwaCustody",
  "treasuryStablecoinCustody",
  "rwaCustody",
  "stablecoinCustody",
  /** Consents to be custody and is never listed for it. */
  "unlistedCustody",
  /** Corrects rates, and has no other role. */
  "rateCorrector",
  /** Mints what came from another chain. */
  "bridge",
  /** Administers every delegate in addition to `admin`. */
  "secondAdmin",
  /** Holds standing allowances. */
  "broker",
  /** Submits permits that users signed. */
  "relayer",
  /** Has no role. */
  "stranger",
] as const;

export type ActorName = (typeof ACTOR_NAMES)[number];

/** The node sends their transactions without keys. */
export const ACTORS = Object.fromEntries(
  ACTOR_NAMES.map((name) => [name, getAddress(`0x${keccak256(stringToHex(name)).slice(-40)}`)]),
) as Readonly<Record<ActorName, Address>>;

export interface StablecoinTerms {
  readonly symbol: string;
  readonly decimals: number;
  readonly usdWad: bigint;
  /** Whether the LP has separate custody accounts. If not, the delegate itself is the custody. */
  readonly hasCustodyAccounts: boolean;
}

export const STABLECOINS: readonly StablecoinTerms[] = [
  { symbol: "S0", decimals: 0, usdWad: parseEther("1"), hasCustodyAccounts: false },
  { symbol: "S6", decimals: 6, usdWad: parseEther("1"), hasCustodyAccounts: true },
  { symbol: "S8", decimals: 8, usdWad: parseEther("1.0004"), hasCustodyAccounts: false },
  { symbol: "S18", decimals: 18, usdWad: parseEther("0.9995"), hasCustodyAccounts: false },
];

export interface RwaTerms {
  readonly symbol: string;
  readonly decimals: number;
  /** First NAV. */
  readonly usdWad: bigint;
  /** Days for which a NAV is served. Zero means without end. */
  readonly maxAgeDays: bigint;
}

export const RWAS: readonly RwaTerms[] = [
  { symbol: "R0", decimals: 0, usdWad: parseEther("2651.4"), maxAgeDays: 0n },
  { symbol: "R6", decimals: 6, usdWad: parseEther("1.0523"), maxAgeDays: 0n },
  { symbol: "R8", decimals: 8, usdWad: parseEther("0.999999999999999999"), maxAgeDays: 250n },
  { symbol: "R18", decimals: 18, usdWad: parseEther("104.375216"), maxAgeDays: 0n },
];

/** The RWA with a register of holders, and the one with risk controls. */
export const REGISTERED_RWA = "R18";
export const CONTROLLED_RWA = "R8";
/** Units of the controlled RWA in each direction before the risk control refuses. */
export const RISK_CAP = 3n * 10n ** 13n;
/** The stablecoin whose buffer is filled from the treasury and swept into it. */
export const SWEPT_STABLECOIN = "S6";

/** The band of every stablecoin, as a WAD fraction. */
export const GUARDRAIL_BAND = parseEther("0.01");

/** Limits of a NAV's move in one post and within a day, as WAD fractions. */
export const MAX_NAV_MOVE = parseEther("0.05");
export const MAX_NAV_MOVE_PER_DAY = parseEther("0.08");

/** An ID that is registered again and again until it is accepted, and a second token for it. */
export const TRIAL = "TRIAL";
export const SECOND_TRIAL_TOKEN = "TRIAL second";

/** Whole tokens that sweeps may deposit before the custody allows more. */
export const SWEEP_ALLOWANCE = 200_000n;

export const TREASURY = "TRSY";
export const TREASURY_TERMS = { rate: parseEther("0.05"), managementFee: parseEther("0.005") } as const;

/** Whole tokens: far more than a scenario moves, except for the buffer that must run out. */
export const DEEP = 10n ** 12n;
export const SHALLOW = 50_000n;

export function assetId(symbol: string): Hex {
  return keccak256(toHex(symbol));
}
