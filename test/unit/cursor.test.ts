import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CursorScope, decodeCursor, encodeCursor, NEWEST } from "../../src/api/transactions/cursor.ts";

const position = fc.record({
  blockNumber: fc.bigInt({ min: 0n, max: NEWEST.blockNumber }),
  transactionIndex: fc.integer({ min: 0, max: NEWEST.transactionIndex }),
});
const scope = fc.array(fc.tuple(fc.string(), fc.string())) as fc.Arbitrary<CursorScope>;

describe("cursor", () => {
  it("decodes to the position that it was made from", () => {
    fc.assert(
      fc.property(scope, position, (filters, at) => {
        const cursor = encodeCursor(filters, at);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{39}$/);
        expect(decodeCursor(filters, cursor)).toEqual(at);
      }),
    );
  });

  it("is refused with another scope", () => {
    fc.assert(
      fc.property(scope, scope, position, (filters, others, at) => {
        fc.pre(JSON.stringify(filters) !== JSON.stringify(others));
        expect(decodeCursor(others, encodeCursor(filters, at))).toBeNull();
      }),
    );
  });

  it("is refused when any character is changed", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= é";
    fc.assert(
      fc.property(scope, position, fc.nat(38), fc.constantFrom(...alphabet), (filters, at, index, character) => {
        const cursor = encodeCursor(filters, at);
        fc.pre(cursor[index] !== character);
        const changed = `${cursor.slice(0, index)}${character}${cursor.slice(index + 1)}`;
        expect(decodeCursor(filters, changed)).toBeNull();
      }),
    );
  });

  it("is refused when longer, shorter, padded or any other text", () => {
    fc.assert(
      fc.property(scope, position, fc.string(), (filters, at, text) => {
        const cursor = encodeCursor(filters, at);
        for (const changed of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(0, -1), "", text]) {
          expect(decodeCursor(filters, changed)).toBeNull();
        }
      }),
    );
  });

  it("never names a position that the parameters cannot hold", () => {
    expect(decodeCursor([], encodeCursor([], { ...NEWEST, blockNumber: NEWEST.blockNumber + 1n }))).toBeNull();
    expect(decodeCursor([], encodeCursor([], { ...NEWEST, transactionIndex: NEWEST.transactionIndex + 1 }))).toBeNull();
  });
});
