/** Tests which transactions prove that a contract was created by known code. */
import { concat, getContractAddress, type Hex, pad, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { CREATE2_DEPLOYER } from "../../packages/cli/src/desired/creations.ts";
import { type CreatingTransaction, isCreatedBy } from "../../packages/cli/src/desired/foreignCreations.ts";

const CODE: Hex = "0x6080604052600180fd";
const ARGUMENTS = concat([pad("0x01"), pad("0x02")]);
const SENDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SAFE = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

describe("A transaction that creates a contract itself", () => {
  const address = getContractAddress({ from: SENDER, nonce: 7n });
  const creation: CreatingTransaction = { from: SENDER, nonce: 7, to: null, input: concat([CODE, ARGUMENTS]) };

  it("proves the code that it begins with", () => {
    expect(isCreatedBy(CODE, address, creation)).toBe(true);
    expect(isCreatedBy(CODE, address, { ...creation, input: concat(["0x00", CODE, ARGUMENTS]) })).toBe(false);
    expect(isCreatedBy("0x6080604052600280fd", address, creation)).toBe(false);
  });

  it("proves nothing about a contract at another address", () => {
    expect(isCreatedBy(CODE, address, { ...creation, nonce: 6 })).toBe(false);
    expect(isCreatedBy(CODE, address, { ...creation, from: SAFE })).toBe(false);
  });

  it("proves nothing when it calls a contract, which can create another one", () => {
    expect(isCreatedBy(CODE, address, { ...creation, to: SAFE })).toBe(false);
  });
});

describe("A transaction that has the CREATE2 deployer create a contract", () => {
  const salt = pad(toHex("CREDIT"), { dir: "right", size: 32 });
  const bytecode = concat([CODE, ARGUMENTS]);
  const address = getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt, bytecode });
  const created = (input: Hex, to: Hex = CREATE2_DEPLOYER) =>
    isCreatedBy(CODE, address, { from: SENDER, nonce: 7, to, input });

  it("proves the code, sent directly or within the call of a Safe", () => {
    expect(created(concat([salt, bytecode]))).toBe(true);
    expect(created(concat(["0x6a761202", pad("0x20"), salt, bytecode, pad("0x00")]), SAFE)).toBe(true);
  });

  it("proves the code of each contract of a batch", () => {
    const other = concat([pad("0x09"), CODE, pad("0x08")]);
    expect(created(concat(["0x8d80ff0a", other, salt, bytecode, other]), SAFE)).toBe(true);
  });

  it("proves nothing with another salt, other arguments or other code", () => {
    expect(created(concat([pad("0x01"), bytecode]))).toBe(false);
    expect(created(concat([salt, CODE, pad("0x01"), pad("0x03")]))).toBe(false);
    expect(created(concat([salt, "0x6080604052600280fd", ARGUMENTS]))).toBe(false);
    expect(created("0x")).toBe(false);
  });
});
