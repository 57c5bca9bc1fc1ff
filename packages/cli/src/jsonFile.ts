/** What the JSON files of a deployment have in common. */
import { readFileSync } from "node:fs";
import { type Address, getAddress, type Hex, isAddress, isHex, size } from "viem";
import { z } from "zod";
import { Failure } from "./failure.ts";

/** An address, which is returned with its checksum. */
export const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), "expected an address")
  .transform((text): Address => getAddress(text));

/** The ID of an asset: 32 bytes in hex, which are returned in lower case. */
export const assetId = z
  .string()
  .refine((text) => isHex(text) && size(text) === 32, "expected 32 bytes in hex")
  .transform((text) => text.toLowerCase() as Hex);

/** @throws Failure when the file cannot be read, or is not JSON */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
