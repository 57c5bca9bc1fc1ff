/**
 * `pnpm bench:index`: this project's indexer beside a bare Ponder app and Subsquid, over one history on one PostgreSQL.
 * Prints tables and writes `bench/results/index.json`. The method is in `README.md` beside this file.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { stopAllProcesses } from "../../demo/processes.ts";
import { Bench } from "./bench.ts";
import { readOptions } from "./options.ts";
import { printReport } from "./report.ts";

const options = readOptions(process.argv.slice(2));
// The deployment script may write below .demo only.
const directory = join(".demo", `bench-index-${process.pid}`);
mkdirSync(directory, { recursive: true });

let failure: unknown;
try {
  const bench = await Bench.start(options, directory);
  const results = await bench.run();
  const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, memoryBytes: totalmem() };
  const report = { measuredAt: new Date().toISOString(), node: process.version, machine, options, ...results };
  printReport(report);
  if (options.output) {
    mkdirSync("bench/results", { recursive: true });
    writeFileSync(options.output, `${JSON.stringify(report, null, 2)}\n`);
    console.log(`\nWritten to ${options.output}`);
  }
} catch (error) {
  failure = error;
}
await stopAllProcesses();
if (failure === undefined) {
  rmSync(directory, { recursive: true, force: true });
} else {
  console.error(failure);
  process.exitCode = 1;
}
