/**
 * Cursors of the transaction history: base64url (RFC 4648, without padding) of
 *
 *     version 1 byte | block number 8 bytes | transaction index 4 bytes | digest 16 bytes
 *
 * with big-endian numbers. The digest is the start of SHA-256 over version, network, filters and position, so that a
 * cursor is valid only with the network and filters that it came from. It is not a secret: it guards against mistakes,
 * and a forged position only reads public rows.
 */
import { createHash } from "node:crypto";
import { maxInt64 } from "viem";

/** Position of a transaction in its chain. */
export interface Position {
  readonly blockNumber: bigint;
  readonly transactionIndex: number;
}

const VERSION = 1;
const HEAD_BYTES = 1 + 8 + 4;
const DIGEST_BYTES = 16;
const CURSOR_BYTES = HEAD_BYTES + DIGEST_BYTES;

/** Largest values of the parameters for a position (`bigint` and `integer` of PostgreSQL). */
const MAX_BLOCK_NUMBER = maxInt64;
const MAX_TRANSACTION_INDEX = 2 ** 31 - 1;

/** Newer than every transaction. The first page starts here. */
export const NEWEST: Position = { blockNumber: MAX_BLOCK_NUMBER, transactionIndex: MAX_TRANSACTION_INDEX };

/** Whether one position is older than another. */
export function isBefore(one: Position, other: Position): boolean {
  return one.blockNumber === other.blockNumber
    ? one.transactionIndex < other.transactionIndex
    : one.blockNumber < other.blockNumber;
}

/** The scope of a cursor: network and filters in normal form, without absent ones, always in the same order. */
export type CursorScope = readonly (readonly [name: string, value: string])[];

/** Returns the cursor that continues after `position`. */
export function encodeCursor(scope: CursorScope, { blockNumber, transactionIndex }: Position): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeBigUInt64BE(blockNumber, 1);
  head.writeUInt32BE(transactionIndex, 9);
  return Buffer.concat([head, digestOf(scope, head)]).toString("base64url");
}

/**
 * Returns the position of a cursor, or null unless `encodeCursor` makes exactly this text from the scope and that
 * position.
 */
export function decodeCursor(scope: CursorScope, cursor: string): Position | null {
  const bytes = Buffer.from(cursor, "base64url");
  // Decoding skips foreign characters and ignores spare bits. Only the canonical text encodes to itself again.
  if (bytes.length !== CURSOR_BYTES || bytes.toString("base64url") !== cursor) return null;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head.readUInt8(0) !== VERSION || !bytes.subarray(HEAD_BYTES).equals(digestOf(scope, head))) return null;
  const position = { blockNumber: head.readBigUInt64BE(1), transactionIndex: head.readUInt32BE(9) };
  const isInRange = position.blockNumber <= MAX_BLOCK_NUMBER && position.transactionIndex <= MAX_TRANSACTION_INDEX;
  return isInRange ? position : null;
}

function digestOf(scope: CursorScope, head: Buffer): Buffer {
  // JSON separates names and values, whatever they contain.
  return createHash("sha256").update(head).update(JSON.stringify(scope)).digest().subarray(0, DIGEST_BYTES);
}
