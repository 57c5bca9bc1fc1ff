/** Accounts that sign: an encrypted keystore, or an account whose key a development node holds. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Address, type Hex, isHex, numberToHex, type TypedDataDefinition } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { signTypedData } from "viem/actions";
import type { NodeClient } from "../chain/connect.ts";
import { Failure } from "../failure.ts";

/** What a signer receives: a complete EIP-1559 transaction. */
interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface Signer {
  readonly address: Address;
  /** Returns the signed transaction in the form in which it is sent. */
  sign(transaction: UnsignedTransaction): Promise<Hex>;
  /** Returns the signature of typed data (EIP-712). */
  signTypedData(data: TypedDataDefinition): Promise<Hex>;
}

/** The folder in which `cast wallet` keeps the accounts that it names. */
const FOUNDRY_KEYSTORES = join(homedir(), ".foundry", "keystores");

/**
 * Opens a keystore in the Web3 Secret Storage format.
 * @param keystore path of the file, or the name of an account of `cast wallet`
 * @param passwordFile a file with the password; without it, the terminal prompts for it
 * @throws Failure when the file is no keystore, the password is wrong, or nobody can enter it
 */
export async function openKeystore(
  keystore: { readonly path: string } | { readonly account: string },
  passwordFile: string | undefined,
): Promise<Signer> {
  const path = "path" in keystore ? keystore.path : join(FOUNDRY_KEYSTORES, keystore.account);
  const json = readText(path);
  // Loaded only here, because other commands do not need it.
  const { decryptKeystoreJson, isKeystoreJson } = await import("ethers");
  if (!isKeystoreJson(json)) throw new Failure(`${path} is no keystore in the Web3 Secret Storage format`);
  const password = passwordFile === undefined ? await askPassword(path) : readText(passwordFile).replace(/\r?\n$/, "");
  try {
    const { privateKey } = await decryptKeystoreJson(json, password);
    const account = privateKeyToAccount(privateKey as Hex);
    return {
      address: account.address,
      sign: (transaction) => account.signTransaction({ type: "eip1559", ...transaction }),
      signTypedData: (data) => account.signTypedData(data),
    };
  } catch (error) {
    throw new Failure(
      `${path} cannot be opened: ${error instanceof Error ? error.message.split(" (")[0] : String(error)}`,
    );
  }
}

/**
 * Returns an account that the node keeps unlocked.
 * @throws Failure unless the node is anvil, because only a development node may hold keys
 */
export async function unlockedAccount(client: NodeClient, address: Address): Promise<Signer> {
  const version = await client.request({ method: "web3_clientVersion" });
  if (!version.startsWith("anvil/")) {
    throw new Failure(`--unlocked is for local chains: the node has to be anvil, and it is ${version}`);
  }
  return {
    address,
    async sign({ chainId, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas }) {
      const signed: unknown = await client.request({
        method: "eth_signTransaction" as never,
        params: [
          {
            ...{ from: address, to, data, type: "0x2", value: "0x0", chainId: numberToHex(chainId) },
            ...{ nonce: numberToHex(nonce), gas: numberToHex(gas), maxFeePerGas: numberToHex(maxFeePerGas) },
            maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
          },
        ] as never,
      });
      if (!isHex(signed)) throw new Failure(`the node did not sign for ${address}`);
      return signed;
    },
    signTypedData: (data) => signTypedData(client, { ...data, account: address }),
  };
}

async function askPassword(path: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Failure(`${path} needs its password: give --password-file, or run in a terminal`);
  process.stderr.write(`Password of ${path}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
