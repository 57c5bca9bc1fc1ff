/** What the JSON files of a deployment have in common. */
import { readFileSync } from "node:fs";
import { type Address, getAddress, type Hex, isAddress, isHex, size } from "viem";
import { z } from "zod";
import { Failure } from "./failure.ts";

/** An address, in lower case or with the capitals of its checksum, which is returned with its checksum. */
export const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), {
    error: "expected an address: 0x and 40 hex digits, with the capitals of its checksum",
    abort: true,
  })
  .refine((text) => isAddress(text), "the checksum of this address is wrong, so a digit may be, too")
  .transform((text): Address => getAddress(text));

/** Any number of bytes in hex. */
export const bytes = z
  .string()
  .refine((text) => isHex(text), "expected bytes in hex")
  .transform((text) => text as Hex);

/** The ID of an asset: 32 bytes in hex, which are returned in lower case. */
export const assetId = z
  .string()
  .refine((text) => isHex(text) && size(text) === 32, "expected 32 bytes in hex")
  .transform((text) => text.toLowerCase() as Hex);

/**
 * Reads a JSON file.
 * @throws Failure when the file cannot be read, or is not JSON
 */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Failure(
      `${path} cannot be read: ${error instanceof Error ? messageWithoutContent(error) : String(error)}`,
    );
  }
}

/** The message of an error, without the part of the file that a syntax error quotes: it may be a password. */
function messageWithoutContent(error: Error): string {
  if (!(error instanceof SyntaxError)) return error.message;
  const place = /line \d+ column \d+/.exec(error.message)?.[0];
  return `it is not valid JSON${place === undefined ? "" : `, ${place}`}`;
}
