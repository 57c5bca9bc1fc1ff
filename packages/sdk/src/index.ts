/**
 * Actions for clients of viem that swap, the arithmetic of the CoreSwap contracts in bigint, and the solvency of a
 * yield-bearing stablecoin.
 */
export {
  type AdjustSwapInputAllowanceParameters,
  adjustSwapInputAllowance,
  type GetSwapInputAllowanceParameters,
  getSwapInputAllowance,
} from "./actions/allowance.ts";
export {
  type ApproveSwapParameters,
  approvalsOf,
  approveSwap,
  type GetSwapApprovalsParameters,
  getSwapApprovals,
  type SwapApproval,
  type SwapApprovalState,
} from "./actions/approvals.ts";
export { type GetSwapAssetsParameters, getSwapAssets, type SwapAsset, UnknownAssetError } from "./actions/assets.ts";
export {
  AccountRequiredError,
  type BlockParameters,
  type Deployment,
  gasLimitOf,
  type SendParameters,
  type SwapClient,
} from "./actions/client.ts";
export { type CoreSwapActions, coreSwapActions } from "./actions/decorator.ts";
export {
  getSwapPermitTypedData,
  PermitDomainError,
  PermitSignatureError,
  type SignedSwap,
  type SignSwapPermitParameters,
  type SwapPermitParameters,
  type SwapPermitTypedData,
  signSwapPermit,
  type VerifySwapPermitParameters,
  verifySwapPermit,
} from "./actions/permit.ts";
export {
  type GetTreasuryPositionParameters,
  getTreasuryPosition,
  type TreasuryPosition,
  type WithheldRecord,
} from "./actions/position.ts";
export {
  boundedLegs,
  type ExactAmount,
  type LegQuote,
  type LegRequest,
  type QuoteLegParameters,
  type QuoteTreasuryParameters,
  quoteDeposit,
  quoteLeg,
  quoteRedemption,
} from "./actions/quote.ts";
export {
  deposit,
  extraGasOf,
  type RealizedLeg,
  realizedLegs,
  redeem,
  type SimulateSwapParameters,
  type SwapLegs,
  type SwapParameters,
  type SwapParties,
  type SwapPermit,
  simulateSwap,
  swap,
  swapCall,
  type TreasurySwapParameters,
} from "./actions/swap.ts";
export { type AtBlock, multicallAt, ReplacedBlockError, readAtBlock } from "./atBlock.ts";
export { type BlockRange, blockRanges } from "./blockRanges.ts";
export {
  amountForRedemptionValue,
  type CreditPosition,
  InsufficientCreditsError,
  redemptionValue,
} from "./credits.ts";
export { ContractRevertError, namingReverts } from "./errors/contractRevertError.ts";
export { NoContractError } from "./errors/noContractError.ts";
export { type DecodedRevert, decodeRevert, revertData } from "./errors/revert.ts";
export { showArguments } from "./errors/values.ts";
export { type FeeSplit, type LegRates, splitGross, splitNet } from "./fees.ts";
export { annualizedGrowthWad, dailyGrowthWad, nextIndex } from "./growth.ts";
export {
  type Asset,
  type AssetToken,
  amountsOfExactIn,
  amountsOfExactOut,
  approvalOf,
  type ExactSide,
  LegAmountError,
  type LegAmounts,
  type LegAssets,
  type LegTerms,
  type LegTokens,
  maximumIn,
  minimumOut,
  type Redemption,
  type Rwa,
  type RwaToken,
  routeIdOf,
  type Stablecoin,
  type StablecoinToken,
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
  readSolvencyInputs,
  readSolvencyInputsAt,
  type SolvencyReading,
} from "./solvencyReader.ts";
export { convertDown, convertUp, isLegAmount, type Priced, valueUsdWad } from "./value.ts";
