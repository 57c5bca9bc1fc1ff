/** Legs of swaps, as the words of a command line describe them. The SDK routes, settles and quotes them. */
import { Option } from "@commander-js/extra-typings";
import {
  type AssetToken,
  type ExactSide,
  type LegQuote,
  type LegTokens,
  quoteLeg,
  type StablecoinToken,
  settlementsOf,
} from "@coreswap/sdk";
import type { Address } from "viem";
import type { NodeClient } from "./chain/connect.ts";
import { bySymbol, type Deployment, liquidityProviders } from "./chain/deployment.ts";
import { Failure } from "./failure.ts";
import { refusalOf } from "./refusal.ts";
import { readAmount } from "./text.ts";

export const exactOutOption = new Option("--exact-out", "the amount is what comes out");
export const lpOption = new Option("--lp <symbol>", "stablecoin whose LP settles; needed between two RWAs");

type Named<Token> = Token & { readonly symbol: string };

/** An amount in whole tokens of the exact side, and the symbols of the assets. */
export interface LegWords {
  readonly amount: string;
  readonly symbolIn: string;
  readonly symbolOut: string;
}

export interface Leg extends LegTokens {
  readonly assetIn: Named<AssetToken>;
  readonly assetOut: Named<AssetToken>;
  readonly settlement: Named<StablecoinToken>;
  readonly exact: ExactSide;
  /** Of the exact side, in units of its token. */
  readonly amount: bigint;
}

/**
 * Reads an amount and two assets.
 * @throws Failure when they do not describe a leg
 */
export function readLeg(
  deployment: Deployment,
  { amount: amountText, symbolIn, symbolOut }: LegWords,
  options: { readonly exactOut?: true | undefined; readonly lp?: string | undefined },
): Leg {
  const stablecoins = liquidityProviders(deployment).map(
    ({ token, delegate, yieldBearing, ...stablecoin }): Named<StablecoinToken> => ({
      kind: "stablecoin",
      ...stablecoin,
      tokenAddress: token,
      delegateAddress: delegate,
      isYieldBearing: yieldBearing,
    }),
  );
  const rwas = deployment.rwas.map(
    ({ token, ...rwa }): Named<AssetToken> => ({ kind: "rwa", ...rwa, tokenAddress: token }),
  );
  const assetIn = bySymbol("asset", [...stablecoins, ...rwas], symbolIn);
  const assetOut = bySymbol("asset", [...stablecoins, ...rwas], symbolOut);
  const settlement = settlementOf({ assetIn, assetOut }, stablecoins, options.lp);
  const exact = options.exactOut ? "out" : "in";
  const amount = readAmount("the amount", amountText, (exact === "in" ? assetIn : assetOut).decimals);
  return { assetIn, assetOut, settlement, exact, amount };
}

/**
 * Returns what CoreSwap would settle at a block.
 * @throws Failure naming the error that prevents a quote
 */
export function quoteOf(
  client: NodeClient,
  coreSwap: Address,
  user: Address,
  { exact, amount, ...leg }: Leg,
  blockNumber: bigint,
): Promise<LegQuote> {
  const given = exact === "in" ? { amountIn: amount } : { amountOut: amount };
  return quoteLeg(client, { coreSwap, user, blockNumber, ...leg, ...given }).catch(refusalOf("no quote"));
}

/**
 * The stablecoin whose LP settles: the named one, else the first that CoreSwap expects.
 * @throws Failure when no LP can settle, and between two RWAs without --lp, where any LP can
 */
function settlementOf(
  { assetIn, assetOut }: Pick<Leg, "assetIn" | "assetOut">,
  stablecoins: readonly Leg["settlement"][],
  named: string | undefined,
): Leg["settlement"] {
  if (named !== undefined) return bySymbol("stablecoin", stablecoins, named);
  const possible = settlementsOf({ assetIn, assetOut });
  if (possible === null) throw new Failure("any LP can settle between two RWAs: name its stablecoin with --lp");
  const settlement = stablecoins.find(({ id }) => id === possible[0]?.id);
  if (settlement === undefined) throw new Failure(`no LP swaps ${assetIn.symbol} for ${assetOut.symbol}`);
  return settlement;
}
