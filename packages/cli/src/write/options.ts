/** Options of commands that write, and of those that sign. */
import { Option } from "@commander-js/extra-typings";
import { isAddressEqual } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { nodeCommand, wholeNumber } from "../commandLine.ts";
import { Failure } from "../failure.ts";
import { GWEI_DECIMALS, readAddress, readAmount } from "../text.ts";
import { remoteSigner, unlockedAccount } from "./remoteSigner.ts";
import { openKeystore, type Signer } from "./signer.ts";

/** Far above usual fees. It bounds what a node that proposes a wrong fee costs. */
const MAX_FEE_GWEI = "500";

const readFee = (text: string) => readAmount("--max-fee-gwei", text, GWEI_DECIMALS);

/** Makes a command that needs somebody's signature. */
export function signingCommand(name: string, summary: string) {
  return nodeCommand(name, summary)
    .option("--from <address>", "account that signs: needed if several may, and without a keystore", (text) =>
      readAddress("--from", text),
    )
    .addOption(
      new Option("--keystore <file>", "sign with this encrypted key").conflicts(["account", "signerUrl", "unlocked"]),
    )
    .addOption(
      new Option("--account <name>", "sign with this account of `cast wallet`").conflicts(["signerUrl", "unlocked"]),
    )
    .option("--password-file <file>", "password of the keystore; else the terminal is asked")
    .addOption(
      new Option("--signer-url <url>", "remote signer, which signs for --from by JSON-RPC").conflicts("unlocked"),
    )
    .option("--unlocked", "let the node sign for --from (anvil only)");
}

/** Makes a command whose plan `runPlan` handles. */
export function writeCommand(name: string, summary: string) {
  return signingCommand(name, summary)
    .addOption(new Option("--broadcast", "send, and wait for the receipts").conflicts(["safe", "calldata"]))
    .addOption(
      new Option("--safe <file>", "write a batch for the Safe Transaction Builder; --from is the Safe").conflicts(
        "calldata",
      ),
    )
    .option("--calldata", "print the transactions as JSON, and nothing else")
    .addOption(new Option("--schedule", "behind a timelock: schedule the calls").conflicts("execute"))
    .option("--execute", "behind a timelock: execute the calls after the delay")
    .option("--wait-seconds <count>", "time to wait for each receipt", wholeNumber("--wait-seconds"), 120)
    .option("--replace", "take the place of a transaction of an earlier run that has no receipt, with a higher fee")
    .addOption(
      new Option("--max-fee-gwei <count>", "highest fee per unit of gas, in gwei")
        .argParser(readFee)
        .default(readFee(MAX_FEE_GWEI), MAX_FEE_GWEI),
    );
}

type SigningOptions = ReturnType<ReturnType<typeof signingCommand>["opts"]>;
export type WriteOptions = ReturnType<ReturnType<typeof writeCommand>["opts"]>;

/**
 * Opens what signs. Returns null when no option names it.
 * @throws Failure when an option is missing, or the signer cannot be opened or is not --from
 */
export async function openSigner(options: SigningOptions, client: NodeClient): Promise<Signer | null> {
  const { from, keystore, account, passwordFile, signerUrl, unlocked } = options;
  if (unlocked) {
    if (from === undefined) throw new Failure("--unlocked needs --from");
    return unlockedAccount(client, from);
  }
  if (signerUrl !== undefined) {
    if (from === undefined) throw new Failure("--signer-url needs --from");
    return remoteSigner(signerUrl, from);
  }
  if (keystore === undefined && account === undefined) return null;
  const signer = await openKeystore(
    keystore === undefined ? { account: account ?? "" } : { path: keystore },
    passwordFile,
  );
  if (from !== undefined && !isAddressEqual(from, signer.address)) {
    throw new Failure(`--from is ${from}, and the keystore holds the key of ${signer.address}`);
  }
  return signer;
}

/** What becomes of a plan. */
export interface WriteSettings {
  readonly output: "show" | "broadcast" | "calldata" | { readonly safeFile: string };
  readonly step: "schedule" | "execute" | null;
  /** Whether a transaction of an earlier run that has no receipt is replaced. */
  readonly isReplacing: boolean;
}

/** @throws Failure when --replace is given without --broadcast */
export function writeSettingsOf(options: WriteOptions): WriteSettings {
  const { broadcast, calldata, safe, schedule, execute, replace } = options;
  if (replace && !broadcast) throw new Failure("--replace needs --broadcast");
  const shown = safe === undefined ? "show" : { safeFile: safe };
  return {
    output: broadcast ? "broadcast" : calldata ? "calldata" : shown,
    step: schedule ? "schedule" : execute ? "execute" : null,
    isReplacing: replace ?? false,
  };
}
