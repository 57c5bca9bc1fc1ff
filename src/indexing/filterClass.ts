/**
 * Classes of `transaction_by_filter`: small integers that encode everything a history filter asks of a transaction,
 * except its wallet and hash. Handlers store a transaction under its class; the API turns filters into the list of
 * classes that satisfy them.
 *
 * Bits of a class, from the lowest:
 *
 *     0       the transaction reverted
 *     1       it has a realized swap leg
 *     2       it has a realized change of the allowlist
 *     3 on    its entrypoint: 0 when the top-level call does not decode, else 1 plus the position in `ENTRYPOINTS`
 *
 * Classes are stored in `transaction` and `transaction_by_filter`: a change of this layout or of `ENTRYPOINTS` needs a
 * re-index.
 */

/** Top-level entrypoints that can be decoded. Positions are part of stored classes: only append to the list. */
export const ENTRYPOINTS = ["swap", "addToWhitelist", "removeFromWhitelist"] as const;

/** The name of an entrypoint that can be decoded. */
export type Entrypoint = (typeof ENTRYPOINTS)[number];

/** The traits of a transaction that its class encodes. */
export interface FilterTraits {
  readonly outcome: "success" | "revert";
  readonly hasSwap: boolean;
  readonly hasAllowlistChange: boolean;
  /** Null when the top-level call does not decode. */
  readonly entrypoint: Entrypoint | null;
}

/** Conditions on a transaction, joined by AND. An absent condition matches everything. */
interface FilterConditions {
  readonly outcome?: "success" | "revert" | undefined;
  readonly activity?: "swap" | "allowlist" | undefined;
  /** Any name. A name that is not a known entrypoint matches nothing. */
  readonly entrypoint?: string | undefined;
}

/** Returns the class of a transaction with these traits. */
export function filterClassOf({ outcome, hasSwap, hasAllowlistChange, entrypoint }: FilterTraits): number {
  const entrypointCode = entrypoint === null ? 0 : ENTRYPOINTS.indexOf(entrypoint) + 1;
  return (outcome === "revert" ? 1 : 0) | (hasSwap ? 2 : 0) | (hasAllowlistChange ? 4 : 0) | (entrypointCode << 3);
}

/** Returns the traits that a class encodes, as the inverse of `filterClassOf`. */
export function traitsOf(filterClass: number): FilterTraits {
  return {
    outcome: filterClass & 1 ? "revert" : "success",
    hasSwap: (filterClass & 2) !== 0,
    hasAllowlistChange: (filterClass & 4) !== 0,
    entrypoint: ENTRYPOINTS[(filterClass >> 3) - 1] ?? null,
  };
}

/**
 * Every class that a transaction of the history can have. A reverted transaction has no realized activity, and one
 * without activities is in the history because of its decoded call.
 */
const OCCURRING_CLASSES: readonly number[] = Array.from(
  { length: (ENTRYPOINTS.length + 1) << 3 },
  (_, code) => code,
).filter((code) => {
  const { outcome, hasSwap, hasAllowlistChange, entrypoint } = traitsOf(code);
  const hasActivity = hasSwap || hasAllowlistChange;
  return hasActivity ? outcome === "success" : entrypoint !== null;
});

/** Returns the classes whose transactions satisfy all conditions, ascending. */
export function classesMatching({ outcome, activity, entrypoint }: FilterConditions): number[] {
  return OCCURRING_CLASSES.filter((code) => {
    const traits = traitsOf(code);
    return (
      (outcome === undefined || traits.outcome === outcome) &&
      (activity !== "swap" || traits.hasSwap) &&
      (activity !== "allowlist" || traits.hasAllowlistChange) &&
      (entrypoint === undefined || traits.entrypoint === entrypoint)
    );
  });
}
