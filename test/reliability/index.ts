/**
 * `pnpm test:reliability`: injects faults into everything that the indexer depends on, and then compares its answers
 * with an undisturbed index of the same chains. Prints a table, and exits with 1 when a row was lost or wrong, a
 * promise of docs/operate/faults.md was broken, or a fault could not be injected.
 */
import { join } from "node:path";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { Random } from "../../localnet/random.ts";
import { undoEverything } from "./harness/endings.ts";
import { failuresOf, formatFigures, Tally } from "./harness/figures.ts";
import type { Part } from "./harness/part.ts";
import { readOptions } from "./options.ts";
import { PARTS } from "./parts/index.ts";

process.chdir(join(import.meta.dirname, "..", ".."));
const startedAt = performance.now();

const options = readOptions(
  process.argv.slice(2),
  PARTS.map(({ name }) => name),
);
if (options.list) {
  for (const { name, summary } of PARTS) console.log(`${name.padEnd(10)} ${summary}`);
} else {
  const tallies: Tally[] = [];
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void end(tallies, 1));
  }
  await runParts(
    PARTS.filter(({ name }) => options.parts.includes(name)),
    tallies,
  );
  await end(tallies, tallies.some((tally) => failuresOf(tally.figure()).length > 0) ? 1 : 0);
}

/**
 * Stops everything that still runs, prints the table and exits, because a server of the suite would keep the process
 * alive.
 */
async function end(tallies: readonly Tally[], exitCode: number): Promise<void> {
  await undoEverything();
  await stopAllProcesses();
  const table = formatFigures(tallies.map((tally) => tally.figure()));
  console.log(`\n${table}\n\nSeed ${options.seed}, ${elapsedSeconds()} seconds.`);
  process.exit(exitCode);
}

/**
 * Runs several parts at once, each in a separate world, and then one by one those that run alone. The lines of the table
 * are in the order in which the parts start.
 */
async function runParts(parts: readonly Part[], tallies: Tally[]): Promise<void> {
  const waiting = parts.filter(({ runsAlone }) => !runsAlone);
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) await runPart(part, tallies);
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  for (const part of parts.filter(({ runsAlone }) => runsAlone)) await runPart(part, tallies);
}

async function runPart({ name, run }: Part, tallies: Tally[]): Promise<void> {
  const say = (text: string) => console.log(`${elapsedSeconds().padStart(5)} s  ${name}: ${text}`);
  const tally = (fault: string, database: string, planned: number) => {
    const line = new Tally({ part: name, fault, database }, { planned });
    tallies.push(line);
    return line;
  };
  try {
    await run({ seed: options.seed, random: new Random(BigInt(options.seed)), say, tally });
  } catch (error) {
    say(`BROKE OFF: ${error instanceof Error ? error.stack : String(error)}`);
    tally("the rest", "", 1).remark(`the part broke off: ${error}`);
  }
}

function elapsedSeconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
