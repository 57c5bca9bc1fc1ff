/** Signers reached by JSON-RPC: a service that keeps keys, such as Web3Signer, or a development node. */
import {
  type Address,
  createPublicClient,
  type Hex,
  isAddress,
  isAddressEqual,
  isHex,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type TransactionSerializedEIP1559,
} from "viem";
import { signTypedData } from "viem/actions";
import { httpTransport, type NodeClient, reasonOf } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { isGuarded } from "../text.ts";
import type { Signer, UnsignedTransaction } from "./signer.ts";

/** Long enough for a person to confirm a signature. */
const TIMEOUT_MS = 120_000;

/**
 * Connects to a signer that keeps the key of an account. Transactions are signed by `eth_signTransaction`, typed data
 * by `eth_signTypedData_v4`. The signer is not trusted with more than its key: what it returns is compared with what
 * was asked before anything is sent.
 * @throws Failure if anybody could change the signer's answers in transit, it does not respond, or it has no such
 * account
 */
export async function remoteSigner(url: string, address: Address): Promise<Signer> {
  if (!isGuarded(url)) {
    throw new Failure(
      "the URL of the signer must be https, without a password; http is accepted for this machine only",
    );
  }
  const client = createPublicClient({ transport: httpTransport(url, TIMEOUT_MS, 0) });
  const accounts = await ask((): Promise<unknown> => client.request({ method: "eth_accounts" as never }));
  const listed = Array.isArray(accounts) ? accounts.filter((account) => isAddress(account, { strict: false })) : [];
  if (!listed.some((account) => isAddressEqual(account, address))) {
    throw new Failure(`the signer does not have the key of ${address}, but of ${listed.join(", ") || "no account"}`);
  }
  return signingBy(client, address);
}

/**
 * Returns an account whose key the node itself holds.
 * @throws Failure unless the node is anvil, because only a development node may hold keys
 */
export async function unlockedAccount(client: NodeClient, address: Address): Promise<Signer> {
  const version = await client.request({ method: "web3_clientVersion" });
  if (!version.startsWith("anvil/")) {
    throw new Failure(`--unlocked is for local chains: the node has to be anvil, and it is ${version}`);
  }
  return signingBy(client, address);
}

function signingBy(client: Pick<NodeClient, "request">, address: Address): Signer {
  return {
    address,
    async sign(transaction) {
      const { chainId, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
      const answer = await ask(() =>
        client.request({
          method: "eth_signTransaction" as never,
          params: [
            {
              ...{ from: address, to, data, type: "0x2", value: "0x0", chainId: numberToHex(chainId) },
              ...{ nonce: numberToHex(nonce), gas: numberToHex(gas), maxFeePerGas: numberToHex(maxFeePerGas) },
              maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
            },
          ] as never,
        }),
      );
      return requireAsked(transaction, answer, address);
    },
    async signTypedData(data) {
      const signature = await ask(() => signTypedData(client as NodeClient, { ...data, account: address }));
      const by = await recoverTypedDataAddress({ ...data, signature }).catch(() => null);
      if (by === null || !isAddressEqual(by, address)) {
        throw new Failure(`the signer returned a signature that is not one of ${address} for this message`);
      }
      return signature;
    },
  };
}

/**
 * Returns the signer's answer.
 * @throws Failure unless it is exactly the transaction that was asked for, signed by the account
 */
async function requireAsked(asked: UnsignedTransaction, answer: unknown, address: Address): Promise<Hex> {
  const returned = await parse(answer);
  if (returned === null) throw new Failure("the signer returned no signed transaction: nothing was sent");
  const { signed, unsigned, by } = returned;
  if (serializeTransaction(unsigned) !== serializeTransaction({ type: "eip1559", ...asked })) {
    throw new Failure("the signer returned another transaction than it was asked to sign: nothing was sent");
  }
  if (!isAddressEqual(by, address)) {
    throw new Failure(`the signer returned a signature of ${by} instead of ${address}: nothing was sent`);
  }
  return signed;
}

/** Takes a signed EIP-1559 transaction apart. Returns null if the answer is none. */
async function parse(answer: unknown) {
  if (!isHex(answer)) return null;
  const signed = answer as TransactionSerializedEIP1559;
  try {
    const { r, s, v, yParity, ...unsigned } = parseTransaction(signed);
    return { signed, unsigned, by: await recoverTransactionAddress({ serializedTransaction: signed }) };
  } catch {
    return null;
  }
}

/** Names the signer in what fails. */
async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    throw new Failure(`the signer failed: ${reasonOf(error)}`);
  }
}
