import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { deployableContracts } from "../../tools/lib/trees/check.ts";
import { withoutComments } from "../../tools/lib/trees/solidity.ts";

const SCENARIOS = withoutComments(
  readFileSync("contracts/test/integration/scenarios/HostileAdminScenarios.t.sol", "utf8"),
);

/**
 * Functions that are not administration: a user's own calls, powers that are documented to take tokens, and one-time
 * initializers.
 */
const NOT_TRIED = new Set([
  "approve",
  "initialize",
  "permit",
  "renounceRole",
  "revokeRole",
  "transfer",
  "upgradeToAndCall",
  // Accrues several accounts as `accrueInterest` does for one, and pays nobody.
  "batchAccrueInterest",
]);

/** Whether Solidity code without comments calls a function of another contract, or encodes or selects such a call. */
function calls(code: string, name: string): boolean {
  const forms = [
    `\\.${name}\\s*[({]`,
    `\\bencodeCall\\(\\s*\\w+\\.${name}\\b`,
    `\\bencodeWithSignature\\(\\s*"${name}\\(`,
    `\\.${name}\\.selector\\b`,
  ];
  return new RegExp(forms.join("|")).test(code);
}

it.each([
  ["treasury.mint(to, 1);", true],
  ["treasury.mint{gas: 1}(to, 1);", true],
  ["data = abi.encodeCall(ITreasury.mint, (to, 1));", true],
  ["data = abi.encodeWithSelector(ITreasury.mint.selector, to, 1);", true],
  ['data = abi.encodeWithSignature("mint(address,uint256)", to, 1);', true],
  ["// treasury.mint(to, 1);\n/* treasury.mint(to, 1) */", false],
  ["function test_mint(uint256 mint) external {}", false],
  ["treasury.mintAll(to, 1);", false],
])("takes %j for a call of mint: %s", (code, isCall) => {
  expect(calls(withoutComments(code), "mint")).toBe(isCall);
});

it.each(["CoreSwap", "Treasury", "TreasuryDelegate", "BalanceSheetDelegate"])(
  "a hostile administrator tries every administrative function of %s",
  (name) => {
    const contract = deployableContracts("contracts/src", "out").find((candidate) => candidate.name === name);
    const untried = contract?.stateChangingFunctions.filter(
      (member) => !NOT_TRIED.has(member) && !calls(SCENARIOS, member),
    );
    expect(untried).toEqual([]);
  },
);
