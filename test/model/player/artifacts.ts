/** Compiled contracts, as `pnpm forge build` left them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";

export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/**
 * Interface and creation code of a contract.
 * @throws Error when the contracts are not compiled
 */
export function artifactOf(contract: string): Artifact {
  const path = join("out", `${contract}.sol`, `${contract}.json`);
  if (!existsSync(path)) throw new Error(`${path} is missing: compile the contracts first, with \`pnpm forge build\``);
  const { abi, bytecode } = JSON.parse(readFileSync(path, "utf8")) as { abi: Abi; bytecode: { object: Hex } };
  return { abi, bytecode: bytecode.object };
}
