/** Swaps, deposits and redemptions: one transaction of one or more legs. */
import { coreSwapAbi } from "@coreswap/abi";
import {
  type Address,
  encodeFunctionData,
  type Hash,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  type Log,
  parseEventLogs,
} from "viem";
import type { LegAmounts, SwapInputs } from "../leg.ts";
import {
  accountOf,
  type BlockParameters,
  type Deployment,
  type SendParameters,
  type SwapClient,
  simulate,
  simulateAndSend,
} from "./client.ts";
import { boundedLegs, type LegQuote, requireYieldBearing } from "./quote.ts";

/** A user's signature over one call of `swap`. */
export interface SwapPermit {
  /** Last second, since 1970, at which the call may run. */
  readonly deadline: bigint;
  readonly signature: Hex;
}

/** Legs that swap together, all or nothing, in their order: quotes with a slippage, or legs with your own bounds. */
export type SwapLegs =
  | { readonly quotes: readonly LegQuote[]; readonly slippageBps: bigint; readonly legs?: undefined }
  | { readonly legs: readonly SwapInputs[]; readonly quotes?: undefined; readonly slippageBps?: undefined };

/** Who swaps for whom. */
export interface SwapParties {
  /** The user, who pays; by default the sender. For another user, the sender needs that user's allowance or permit. */
  readonly user?: Address | undefined;
  /** Who receives; by default the user. */
  readonly receiver?: Address | undefined;
  readonly permit?: SwapPermit | undefined;
}

export type SwapParameters = Deployment & SendParameters & SwapParties & SwapLegs;
export type SimulateSwapParameters = SwapParameters & BlockParameters;

/** Legs as the contract takes them. */
export function inputsOf(legs: SwapLegs): readonly SwapInputs[] {
  return legs.quotes === undefined ? legs.legs : boundedLegs(legs.quotes, legs.slippageBps);
}

/**
 * Simulates a swap without sending it, which also checks pauses, lists, balances, approvals and the liquidity of the
 * LPs.
 * @throws as `swap`
 */
export async function simulateSwap(client: SwapClient, parameters: SimulateSwapParameters): Promise<void> {
  const { coreSwap: to, blockNumber, blockTag } = parameters;
  const account = accountOf(client, parameters);
  return simulate(client, { account, to, data: callOf(account.address, parameters), block: { blockNumber, blockTag } });
}

/**
 * Simulates a swap of one or more legs, then sends it.
 * @returns hash of the transaction, which is not mined yet and can still revert: see `realizedLegs`
 * @throws ContractRevertError when the simulation reverts; NoContractError when CoreSwap is not on this chain;
 * AccountRequiredError; RangeError for a slippage out of bounds; viem's errors when the node fails, the client is on
 * another chain, or the user refuses
 */
export async function swap(client: SwapClient, parameters: SwapParameters): Promise<Hash> {
  const { account, chain } = parameters;
  const sender = accountOf(client, parameters).address;
  return simulateAndSend(client, {
    account,
    chain,
    ...swapCall(sender, parameters),
    extraGas: extraGasOf(parameters),
  });
}

/**
 * A swap as a call, for wallets that send several calls as one (EIP-5792): put the approval before it. Simulates nothing.
 * @param sender the account that sends the calls
 * @throws RangeError for a slippage out of bounds
 */
export function swapCall(
  sender: Address,
  parameters: Deployment & SwapParties & SwapLegs,
): { readonly to: Address; readonly data: Hex } {
  return { to: parameters.coreSwap, data: callOf(sender, parameters) };
}

/** Gas to send with a swap beyond the node's estimate. */
export function extraGasOf(legs: SwapLegs): bigint {
  const sweeps = inputsOf(legs).filter(
    ({ assetInID, stablecoinDelegateID }) => hexToBigInt(assetInID) === hexToBigInt(stablecoinDelegateID),
  );
  return SWEEP_GAS * BigInt(sweeps.length);
}

/**
 * Gas for the deposit into an LP's reserve that can follow a leg in which the LP's own stablecoin comes in. If the
 * deposit fails, only the deposit is undone. Nodes estimate the least gas with which the swap succeeds, which is too
 * little for the deposit. It uses about 170,000, and more if the custody has to accrue first.
 */
const SWEEP_GAS = 500_000n;

export type TreasurySwapParameters = Deployment &
  SendParameters &
  SwapParties & { readonly quote: LegQuote; readonly slippageBps: bigint };

/**
 * Deposits into the treasury: the swap of a quote by `quoteDeposit`. The receiver must be on its whitelist.
 * @throws as `swap`; RangeError when the quote is not that of a deposit
 */
export async function deposit(client: SwapClient, { quote, ...parameters }: TreasurySwapParameters): Promise<Hash> {
  requireYieldBearing(quote.leg.assetOut);
  return swap(client, { ...parameters, quotes: [quote] });
}

/**
 * Redeems tokens of the treasury, with the yield of their credits: the swap of a quote by `quoteRedemption`.
 * @throws as `swap`; RangeError when the quote is not that of a redemption
 */
export async function redeem(client: SwapClient, { quote, ...parameters }: TreasurySwapParameters): Promise<Hash> {
  requireYieldBearing(quote.leg.assetIn);
  return swap(client, { ...parameters, quotes: [quote] });
}

/** A leg as it was settled. */
export interface RealizedLeg extends LegAmounts {
  readonly routeId: bigint;
  readonly assetInId: Hex;
  readonly assetOutId: Hex;
  /** The stablecoin whose delegate settled. */
  readonly settlementId: Hex;
  readonly user: Address;
  readonly operator: Address;
  readonly receiver: Address;
  /** Whether CoreSwap added the leg for the reserve of an LP, before or after a requested one. Its user is a custody. */
  readonly isDerived: boolean;
}

/**
 * The legs that a mined transaction settled, in their order, from the events of CoreSwap. That includes derived legs: the
 * first one is not always the first that was requested.
 */
export function realizedLegs({ coreSwap, logs }: Deployment & { readonly logs: readonly Log[] }): RealizedLeg[] {
  const events = parseEventLogs({ abi: coreSwapAbi, eventName: "Swap", logs: [...logs] });
  return events
    .filter(({ address }) => isAddressEqual(address, coreSwap))
    .map(({ args }) => ({
      routeId: args.routeId,
      assetInId: args.assetInID,
      assetOutId: args.assetOutID,
      settlementId: args.stablecoinDelegateID,
      user: args.user,
      operator: args.operator,
      receiver: args.receiver,
      // CoreSwap calls itself for nobody else.
      isDerived: isAddressEqual(args.operator, coreSwap),
      amountIn: args.amountIn,
      amountOut: args.amountOut,
      issuerFee: args.issuerFeeAmt,
      spreadFee: args.spreadFeeAmt,
      lpFee: args.lpFeeAmt,
    }));
}

function callOf(sender: Address, parameters: SwapParties & SwapLegs): Hex {
  const { user = sender, permit = { deadline: 0n, signature: "0x" } } = parameters;
  const args = [user, parameters.receiver ?? user, inputsOf(parameters), permit] as const;
  return encodeFunctionData({ abi: coreSwapAbi, functionName: "swap", args });
}
