/** Options that several commands take. */
import { type Address, isAddressEqual } from "viem";
import { wholeNumber } from "../../../../tools/lib/commandLine.ts";
import type { NodeClient } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { readAddress, readAmount } from "../text.ts";
import { remoteSigner, unlockedAccount } from "./remoteSigner.ts";
import { openKeystore, type Signer } from "./signer.ts";

export const NODE_OPTIONS = {
  network: {
    type: "string",
    default: "mainnet",
    value: "<name>",
    help: "network of the deployment file, or the file's path",
  },
  "rpc-url": { type: "string", value: "<url>", help: "node to ask; else the variable RPC_URL" },
} as const;

export const SIGNER_OPTIONS = {
  keystore: { type: "string", value: "<file>", help: "encrypted key that signs" },
  account: { type: "string", value: "<name>", help: "account of `cast wallet` that signs" },
  "password-file": { type: "string", value: "<file>", help: "password of the keystore; else the terminal is asked" },
  "signer-url": { type: "string", value: "<url>", help: "remote signer, which signs for --from by JSON-RPC" },
  unlocked: { type: "boolean", default: false, help: "the node signs for --from; anvil alone" },
} as const;

/** Far above usual fees. It bounds what a node that proposes a wrong fee costs. */
const MAX_FEE_GWEI = "500";
const GWEI_DECIMALS = 9;

export const WRITE_OPTIONS = {
  ...NODE_OPTIONS,
  from: {
    type: "string",
    value: "<address>",
    help: "account that signs: needed if several may, and without a keystore",
  },
  broadcast: { type: "boolean", default: false, help: "send, and wait for the receipts" },
  safe: { type: "string", value: "<file>", help: "write a batch for the Safe Transaction Builder; --from is the Safe" },
  calldata: { type: "boolean", default: false, help: "print the transactions as JSON, and nothing else" },
  schedule: { type: "boolean", default: false, help: "behind a timelock: schedule the calls" },
  execute: { type: "boolean", default: false, help: "behind a timelock: execute the calls after the delay" },
  ...SIGNER_OPTIONS,
  "wait-seconds": { type: "string", default: "120", value: "<count>", help: "time to wait for each receipt" },
  replace: {
    type: "boolean",
    default: false,
    help: "sign a transaction of an earlier run that has no receipt again, with a higher fee",
  },
  "max-fee-gwei": { type: "string", default: MAX_FEE_GWEI, value: "<count>", help: "most that is paid per gas" },
} as const;

type Values = { [Name in keyof typeof WRITE_OPTIONS]?: string | boolean | undefined };

export interface WriteSettings {
  readonly network: string;
  readonly rpcUrl: string | undefined;
  /** What happens with the transactions. */
  readonly output: "show" | "broadcast" | "calldata" | { readonly safeFile: string };
  readonly step: "schedule" | "execute" | null;
  /** Whether a transaction of an earlier run that has no receipt is replaced. */
  readonly isReplacing: boolean;
  readonly from: Address | undefined;
  readonly waitSeconds: number;
  readonly maxFeePerGas: bigint;
  /** Opens the signer. Returns null when no option names one. */
  openSigner(client: NodeClient): Promise<Signer | null>;
}

/**
 * Reads the options of writing commands.
 * @throws Failure when options contradict each other
 */
export function readWriteSettings(values: Values): WriteSettings {
  const text = (name: keyof Values) => values[name] as string | undefined;
  const from = text("from") === undefined ? undefined : readAddress("--from", text("from") ?? "");
  requireOneOf(values, ["broadcast", "safe", "calldata"]);
  requireOneOf(values, ["schedule", "execute"]);
  requireOneOf(values, ["keystore", "account", "signer-url", "unlocked"]);
  const isReplacing = values.replace === true;
  if (isReplacing && !values.broadcast) throw new Failure("--replace needs --broadcast");
  const safeFile = text("safe");
  const waitSeconds = wholeNumber("wait-seconds", text("wait-seconds") ?? "");
  return {
    network: text("network") ?? "",
    rpcUrl: text("rpc-url"),
    output: values.broadcast ? "broadcast" : values.calldata ? "calldata" : safeFile ? { safeFile } : "show",
    step: values.schedule ? "schedule" : values.execute ? "execute" : null,
    isReplacing,
    from,
    waitSeconds,
    maxFeePerGas: readAmount("--max-fee-gwei", text("max-fee-gwei") ?? MAX_FEE_GWEI, GWEI_DECIMALS),
    async openSigner(client) {
      const [path, account, signerUrl] = [text("keystore"), text("account"), text("signer-url")];
      if (values.unlocked) {
        if (from === undefined) throw new Failure("--unlocked needs --from");
        return unlockedAccount(client, from);
      }
      if (signerUrl !== undefined) {
        if (from === undefined) throw new Failure("--signer-url needs --from");
        return remoteSigner(signerUrl, from);
      }
      if (path === undefined && account === undefined) return null;
      const signer = await openKeystore(
        path === undefined ? { account: account ?? "" } : { path },
        text("password-file"),
      );
      if (from !== undefined && !isAddressEqual(from, signer.address)) {
        throw new Failure(`--from is ${from}, and the keystore holds the key of ${signer.address}`);
      }
      return signer;
    },
  };
}

function requireOneOf(values: Values, names: readonly (keyof Values)[]): void {
  const given = names.filter((name) => values[name]);
  if (given.length > 1) throw new Failure(`give one of ${given.map((name) => `--${name}`).join(" and ")}, not both`);
}
