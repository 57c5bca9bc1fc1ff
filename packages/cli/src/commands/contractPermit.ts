/** Permits of contract wallets, which sign somewhere else: what they have to sign, and the check of what they signed. */
import { readFileSync } from "node:fs";
import { coreSwapAbi } from "@coreswap/abi";
import { getSwapPermitTypedData, type SwapPermitTypedData, verifySwapPermit } from "@coreswap/sdk";
import { type Address, getTypesForEIP712Domain, hashTypedData, isHex } from "viem";
import { z } from "zod";
import type { NodeClient } from "../chain/connect.ts";
import type { Deployment } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import { bytes } from "../jsonFile.ts";
import { readAddress, showTime } from "../text.ts";

/** Returns what a contract wallet signs, as its software and its owners expect it. */
export function permitRequest(title: string, typedData: SwapPermitTypedData) {
  const { domain, message } = typedData;
  const digest = hashTypedData(typedData);
  return {
    title,
    until: showTime(message.deadline),
    typedData: withDomainType(typedData),
    digest,
    /** What each owner signs if the wallet is a Safe, whose fallback handler checks this message. */
    safeMessage: withDomainType({
      domain: { chainId: domain.chainId, verifyingContract: message.user },
      types: { SafeMessage: [{ name: "message", type: "bytes" }] },
      primaryType: "SafeMessage",
      message: { message: digest },
    }),
  };
}

/** The form that `eth_signTypedData_v4` takes: it lists the fields of the domain, too. */
function withDomainType<Data extends { readonly domain: object; readonly types: object }>(typedData: Data) {
  const { domain, types } = typedData;
  return { ...typedData, types: { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types } };
}

const whole = z
  .string()
  .regex(/^\d+$/)
  .transform((text) => BigInt(text));
const account = z.string().transform((text) => readAddress("an address of the request", text));
const requestSchema = z.object({
  digest: bytes,
  typedData: z.object({
    message: z.object({
      user: account,
      operator: account,
      receiver: account,
      inputs: z.array(
        z.object({
          routeId: whole,
          assetInID: bytes,
          assetOutID: bytes,
          stablecoinDelegateID: bytes,
          assetInAmt: whole,
          assetOutAmt: whole,
        }),
      ),
      nonce: whole,
      deadline: whole,
    }),
  }),
});

/**
 * Reads a request, and checks a signature for it as CoreSwap will: with a call of the wallet.
 * @throws Failure when the request cannot be swapped any more, or CoreSwap would refuse the signature
 */
export async function signedRequest(client: NodeClient, { coreSwap }: Deployment, path: string, signature: string) {
  if (!isHex(signature)) throw new Failure(`--signature is "${signature}", expected bytes in hex`);
  const { digest, message } = readRequest(path);
  const { user, operator, receiver, inputs, nonce, deadline } = message;
  const parameters = { coreSwap, user, operator, receiver, legs: inputs };
  const [current, { timestamp }] = await Promise.all([
    client.readContract({ address: coreSwap, abi: coreSwapAbi, functionName: "nonces", args: [user] }),
    client.getBlock(),
  ]);
  const again = "make a new request with --request";
  if (current !== nonce) throw new Failure(`${user} has used nonce ${nonce} for another permit: ${again}`);
  if (timestamp > deadline) throw new Failure(`the request was valid until ${showTime(deadline)}: ${again}`);
  const typedData = await getSwapPermitTypedData(client, { ...parameters, deadline });
  if (hashTypedData(typedData) !== digest) {
    throw new Failure(`${path} is not for this deployment, or its message was changed: ${again}`);
  }
  const permit = { deadline, signature };
  if (!(await verifySwapPermit(client, { ...parameters, permit })))
    throw new Failure(await signatureRefusal(client, user));
  return { title: `Swap of ${user}, to be sent by ${operator}`, typedData, signature };
}

function readRequest(path: string) {
  try {
    const { typedData, ...request } = requestSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return { ...request, message: typedData.message };
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Failure(`${path} is not a request of core sign-permit --request: ${reason}`);
  }
}

async function signatureRefusal(client: NodeClient, user: Address): Promise<string> {
  if ((await client.getCode({ address: user })) === undefined)
    return `this is not a signature of ${user}, which has no code`;
  return (
    `isValidSignature of ${user} does not accept this signature for the digest of the request. A Safe needs a fallback ` +
    "handler with that function, and as many signatures of owners over safeMessage as its threshold, one after the " +
    "other in the order of the owners' addresses. CoreSwap never accepts 0x"
  );
}
