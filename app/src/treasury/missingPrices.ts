/** What can be said about a reserve while some of its assets have no price. */
import type { Schemas } from "../api/client.ts";

type Solvency = Pick<Schemas["TreasurySolvency"], "surplusUsdWad" | "unpricedAssetIds">;

/** `without USTB, GOLD` for the assets that reserve, surplus and ratio leave out; null when these are exact. */
export function withoutText({ unpricedAssetIds }: Solvency, symbolOf: (id: string) => string): string | null {
  return unpricedAssetIds.length === 0 ? null : `without ${unpricedAssetIds.map(symbolOf).join(", ")}`;
}

/** Whether the surplus is negative, and the assets left out may be worth what is missing. */
export function isShortfallUnknown({ surplusUsdWad, unpricedAssetIds }: Solvency): boolean {
  return unpricedAssetIds.length > 0 && BigInt(surplusUsdWad) < 0n;
}
