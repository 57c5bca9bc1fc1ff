/**
 * `pnpm bench:index`: compares this project's indexer with a bare Ponder app and Subsquid, over one history on one
 * PostgreSQL. Prints tables and writes `bench/results/index.json`. The method is in `README.md` beside this file.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { Bench } from "./bench.ts";
import { readOptions } from "./options.ts";
import { printReport } from "./report.ts";

const options = readOptions();
// The deployment script can only write below .demo.
const directory = join(".demo", `bench-index-${process.pid}`);
mkdirSync(directory, { recursive: true });

let failure: unknown;
try {
  const bench = await Bench.start(options, directory, writeResults);
  const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, memoryBytes: totalmem() };
  /** Writes after each part, so that a later failure, perhaps after an hour, does not lose the others. */
  function writeResults() {
    if (!options.output) return;
    const report = { measuredAt: new Date().toISOString(), node: process.version, machine, options, ...bench.results };
    writeFileSync(options.output, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (options.output) mkdirSync(dirname(options.output), { recursive: true });
  await bench.run();
  printReport(bench.results);
  if (options.output) console.log(`\nWritten to ${options.output}`);
} catch (error) {
  failure = error;
}
await stopAllProcesses();
if (failure === undefined) {
  rmSync(directory, { recursive: true, force: true });
} else {
  console.error(failure);
  if (options.output) console.error(`What was measured until then is in ${options.output}`);
  process.exitCode = 1;
}
