/**
 * Solvency of a yield-bearing stablecoin: compares what its delegate owes with its assets in custody and cold storage.
 */
import type { Address, Hex } from "viem";
import { divideUp, WAD, wadPerUnit } from "./scale.ts";
import { isPrice, valueUsdWad } from "./value.ts";

/** Credits of an account, in token units. */
export interface CreditedAccount {
  readonly account: Address;
  /** Main and withheld credits. */
  readonly credits: bigint;
  /**
   * Value of all credits at the block: withheld credits one to one, main credits times their multiplier, after accrual
   * of all posted days, rounded down. It excludes the part of a day that a redemption in a stablecoin is paid.
   */
  readonly value: bigint;
}

/** Custody or cold storage of the delegate. */
export interface ReserveAccount {
  readonly account: Address;
  /** Whether another delegate also names the account, and so may owe its assets. */
  readonly isShared: boolean;
}

/** An asset on the delegate's lists, with each account's balance. */
export interface ReserveAsset {
  readonly id: Hex;
  readonly kind: "rwa" | "stablecoin";
  readonly tokenAddress: Address;
  readonly decimals: number;
  /** CoreSwap's price, WAD; null when it has none or its adapter reverts. */
  readonly usdPerTokenWad: bigint | null;
  /** In token units. Each account occurs at most once. */
  readonly balances: readonly { readonly account: Address; readonly amount: bigint }[];
}

/** The inputs for the solvency of one delegate at one block. */
export interface SolvencyInputs {
  /** The delegate's own token. */
  readonly token: { readonly decimals: number; readonly usdPerTokenWad: bigint };
  /** Every account that has credits. */
  readonly creditedAccounts: readonly CreditedAccount[];
  readonly reserveAccounts: readonly ReserveAccount[];
  readonly assets: readonly ReserveAsset[];
}

/** An asset of the reserve with its sums. */
export interface ValuedAsset extends ReserveAsset {
  /** In all accounts, in token units. */
  readonly amount: bigint;
  /** The part in accounts that are shared with other delegates. */
  readonly sharedAmount: bigint;
  /** WAD, rounded down; null when the amount is not zero and there is no price. */
  readonly valueUsdWad: bigint | null;
}

/** Whether the reserve covers the liabilities; `values` in USD, WAD. */
export interface Solvency {
  /** All credits, in token units. */
  readonly credits: bigint;
  /** Value of all credits, in token units. */
  readonly liabilities: bigint;
  readonly liabilitiesUsdWad: bigint;
  readonly assets: readonly ValuedAsset[];
  /** Value of the assets that have a price. */
  readonly assetsUsdWad: bigint;
  /** The part in accounts that are shared with other delegates. */
  readonly sharedAssetsUsdWad: bigint;
  /** Assets less liabilities; negative when they do not cover them. Too low while assets lack a price. */
  readonly surplusUsdWad: bigint;
  /** Assets divided by liabilities, WAD, rounded down; null without liabilities. Too low while assets lack a price. */
  readonly ratioWad: bigint | null;
  /** Assets with an amount and without a price. */
  readonly unpricedAssetIds: readonly Hex[];
  /** Null when it depends on the value of assets without a price. */
  readonly isSolvent: boolean | null;
}

/**
 * Computes solvency. Liabilities are exact in token units, and their USD value rounds up; each asset rounds down. So a
 * reserve that is reported as solvent is solvent.
 * @throws RangeError when an account or token occurs twice, the holder of a balance is not an account of the reserve, or
 * something is owed in a token without a USD value
 */
export function solvencyOf({ token, creditedAccounts, reserveAccounts, assets }: SolvencyInputs): Solvency {
  requireOnce(
    "credited account",
    creditedAccounts.map(({ account }) => account),
  );
  requireOnce(
    "reserve account",
    reserveAccounts.map(({ account }) => account),
  );
  requireOnce(
    "token",
    assets.map(({ tokenAddress }) => tokenAddress),
  );
  const isShared = new Map(reserveAccounts.map((place) => [place.account.toLowerCase(), place.isShared]));

  const credits = sum(creditedAccounts.map((account) => account.credits));
  const liabilities = sum(creditedAccounts.map(({ value }) => value));
  if (liabilities > 0n && !isPrice(token.usdPerTokenWad)) {
    throw new RangeError(`the USD value of the token that is owed is ${token.usdPerTokenWad}`);
  }
  const liabilitiesUsdWad = divideUp(liabilities * wadPerUnit(token.decimals) * token.usdPerTokenWad, WAD);
  const valued = assets.map((asset) => valuedAsset(asset, isShared));
  const assetsUsdWad = sum(valued.map(({ valueUsdWad }) => valueUsdWad ?? 0n));
  const unpricedAssetIds = valued.filter(({ valueUsdWad }) => valueUsdWad === null).map(({ id }) => id);
  const isCovered = assetsUsdWad >= liabilitiesUsdWad;
  return {
    credits,
    liabilities,
    liabilitiesUsdWad,
    assets: valued,
    assetsUsdWad,
    sharedAssetsUsdWad: sum(
      valued.map(({ sharedAmount, decimals, usdPerTokenWad }) =>
        usdPerTokenWad === null ? 0n : valueUsdWad(sharedAmount, { decimals, usdPerTokenWad }),
      ),
    ),
    surplusUsdWad: assetsUsdWad - liabilitiesUsdWad,
    ratioWad: liabilitiesUsdWad === 0n ? null : (assetsUsdWad * WAD) / liabilitiesUsdWad,
    unpricedAssetIds,
    isSolvent: isCovered || unpricedAssetIds.length === 0 ? isCovered : null,
  };
}

function valuedAsset(asset: ReserveAsset, isShared: ReadonlyMap<string, boolean>): ValuedAsset {
  const { balances, decimals, usdPerTokenWad } = asset;
  requireOnce(
    `holder of ${asset.tokenAddress}`,
    balances.map(({ account }) => account),
  );
  const amount = sum(balances.map((balance) => balance.amount));
  const sharedAmount = sum(
    balances.map((balance) => {
      const shared = isShared.get(balance.account.toLowerCase());
      if (shared === undefined) throw new RangeError(`${balance.account} is not an account of the reserve`);
      return shared ? balance.amount : 0n;
    }),
  );
  if (usdPerTokenWad === null) return { ...asset, amount, sharedAmount, valueUsdWad: amount === 0n ? 0n : null };
  return { ...asset, amount, sharedAmount, valueUsdWad: valueUsdWad(amount, { decimals, usdPerTokenWad }) };
}

function requireOnce(what: string, addresses: readonly Address[]): void {
  const seen = new Set<string>();
  for (const address of addresses) {
    const key = address.toLowerCase();
    if (seen.has(key)) throw new RangeError(`${what} ${address} occurs twice`);
    seen.add(key);
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
