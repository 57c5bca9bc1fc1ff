/** `core quote`: prints what a swap would settle now. */
import { routeIdOf } from "@coreswap/sdk";
import { zeroAddress } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { LEG_OPTIONS, quoteOf, readLeg } from "../legs.ts";
import { readAddress, showTime, tokens } from "../text.ts";
import { NODE_OPTIONS } from "../write/options.ts";

export async function quoteCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core quote <amount> <asset in> <asset out>",
      summary: `Shows what a swap would settle in the newest block: amounts and fees. The amount is that of the asset in, in whole
tokens; with --exact-out that of the asset out.`,
      allowPositionals: true,
      options: {
        ...NODE_OPTIONS,
        ...LEG_OPTIONS,
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
  const [amount, symbolIn, symbolOut, ...others] = positionals;
  if (amount === undefined || symbolIn === undefined || symbolOut === undefined || others.length > 0) {
    throw new Failure("quote takes an amount and two assets, such as: quote 1000 TBILL USDC");
  }
  const deployment = readDeployment(values.network);
  const leg = readLeg(deployment, { amount, symbolIn, symbolOut }, values);
  const { assetIn, assetOut, settlement } = leg;
  const routeId = routeIdOf(leg, leg.exact);
  const user = readAddress("--user", values.user);
  const client = await connect(deployment, values["rpc-url"]);
  const { number: blockNumber, timestamp } = await client.getBlock();
  const quote = await quoteOf(client, deployment.coreSwap, user, leg, blockNumber);
  if (values.json) {
    const shown = {
      blockNumber: String(blockNumber),
      routeId: String(routeId),
      stablecoinDelegateID: settlement.id,
      tokenInAmt: String(quote.amountIn),
      tokenOutAmt: String(quote.amountOut),
      issuerFeeAmt: String(quote.issuerFee),
      spreadFeeAmt: String(quote.spreadFee),
      lpFeeAmt: String(quote.lpFee),
    };
    console.log(JSON.stringify(shown, null, 2));
    return;
  }
  console.log(
    [
      `in           ${tokens(quote.amountIn, assetIn)}`,
      `out          ${tokens(quote.amountOut, assetOut)}`,
      `issuer fee   ${tokens(quote.issuerFee, settlement)}`,
      `spread fee   ${tokens(quote.spreadFee, settlement)}`,
      `LP fee       ${tokens(quote.lpFee, settlement)}`,
      `settles      ${settlement.symbol}, route ${routeId}: the user approves ${quote.leg.settlement.delegateAddress}`,
      `at           block ${blockNumber}, ${showTime(timestamp)}`,
    ].join("\n"),
  );
}
