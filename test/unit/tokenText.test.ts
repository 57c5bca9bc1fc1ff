import fc from "fast-check";
import { createPublicClient, custom, encodeAbiParameters, type Hex, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { decodeTokenText, readTokenText } from "../../src/indexing/tokenText.ts";

const TOKEN = "0x00000000000000000000000000000000000000a1";

/** A viem client whose node returns the same answer to every `eth_call`. */
function clientOf(answer: () => Promise<Hex>) {
  const client = createPublicClient({ transport: custom({ request: answer }, { retryCount: 0 }) });
  return { call: ({ to, data }: { to: Hex; data: Hex }) => client.call({ to, data }) };
}

function failure(code: number, message: string, data?: Hex) {
  return clientOf(() => Promise.reject(Object.assign(new Error(message), { code, data })));
}

const abiString = (text: string) => encodeAbiParameters([{ type: "string" }], [text]);

describe("readTokenText", () => {
  it("reads the ABI string that ERC-20 requires", async () => {
    const client = clientOf(() => Promise.resolve(abiString("Example Fund")));
    expect(await readTokenText(client, TOKEN, "name")).toBe("Example Fund");
  });

  it("finds no text where the database could not store it", async () => {
    const client = clientOf(() => Promise.resolve(abiString("Fund\0")));
    expect(await readTokenText(client, TOKEN, "name")).toBeNull();
  });

  it("finds no text for an account without code", async () => {
    expect(
      await readTokenText(
        clientOf(() => Promise.resolve("0x")),
        TOKEN,
        "symbol",
      ),
    ).toBeNull();
  });

  it.each([
    [3, "execution reverted", "0x"],
    [3, "execution reverted: no name", "0x08c379a0"],
    [-32000, "execution reverted", undefined],
    [-32015, "VM execution error. Reverted 0x", undefined],
    [-32000, "invalid opcode: INVALID", undefined],
    [-32000, "out of gas", undefined],
    [-32000, "gas required exceeds allowance (50000000)", undefined],
    [-32000, "stack underflow (0 <=> 1)", undefined],
    [-32000, "return data out of bounds", undefined],
    [-32000, "EVM error: StackUnderflow", undefined],
    [-32603, "EVM error StackUnderflow", undefined],
    [-32603, "EVM error InvalidFEOpcode", undefined],
    [-32603, "EVM error OpcodeNotFound", undefined],
    [-32603, "EVM error InvalidJump", undefined],
    [-32603, "EVM error OutOfGas", undefined],
    [-32603, "EVM error OutOfOffset", undefined],
  ] as const)("finds no text when the call fails with %i, %s", async (code, message, data) => {
    expect(await readTokenText(failure(code, message, data), TOKEN, "name")).toBeNull();
  });

  it.each([
    [-32000, "header not found"],
    [-32000, "missing trie node"],
    [-32005, "limit exceeded"],
    [-32000, "your plan is not activated"],
    [-32603, "internal error"],
    [429, "too many requests"],
  ] as const)("does not mistake a failing node for a token without a name: %i, %s", async (code, message) => {
    await expect(readTokenText(failure(code, message), TOKEN, "name")).rejects.toThrow(message);
  });
});

describe("readTokenText from a node whose latest block is from before the token was deployed", () => {
  /** Answers a call at the latest block as such a node, and one at the block of the event as given. */
  const behind = (atEvent: () => Promise<Hex>) => ({
    call: (request: { to: Hex; data: Hex; cache?: "immutable" }) =>
      clientOf(request.cache === "immutable" ? () => Promise.resolve("0x") : atEvent).call(request),
  });

  it("reads the text at the block of the event", async () => {
    const client = behind(() => Promise.resolve(abiString("Example Fund")));
    expect(await readTokenText(client, TOKEN, "name")).toBe("Example Fund");
  });

  it("does not take the token for one without a text while the node lacks that block", async () => {
    const missing = Object.assign(new Error("header not found"), { code: -32000 });
    await expect(
      readTokenText(
        behind(() => Promise.reject(missing)),
        TOKEN,
        "symbol",
      ),
    ).rejects.toThrow("header not found");
  });
});

describe("decodeTokenText", () => {
  it("returns any ABI string unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeTokenText(abiString(text), "name")).toBe(text);
      }),
    );
  });

  it("reads 32 bytes as text padded with zeros", () => {
    expect(decodeTokenText(stringToHex("Maker", { size: 32 }), "name")).toBe("Maker");
    expect(decodeTokenText(stringToHex("p".repeat(32)), "symbol")).toBe("p".repeat(32));
  });

  it("finds no text in a number, in zeros, or in bytes that are not UTF-8", () => {
    expect(decodeTokenText(`0x${"0".repeat(63)}1`, "name")).toBeNull();
    expect(decodeTokenText(`0x${"0".repeat(64)}`, "name")).toBeNull();
    expect(decodeTokenText(`0x${"ff".repeat(32)}`, "name")).toBeNull();
  });

  it("returns a text or null for any answer of a contract", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = decodeTokenText(`0x${Buffer.from(bytes).toString("hex")}`, "name");
        expect(text === null || typeof text === "string").toBe(true);
      }),
    );
    const lengthBeyondTheData = `0x${"20".padStart(64, "0")}${"f".repeat(64)}` as const;
    expect(decodeTokenText(lengthBeyondTheData, "name")).toBeNull();
  });
});
