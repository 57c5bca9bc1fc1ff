/** Builds what is published of `packages/`: `pnpm --dir tools packages`. Each package's README says what is in it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig, type UserConfig } from "tsdown";
import { CONTRACT_ABIS } from "../packages/abi/src/index.ts";
import { type Artifact, artifactPath, CREATED_CONTRACTS } from "../packages/cli/src/desired/artifacts.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** Makes a folder of a package's build for one JSON file per name. */
function writeAll(folder: string, files: Readonly<Record<string, unknown>>): void {
  const directory = join(ROOT, folder);
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** The part of the compiled contracts that `core` needs in order to create them. */
function creationArtifacts(): Record<string, Artifact> {
  const entries = CREATED_CONTRACTS.map((name) => {
    const { bytecode, metadata } = JSON.parse(readFileSync(join(ROOT, artifactPath(name)), "utf8")) as Artifact;
    const { compiler, settings } = metadata;
    const { compilationTarget } = settings;
    return [name, { bytecode: { object: bytecode.object }, metadata: { compiler, settings: { compilationTarget } } }];
  });
  return Object.fromEntries(entries);
}

/** Published code runs in browsers, too: an import of a Node.js module is an error. */
function library(name: string, options: UserConfig = {}): UserConfig {
  return {
    cwd: join(ROOT, "packages", name),
    entry: "src/index.ts",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    dts: true,
    fixedExtension: false,
    failOnWarn: true,
    logLevel: "warn",
    tsconfig: join(ROOT, "tsconfig.json"),
    ...options,
  };
}

export default defineConfig([
  library("abi", {
    onSuccess: () => writeAll("packages/abi/dist/json", CONTRACT_ABIS),
  }),
  library("client"),
  library("sdk"),
  library("react"),
  library("cli", {
    entry: "src/main.ts",
    platform: "node",
    target: "node22.12",
    dts: false,
    onSuccess: () => writeAll("packages/cli/dist/artifacts", creationArtifacts()),
  }),
]);
