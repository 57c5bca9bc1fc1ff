/** The assets that can be swapped, and between which of them there is a leg. */
import { type AssetToken, type LegTokens, type StablecoinToken, settlementsOf } from "@coreswap/sdk";
import type { Address, Hex } from "viem";
import type { Schemas } from "../api/client.ts";
import { assetIdText, namesOfTerms } from "../format/names.ts";
import type { SwapSearch } from "../search.ts";

export type Action = NonNullable<SwapSearch["action"]>;

/** An asset that CoreSwap accepts. Its symbol is of this asset alone, see `assetNames`. */
export type Tradable = AssetToken & { readonly symbol: string };
export type Settling = StablecoinToken & { readonly symbol: string };

/** A leg without its amount. */
export interface Pair extends LegTokens {
  readonly action: Action;
  readonly assetIn: Tradable;
  readonly assetOut: Tradable;
  readonly settlement: Settling;
}

/** What the form offers, and what is chosen. */
export interface Choice {
  readonly action: Action;
  readonly assetsIn: readonly Tradable[];
  /** Undefined when the URL names one that is not offered, or nothing is. The same for the others. */
  readonly assetIn: Tradable | undefined;
  /** Those that some LP swaps for the chosen asset in. */
  readonly assetsOut: readonly Tradable[];
  readonly assetOut: Tradable | undefined;
  /** LPs that deal in both. */
  readonly settlements: readonly Settling[];
  readonly settlement: Settling | undefined;
  /** Null until all of it is chosen. */
  readonly pair: Pair | null;
  /** Whether the URL names an asset or LP that is not offered. */
  readonly isOther: boolean;
}

/** The assets of a network and what each LP deals in. */
export class Market {
  readonly #assets: readonly Tradable[];
  /** By the id of an LP's stablecoin: ids of the other assets for which it has a rate. */
  readonly #dealtIn: ReadonlyMap<string, ReadonlySet<string>>;

  constructor({ stablecoins, rwas }: Pick<Schemas["Assets"], "stablecoins" | "rwas">) {
    const idOfToken = new Map(stablecoins.map(({ tokenAddress, stablecoinId }) => [tokenAddress, stablecoinId]));
    this.#dealtIn = new Map(
      stablecoins.map(({ stablecoinId, rwaRates, stablecoinRates }) => [
        stablecoinId,
        new Set([
          ...rwaRates.map(({ rwaId }) => rwaId),
          ...stablecoinRates.flatMap(({ tokenAddress }) => idOfToken.get(tokenAddress) ?? []),
        ]),
      ]),
    );
    const names = namesOfTerms({ stablecoins, rwas });
    const symbolOf = (id: string) => names.get(id) ?? assetIdText(id);
    this.#assets = [
      ...stablecoins
        .filter(({ accepted }) => accepted)
        .map((terms) => stablecoinOf(terms, symbolOf(terms.stablecoinId))),
      ...rwas.filter(({ accepted }) => accepted).map((terms) => rwaOf(terms, symbolOf(terms.rwaId))),
    ];
  }

  /** What the parameters of a URL choose; the first of what is offered where they choose nothing. */
  choose(search: SwapSearch): Choice {
    const action = search.action ?? "swap";
    const of = (isTreasury: boolean) => this.#assets.filter((asset) => isYieldBearing(asset) === isTreasury);
    const candidates = of(action === "deposit");
    const assetsIn = of(action === "redeem").filter((assetIn) =>
      candidates.some((assetOut) => this.#settlements(assetIn, assetOut).length > 0),
    );
    const assetIn = chosenOf(assetsIn, search.assetIn);
    const payable = assetIn === undefined ? assetsIn : [assetIn];
    const assetsOut = candidates.filter((assetOut) =>
      payable.some((each) => this.#settlements(each, assetOut).length > 0),
    );
    const assetOut = chosenOf(assetsOut, search.assetOut);
    const settlements = assetIn && assetOut ? this.#settlements(assetIn, assetOut) : [];
    const settlement = chosenOf(settlements, search.lp);
    const pair = assetIn && assetOut && settlement ? { action, assetIn, assetOut, settlement } : null;
    const isOther = pair === null && assetsIn.length > 0;
    return { action, assetsIn, assetIn, assetsOut, assetOut, settlements, settlement, pair, isOther };
  }

  #settlements(assetIn: Tradable, assetOut: Tradable): readonly Settling[] {
    const possible = settlementsOf({ assetIn, assetOut });
    return (
      this.#assets
        .filter((asset): asset is Settling => asset.kind === "stablecoin")
        .filter(({ id }) => possible === null || possible.some((each) => each.id === id))
        .filter(({ id }) =>
          [assetIn, assetOut].every((asset) => asset.id === id || this.#dealtIn.get(id)?.has(asset.id)),
        )
        // In the order that the contract prefers.
        .sort((a, b) => (possible === null ? 0 : orderOf(possible, a) - orderOf(possible, b)))
    );
  }
}

function orderOf(settlements: readonly StablecoinToken[], { id }: StablecoinToken): number {
  return settlements.findIndex((each) => each.id === id);
}

function isYieldBearing(asset: Tradable): boolean {
  return asset.kind === "stablecoin" && asset.isYieldBearing;
}

/** What the URL names, and never another one in its place; the first one when it names none. */
function chosenOf<Asset extends Tradable>(offered: readonly Asset[], wanted: string | undefined): Asset | undefined {
  return wanted === undefined ? offered[0] : offered.find(({ id }) => id === wanted);
}

function stablecoinOf(terms: Schemas["StablecoinTerms"], symbol: string): Settling {
  const { stablecoinId, tokenAddress, decimals, lpAddress, yieldBearing } = terms;
  return {
    kind: "stablecoin",
    id: stablecoinId as Hex,
    symbol,
    tokenAddress: tokenAddress as Address,
    decimals,
    delegateAddress: lpAddress as Address,
    isYieldBearing: yieldBearing,
  };
}

function rwaOf({ rwaId, tokenAddress, decimals }: Schemas["RwaTerms"], symbol: string): Tradable {
  return {
    kind: "rwa",
    id: rwaId as Hex,
    symbol,
    tokenAddress: tokenAddress as Address,
    decimals,
  };
}
