/** `core credits move`: recovers the tokens and credits of a holder that has lost its key. */
import { treasuryAbi, treasuryDelegateAbi } from "@coreswap/abi";
import { type Address, encodeFunctionData, isAddressEqual, maxUint256 } from "viem";
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
      const { client, deployment, contracts } = context;
      const token = { address: deployment.treasury, abi: treasuryAbi } as const;
      const delegate = { address: deployment.treasuryStablecoin.delegate, abi: treasuryDelegateAbi } as const;
      const [balance, isBarred, isNextBarred, isNextListed, main, withheld] = await Promise.all([
        client.readContract({ ...token, functionName: "balanceOf", args: [lost] }),
        client.readContract({ ...token, functionName: "blacklisted", args: [lost] }),
        client.readContract({ ...token, functionName: "blacklisted", args: [next] }),
        client.readContract({ ...token, functionName: "whitelisted", args: [next] }),
        client.readContract({ ...delegate, functionName: "credits", args: [lost] }),
        client.readContract({ ...delegate, functionName: "totalWithheldCredits", args: [lost] }),
      ]);
      const { symbol } = deployment.treasuryStablecoin;
      if (isNextBarred) throw new Failure(`${next} is on the blacklist of ${symbol}: it could not use what it gets`);
      const transfer = encodeFunctionData({
        abi: treasuryAbi,
        functionName: "forceTransfer",
        args: [lost, next, balance],
      });
      const move = encodeFunctionData({
        abi: treasuryDelegateAbi,
        functionName: "moveCredits",
        args: [lost, next, maxUint256],
      });
      return {
        title: `Move ${tokens(balance, deployment.treasuryStablecoin)} and all credits of ${lost} to ${next}`,
        calls: [
          ...(balance === 0n
            ? []
            : callsOn(contractNamed(contracts, "treasury"), [{ role: "OPERATOR_ROLE" }], [transfer])),
          ...(main + withheld === 0n ? [] : callsOn(treasuryLp(context), [{ role: "DEFAULT_ADMIN_ROLE" }], [move])),
        ],
        observations: [lost, next].flatMap((account) => holding(context, account)),
        notes: [
          ...(isBarred
            ? []
            : [
                `${lost} is not on the blacklist of ${symbol}: until it is, its balance can change, and the calls with it`,
              ]),
          ...(isNextListed ? [] : [`${next} is not on the whitelist of ${symbol}: it can redeem, and cannot get more`]),
        ],
      };
    });
  });

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
