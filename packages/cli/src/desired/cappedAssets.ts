/** The assets that an LP takes in, as the configuration lists them. */
import { hasOwnIntakeCap } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import type { System, SystemLp, Token } from "./system.ts";

export interface CappedAsset extends Token {
  /** The subject to which expectations about the asset belong. */
  readonly subject: string;
  readonly intakeCap: bigint;
}

/** The LP's own stablecoin, if the configuration gives it an intake cap that applies. */
export function ownAsset(lp: SystemLp): CappedAsset[] {
  const { intakeCap } = lp.terms;
  const counts = hasOwnIntakeCap({ ...lp, yieldBearing: lp.isYieldBearing, delegate: lp.contract.address });
  return typeof intakeCap === "bigint" && counts ? [{ ...lp, subject: `lp:${lp.symbol}`, intakeCap }] : [];
}

/** The assets that an LP trades and has not issued. */
export function foreignAssets({ rwas, lps }: System, { terms }: SystemLp): CappedAsset[] {
  const find = <Asset extends { readonly symbol: string }>(assets: readonly Asset[], symbol: string): Asset => {
    const asset = assets.find((candidate) => candidate.symbol === symbol);
    if (asset === undefined) throw new Failure(`the configuration has no ${symbol}, in which lp:${terms.symbol} deals`);
    return asset;
  };
  return [
    ...terms.rwas.map(({ symbol, intakeCap }) => ({ ...find(rwas, symbol), subject: `rwa:${symbol}`, intakeCap })),
    ...terms.stablecoins.map(({ symbol, intakeCap }) => ({ ...find(lps, symbol), subject: `lp:${symbol}`, intakeCap })),
  ];
}
