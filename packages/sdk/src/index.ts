/** The arithmetic of the CoreSwap contracts in bigint, and the solvency of a yield-bearing stablecoin. */
export {
  amountForRedemptionValue,
  type CreditPosition,
  InsufficientCreditsError,
  redemptionValue,
} from "./credits.ts";
export { type FeeSplit, type LegRates, splitGross, splitNet } from "./fees.ts";
export { annualizedGrowthWad, dailyGrowthWad, nextIndex } from "./growth.ts";
export {
  type Asset,
  amountsOfExactIn,
  amountsOfExactOut,
  approvalOf,
  type ExactSide,
  LegAmountError,
  type LegAmounts,
  type LegAssets,
  type LegTerms,
  maximumIn,
  minimumOut,
  type Redemption,
  type Rwa,
  routeIdOf,
  type Stablecoin,
  type SwapInputs,
  settlementsOf,
  swapInputsOf,
} from "./leg.ts";
export { DAY_SECONDS, INDEX_ONE, WAD } from "./scale.ts";
export {
  type CreditedAccount,
  type ReserveAccount,
  type ReserveAsset,
  type Solvency,
  type SolvencyInputs,
  solvencyOf,
  type ValuedAsset,
} from "./solvency.ts";
export {
  type AssetReference,
  findCreditedAccounts,
  ReplacedBlockError,
  readSolvencyInputs,
  type SolvencyReading,
} from "./solvencyReader.ts";
export { convertDown, convertUp, isLegAmount, type Priced, usdValueWad } from "./value.ts";
