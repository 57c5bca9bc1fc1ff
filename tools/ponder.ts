/**
 * `pnpm ponder <command>`: Ponder with this project's defaults, so that it starts without any configuration beyond the
 * RPC URLs. Anything set in the environment, in `.env.local` or on the command line wins.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

if (existsSync(".env.local")) process.loadEnvFile(".env.local");
process.env.DATABASE_SCHEMA ??= "coreswap";
// The heap may grow to two and a half times what is in use, instead of four times, before its garbage is collected: a backfill
// makes much of it, and its peak is the memory that a machine must have. It costs no time that could be measured.
setFlagsFromString("--heap-growing-percent=150");

await import(pathToFileURL(resolve("node_modules/ponder/dist/esm/bin/ponder.js")).href);
