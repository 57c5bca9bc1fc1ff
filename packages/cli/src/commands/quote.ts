/** `core quote`: what a swap would settle now. */
import { coreSwapAbi } from "@coreswap/abi";
import { zeroAddress } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { bySymbol, type Deployment, liquidityProviders, readDeployment } from "../chain/deployment.ts";
import { refusalOf } from "../errors/revert.ts";
import { Failure } from "../failure.ts";
import { readAddress, readAmount, showTime, tokens } from "../text.ts";
import { NODE_OPTIONS } from "../write/options.ts";

type Asset = Deployment["rwas"][number] | Deployment["stablecoins"][number];

export async function quoteCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core quote <amount> <asset in> <asset out>",
      summary: `Shows what a swap would settle in the newest block: amounts and fees. The amount is that of the asset in, in whole
tokens; with --exact-out that of the asset out.`,
      allowPositionals: true,
      options: {
        ...NODE_OPTIONS,
        "exact-out": { type: "boolean", default: false, help: "the amount is what comes out" },
        lp: { type: "string", value: "<symbol>", help: "stablecoin whose LP settles; needed between two RWAs" },
        user: {
          type: "string",
          default: zeroAddress,
          value: "<address>",
          help: "account that pays; matters to redemptions",
        },
        json: { type: "boolean", default: false, help: "print JSON" },
      },
    },
    args,
  );
  const [amountText, symbolIn, symbolOut, ...others] = positionals;
  if (amountText === undefined || symbolIn === undefined || symbolOut === undefined || others.length > 0) {
    throw new Failure("quote takes an amount and two assets, such as: quote 1000 TBILL USDC");
  }
  const deployment = readDeployment(values.network);
  const assets: readonly Asset[] = [...liquidityProviders(deployment), ...deployment.rwas];
  const assetIn = bySymbol("asset", assets, symbolIn);
  const assetOut = bySymbol("asset", assets, symbolOut);
  const lp = settlingStablecoin(deployment, assetIn, assetOut, values.lp);
  const isExactOut = values["exact-out"];
  const amount = readAmount("the amount", amountText, (isExactOut ? assetOut : assetIn).decimals);
  const leg = {
    routeId: routeId(assetIn, assetOut, isExactOut),
    assetInID: assetIn.id,
    assetOutID: assetOut.id,
    stablecoinDelegateID: lp.id,
    assetInAmt: isExactOut ? 0n : amount,
    assetOutAmt: isExactOut ? amount : 0n,
  };
  const user = readAddress("--user", values.user);
  const client = await connect(deployment, values["rpc-url"]);
  const { number: blockNumber, timestamp } = await client.getBlock();
  const quote = await client
    .readContract({
      address: deployment.coreSwap,
      abi: coreSwapAbi,
      functionName: "quoteSwap",
      args: [user, leg],
      blockNumber,
    })
    .catch(refusalOf("no quote"));
  if (values.json) {
    const amounts = Object.entries(quote).map(([name, value]) => [name, String(value)] as const);
    const { routeId: route, stablecoinDelegateID } = leg;
    const shown = {
      blockNumber: String(blockNumber),
      routeId: String(route),
      stablecoinDelegateID,
      ...Object.fromEntries(amounts),
    };
    console.log(JSON.stringify(shown, null, 2));
    return;
  }
  console.log(
    [
      `in           ${tokens(quote.tokenInAmt, assetIn)}`,
      `out          ${tokens(quote.tokenOutAmt, assetOut)}`,
      `issuer fee   ${tokens(quote.issuerFeeAmt, lp)}`,
      `spread fee   ${tokens(quote.spreadFeeAmt, lp)}`,
      `LP fee       ${tokens(quote.lpFeeAmt, lp)}`,
      `settles      ${lp.symbol}, route ${leg.routeId}: the user approves ${lp.delegate}`,
      `at           block ${blockNumber}, ${showTime(timestamp)}`,
    ].join("\n"),
  );
}

/** The route of a pair: which kinds of assets it joins, and which amount is fixed. */
function routeId(assetIn: Asset, assetOut: Asset, isExactOut: boolean): bigint {
  const isRwa = (asset: Asset) => "priceAdapter" in asset;
  const exactInRoute = isRwa(assetIn) ? (isRwa(assetOut) ? 5n : 1n) : isRwa(assetOut) ? 3n : 7n;
  return isExactOut ? exactInRoute + 1n : exactInRoute;
}

/**
 * The stablecoin whose LP settles: that of the pair; between two stablecoins the yield-bearing one, else the one paid
 * out.
 * @throws Failure between two RWAs without --lp, where any LP can
 */
function settlingStablecoin(deployment: Deployment, assetIn: Asset, assetOut: Asset, named: string | undefined) {
  const lps = liquidityProviders(deployment);
  if (named !== undefined) return bySymbol("stablecoin", lps, named);
  const ofPair = [assetOut, assetIn].flatMap(({ id }) => lps.filter((lp) => lp.id === id));
  const settling = ofPair.find(({ yieldBearing }) => yieldBearing) ?? ofPair[0];
  if (settling === undefined) throw new Failure("any LP can settle between two RWAs: name its stablecoin with --lp");
  return settling;
}
