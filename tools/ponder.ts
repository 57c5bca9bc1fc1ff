/**
 * `pnpm ponder <command>`: Ponder with this project's defaults, so that RPC URLs and deployment files are all that it
 * needs. Anything set in the environment, in `.env.local` or on the command line takes precedence.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

if (existsSync(".env.local")) process.loadEnvFile(".env.local");
process.env.DATABASE_SCHEMA ??= "coreswap";
// A backfill makes much garbage, and the peak of the heap is the memory that a machine must have. Garbage is therefore
// collected when the heap has grown to two and a half times what is in use, instead of four times. That costs no
// measurable time.
setFlagsFromString("--heap-growing-percent=150");

await import(pathToFileURL(resolve("node_modules/ponder/dist/esm/bin/ponder.js")).href);
