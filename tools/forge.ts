/**
 * `pnpm forge <arguments>`: runs forge and exits with its status.
 *
 * `pnpm forge test` without arguments compiles the unit tests first, and then what is left. The compiler runs in
 * WebAssembly, which addresses too little memory for the output of all tests at once: it ends with "Error writing output
 * JSON".
 */
import { spawnSync } from "node:child_process";
import { foundryBinary } from "./lib/foundry.ts";

const wanted = process.argv.slice(2);
const runs = wanted.join(" ") === "test" ? [["build", "contracts/test/unit"], wanted] : [wanted];
for (const args of runs) {
  const { status, signal, error } = spawnSync(foundryBinary("forge"), args, { stdio: "inherit" });
  if (error) throw error;
  if (signal) console.error(`forge was ended by ${signal}`);
  process.exitCode = status ?? 1;
  if (process.exitCode !== 0) break;
}
