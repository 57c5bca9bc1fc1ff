/**
 * Classes of `transaction_by_filter`: small integers that stand for everything a history filter asks of a transaction,
 * apart from its wallet and hash. Handlers file a transaction under its class; the API turns filters into the list of
 * classes that satisfy them.
 */

/** Top-level entrypoints that can be decoded. The position of a name is stored: only ever append. */
export const ENTRYPOINTS = ["swap", "addToWhitelist", "removeFromWhitelist"] as const;

export type Entrypoint = (typeof ENTRYPOINTS)[number];

export interface FilterTraits {
  readonly outcome: "success" | "revert";
  readonly hasSwap: boolean;
  readonly hasAllowlistChange: boolean;
  /** Null when the top-level call does not decode. */
  readonly entrypoint: Entrypoint | null;
}

/** Conditions on a transaction, joined by AND; an absent one admits everything. */
export interface FilterConditions {
  readonly outcome?: "success" | "revert" | undefined;
  readonly activity?: "swap" | "allowlist" | undefined;
  /** Any name; one that is no known entrypoint admits nothing. */
  readonly entrypoint?: string | undefined;
}

export function filterClassOf({ outcome, hasSwap, hasAllowlistChange, entrypoint }: FilterTraits): number {
  const entrypointCode = entrypoint === null ? 0 : ENTRYPOINTS.indexOf(entrypoint) + 1;
  return (outcome === "revert" ? 1 : 0) | (hasSwap ? 2 : 0) | (hasAllowlistChange ? 4 : 0) | (entrypointCode << 3);
}

export function traitsOf(filterClass: number): FilterTraits {
  return {
    outcome: filterClass & 1 ? "revert" : "success",
    hasSwap: (filterClass & 2) !== 0,
    hasAllowlistChange: (filterClass & 4) !== 0,
    entrypoint: ENTRYPOINTS[(filterClass >> 3) - 1] ?? null,
  };
}

/**
 * Every class that a transaction of the history can have: a reverted one realized nothing, and one that realized
 * nothing is there for its decoded call.
 */
const OCCURRING_CLASSES: readonly number[] = Array.from(
  { length: (ENTRYPOINTS.length + 1) << 3 },
  (_, code) => code,
).filter((code) => {
  const { outcome, hasSwap, hasAllowlistChange, entrypoint } = traitsOf(code);
  const hasActivity = hasSwap || hasAllowlistChange;
  return hasActivity ? outcome === "success" : entrypoint !== null;
});

/** The classes whose transactions satisfy all conditions, ascending. */
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
