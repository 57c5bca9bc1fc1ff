/**
 * Forms of hexadecimal text in answers of nodes. Source: Ethereum JSON-RPC specification (execution-apis,
 * `schemas/base-types.yaml`), which writes data in lower case. Anything else is refused, not converted: decoders pad an
 * odd digit and ignore what follows a character that is no digit, and Ponder compares topics as they are written.
 */
import type { Hex } from "viem";

/** Any number of bytes. */
export const DATA = /^0x(?:[0-9a-f]{2})*$/;

/** A number of at most 32 bytes. Leading zeros and capitals do not change it. */
export const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/** A number of at most as many digits as a `number` represents exactly. */
export const SMALL_QUANTITY = /^0x[0-9a-f]{1,13}$/i;

/** 32 bytes. */
export const HASH = /^0x[0-9a-f]{64}$/;

/** 20 bytes. The case of the digits can be a checksum (ERC-55). */
export const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Converts to lower case, in which addresses, hashes and IDs are stored and compared. */
export function lowerCase<T extends Hex>(value: T): T {
  return value.toLowerCase() as T;
}
