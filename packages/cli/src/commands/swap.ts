/** `core swap`, `core deposit` and `core redeem`: settle a leg for the account that signs. */
import { approvalOf, extraGasOf, type SwapInputs, swapCall, swapInputsOf } from "@coreswap/sdk";
import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { contractNamed } from "../chain/contracts.ts";
import type { Deployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { LEG_OPTIONS, type Leg, quoteOf, readLeg } from "../legs.ts";
import { readAddress, readAmount, readSlippageBps, tokens } from "../text.ts";
import { WRITE_OPTIONS } from "../write/options.ts";
import { type Context, callsOn, observe, type PlannedCall } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const BOUND_OPTIONS = {
  slippage: {
    type: "string",
    default: "0.5%",
    value: "<percent>",
    help: "how much less than quoted may come out, or more go in",
  },
  bound: {
    type: "string",
    value: "<amount>",
    help: "in place of --slippage: least that comes out, or with --exact-out most that goes in",
  },
} as const;

const USAGES = {
  swap: { words: "<amount> <asset in> <asset out>", summary: "Swaps an amount of the asset in, in whole tokens" },
  deposit: {
    words: "<amount> <asset>",
    summary: "Swaps an asset into the treasury token, which earns the daily rates",
  },
  redeem: { words: "<amount> <asset>", summary: "Swaps the treasury token, with its yield, into an asset" },
} as const;

export async function swapCommand(name: keyof typeof USAGES, args: readonly string[]): Promise<void> {
  const { words, summary } = USAGES[name];
  const { values, positionals } = commandLine(
    {
      usage: `pnpm core ${name} ${words}`,
      summary: `${summary}; with --exact-out the amount is that of the asset out. Approves the delegate that settles, for exactly what
may go in, where it is not approved for that much.`,
      allowPositionals: true,
      options: {
        ...WRITE_OPTIONS,
        ...LEG_OPTIONS,
        ...BOUND_OPTIONS,
        receiver: { type: "string", value: "<address>", help: "account that gets the asset out; else the sender" },
      },
    },
    args,
  );
  await runPlan(values, async (context, sender) => {
    if (sender === undefined) throw new Failure("name the account that swaps with --from");
    const { deployment, contracts } = context;
    const leg = readLeg(deployment, legWords(name, deployment, positionals), values);
    const receiver = values.receiver === undefined ? sender : readAddress("--receiver", values.receiver);
    const inputs = await boundedInputs(context, sender, leg, values);
    const legs = { legs: [inputs] };
    const swap = swapCall(sender, { coreSwap: deployment.coreSwap, receiver, ...legs });
    return {
      title: title(leg, inputs),
      isRepeatable: true,
      calls: [
        ...(await approvals(context, sender, leg, inputs.assetInAmt)),
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

function legWords(name: keyof typeof USAGES, deployment: Deployment, words: readonly string[]) {
  const treasury = deployment.treasuryStablecoin.symbol;
  const [amount, first, second, ...others] = words;
  const missing = amount === undefined || first === undefined || (name === "swap") === (second === undefined);
  if (missing || others.length > 0) throw new Failure(`${name} takes ${USAGES[name].words}`);
  if (name === "deposit") return { amount, symbolIn: first, symbolOut: treasury };
  if (name === "redeem") return { amount, symbolIn: treasury, symbolOut: first };
  return { amount, symbolIn: first, symbolOut: second ?? "" };
}

/**
 * Completes the leg with a bound for the amount that was not given, from a quote at the newest block or from `--bound`.
 * @throws Failure when there is no quote, or it is beyond the bound
 */
export async function boundedInputs(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  user: Address,
  leg: Leg,
  options: { readonly slippage: string; readonly bound?: string | undefined },
): Promise<SwapInputs> {
  const slippageBps = readSlippageBps("--slippage", options.slippage);
  const { exact, assetIn, assetOut } = leg;
  const quote = await quoteOf(client, deployment.coreSwap, user, leg, await client.getBlockNumber());
  if (options.bound === undefined) return swapInputsOf(quote.leg, exact, quote, slippageBps);
  const bounded = exact === "in" ? assetOut : assetIn;
  const quoted = exact === "in" ? quote.amountOut : quote.amountIn;
  const bound = readAmount("--bound", options.bound, bounded.decimals);
  if (bound === 0n) throw new Failure("--bound is 0, which sets no bound");
  if (exact === "in" ? quoted < bound : quoted > bound) {
    throw new Failure(`the quote is ${tokens(quoted, bounded)}, beyond the bound of ${tokens(bound, bounded)}`);
  }
  const amounts = exact === "in" ? { ...quote, amountOut: bound } : { ...quote, amountIn: bound };
  return swapInputsOf(quote.leg, exact, amounts, 0n);
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
async function approvals({ client }: Context, owner: Address, leg: Leg, amount: bigint): Promise<PlannedCall[]> {
  const { tokenAddress: address, spender } = approvalOf(leg);
  const args = [owner, spender] as const;
  const current = await client.readContract({ address, abi: erc20Abi, functionName: "allowance", args });
  if (current >= amount) return [];
  const approve = (value: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, value] });
  const contract = { name: `token:${leg.assetIn.symbol}`, address, abi: erc20Abi };
  return callsOn(contract, [], current === 0n ? [approve(amount)] : [approve(0n), approve(amount)]);
}
