/** Whether the cap of an LP's own stablecoin applies. */
import type { Schemas } from "../api/client.ts";

type Liquidity = Pick<Schemas["LpLiquidity"], "stablecoinId" | "yieldBearing"> & {
  readonly holdings: readonly Pick<Schemas["LpHolding"], "kind" | "custody">[];
};

/**
 * The own stablecoin of a plain LP while one account other than the LP holds RWAs and stablecoins: its cap then does not
 * apply. Null for every other LP.
 */
export function uncountedIntakeOf({ stablecoinId, yieldBearing, holdings }: Liquidity, lp: string): string | null {
  if (yieldBearing || !holdings.some(({ kind }) => kind === "rwa")) return null;
  const custodies = new Set(holdings.map(({ custody }) => custody));
  return custodies.size === 1 && !custodies.has(null) && !custodies.has(lp) ? stablecoinId : null;
}
