/** The compiled contracts that `core` can create, or whose creation it checks. */
import { existsSync, readFileSync } from "node:fs";
import type { Hex } from "viem";
import { Failure } from "../failure.ts";

/** The contracts whose code the published package contains. */
export const CREATED_CONTRACTS = [
  "NavPriceAdapter",
  "ChainlinkPriceAdapter",
  "ERC4626PriceAdapter",
  "TBillRateAdapter",
  "ERC1967Proxy",
  "TimelockController",
] as const;

export type CreatedContract = (typeof CREATED_CONTRACTS)[number];

/** The part of Foundry's artifact that is read. */
export interface Artifact {
  readonly bytecode: { readonly object: Hex };
  readonly metadata: {
    readonly compiler: { readonly version: string };
    readonly settings: { readonly compilationTarget: Readonly<Record<string, string>> };
  };
}

/** Folder of the published package, beside its program. */
const PACKED = new URL("./artifacts/", import.meta.url);

/** Path of a contract's artifact in a checkout, from its root. */
export function artifactPath(name: CreatedContract): string {
  return `out/${name}.sol/${name}.json`;
}

/**
 * Returns the creation code of a contract, and what it was compiled from: as published, or as compiled in this checkout.
 * @throws Failure when the contracts are not compiled
 */
export function compiled(name: CreatedContract) {
  const packed = new URL(`${name}.json`, PACKED);
  const path = existsSync(PACKED) ? packed : artifactPath(name);
  try {
    const { bytecode, metadata } = JSON.parse(readFileSync(path, "utf8")) as Artifact;
    const [[file, contract] = []] = Object.entries(metadata.settings.compilationTarget);
    return { bytecode: bytecode.object, source: `${file}:${contract}`, compilerVersion: metadata.compiler.version };
  } catch (error) {
    throw new Failure(
      `${path} cannot be read: compile the contracts first (pnpm forge build); ${error instanceof Error ? error.message : error}`,
    );
  }
}
