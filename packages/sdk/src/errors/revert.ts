/** Reverts of the contracts by name. */
import { CONTRACT_ABIS, type ErrorName } from "@coreswap/abi";
import {
  type Abi,
  AbiDecodingDataSizeTooSmallError,
  type AbiParameter,
  BaseError,
  decodeErrorResult,
  type Hex,
  isHex,
} from "viem";
import { ADVICE } from "./advice.ts";
import { showArguments } from "./values.ts";

let allErrors: Abi | undefined;

/**
 * All errors of all contracts. viem adds those of the language: `Error(string)` and `Panic(uint256)`. Made on first use,
 * so that a program that decodes no reverts does not have to contain the ABIs.
 */
function errorsOfAllContracts(): Abi {
  allErrors ??= Object.values(CONTRACT_ABIS)
    .flat()
    .filter(({ type }) => type === "error");
  return allErrors;
}

/** Revert data, decoded. */
export interface DecodedRevert {
  /** Name of the error; `Error` or `Panic` for those of the language, empty if the error is not known. */
  readonly name: ErrorName | "Error" | "Panic" | "";
  /** Arguments in the order of the error's parameters; empty when there are none, or the error is unknown. */
  readonly args: readonly unknown[];
  /** The error with its arguments: `StaleNav(postedAt: 1795272656, maxAgeSeconds: 86400)`. */
  readonly text: string;
  /** What to do about it; null for errors that are not of these contracts. */
  readonly advice: string | null;
}

/** Decodes any revert data. */
export function decodeRevert(data: Hex): DecodedRevert {
  if (data === "0x") return { name: "", args: [], text: "a revert without data", advice: null };
  try {
    const { abiItem, errorName, args = [] } = decodeErrorResult({ abi: errorsOfAllContracts(), data });
    const inputs = "inputs" in abiItem ? (abiItem.inputs as readonly AbiParameter[]) : [];
    const text = `${errorName}(${showArguments(inputs, args as readonly unknown[])})`;
    const name = errorName as ErrorName | "Error" | "Panic";
    return { name, args: args as readonly unknown[], text, advice: adviceOn(name) };
  } catch {
    return { name: "", args: [], text: `an unknown error, ${data}`, advice: null };
  }
}

/**
 * Revert data inside an error that viem threw; null when the call did not revert, but could not be made, or its answer
 * could not be read.
 */
export function revertData(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null;
  let found: Hex | null = null;
  let reverted = false;
  error.walk((cause) => {
    // Its data are the answer of a call that succeeded.
    if (cause instanceof AbiDecodingDataSizeTooSmallError) return false;
    const { raw, data, code, message } = cause as { raw?: unknown; data?: unknown; code?: unknown; message?: string };
    for (const candidate of [raw, data, nested(data)].map(unprefixed)) {
      if (found === null && isHex(candidate)) found = candidate;
    }
    if (code === 3 || /execution reverted/i.test(message ?? "")) reverted = true;
    return false;
  });
  return found ?? (reverted ? "0x" : null);
}

/** Some nodes put the data into an object. */
function nested(data: unknown): unknown {
  return typeof data === "object" && data !== null && "data" in data ? data.data : undefined;
}

/** Nodes that answer as Parity did put a word before the data. */
function unprefixed(data: unknown): unknown {
  return typeof data === "string" ? data.replace(/^Reverted /, "") : data;
}

function adviceOn(name: string): string | null {
  return name in ADVICE ? ADVICE[name as keyof typeof ADVICE] : null;
}
