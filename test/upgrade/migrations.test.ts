/** A migration that the upgrade would not run is refused, before anything is compiled. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each([
  ["without data", "treasury"],
  ["without a call", "treasury="],
  ["that is no data", "treasury=initializeV2()"],
  ["that is shorter than a selector", "treasury=0x1234"],
  ["with half a byte", "treasury=0x123456789"],
])("X3: a migration %s is refused", (_, migration) => {
  const { status, stderr } = check("--migrate", migration, "treasury");
  expect(status).toBe(1);
  expect(stderr).toBe(`--migrate ${migration}: expected <contract>=<data of a call>, such as treasury=0x12345678\n`);
});

test.each([
  ["for a contract that is not upgraded", ["--migrate", "treasury=0x12345678", "coreSwap"]],
  [
    "that is the second one for a contract",
    ["--migrate", "treasury=0x12345678", "--migrate", "treasury=0x12345678", "treasury"],
  ],
])("X3: a migration %s is refused", (_, args) => {
  const { status, stderr } = check(...args);
  expect(status).toBe(1);
  expect(stderr).toBe("--migrate treasury: give one migration for each upgraded contract\n");
});

function check(...args: readonly string[]) {
  return spawnSync(process.execPath, ["tools/upgrade.ts", "--check", ...args], { encoding: "utf8" });
}
