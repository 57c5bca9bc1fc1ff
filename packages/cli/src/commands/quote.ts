/** `core quote`: prints what a swap would settle now. */
import { Option } from "@commander-js/extra-typings";
import { routeIdOf } from "@coreswap/sdk";
import { type Address, zeroAddress } from "viem";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { jsonOption, nodeCommand } from "../commandLine.ts";
import { exactOutOption, type Leg, lpOption, quoteOf, readLeg } from "../legs.ts";
import { readAddress, showTime, tokens } from "../text.ts";

export const quoteCommand = nodeCommand("quote", "what a swap would settle")
  .description(
    "Shows what a swap would settle in the newest block: amounts and fees. The amount is that of the asset in; with " +
      "--exact-out that of the asset out.",
  )
  .argument("<amount>", "in whole tokens, such as 1000")
  .argument("<asset in>", "symbol, such as TBILL")
  .argument("<asset out>", "symbol, such as USDC")
  .addOption(exactOutOption)
  .addOption(lpOption)
  .addOption(
    new Option("--user <address>", "account that pays; matters to redemptions")
      .argParser((text) => readAddress("--user", text))
      .default(zeroAddress as Address),
  )
  .addOption(jsonOption)
  .action(async (amount, symbolIn, symbolOut, options) => {
    const deployment = readDeployment(options.network);
    const leg = readLeg(deployment, { amount, symbolIn, symbolOut }, options);
    const { assetIn, assetOut, settlement } = leg;
    const routeId = routeIdOf(leg, leg.exact);
    const client = await connect(deployment, options.rpcUrl);
    const { number: blockNumber, timestamp } = await client.getBlock();
    const quote = await quoteOf(client, deployment.coreSwap, options.user, leg, blockNumber);
    if (options.json) {
      const shown = {
        chainId: deployment.chainId,
        blockNumber: String(blockNumber),
        timestamp: String(timestamp),
        user: options.user,
        routeId: String(routeId),
        stablecoinDelegateID: settlement.id,
        tokenInAmt: String(quote.amountIn),
        tokenOutAmt: String(quote.amountOut),
        issuerFeeAmt: String(quote.issuerFee),
        spreadFeeAmt: String(quote.spreadFee),
        lpFeeAmt: String(quote.lpFee),
        // What the user approves, and the tokens of the amounts. The fees are in the stablecoin's.
        delegate: quote.leg.settlement.delegateAddress,
        tokenIn: tokenOf(assetIn),
        tokenOut: tokenOf(assetOut),
        stablecoin: tokenOf(settlement),
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
  });

function tokenOf({ symbol, id, tokenAddress, decimals }: Leg["assetIn"]) {
  return { symbol, id, address: tokenAddress, decimals };
}
