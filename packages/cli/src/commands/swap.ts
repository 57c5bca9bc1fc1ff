/** `core swap`, `core deposit` and `core redeem`: settle a leg for the account that signs. */
import { Option } from "@commander-js/extra-typings";
import { approvalOf, extraGasOf, type LegTokens, type SwapInputs, swapCall, swapInputsOf } from "@coreswap/sdk";
import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { contractNamed } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { exactOutOption, type Leg, type LegWords, lpOption, quoteOf, readLeg } from "../legs.ts";
import { readAddress, readAmount, readSlippageBps, tokens } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Context, callsOn, observe, type PlannedCall } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const slippageOption = new Option(
  "--slippage <percent>",
  "how much less than quoted may come out, or more go in",
)
  .argParser((text) => readSlippageBps("--slippage", text))
  .default(readSlippageBps("--slippage", "0.5%"), "0.5%");
export const boundOption = new Option(
  "--bound <amount>",
  "in place of --slippage: least that comes out, or with --exact-out most that goes in",
).conflicts("slippage");
export const receiverOption = new Option(
  "--receiver <address>",
  "account that gets the asset out; else the one that swaps",
).argParser((text) => readAddress("--receiver", text));

function legCommand(name: string, summary: string, description: string) {
  return writeCommand(name, summary)
    .description(
      `${description}; with --exact-out the amount is that of the asset out. Approves the delegate that settles, for ` +
        "exactly what may go in, where it is not approved for that much.",
    )
    .argument("<amount>", "in whole tokens")
    .addOption(exactOutOption)
    .addOption(lpOption)
    .addOption(slippageOption)
    .addOption(boundOption)
    .addOption(receiverOption);
}

export const swapCommand = legCommand("swap", "swap one asset for another", "Swaps an amount of the asset in")
  .argument("<asset in>", "symbol")
  .argument("<asset out>", "symbol")
  .action((amount, symbolIn, symbolOut, options) => swap(options, () => ({ amount, symbolIn, symbolOut })));

export const depositCommand = legCommand(
  "deposit",
  "swap an asset into the treasury token",
  "Swaps an asset into the treasury token, which earns the daily rates",
)
  .argument("<asset>", "symbol")
  .action((amount, symbolIn, options) => swap(options, (symbolOut) => ({ amount, symbolIn, symbolOut })));

export const redeemCommand = legCommand(
  "redeem",
  "swap the treasury token into an asset",
  "Swaps the treasury token, with its yield, into an asset",
)
  .argument("<asset>", "symbol")
  .action((amount, symbolOut, options) => swap(options, (symbolIn) => ({ amount, symbolIn, symbolOut })));

/** @param legOf makes the leg's words from the symbol of the treasury token */
async function swap(
  options: ReturnType<ReturnType<typeof legCommand>["opts"]>,
  legOf: (treasury: string) => LegWords,
): Promise<void> {
  await runPlan(options, async (context, sender) => {
    if (sender === undefined) throw new Failure("name the account that swaps with --from");
    const { deployment, contracts } = context;
    const leg = readLeg(deployment, legOf(deployment.treasuryStablecoin.symbol), options);
    const { receiver = sender } = options;
    const { inputs, settled } = await boundedInputs(context, sender, leg, options);
    const legs = { legs: [inputs] };
    const swap = swapCall(sender, { coreSwap: deployment.coreSwap, receiver, ...legs });
    return {
      title: title(leg, inputs),
      whenRunAgain: "changes the last call",
      calls: [
        ...(await approvals(context, sender, leg.assetIn.symbol, settled, inputs.assetInAmt)),
        { ...swap, extraGas: extraGasOf(legs), contract: contractNamed(contracts, "coreswap"), mayCall: [] },
      ],
      observations: [
        { account: sender, asset: leg.assetIn },
        { account: receiver, asset: leg.assetOut },
      ].map(({ account, asset }) =>
        observe(
          `${asset.symbol} of ${account}`,
          { address: asset.tokenAddress, abi: erc20Abi, functionName: "balanceOf", args: [account] },
          (amount) => tokens(amount, asset),
        ),
      ),
    };
  });
}

/**
 * Completes the leg with a bound for the amount that was not given, from a quote at the newest block or from `--bound`.
 * @returns what CoreSwap is asked for, and the leg with the delegate that CoreSwap has settle it
 * @throws Failure when there is no quote, or it is beyond the bound
 */
export async function boundedInputs(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  user: Address,
  leg: Leg,
  { slippage, bound: boundText }: { readonly slippage: bigint; readonly bound?: string | undefined },
): Promise<{ readonly inputs: SwapInputs; readonly settled: LegTokens }> {
  const { exact, assetIn, assetOut } = leg;
  const quote = await quoteOf(client, deployment.coreSwap, user, leg, await client.getBlockNumber());
  const settled = quote.leg;
  if (boundText === undefined) return { inputs: swapInputsOf(settled, exact, quote, slippage), settled };
  const bounded = exact === "in" ? assetOut : assetIn;
  const quoted = exact === "in" ? quote.amountOut : quote.amountIn;
  const bound = readAmount("--bound", boundText, bounded.decimals);
  if (bound === 0n) throw new Failure("--bound is 0, which sets no bound");
  if (exact === "in" ? quoted < bound : quoted > bound) {
    throw new Failure(`the quote is ${tokens(quoted, bounded)}, beyond the bound of ${tokens(bound, bounded)}`);
  }
  const amounts = exact === "in" ? { ...quote, amountOut: bound } : { ...quote, amountIn: bound };
  return { inputs: swapInputsOf(settled, exact, amounts, 0n), settled };
}

/** Describes the leg within its bounds. */
export function title({ assetIn, assetOut, exact }: Leg, { assetInAmt, assetOutAmt }: SwapInputs): string {
  const [most, least] = exact === "out" ? ["at most ", ""] : ["", "at least "];
  return `Swap ${most}${tokens(assetInAmt, assetIn)} for ${least}${tokens(assetOutAmt, assetOut)}`;
}

/**
 * Returns the approvals that a leg lacks. An approval that is too small is revoked first, because some tokens refuse to
 * change it.
 */
async function approvals(
  { client }: Context,
  owner: Address,
  symbol: string,
  leg: LegTokens,
  amount: bigint,
): Promise<PlannedCall[]> {
  const { tokenAddress: address, spender } = approvalOf(leg);
  const args = [owner, spender] as const;
  const current = await client.readContract({ address, abi: erc20Abi, functionName: "allowance", args });
  if (current >= amount) return [];
  const approve = (value: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, value] });
  const contract = { name: `token:${symbol}`, address, abi: erc20Abi };
  return callsOn(contract, [], current === 0n ? [approve(amount)] : [approve(0n), approve(amount)]);
}
