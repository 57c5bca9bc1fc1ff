/** Quotes of the contract for legs, and for those that deposit and redeem. */
import { coreSwapAbi } from "@coreswap/abi";
import type { Address } from "viem";
import { multicall } from "viem/actions";
import { namingReverts } from "../errors/contractRevertError.ts";
import {
  type AssetToken,
  type ExactSide,
  type LegAmounts,
  type LegTokens,
  routeIdOf,
  type StablecoinToken,
  type SwapInputs,
  settlementsOf,
  swapInputsOf,
} from "../leg.ts";
import { type BlockParameters, type Deployment, type SwapClient, together } from "./client.ts";

/** The exact amount of a leg, in units of its token. */
export type ExactAmount =
  | { readonly amountIn: bigint; readonly amountOut?: undefined }
  | { readonly amountOut: bigint; readonly amountIn?: undefined };

/** A leg to quote. */
export type LegRequest = ExactAmount & {
  readonly assetIn: AssetToken;
  readonly assetOut: AssetToken;
  /** The stablecoin whose LP settles. Needed between two RWAs; otherwise the one that CoreSwap expects first. */
  readonly settlement?: StablecoinToken | undefined;
};

/** A leg as the contract would settle it in a block. */
export interface LegQuote extends LegAmounts {
  /** The settlement has the delegate that was registered at that block. */
  readonly leg: LegTokens;
  /** The exact amount. */
  readonly exact: ExactSide;
}

export type QuoteLegParameters = Deployment &
  BlockParameters &
  LegRequest & {
    /** The account that pays. A redemption includes the yield of this account's credits. */
    readonly user: Address;
  };

/**
 * Asks CoreSwap what a leg would settle. A quote does not check pauses, lists of users, balances and approvals;
 * `simulateSwap` does.
 * @returns amounts in units of their tokens, fees in units of the settling stablecoin
 * @throws ContractRevertError when the contract refuses the leg; NoContractError when CoreSwap is not on this chain;
 * RangeError when no LP settles between these assets or the settlement is missing; viem's errors when the node fails
 */
export async function quoteLeg(client: SwapClient, parameters: QuoteLegParameters): Promise<LegQuote> {
  const { coreSwap, user, blockNumber, blockTag } = parameters;
  const { leg, exact, amount } = legOf(parameters);
  const contract = { abi: coreSwapAbi, address: coreSwap } as const;
  const inputs: SwapInputs = {
    routeId: routeIdOf(leg, exact),
    assetInID: leg.assetIn.id,
    assetOutID: leg.assetOut.id,
    stablecoinDelegateID: leg.settlement.id,
    assetInAmt: exact === "in" ? amount : 0n,
    assetOutAmt: exact === "out" ? amount : 0n,
  };
  const [resolved, [, , , delegateAddress]] = await namingReverts(
    multicall(client, {
      ...together({ blockNumber, blockTag }),
      contracts: [
        { ...contract, functionName: "quoteSwap", args: [user, inputs] },
        { ...contract, functionName: "stablecoinInfo", args: [leg.settlement.id] },
      ],
    }),
  );
  return {
    leg: { ...leg, settlement: { ...leg.settlement, delegateAddress } },
    exact,
    amountIn: resolved.tokenInAmt,
    amountOut: resolved.tokenOutAmt,
    issuerFee: resolved.issuerFeeAmt,
    spreadFee: resolved.spreadFeeAmt,
    lpFee: resolved.lpFeeAmt,
  };
}

/** The legs to send for quotes: each with its exact side as quoted, and the other side as a bound by slippage. */
export function boundedLegs(quotes: readonly LegQuote[], slippageBps: bigint): SwapInputs[] {
  return quotes.map((quote) => swapInputsOf(quote.leg, quote.exact, quote, slippageBps));
}

/** The treasury token, and the asset that pays for it or that it is redeemed for. */
type TreasuryPair = ExactAmount & {
  /** The yield-bearing stablecoin. */
  readonly treasury: StablecoinToken;
  /** An RWA or a plain stablecoin. */
  readonly asset: AssetToken;
};

export type QuoteTreasuryParameters = Deployment & BlockParameters & TreasuryPair & { readonly user: Address };

/**
 * Quotes a deposit: a leg that pays the treasury token. @throws as `quoteLeg`; RangeError when it is not yield-bearing
 */
export async function quoteDeposit(
  client: SwapClient,
  { treasury, asset, ...rest }: QuoteTreasuryParameters,
): Promise<LegQuote> {
  requireYieldBearing(treasury);
  return quoteLeg(client, { ...rest, assetIn: asset, assetOut: treasury, settlement: treasury });
}

/**
 * Quotes a redemption: a leg that takes the treasury token. @throws as `quoteLeg`; RangeError when it is not
 * yield-bearing
 */
export async function quoteRedemption(
  client: SwapClient,
  { treasury, asset, ...rest }: QuoteTreasuryParameters,
): Promise<LegQuote> {
  requireYieldBearing(treasury);
  return quoteLeg(client, { ...rest, assetIn: treasury, assetOut: asset, settlement: treasury });
}

/** @throws RangeError when an asset is not a yield-bearing stablecoin */
export function requireYieldBearing(asset: AssetToken): void {
  if (asset.kind === "rwa" || !asset.isYieldBearing) throw new RangeError(`asset ${asset.id} is not yield-bearing`);
}

function legOf(request: LegRequest): { leg: LegTokens; exact: ExactSide; amount: bigint } {
  const { assetIn, assetOut, amountIn, amountOut } = request;
  if ((amountIn === undefined) === (amountOut === undefined)) {
    throw new RangeError("expected either `amountIn` or `amountOut`");
  }
  const settlement = request.settlement ?? defaultSettlement(request);
  const leg = { assetIn, assetOut, settlement };
  return amountIn === undefined ? { leg, exact: "out", amount: amountOut } : { leg, exact: "in", amount: amountIn };
}

function defaultSettlement(pair: Pick<LegTokens, "assetIn" | "assetOut">): StablecoinToken {
  const possible = settlementsOf(pair);
  if (possible === null) throw new RangeError("between two RWAs any LP can settle, so `settlement` is required");
  const [first] = possible;
  if (first === undefined)
    throw new RangeError(`no LP can settle a leg from ${pair.assetIn.id} to ${pair.assetOut.id}`);
  return first;
}
