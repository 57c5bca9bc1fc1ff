import fc from "fast-check";
import { encodeFunctionData, getAddress, type Hex, maxUint256, pad, parseAbi, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { readCanonicalSwapCall } from "../../src/indexing/canonicalSwapCall.ts";
import { decodeCoreSwapCall, decodeSwapCall, decodeTreasuryCall } from "../../src/indexing/directCall.ts";

const abi = parseAbi([
  "struct SwapInputs { uint256 routeId; bytes32 assetInID; bytes32 assetOutID; bytes32 stablecoinDelegateID; uint256 assetInAmt; uint256 assetOutAmt; }",
  "struct ApprovalPermit { uint256 deadline; bytes signature; }",
  "function swap(address user, address receiver, SwapInputs[] inputs, ApprovalPermit permit)",
  "function addToWhitelist(address account)",
  "function removeFromWhitelist(address account)",
  "function addToBlacklist(address account)",
]);
const contract = "0xC0FFEE254729296A45A3885639AC7E10F9D54979";
const user = "0x52908400098527886E0F7030069857D2E4169EE7";
const receiver = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const id = (text: string): Hex => pad(toHex(text), { dir: "right", size: 32 });
const leg = {
  routeId: 3n,
  assetInID: id("USDC"),
  assetOutID: id("TBILL"),
  stablecoinDelegateID: id("USDC"),
  assetInAmt: 123n,
  assetOutAmt: maxUint256,
};
const noPermit = { deadline: 0n, signature: "0x" } as const;

const encodeSwap = (inputs: (typeof leg)[]) =>
  encodeFunctionData({ abi, functionName: "swap", args: [user, receiver, inputs, noPermit] });

describe("direct call", () => {
  it("of swap decodes to the submitted legs, lower case and in order", () => {
    expect(decodeCoreSwapCall(contract, encodeSwap([leg, { ...leg, routeId: 8n }]))).toEqual({
      contract: contract.toLowerCase(),
      entrypoint: "swap",
      submittedSwapLegs: [3n, 8n].map((routeId) => ({
        routeId: routeId.toString(),
        assetInId: leg.assetInID,
        assetOutId: leg.assetOutID,
        stablecoinDelegateId: leg.stablecoinDelegateID,
        assetInAmount: "123",
        assetOutAmount: maxUint256.toString(),
      })),
      user: user.toLowerCase(),
      receiver: receiver.toLowerCase(),
    });
  });

  it("of swap without legs decodes: the contract refuses it, its calldata is sound", () => {
    expect(decodeCoreSwapCall(contract, encodeSwap([]))).toMatchObject({ entrypoint: "swap", submittedSwapLegs: [] });
  });

  it.each(["addToWhitelist", "removeFromWhitelist"] as const)("of %s decodes to the wallet", (functionName) => {
    const calldata = encodeFunctionData({ abi, functionName, args: [user] });
    expect(decodeTreasuryCall(contract, calldata)).toEqual({
      contract: contract.toLowerCase(),
      entrypoint: functionName,
      submittedSwapLegs: null,
      wallet: user.toLowerCase(),
    });
  });

  it("is none for other functions, other contracts' functions and broken calldata", () => {
    const added = encodeFunctionData({ abi, functionName: "addToWhitelist", args: [user] });
    const blacklisted = encodeFunctionData({ abi, functionName: "addToBlacklist", args: [user] });
    const swap = encodeSwap([leg]);
    for (const calldata of ["0x", "0x12", swap.slice(0, 10), swap.slice(0, -64), added] as Hex[]) {
      expect(decodeCoreSwapCall(contract, calldata)).toBeNull();
    }
    for (const calldata of ["0x", added.slice(0, 10), added.slice(0, -2), blacklisted, swap] as Hex[]) {
      expect(decodeTreasuryCall(contract, calldata)).toBeNull();
    }
  });
});

describe("canonical calldata of swap", () => {
  const hex = (digits: number) =>
    fc
      .array(fc.constantFrom(..."0123456789abcdef"), { minLength: digits, maxLength: digits })
      .map((list) => list.join(""));
  const uint = fc.oneof(fc.bigInt({ min: 0n, max: maxUint256 }), fc.bigInt({ min: 0n, max: 1_000n }));
  const bytes32 = hex(64).map((digits): Hex => `0x${digits}`);
  const anyLeg = fc.record({
    routeId: uint,
    assetInID: bytes32,
    assetOutID: bytes32,
    stablecoinDelegateID: bytes32,
    assetInAmt: uint,
    assetOutAmt: uint,
  });
  const calldata = fc
    .record({
      user: hex(40),
      receiver: hex(40),
      legs: fc.array(anyLeg, { maxLength: 3 }),
      deadline: uint,
      signature: fc.integer({ min: 0, max: 70 }).chain((length) => hex(2 * length)),
    })
    .map(({ user, receiver, legs, deadline, signature }) =>
      encodeFunctionData({
        abi,
        functionName: "swap",
        args: [getAddress(`0x${user}`), getAddress(`0x${receiver}`), legs, { deadline, signature: `0x${signature}` }],
      }),
    );
  /** A word put in the place of another, and digits added or taken away at the end. */
  const damage = fc.record({
    word: fc.nat({ max: 30 }),
    content: fc.option(fc.oneof(uint, fc.constantFrom(0x40n, 0x80n, 0xa0n, 0x160n, 0x220n, 1n << 64n))),
    cut: fc.constantFrom(0, 1, 2, 64),
    added: fc.constantFrom("", "0", "00".repeat(32), "11".repeat(32)),
  });

  /** As `readCanonicalSwapCall` writes addresses. */
  function decodeLowerCase(data: Hex) {
    const call = decodeSwapCall(data);
    return call && { ...call, user: call.user.toLowerCase(), receiver: call.receiver.toLowerCase() };
  }

  it("is read as decoding by the ABI reads it", () => {
    fc.assert(
      fc.property(calldata, (data) => {
        const read = readCanonicalSwapCall(data);
        expect(read).not.toBeNull();
        expect(read).toEqual(decodeLowerCase(data));
      }),
    );
  });

  it("is never read otherwise than decoding by the ABI reads it, however it is damaged", () => {
    fc.assert(
      fc.property(calldata, damage, (data, { word, content, cut, added }) => {
        const start = 10 + 64 * word;
        const replaced =
          content === null || start + 64 > data.length
            ? data
            : data.slice(0, start) + content.toString(16).padStart(64, "0") + data.slice(start + 64);
        const damaged = (replaced.slice(0, replaced.length - cut) + added) as Hex;
        const read = readCanonicalSwapCall(damaged);
        if (read !== null) expect(read).toEqual(decodeLowerCase(damaged));
      }),
      { numRuns: 2_000 },
    );
  });
});
