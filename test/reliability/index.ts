/**
 * `pnpm test:reliability`: breaks what the indexer stands on, again and again, and compares what it answers afterwards
 * with an index of the same chains that nothing disturbed. Prints a table; ends with 1 when a row was lost or wrong, a
 * promise of docs/operators.md was not kept, or a fault could not be injected.
 */
import { join } from "node:path";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { Random } from "../../localnet/random.ts";
import { type Figure, failuresOf, formatFigures } from "./harness/figures.ts";
import type { Part } from "./harness/part.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { PARTS } from "./parts/index.ts";

process.chdir(join(import.meta.dirname, "..", ".."));
const startedAt = performance.now();

let options: Options;
try {
  options = readOptions(
    process.argv.slice(2),
    PARTS.map(({ name }) => name),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
if (options.help) {
  console.log(HELP);
} else if (options.list) {
  for (const { name, summary } of PARTS) console.log(`${name.padEnd(10)} ${summary}`);
} else {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void stopAllProcesses().then(() => process.exit(1)));
  }
  const figures = await runParts(PARTS.filter(({ name }) => options.parts.includes(name)));
  await stopAllProcesses();
  console.log(`\n${formatFigures(figures)}\n\nSeed ${options.seed}, ${elapsedSeconds()} seconds.`);
  // A server of the suite that still listens would keep the process from its end.
  process.exit(figures.some((figure) => failuresOf(figure).length > 0) ? 1 : 0);
}

/** Some at once, each in a world of its own. */
async function runParts(parts: readonly Part[]): Promise<Figure[]> {
  const waiting = [...parts];
  const figures = new Map<Part, Figure[]>();
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) figures.set(part, await runPart(part));
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return parts.flatMap((part) => figures.get(part) ?? []);
}

async function runPart({ name, run }: Part): Promise<Figure[]> {
  const say = (text: string) => console.log(`${elapsedSeconds().padStart(5)} s  ${name}: ${text}`);
  try {
    return await run({ seed: options.seed, random: new Random(BigInt(options.seed)), say });
  } catch (error) {
    say(`FAILED: ${error instanceof Error ? error.stack : String(error)}`);
    const none = { planned: 0, tried: 0, survived: 0, lost: 0, wrong: 0, failedRequests: 0, seconds: 0 };
    return [{ part: name, fault: "all", database: "", ...none, remarks: [`the part broke off: ${error}`] }];
  }
}

function elapsedSeconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
