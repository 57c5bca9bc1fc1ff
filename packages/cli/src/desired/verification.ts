/** The command of forge that gives an explorer the sources of a contract. */
import type { Address, Hash, Hex } from "viem";

/** A contract with what explains its code. */
export interface ExplainedContract {
  readonly address: Address;
  /** `<path>:<name>` of the source. */
  readonly source: string;
  readonly compilerVersion: string;
  /** Arguments of the constructor, encoded. */
  readonly constructorArgs: Hex;
  /** `<path>:<name>:<address>` of each linked library. */
  readonly libraries: readonly string[];
  /** The transaction that created it, if it is known. */
  readonly transactionHash?: Hash;
}

/** Where sources are sent. */
interface Explorer {
  readonly chain: string;
  readonly verifier: string;
  readonly url?: string | undefined;
}

/** Returns the command that verifies the sources of a contract. */
export function verificationCommand(contract: ExplainedContract, { chain, verifier, url }: Explorer): string {
  const { address, source, compilerVersion, constructorArgs, libraries, transactionHash } = contract;
  const isTransactionNeeded = verifier === "sourcify" && transactionHash !== undefined;
  return [
    ...["pnpm forge verify-contract", address, source, "--chain", chain, "--compiler-version", compilerVersion],
    ...["--verifier", verifier, ...(url === undefined ? [] : ["--verifier-url", `'${url}'`])],
    ...(constructorArgs === "0x" ? [] : ["--constructor-args", constructorArgs]),
    ...libraries.flatMap((library) => ["--libraries", library]),
    ...(isTransactionNeeded ? ["--creation-transaction-hash", transactionHash] : []),
  ].join(" ");
}
