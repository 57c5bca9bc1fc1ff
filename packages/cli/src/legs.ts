/** Legs of swaps, as the words of a command line describe them. */
import { coreSwapAbi } from "@coreswap/abi";
import type { SwapInputs } from "@coreswap/sdk";
import type { Address } from "viem";
import type { NodeClient } from "./chain/connect.ts";
import { bySymbol, type Deployment, liquidityProviders } from "./chain/deployment.ts";
import { Failure } from "./failure.ts";
import { refusalOf } from "./refusal.ts";
import { readAmount } from "./text.ts";

type Asset = Deployment["rwas"][number] | Deployment["stablecoins"][number];

export const LEG_OPTIONS = {
  "exact-out": { type: "boolean", default: false, help: "the amount is what comes out" },
  lp: { type: "string", value: "<symbol>", help: "stablecoin whose LP settles; needed between two RWAs" },
} as const;

export interface Leg {
  readonly assetIn: Asset;
  readonly assetOut: Asset;
  /** The stablecoin whose LP settles. */
  readonly lp: Deployment["stablecoins"][number];
  readonly isExactOut: boolean;
  /** The inputs with the amount that was given. The other amount is zero, which sets no bound. */
  readonly inputs: SwapInputs;
}

/**
 * Reads an amount and two assets.
 * @throws Failure when they do not describe a leg
 */
export function readLeg(
  deployment: Deployment,
  { amount: amountText, symbolIn, symbolOut }: { amount: string; symbolIn: string; symbolOut: string },
  options: { readonly "exact-out": boolean; readonly lp?: string | undefined },
): Leg {
  const assets: readonly Asset[] = [...liquidityProviders(deployment), ...deployment.rwas];
  const assetIn = bySymbol("asset", assets, symbolIn);
  const assetOut = bySymbol("asset", assets, symbolOut);
  const lp = settlingStablecoin(deployment, assetIn, assetOut, options.lp);
  const isExactOut = options["exact-out"];
  const amount = readAmount("the amount", amountText, (isExactOut ? assetOut : assetIn).decimals);
  const inputs = {
    routeId: routeId(assetIn, assetOut, isExactOut),
    assetInID: assetIn.id,
    assetOutID: assetOut.id,
    stablecoinDelegateID: lp.id,
    assetInAmt: isExactOut ? 0n : amount,
    assetOutAmt: isExactOut ? amount : 0n,
  };
  return { assetIn, assetOut, lp, isExactOut, inputs };
}

/**
 * Returns what CoreSwap would settle at a block.
 * @throws Failure naming the error that prevents a quote
 */
export async function quoteLeg(
  client: NodeClient,
  coreSwap: Address,
  user: Address,
  { inputs }: Leg,
  blockNumber: bigint,
) {
  const args = [user, inputs] as const;
  const call = { address: coreSwap, abi: coreSwapAbi, functionName: "quoteSwap", args, blockNumber } as const;
  return client.readContract(call).catch(refusalOf("no quote"));
}

/** The route of a pair, which defines the kinds of its assets and which amount is fixed. */
function routeId(assetIn: Asset, assetOut: Asset, isExactOut: boolean): bigint {
  const isRwa = (asset: Asset) => "priceAdapter" in asset;
  const exactInRoute = isRwa(assetIn) ? (isRwa(assetOut) ? 5n : 1n) : isRwa(assetOut) ? 3n : 7n;
  return isExactOut ? exactInRoute + 1n : exactInRoute;
}

/**
 * The stablecoin whose LP settles: that of a pair with an RWA. Between two stablecoins, it is the yield-bearing one, or
 * else the one paid out.
 * @throws Failure between two RWAs without --lp, because any LP can settle them
 */
function settlingStablecoin(deployment: Deployment, assetIn: Asset, assetOut: Asset, named: string | undefined) {
  const lps = liquidityProviders(deployment);
  if (named !== undefined) return bySymbol("stablecoin", lps, named);
  const ofPair = [assetOut, assetIn].flatMap(({ id }) => lps.filter((lp) => lp.id === id));
  const settling = ofPair.find(({ yieldBearing }) => yieldBearing) ?? ofPair[0];
  if (settling === undefined) throw new Failure("any LP can settle between two RWAs: name its stablecoin with --lp");
  return settling;
}
