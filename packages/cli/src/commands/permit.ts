/** `core sign-permit`: signs a swap that another account may send once. */
import { getSwapPermitTypedData, type SwapPermitTypedData, swapCall } from "@coreswap/sdk";
import type { Hex } from "viem";
import { commandLine, wholeNumber } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { LEG_OPTIONS, readLeg } from "../legs.ts";
import { readAddress, showJson, showTime } from "../text.ts";
import { NODE_OPTIONS, readWriteSettings, SIGNER_OPTIONS } from "../write/options.ts";
import { permitRequest, signedRequest } from "./contractPermit.ts";
import { BOUND_OPTIONS, boundedInputs, title } from "./swap.ts";

export async function signPermit(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: `pnpm core sign-permit <amount> <asset in> <asset out> --operator <address>, or
pnpm core sign-permit --signed <file> --signature <bytes>`,
      summary: `Signs one swap that the operator may send once, until the deadline. Prints JSON: the message, its signature, and the
calldata that the operator sends to CoreSwap. The user approves the delegate that settles, as for a swap of its own.
A contract wallet signs in two steps: --request prints what it has to sign, and --signed with --signature takes what it
signed, checks it by a call of the wallet, and prints the same as for a key.`,
      allowPositionals: true,
      options: {
        ...NODE_OPTIONS,
        ...SIGNER_OPTIONS,
        ...LEG_OPTIONS,
        ...BOUND_OPTIONS,
        from: {
          type: "string",
          value: "<address>",
          help: "account that signs: needed for --signer-url, --unlocked and --request",
        },
        request: { type: "boolean", default: false, help: "print what the contract wallet --from has to sign" },
        signed: { type: "string", value: "<file>", help: "the request that a contract wallet has signed" },
        signature: { type: "string", value: "<bytes>", help: "its signature" },
        operator: { type: "string", value: "<address>", help: "account that sends the swap" },
        receiver: { type: "string", value: "<address>", help: "account that gets the asset out; else the signer" },
        minutes: {
          type: "string",
          default: "20",
          value: "<count>",
          help: "time from the newest block to the deadline",
        },
      },
    },
    args,
  );
  const deployment = readDeployment(values.network);
  if (values.signed !== undefined) {
    if (positionals.length > 0 || values.signature === undefined) {
      throw new Failure("--signed takes the file of a request, and needs --signature and nothing else");
    }
    const client = await connect(deployment, values["rpc-url"]);
    const signed = await signedRequest(client, deployment, values.signed, values.signature);
    return print(signed.title, signed.typedData, signed.signature);
  }
  const [amount, symbolIn, symbolOut, ...others] = positionals;
  if (amount === undefined || symbolIn === undefined || symbolOut === undefined || others.length > 0) {
    throw new Failure("sign-permit takes an amount and two assets, such as: sign-permit 1000 TBILL USDC");
  }
  if (values.operator === undefined) throw new Failure("name the account that sends the swap with --operator");
  const operator = readAddress("--operator", values.operator);
  const minutes = BigInt(wholeNumber("minutes", values.minutes));
  const leg = readLeg(deployment, { amount, symbolIn, symbolOut }, values);
  const client = await connect(deployment, values["rpc-url"]);
  const settings = readWriteSettings({ ...values, "wait-seconds": "1" });
  const signer = values.request ? null : await settings.openSigner(client);
  const user = signer?.address ?? settings.from;
  if (user === undefined || (signer === null && !values.request)) {
    throw new Failure(
      "sign-permit needs what signs: --keystore, --account, --signer-url or --unlocked; for a contract wallet " +
        "--request with --from",
    );
  }
  const receiver = values.receiver === undefined ? user : readAddress("--receiver", values.receiver);
  const inputs = await boundedInputs({ client, deployment }, user, leg, values);
  const { timestamp } = await client.getBlock();
  const typedData = await getSwapPermitTypedData(client, {
    coreSwap: deployment.coreSwap,
    user,
    operator,
    receiver,
    legs: [inputs],
    deadline: timestamp + minutes * 60n,
  });
  const text = title(leg, inputs);
  if (signer === null) console.log(showJson(permitRequest(text, typedData)));
  else print(text, typedData, await signer.signTypedData(typedData));
}

function print(text: string, { domain, message }: SwapPermitTypedData, signature: Hex): void {
  const { user, operator, receiver, inputs: legs, deadline } = message;
  const permit = { deadline, signature };
  const { to, data } = swapCall(operator, { coreSwap: domain.verifyingContract, user, receiver, legs, permit });
  console.log(showJson({ title: text, until: showTime(deadline), message, signature, to, data }));
}
