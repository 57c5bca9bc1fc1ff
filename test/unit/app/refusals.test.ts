import { ContractRevertError } from "@coreswap/sdk";
import { describe, expect, it } from "vitest";
import { refusalOfFunded } from "../../../app/src/swap/refusals.ts";

const revert = (name: ContractRevertError["errorName"], text: string, advice: string | null = null) =>
  new ContractRevertError({ name, args: [], text, advice }, undefined);

describe("the refusal of a swap that the account can pay", () => {
  it.each([
    ["a balance", revert("ERC20InsufficientBalance", "ERC20InsufficientBalance(0xab, 1, 2)", "Fund it.")],
    ["an approval", revert("ERC20InsufficientAllowance", "ERC20InsufficientAllowance(0xab, 1, 2)", "Approve it.")],
    ["a balance, in words", revert("Error", 'Error("ERC20: transfer amount exceeds balance")')],
    ["an approval, in words", revert("Error", 'Error("ERC20: transfer amount exceeds allowance")')],
  ])("is the LP's if it is about %s", (_name, refusal) => {
    const { title, text } = refusalOfFunded(refusal);
    expect(title).toBe("The LP cannot pay");
    expect(text).toMatch(/another LP\. The error is (ERC20|Error)\w*\([^)]*\)\.$/);
  });

  it("is the error's own otherwise", () => {
    const refusal = revert("Error", 'Error("Blacklistable: account is blacklisted")');
    expect(refusalOfFunded(refusal)).toEqual({ title: "Refused", text: refusal.message });
  });
});
