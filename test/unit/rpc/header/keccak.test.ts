import { bytesToHex } from "viem";
import { expect, it } from "vitest";
import { keccak } from "../../../../config/rpc/header/keccak.ts";

it("hashes with Keccak-256, which is not SHA-3", () => {
  expect(bytesToHex(keccak(new Uint8Array()))).toBe(
    "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  );
});
