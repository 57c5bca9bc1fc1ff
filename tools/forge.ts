/** `pnpm forge <arguments>`: runs forge and exits with its status. */
import { spawnSync } from "node:child_process";
import { foundryBinary } from "./lib/foundry.ts";

const { status, signal, error } = spawnSync(foundryBinary("forge"), process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
if (signal) console.error(`forge was ended by ${signal}`);
process.exitCode = status ?? 1;
