/** Decodes calldata, revert data and logs by name, with the ABIs of all contracts. */
import { CONTRACT_ABIS, type ContractName } from "@coreswap/abi";
import { showArguments } from "@coreswap/sdk";
import {
  type Abi,
  type AbiParameter,
  decodeEventLog,
  decodeFunctionData,
  type Hex,
  isHex,
  size,
  slice,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { decodeRevert } from "./errors/revert.ts";

export interface Decoded {
  readonly kind: "call" | "error" | "event";
  readonly name: string;
  /** The name with its arguments. */
  readonly text: string;
  /** Contracts that declare the item. Empty for errors. */
  readonly contracts: readonly string[];
  /** The contract that was called, or that emitted the event: its name in the deployment, else its address. */
  readonly at?: string;
  /** What to do about an error. */
  readonly advice?: string | null;
  /** Calls inside the call, such as those of a timelock's operation. */
  readonly inner?: readonly Decoded[];
}

const ABIS = Object.entries(CONTRACT_ABIS) as [ContractName, Abi][];

/** Decodes bytes that are calldata or revert data. Returns all readings, because a selector can be both. */
export function decodeBytes(data: Hex): Decoded[] {
  const { name, text, advice } = decodeRevert(data);
  const calls = decodeCall(data);
  return name === "" ? calls : [...calls, { kind: "error", name, text, contracts: [], advice }];
}

/** Decodes calldata. Contracts that declare the same function give one reading. */
export function decodeCall(data: Hex): Decoded[] {
  if (size(data) < 4) return [];
  const selector = slice(data, 0, 4);
  return merged(
    ABIS.flatMap(([contract, abi]) => {
      const item = abi.find((candidate) => candidate.type === "function" && toFunctionSelector(candidate) === selector);
      if (item?.type !== "function") return [];
      try {
        const { args = [] } = decodeFunctionData({ abi: [item], data });
        const text = `${item.name}(${showArguments(item.inputs, args)})`;
        const decoded: Decoded = { kind: "call", name: item.name, text, contracts: [contract] };
        const inner = innerCalls(item.name, args);
        return [inner.length === 0 ? decoded : { ...decoded, inner }];
      } catch {
        // The selector matches this function, but the bytes after it are not its arguments.
        return [];
      }
    }),
  );
}

/** Describes a call by its function with the arguments, or by its calldata if no contract has the function. */
export function callText(data: Hex): string {
  return decodeCall(data)[0]?.text ?? data;
}

/** Decodes a log. */
export function decodeLog(topics: readonly Hex[], data: Hex): Decoded[] {
  const [signature, ...indexed] = topics;
  if (signature === undefined) return [];
  return merged(
    ABIS.flatMap(([contract, abi]) => {
      const item = abi.find((candidate) => candidate.type === "event" && toEventSelector(candidate) === signature);
      if (item?.type !== "event") return [];
      try {
        const { args } = decodeEventLog({ abi: [item], data, topics: [signature, ...indexed] });
        const text = `${item.name}(${showArguments(item.inputs, listed(item.inputs, args))})`;
        return [{ kind: "event" as const, name: item.name, text, contracts: [contract] }];
      } catch {
        // The signature matches this event, but the bytes after it are not its arguments.
        return [];
      }
    }),
  );
}

/**
 * The arguments of an event in the order of its parameters. viem returns them by name, unless a parameter has no name.
 */
function listed(parameters: readonly AbiParameter[], args: unknown): unknown[] {
  if (Array.isArray(args)) return args;
  const named = (args ?? {}) as Readonly<Record<string, unknown>>;
  return parameters.map(({ name }) => named[name ?? ""]);
}

/**
 * The calls that the timelock makes, taken from the last bytes arguments of `schedule`, `execute` and their batches.
 */
function innerCalls(name: string, args: readonly unknown[]): Decoded[] {
  if (!/^(schedule|execute)(Batch)?$/.test(name)) return [];
  const payloads = (Array.isArray(args[2]) ? args[2] : [args[2]]) as readonly unknown[];
  return payloads.flatMap((payload) => (isHex(payload) ? decodeCall(payload).slice(0, 1) : []));
}

function merged(readings: readonly Decoded[]): Decoded[] {
  const byText = new Map<string, Decoded>();
  for (const reading of readings) {
    const same = byText.get(reading.text);
    byText.set(reading.text, same ? { ...same, contracts: [...same.contracts, ...reading.contracts] } : reading);
  }
  return [...byText.values()];
}
