/** The inputs for the compiler that `pnpm contracts:sources --standard-json` writes, from the compiled contracts. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEPLOYED_CONTRACTS } from "../../tools/lib/createdContracts.ts";
import { standardJsonOf } from "../../tools/lib/standardJson.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "standard-json-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const artifactOf = (name: string) => JSON.parse(readFileSync(join("out", `${name}.sol`, `${name}.json`), "utf8"));

it("are written for every contract of a deployment", () => {
  const folder = join(directory, "written");
  const { status, stderr } = spawnSync(process.execPath, ["tools/sources.ts", "--standard-json", folder], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(readdirSync(folder).sort()).toEqual(DEPLOYED_CONTRACTS.map((name) => `${name}.json`).sort());
});

it.each(["ChainlinkPriceAdapter", "ERC1967Proxy"])("compile %s to the code that is deployed", (name) => {
  const input = JSON.stringify(standardJsonOf(name));
  const { stdout } = spawnSync(process.execPath, ["tools/solc", "--standard-json"], { input, encoding: "utf8" });
  const { metadata, bytecode } = artifactOf(name);
  const [[file = "", contract = ""] = []] = Object.entries<string>(metadata.settings.compilationTarget);
  const { object } = JSON.parse(stdout).contracts[file][contract].evm.bytecode;
  // Ends with a hash of all sources and settings.
  expect(`0x${object}`).toBe(bytecode.object);
});

it("are refused when a source is not the compiled one", () => {
  const name = "ChainlinkPriceAdapter";
  cpSync(join("out", `${name}.sol`), join(directory, `${name}.sol`), { recursive: true });
  const artifact = artifactOf(name);
  const file = "contracts/src/adapters/ChainlinkPriceAdapter.sol";
  artifact.metadata.sources[file].keccak256 = `0x${"00".repeat(32)}`;
  writeFileSync(join(directory, `${name}.sol`, `${name}.json`), JSON.stringify(artifact));
  expect(() => standardJsonOf(name, directory)).toThrow(`${file} differs from what`);
});
