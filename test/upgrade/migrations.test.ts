/** A migration that the upgrade would not run is refused, before anything is compiled. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each([
  ["for a contract that is not upgraded", ["--migrate", "treasury=0x01", "coreSwap"]],
  ["that is the second one for a contract", ["--migrate", "treasury=0x01", "--migrate", "treasury=0x02", "treasury"]],
])("X3: a migration %s is refused", (_, args) => {
  const { status, stderr } = spawnSync(process.execPath, ["tools/upgrade.ts", "--check", ...args], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toBe("--migrate treasury: give one migration for each upgraded contract\n");
});
