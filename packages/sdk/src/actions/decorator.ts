/** All actions, bound to a client of viem and a deployment. */
import type { Hash } from "viem";
import {
  type AdjustSwapInputAllowanceParameters,
  adjustSwapInputAllowance,
  type GetSwapInputAllowanceParameters,
  getSwapInputAllowance,
} from "./allowance.ts";
import {
  type ApproveSwapParameters,
  approveSwap,
  type GetSwapApprovalsParameters,
  getSwapApprovals,
  type SwapApprovalState,
} from "./approvals.ts";
import { type GetSwapAssetsParameters, getSwapAssets, type SwapAsset } from "./assets.ts";
import type { Deployment, SwapClient } from "./client.ts";
import {
  getSwapPermitTypedData,
  type SignedSwap,
  type SignSwapPermitParameters,
  type SwapPermitParameters,
  type SwapPermitTypedData,
  signSwapPermit,
  type VerifySwapPermitParameters,
  verifySwapPermit,
} from "./permit.ts";
import { type GetTreasuryPositionParameters, getTreasuryPosition, type TreasuryPosition } from "./position.ts";
import {
  type LegQuote,
  type QuoteLegParameters,
  type QuoteTreasuryParameters,
  quoteDeposit,
  quoteLeg,
  quoteRedemption,
} from "./quote.ts";
import {
  deposit,
  redeem,
  type SimulateSwapParameters,
  type SwapParameters,
  simulateSwap,
  swap,
  type TreasurySwapParameters,
} from "./swap.ts";

/** Parameters of an action without the deployment, which the decorator adds. Keeps the alternatives of a union. */
type Bound<Parameters> = Parameters extends unknown ? Omit<Parameters, keyof Deployment> : never;

/**
 * The actions; the functions of the same names describe them. It is a type and not an interface, because viem extends
 * clients by records.
 */
export type CoreSwapActions = {
  getSwapAssets(parameters: Bound<GetSwapAssetsParameters>): Promise<SwapAsset[]>;
  quoteLeg(parameters: Bound<QuoteLegParameters>): Promise<LegQuote>;
  quoteDeposit(parameters: Bound<QuoteTreasuryParameters>): Promise<LegQuote>;
  quoteRedemption(parameters: Bound<QuoteTreasuryParameters>): Promise<LegQuote>;
  getSwapApprovals(parameters: GetSwapApprovalsParameters): Promise<SwapApprovalState[]>;
  approveSwap(parameters: ApproveSwapParameters): Promise<Hash>;
  simulateSwap(parameters: Bound<SimulateSwapParameters>): Promise<void>;
  swap(parameters: Bound<SwapParameters>): Promise<Hash>;
  deposit(parameters: Bound<TreasurySwapParameters>): Promise<Hash>;
  redeem(parameters: Bound<TreasurySwapParameters>): Promise<Hash>;
  getSwapPermitTypedData(parameters: Bound<SwapPermitParameters>): Promise<SwapPermitTypedData>;
  signSwapPermit(parameters: Bound<SignSwapPermitParameters>): Promise<SignedSwap>;
  verifySwapPermit(parameters: Bound<VerifySwapPermitParameters>): Promise<boolean>;
  getSwapInputAllowance(parameters: Bound<GetSwapInputAllowanceParameters>): Promise<bigint>;
  adjustSwapInputAllowance(parameters: Bound<AdjustSwapInputAllowanceParameters>): Promise<Hash>;
  getTreasuryPosition(parameters: Bound<GetTreasuryPositionParameters>): Promise<TreasuryPosition>;
};

/**
 * Extends a client of viem by the actions of a deployment: `client.extend(coreSwapActions({ coreSwap }))`. Reading
 * needs only a client with a transport. Sending and signing also need an account, and sending needs a chain. Of a whole
 * deployment file, it takes `coreSwap` alone.
 */
export function coreSwapActions({ coreSwap }: Deployment): (client: SwapClient) => CoreSwapActions {
  return (client) => ({
    getSwapAssets: (parameters) => getSwapAssets(client, { ...parameters, coreSwap }),
    quoteLeg: (parameters) => quoteLeg(client, { ...parameters, coreSwap }),
    quoteDeposit: (parameters) => quoteDeposit(client, { ...parameters, coreSwap }),
    quoteRedemption: (parameters) => quoteRedemption(client, { ...parameters, coreSwap }),
    getSwapApprovals: (parameters) => getSwapApprovals(client, parameters),
    approveSwap: (parameters) => approveSwap(client, parameters),
    simulateSwap: (parameters) => simulateSwap(client, { ...parameters, coreSwap }),
    swap: (parameters) => swap(client, { ...parameters, coreSwap }),
    deposit: (parameters) => deposit(client, { ...parameters, coreSwap }),
    redeem: (parameters) => redeem(client, { ...parameters, coreSwap }),
    getSwapPermitTypedData: (parameters) => getSwapPermitTypedData(client, { ...parameters, coreSwap }),
    signSwapPermit: (parameters) => signSwapPermit(client, { ...parameters, coreSwap }),
    verifySwapPermit: (parameters) => verifySwapPermit(client, { ...parameters, coreSwap }),
    getSwapInputAllowance: (parameters) => getSwapInputAllowance(client, { ...parameters, coreSwap }),
    adjustSwapInputAllowance: (parameters) => adjustSwapInputAllowance(client, { ...parameters, coreSwap }),
    getTreasuryPosition: (parameters) => getTreasuryPosition(client, { ...parameters, coreSwap }),
  });
}
