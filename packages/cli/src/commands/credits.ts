/** `core credits move|cancel`: takes the tokens and credits of a holder that has lost its key, or of a thief. */
import { treasuryAbi, treasuryDelegateAbi } from "@coreswap/abi";
import { type Address, encodeFunctionData, isAddressEqual, maxUint256, zeroAddress } from "viem";
import { contractNamed, treasuryLp } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { readAddress, tokens } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { type Context, callsOn, type Observation, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const creditsMove = writeCommand("move", "move the tokens and credits of a lost account")
  .description(
    "Moves all treasury tokens and all credits of an account to another one: Treasury.forceTransfer and " +
      "TreasuryDelegate.moveCredits together. Blacklist the lost account first, so that its balance stays what it is.",
  )
  .argument("<lost account>", "address", (text) => readAddress("the lost account", text))
  .argument("<new account>", "address", (text) => readAddress("the new account", text))
  .action(async (lost, next, options) => {
    if (isAddressEqual(lost, next)) throw new Failure("the lost and the new account are the same");
    await runPlan(options, async (context) => {
      const { client, deployment } = context;
      const token = { address: deployment.treasury, abi: treasuryAbi, args: [next] } as const;
      const [isBarred, isListed] = await Promise.all([
        client.readContract({ ...token, functionName: "blacklisted" }),
        client.readContract({ ...token, functionName: "whitelisted" }),
      ]);
      const { symbol } = deployment.treasuryStablecoin;
      if (isBarred) throw new Failure(`${next} is on the blacklist of ${symbol}: it could not use what it gets`);
      const { balance, calls, notes } = await taking(context, lost, next);
      return {
        title: `Move ${tokens(balance, deployment.treasuryStablecoin)} and all credits of ${lost} to ${next}`,
        whenRunAgain: "skips what is done",
        calls,
        observations: [lost, next].flatMap((account) => holding(context, account)),
        notes: [
          ...notes,
          ...(isListed
            ? []
            : [`${next} is not on the whitelist of ${symbol}: it can redeem, and nothing can be minted to it`]),
        ],
      };
    });
  });

export const creditsCancel = writeCommand("cancel", "burn the tokens of an account and cancel its credits")
  .description(
    "Burns all treasury tokens of an account and cancels all of its credits: Treasury.forceBurn and " +
      "TreasuryDelegate.moveCredits together. It is meant for what was minted at a wrong price. Blacklist the account " +
      "first, so that its balance stays what it is.",
  )
  .argument("<account>", "address", (text) => readAddress("the account", text))
  .action(async (account, options) => {
    await runPlan(options, async (context) => {
      const { balance, calls, notes } = await taking(context, account, null);
      return {
        title: `Burn ${tokens(balance, context.deployment.treasuryStablecoin)} and cancel all credits of ${account}`,
        whenRunAgain: "skips what is done",
        calls,
        observations: holding(context, account),
        notes,
      };
    });
  });

/** The calls that take all tokens and credits from an account, for another one or for nobody. */
async function taking(context: Context, account: Address, next: Address | null) {
  const { client, deployment, contracts } = context;
  const lp = treasuryLp(context);
  const token = { address: deployment.treasury, abi: treasuryAbi, args: [account] } as const;
  const delegate = { address: lp.address, abi: treasuryDelegateAbi, args: [account] } as const;
  const [balance, isBarred, main, withheld] = await Promise.all([
    client.readContract({ ...token, functionName: "balanceOf" }),
    client.readContract({ ...token, functionName: "blacklisted" }),
    client.readContract({ ...delegate, functionName: "credits" }),
    client.readContract({ ...delegate, functionName: "totalWithheldCredits" }),
  ]);
  const { symbol } = deployment.treasuryStablecoin;
  const take =
    next === null
      ? encodeFunctionData({ abi: treasuryAbi, functionName: "forceBurn", args: [account, balance] })
      : encodeFunctionData({ abi: treasuryAbi, functionName: "forceTransfer", args: [account, next, balance] });
  const move = encodeFunctionData({
    abi: treasuryDelegateAbi,
    functionName: "moveCredits",
    args: [account, next ?? zeroAddress, maxUint256],
  });
  return {
    balance,
    calls: [
      ...(balance === 0n ? [] : callsOn(contractNamed(contracts, "treasury"), [{ role: "OPERATOR_ROLE" }], [take])),
      ...(main + withheld === 0n ? [] : callsOn(lp, [{ role: "DEFAULT_ADMIN_ROLE" }], [move])),
    ],
    notes: isBarred
      ? []
      : [`${account} is not on the blacklist of ${symbol}: until it is, its balance can change, and the calls with it`],
  };
}

function holding({ deployment }: Context, account: Address): Observation[] {
  const token = deployment.treasuryStablecoin;
  const show = (amount: bigint) => tokens(amount, token);
  const delegate = { address: token.delegate, abi: treasuryDelegateAbi, args: [account] } as const;
  return [
    observe(
      `balance of ${account}`,
      { address: token.token, abi: treasuryAbi, functionName: "balanceOf", args: [account] },
      show,
    ),
    observe(`credits of ${account}`, { ...delegate, functionName: "credits" }, show),
    observe(`withheld credits of ${account}`, { ...delegate, functionName: "totalWithheldCredits" }, show),
  ];
}
