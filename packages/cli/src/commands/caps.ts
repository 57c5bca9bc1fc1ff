/** `core cap set`: limits how much of an asset an LP takes in within a day. */
import { stablecoinDelegateAbi as abi } from "@coreswap/abi";
import { encodeFunctionData } from "viem";
import { contractNamed } from "../chain/contracts.ts";
import { bySymbol, type Deployment, liquidityProviders } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { dailyLimitText, NO_DAILY_LIMIT, readAmount } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Authority, callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const capSet = writeCommand("set", "set how much of an asset an LP takes in within a day")
  .description(
    "Sets the intake cap of an LP for an asset. Issuer admins and the guardian lower it at once; the administrator raises " +
      "it. The LP's own stablecoin counts only what comes in for RWAs, and not while one account other than the " +
      "delegate is both custodies.",
  )
  .argument("<lp>", "symbol of its stablecoin, such as USDC")
  .argument("<asset>", "symbol, such as TBILL")
  .argument("<amount a day>", '"none" removes the cap; 0 lets nothing in')
  .action((lpSymbol, symbol, amountText, options) =>
    runPlan(options, async ({ client, deployment, contracts }) => {
      const lp = bySymbol("LP", liquidityProviders(deployment), lpSymbol);
      const asset = cappedAsset(deployment, symbol);
      const contract = contractNamed(contracts, `lp:${lp.symbol}`);
      const cap = amountText === "none" ? NO_DAILY_LIMIT : readAmount("the cap", amountText, asset.decimals);
      if (cap > NO_DAILY_LIMIT)
        throw new Failure(`the cap is above the largest one, ${NO_DAILY_LIMIT} units: use "none"`);
      const view = { address: lp.delegate, abi, functionName: "intakeCap", args: [asset.token] } as const;
      const [current] = await client.readContract(view);
      const mayLower: Authority[] = cap <= current ? [{ role: "PAUSE_ROLE" }, "issuer admin"] : [];
      const data = encodeFunctionData({ abi, functionName: "setIntakeCap", args: [asset.token, cap] });
      return {
        title: `Set the intake cap of ${contract.name} for ${asset.symbol} to ${dailyLimitText(cap, asset)}`,
        whenRunAgain: "skips what is done",
        calls: cap === current ? [] : callsOn(contract, [{ role: "DEFAULT_ADMIN_ROLE" }, ...mayLower], [data]),
        observations: [
          observe("intake cap", view, ([value]) => dailyLimitText(value, asset)),
          observe("still comes in today", view, ([, available]) => dailyLimitText(available, asset)),
        ],
      };
    }),
  );

/** Finds an asset that an LP can trade, except the treasury token: its own LP, which alone settles it, burns it. */
function cappedAsset({ rwas, stablecoins }: Deployment, symbol: string) {
  return bySymbol("asset with an intake cap", [...rwas, ...stablecoins], symbol);
}
