/** `core quote`: prints what a swap would settle now. */
import { zeroAddress } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { LEG_OPTIONS, quoteLeg, readLeg } from "../legs.ts";
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
  const { assetIn, assetOut, lp, inputs } = leg;
  const user = readAddress("--user", values.user);
  const client = await connect(deployment, values["rpc-url"]);
  const { number: blockNumber, timestamp } = await client.getBlock();
  const quote = await quoteLeg(client, deployment.coreSwap, user, leg, blockNumber);
  if (values.json) {
    const amounts = Object.entries(quote).map(([name, value]) => [name, String(value)] as const);
    const { routeId: route, stablecoinDelegateID } = inputs;
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
      `settles      ${lp.symbol}, route ${inputs.routeId}: the user approves ${lp.delegate}`,
      `at           block ${blockNumber}, ${showTime(timestamp)}`,
    ].join("\n"),
  );
}
