/** The value of credits when their tokens are redeemed. */
import { DAY_SECONDS, divideUp, INDEX_ONE, WAD } from "./scale.ts";

const DAY_WEIGHT = DAY_SECONDS * WAD;

/** Credits of an account, after all posted days are accrued and all credits that can merge are merged. */
export interface CreditPosition {
  /** Credits that are not merged; paid one to one. */
  readonly withheldCredits: bigint;
  readonly mainCredits: bigint;
  /** Value of a main credit, times 10^36; at least 10^36. */
  readonly multiplierE36: bigint;
  /**
   * Growth of the last posted day, WAD, times the seconds for which a redemption is paid at it. Zero when an RWA is paid,
   * which is paid whole days only.
   */
  readonly partialWeightWadSeconds: bigint;
}

/** A redemption needs more credits than the account has. */
export class InsufficientCreditsError extends Error {
  override readonly name = "InsufficientCreditsError";

  constructor(requested: bigint, available: bigint) {
    super(`a redemption of ${requested} token units needs as many credits, but the account has ${available}`);
  }
}

/**
 * Value of tokens redeemed, in token units: withheld credits are used first. Rounds down.
 * @throws InsufficientCreditsError
 */
export function redemptionValue(amount: bigint, position: CreditPosition): bigint {
  requireCredits(amount, position);
  const { withheldCredits, multiplierE36, partialWeightWadSeconds } = position;
  const fromWithheld = amount < withheldCredits ? amount : withheldCredits;
  const mainValue = ((amount - fromWithheld) * multiplierE36) / INDEX_ONE;
  return fromWithheld + mainValue + (mainValue * partialWeightWadSeconds) / DAY_WEIGHT;
}

/**
 * The fewest tokens whose redemption is worth at least a value, both in token units.
 * @throws InsufficientCreditsError
 */
export function amountForRedemptionValue(value: bigint, position: CreditPosition): bigint {
  const { withheldCredits, multiplierE36, partialWeightWadSeconds } = position;
  if (value <= withheldCredits) return value;
  const mainValue = divideUp((value - withheldCredits) * DAY_WEIGHT, DAY_WEIGHT + partialWeightWadSeconds);
  const amount = withheldCredits + divideUp(mainValue * INDEX_ONE, multiplierE36);
  requireCredits(amount, position);
  return amount;
}

function requireCredits(amount: bigint, { withheldCredits, mainCredits }: CreditPosition): void {
  const available = withheldCredits + mainCredits;
  if (amount > available) throw new InsufficientCreditsError(amount, available);
}
