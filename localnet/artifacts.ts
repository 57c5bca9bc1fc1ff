/** Compiled contracts that `pnpm forge build` wrote. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Address, Hex } from "viem";

export interface Artifact {
  readonly abi: Abi;
  /** Creation code with placeholders for the addresses of libraries. */
  readonly bytecode: Hex;
  /** Names of the libraries to link, with the positions of their addresses in bytes. */
  readonly libraries: Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>;
}

/**
 * Returns the interface and creation code of a contract.
 * @throws Error when the contracts are not compiled
 */
export function artifactOf(contract: string): Artifact {
  const path = join("out", `${contract}.sol`, `${contract}.json`);
  if (!existsSync(path)) throw new Error(`${path} is missing: compile the contracts first, with \`pnpm forge build\``);
  const { abi, bytecode } = JSON.parse(readFileSync(path, "utf8")) as {
    abi: Abi;
    bytecode: { object: Hex; linkReferences: Readonly<Record<string, Artifact["libraries"]>> };
  };
  return { abi, bytecode: bytecode.object, libraries: Object.assign({}, ...Object.values(bytecode.linkReferences)) };
}

/** Returns the creation code with the address of a library at each of its positions. */
export function linked(bytecode: Hex, address: Address, places: Artifact["libraries"][string]): Hex {
  return places.reduce<Hex>((code, { start, length }) => {
    const at = 2 + 2 * start;
    return `${code.slice(0, at)}${address.slice(2).toLowerCase()}${code.slice(at + 2 * length)}` as Hex;
  }, bytecode);
}
