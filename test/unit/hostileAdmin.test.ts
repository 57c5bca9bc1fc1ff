import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { deployableContracts } from "../../tools/lib/trees/check.ts";

const SCENARIOS = readFileSync("contracts/test/integration/scenarios/HostileAdminScenarios.t.sol", "utf8");

/** Not administration: a user's own calls, powers that are said to take, and one-time initialisers. */
const NOT_TRIED = new Set([
  "approve",
  "initialize",
  "permit",
  "renounceRole",
  "revokeRole",
  "transfer",
  "upgradeToAndCall",
  // Accrues for several what `accrueInterest` does for one, and pays nobody.
  "batchAccrueInterest",
]);

it.each(["CoreSwap", "Treasury", "TreasuryDelegate", "BalanceSheetDelegate"])(
  "a hostile administrator tries every administrative function of %s",
  (name) => {
    const contract = deployableContracts("contracts/src", "out").find((candidate) => candidate.name === name);
    const untried = contract?.stateChangingFunctions.filter(
      (member) => !NOT_TRIED.has(member) && !new RegExp(`\\b${member}\\b`).test(SCENARIOS),
    );
    expect(untried).toEqual([]);
  },
);
