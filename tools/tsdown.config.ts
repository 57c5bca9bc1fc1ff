/** Builds what is published of `packages/`: `pnpm --dir tools packages`. Each package's README says what is in it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig, type UserConfig } from "tsdown";
import { CONTRACT_ABIS } from "../packages/abi/src/index.ts";

/** Published code runs in browsers, too: an import of a Node.js module is an error. */
function library(name: string, options: UserConfig = {}): UserConfig {
  return {
    cwd: resolve(import.meta.dirname, "../packages", name),
    entry: "src/index.ts",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    dts: true,
    fixedExtension: false,
    failOnWarn: true,
    logLevel: "warn",
    tsconfig: resolve(import.meta.dirname, "../tsconfig.json"),
    ...options,
  };
}

export default defineConfig([
  library("abi", {
    onSuccess: () => {
      const directory = resolve(import.meta.dirname, "../packages/abi/dist/json");
      mkdirSync(directory, { recursive: true });
      for (const [name, abi] of Object.entries(CONTRACT_ABIS)) {
        writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(abi, null, 2)}\n`);
      }
    },
  }),
  library("client"),
  library("sdk"),
  library("react"),
]);
