/** Prices of the assets of a network in US dollars. */
import type { Schemas } from "../api/client.ts";

/** The NAV that the adapter posted last, or the price that was read from an adapter that posts none. */
export function priceOf({ nav, price, priceAdapter }: Schemas["RwaTerms"]) {
  if (nav !== null) return { usdWad: nav.navWad, source: "posted", at: nav.postedAt };
  if (price === null) return null;
  // While the current adapter has not been read, the API names the newest price of a former one.
  const source = price.priceAdapter === priceAdapter ? "read" : "read from a former adapter";
  return { usdWad: price.priceUsdWad, source, at: price.fetchedAt };
}

/** USD per whole token times 10^18, by the asset's ID. Assets without a price are left out. */
export function pricesById({
  stablecoins,
  rwas,
}: Pick<Schemas["Assets"], "stablecoins" | "rwas">): Map<string, bigint> {
  const prices = [
    ...stablecoins.map(({ stablecoinId, usdValueWad }) => [stablecoinId, usdValueWad] as const),
    ...rwas.map((rwa) => [rwa.rwaId, priceOf(rwa)?.usdWad ?? null] as const),
  ];
  return new Map(prices.flatMap(([id, usdWad]) => (usdWad === null ? [] : [[id, BigInt(usdWad)] as const])));
}
