/**
 * `pnpm ponder <command>`: Ponder with this project's defaults, so that it needs only RPC URLs and deployment files.
 * Settings from the environment, `.env.local` or the command line take precedence.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import "./lib/drizzleModules.ts";
import { loadEnvFile } from "./lib/envFile.ts";
import { servingPort } from "./lib/port.ts";
import { isTaken } from "./lib/takenPort.ts";

loadEnvFile();
process.env.DATABASE_SCHEMA ??= "coreswap";

const { positionals, values } = parseArgs({
  strict: false,
  options: { port: { type: "string", short: "p" }, hostname: { type: "string", short: "H" } },
});
if (["dev", "start", "serve"].some((command) => positionals.includes(command))) {
  const port = portOrExit();
  // Ponder takes an empty variable for port 0, which means any port.
  process.env.PORT = String(port);
  // Checked before the tables are touched. `ponder dev` takes the next port instead.
  const hostname = typeof values.hostname === "string" ? values.hostname : undefined;
  if (!positionals.includes("dev") && (await isTaken(port, hostname))) {
    console.error(
      `Port ${port} is in use. Stop the process that listens there, or choose another port with PORT or --port.`,
    );
    process.exit(1);
  }
}

// A backfill creates much garbage, and a machine must have enough memory for the peak of the heap. Garbage is therefore
// collected when the heap has grown to two and a half times the live data, instead of four times. That costs no
// measurable time.
setFlagsFromString("--heap-growing-percent=150");

await import(pathToFileURL(resolve("node_modules/ponder/dist/esm/bin/ponder.js")).href);

function portOrExit(): number {
  try {
    return servingPort(process.env, typeof values.port === "string" ? values.port : undefined);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
