/** `core sign-permit`: signs a swap that another account may send once. */
import { getSwapPermitTypedData, swapCall } from "@coreswap/sdk";
import { commandLine, wholeNumber } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { LEG_OPTIONS, readLeg } from "../legs.ts";
import { readAddress, showTime } from "../text.ts";
import { NODE_OPTIONS, readWriteSettings, SIGNER_OPTIONS } from "../write/options.ts";
import { BOUND_OPTIONS, boundedInputs, title } from "./swap.ts";

export async function signPermit(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core sign-permit <amount> <asset in> <asset out> --operator <address>",
      summary: `Signs one swap that the operator may send once, until the deadline. Prints JSON: the message, its signature, and the
calldata that the operator sends to CoreSwap. The user approves the delegate that settles, as for a swap of its own.`,
      allowPositionals: true,
      options: {
        ...NODE_OPTIONS,
        ...SIGNER_OPTIONS,
        ...LEG_OPTIONS,
        ...BOUND_OPTIONS,
        from: { type: "string", value: "<address>", help: "account that signs: needed with --unlocked" },
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
  const [amount, symbolIn, symbolOut, ...others] = positionals;
  if (amount === undefined || symbolIn === undefined || symbolOut === undefined || others.length > 0) {
    throw new Failure("sign-permit takes an amount and two assets, such as: sign-permit 1000 TBILL USDC");
  }
  if (values.operator === undefined) throw new Failure("name the account that sends the swap with --operator");
  const operator = readAddress("--operator", values.operator);
  const minutes = BigInt(wholeNumber("minutes", values.minutes));
  const deployment = readDeployment(values.network);
  const leg = readLeg(deployment, { amount, symbolIn, symbolOut }, values);
  const client = await connect(deployment, values["rpc-url"]);
  const signer = await readWriteSettings({ ...values, "wait-seconds": "1" }).openSigner(client);
  if (signer === null) throw new Failure("sign-permit needs what signs: --keystore, --account or --unlocked");
  const user = signer.address;
  const receiver = values.receiver === undefined ? user : readAddress("--receiver", values.receiver);
  const inputs = await boundedInputs({ client, deployment }, user, leg, values);
  const { timestamp } = await client.getBlock();
  const deadline = timestamp + minutes * 60n;
  const { coreSwap } = deployment;
  const typedData = await getSwapPermitTypedData(client, {
    coreSwap,
    user,
    operator,
    receiver,
    legs: [inputs],
    deadline,
  });
  const signature = await signer.signTypedData(typedData);
  const permit = { deadline, signature };
  const { to, data } = swapCall(operator, { coreSwap, user, receiver, legs: [inputs], permit });
  const shown = {
    title: title(leg, inputs),
    until: showTime(deadline),
    message: typedData.message,
    signature,
    to,
    data,
  };
  console.log(JSON.stringify(shown, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value), 2));
}
