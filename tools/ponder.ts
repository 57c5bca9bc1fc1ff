/**
 * `pnpm ponder <command>`: Ponder with this project's defaults, so that it starts without any configuration beyond the
 * RPC URLs. Anything set in the environment, in `.env.local` or on the command line wins.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

if (existsSync(".env.local")) process.loadEnvFile(".env.local");
process.env.DATABASE_SCHEMA ??= "coreswap";

await import(pathToFileURL(resolve("node_modules/ponder/dist/esm/bin/ponder.js")).href);
