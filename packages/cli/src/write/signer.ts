/** What signs transactions and messages, and the one that this process can be itself: an encrypted keystore. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Address, Hex, TypedDataDefinition } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { Failure } from "../failure.ts";

/** What a signer receives: a complete EIP-1559 transaction. */
export interface UnsignedTransaction {
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
 * @throws Failure when the file is not a keystore, the password is wrong, or nobody can enter it
 */
export async function openKeystore(
  keystore: { readonly path: string } | { readonly account: string },
  passwordFile: string | undefined,
): Promise<Signer> {
  const path = "path" in keystore ? keystore.path : join(FOUNDRY_KEYSTORES, keystore.account);
  const json = readText(path);
  // Loaded only here, because other commands do not need it.
  const { decryptKeystoreJson, isKeystoreJson } = await import("ethers");
  if (!isKeystoreJson(json)) throw new Failure(`${path} is not a keystore in the Web3 Secret Storage format`);
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
