/** `core sign-permit`: signs a swap that another account may send once. */
import { Option } from "@commander-js/extra-typings";
import { getSwapPermitTypedData, type SwapPermitTypedData, swapCall } from "@coreswap/sdk";
import type { Hex } from "viem";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { wholeNumber } from "../commandLine.ts";
import { Failure } from "../failure.ts";
import { exactOutOption, lpOption, readLeg } from "../legs.ts";
import { readAddress, showJson, showTime } from "../text.ts";
import { openSigner, signingCommand } from "../write/options.ts";
import { permitRequest, signedRequest } from "./contractPermit.ts";
import { boundedInputs, boundOption, receiverOption, slippageOption, title } from "./swap.ts";

export const signPermit = signingCommand("sign-permit", "sign a swap that another account sends")
  .usage(
    "[options] --operator <address> <amount> <asset in> <asset out>\n       core sign-permit --signed <file> --signature <bytes>",
  )
  .description(
    "Signs one swap that the operator may send once, until the deadline. Prints JSON: the message, its signature, and the " +
      "calldata that the operator sends to CoreSwap. The user approves the delegate that settles, as for a swap of its " +
      "own. A contract wallet signs in two steps: --request prints what it has to sign, and --signed with --signature " +
      "takes what it signed, checks it by a call of the wallet, and prints the same as for a key.",
  )
  .argument("[amount]", "in whole tokens of the asset in; with --exact-out of the asset out")
  .argument("[asset in]", "symbol, such as TBILL")
  .argument("[asset out]", "symbol, such as USDC")
  .addOption(exactOutOption)
  .addOption(lpOption)
  .addOption(slippageOption)
  .addOption(boundOption)
  .addOption(receiverOption)
  .option("--operator <address>", "account that sends the swap", (text) => readAddress("--operator", text))
  .option("--minutes <count>", "time from the newest block to the deadline", wholeNumber("--minutes"), 20)
  .option("--request", "print what the contract wallet --from has to sign")
  .addOption(
    new Option("--signed <file>", "the request that a contract wallet has signed").conflicts([
      ...["exactOut", "lp", "slippage", "bound", "receiver", "operator", "minutes", "request"],
    ]),
  )
  .option("--signature <bytes>", "its signature")
  .action(async (amount, symbolIn, symbolOut, options) => {
    const deployment = readDeployment(options.network);
    if (options.signed !== undefined) {
      if (amount !== undefined || options.signature === undefined) {
        throw new Failure("--signed takes the file of a request, and needs --signature and nothing else");
      }
      const client = await connect(deployment, options.rpcUrl);
      const signed = await signedRequest(client, deployment, options.signed, options.signature);
      return print(signed.title, signed.typedData, signed.signature);
    }
    if (options.signature !== undefined) throw new Failure("--signature needs --signed");
    if (amount === undefined || symbolIn === undefined || symbolOut === undefined) {
      throw new Failure("sign-permit takes an amount and two assets, such as: sign-permit 1000 TBILL USDC");
    }
    const { operator, minutes } = options;
    if (operator === undefined) throw new Failure("name the account that sends the swap with --operator");
    const leg = readLeg(deployment, { amount, symbolIn, symbolOut }, options);
    const client = await connect(deployment, options.rpcUrl);
    const signer = options.request ? null : await openSigner(options, client);
    const user = signer?.address ?? options.from;
    if (user === undefined || (signer === null && !options.request)) {
      throw new Failure(
        "sign-permit needs what signs: --keystore, --account, --signer-url or --unlocked; for a contract wallet " +
          "--request with --from",
      );
    }
    const { receiver = user } = options;
    const { inputs } = await boundedInputs({ client, deployment }, user, leg, options);
    const { timestamp } = await client.getBlock();
    const typedData = await getSwapPermitTypedData(client, {
      coreSwap: deployment.coreSwap,
      user,
      operator,
      receiver,
      legs: [inputs],
      deadline: timestamp + BigInt(minutes) * 60n,
    });
    const text = title(leg, inputs);
    if (signer === null) console.log(showJson(permitRequest(text, typedData)));
    else print(text, typedData, await signer.signTypedData(typedData));
  });

function print(text: string, { domain, message }: SwapPermitTypedData, signature: Hex): void {
  const { user, operator, receiver, inputs: legs, deadline } = message;
  const permit = { deadline, signature };
  const { to, data } = swapCall(operator, { coreSwap: domain.verifyingContract, user, receiver, legs, permit });
  console.log(showJson({ title: text, until: showTime(deadline), message, signature, to, data }));
}
