import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "forge-"));
  mkdirSync(join(project, "test"));
  const settings = { solc: resolve("tools/solc"), offline: true, auto_detect_solc: false };
  const toml = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  writeFileSync(join(project, "foundry.toml"), ["[profile.default]", ...toml].join("\n"));
});
afterEach(() => rmSync(project, { recursive: true }));

function forge(...args: string[]) {
  return spawnSync(process.execPath, ["tools/forge.ts", ...args, "--root", project], { encoding: "utf8" });
}

it.each([
  ["green", "true", 0],
  ["red", "false", 1],
])("a %s Solidity suite passes its exit status to the caller", (_, condition, status) => {
  const body = `contract Suite { function test_condition() external pure { assert(${condition}); } }`;
  writeFileSync(join(project, "test", "Suite.t.sol"), `pragma solidity 0.8.30;\n${body}\n`);
  const run = forge("test");
  expect(run.stdout).toContain("1 total tests");
  expect(run.status).toBe(status);
});
