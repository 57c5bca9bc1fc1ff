/** Encodes and decodes by the ABI. Every selector is computed once, because hashing would take most of the time. */
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  concatHex,
  decodeAbiParameters,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionResult,
  encodeAbiParameters,
  getAddress,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import type { Call } from "../contracts/protocol.ts";
import { type ModelEvent, Revert } from "../state.ts";
import type { Deployed } from "./world.ts";

export interface Log {
  readonly address: Address;
  readonly topics: readonly [Hex, ...Hex[]];
  readonly data: Hex;
}

interface CallCodec {
  readonly declaration: AbiFunction;
  readonly selector: Hex;
}

export class Codec {
  readonly #contracts: ReadonlyMap<Address, Deployed>;
  readonly #calls = new Map<string, CallCodec>();
  readonly #errors = new Map<Hex, Abi[number]>();
  readonly #events = new Map<string, Abi[number]>();

  constructor(contracts: readonly Deployed[]) {
    this.#contracts = new Map(contracts.map((contract) => [contract.address, contract]));
    for (const { address, abi } of contracts) {
      for (const item of abi) {
        if (item.type === "error") this.#errors.set(toFunctionSelector(signatureOf(item)), item);
        if (item.type === "event") this.#events.set(`${address}/${toEventSelector(item)}`, item);
        if (item.type === "function") {
          const codec = { declaration: item, selector: toFunctionSelector(item) };
          this.#calls.set(`${address}/${item.name}/${item.inputs.length}`, codec);
        }
      }
    }
  }

  /** Returns the name of the contract at an address. */
  nameOf(address: Address): string {
    return this.#contracts.get(address)?.name ?? address;
  }

  encodeCall(call: Call): Hex {
    const { declaration, selector } = this.#codecOf(call);
    return concatHex([selector, encodeAbiParameters(declaration.inputs, call.args)]);
  }

  decodeResult(call: Call, data: Hex): unknown {
    const { declaration } = this.#codecOf(call);
    return decodeFunctionResult({ abi: [declaration], functionName: declaration.name, data });
  }

  /** Decodes revert data, or returns the message of the node when there are none. */
  decodeRevert(data: Hex | undefined, message: string): Revert {
    if (data === undefined || data === "0x") return new Revert(message, []);
    const declaration = this.#errors.get(data.slice(0, 10) as Hex);
    if (declaration?.type !== "error") {
      const { errorName, args } = decodeErrorResult({ abi: [], data });
      return new Revert(errorName, args ?? []);
    }
    const args = decodeAbiParameters(declaration.inputs, `0x${data.slice(10)}`);
    return new Revert(declaration.name, args);
  }

  /** Decodes the event of a log. Returns null for an event that no contract here declares. */
  decodeLog({ address, topics, data }: Log): ModelEvent | null {
    const contract = getAddress(address);
    const declaration = this.#events.get(`${contract}/${topics[0]}`);
    if (declaration?.type !== "event") return null;
    const decoded = decodeEventLog({ abi: [declaration], topics: [...topics], data });
    const values = decoded.args as unknown as Readonly<Record<string, unknown>>;
    return { contract, name: declaration.name, args: declaration.inputs.map(({ name }) => values[name ?? ""]) };
  }

  #codecOf({ to, functionName, args }: Call): CallCodec {
    const codec = this.#calls.get(`${to}/${functionName}/${args.length}`);
    if (!codec) throw new Error(`${this.nameOf(to)} has no ${functionName} with ${args.length} arguments`);
    return codec;
  }
}

function signatureOf({ name, inputs }: { readonly name: string; readonly inputs: readonly AbiParameter[] }): string {
  return `${name}(${inputs.map(({ type }) => type).join(",")})`;
}
