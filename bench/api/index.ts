/**
 * `pnpm bench:api`: measures the cost of volume and transaction pages as the history grows, compared with the plain way
 * to answer them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { formatTime } from "../../src/api/shared/time.ts";
import { withClient } from "../../test/support/postgres.ts";
import { commandLine, refuse, wholeNumber } from "../../tools/lib/commandLine.ts";
import { liveBars, planBars, planTables, servingBars, servingTables } from "./bars.ts";
import { measureLive, POLLING_INTERVAL_MS } from "./live.ts";
import { explainSizes } from "./plans.ts";
import { type Bar, barTable, isMet } from "./report.ts";
import { measureServing } from "./serving.ts";
import { type BenchStack, startStack } from "./stack.ts";

const { values: options } = commandLine({
  usage: "pnpm bench:api",
  summary: "Measures what volume and transaction pages cost as the history grows, beside the plain way to answer them.",
  options: {
    sizes: {
      type: "string",
      default: "100000,1000000,10000000",
      value: "<list>",
      help: "legs of the data sets; the smallest and the largest are compared",
    },
    seconds: { type: "string", default: "2", value: "<number>", help: "length of each run of a load test" },
    runs: { type: "string", default: "9", value: "<number>", help: "runs of each load test" },
    blocks: { type: "string", default: "100", value: "<number>", help: "blocks of the live test" },
    server: { type: "string", value: "<URL>", help: "a running PostgreSQL, where loaded data stay for the next run" },
    output: { type: "string", default: "bench/results/api.json", value: "<file>", help: "results; empty for none" },
  },
});

/** With fewer legs, some LPs would lack a kind of leg. */
const SMALLEST_SIZE = 10_000;

const startedAt = performance.now();
const say = (text: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`);

let stack: BenchStack | undefined;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().then(() => process.exit(1)));
}
try {
  await run();
} finally {
  await end();
}

/** Ends every process, then removes their gigabytes of data. */
async function end(): Promise<void> {
  await stopAllProcesses();
  await stack?.stop();
}

async function run(): Promise<void> {
  const sizes = options.sizes
    .split(",")
    .map((text) => wholeNumber("sizes", text))
    .sort((a, b) => a - b);
  if (sizes.some((size) => size < SMALLEST_SIZE)) refuse(`--sizes: expected at least ${SMALLEST_SIZE} legs each`);
  const load = { seconds: wholeNumber("seconds", options.seconds), runs: wholeNumber("runs", options.runs) };
  stack = await startStack(options.server, say);

  say("indexing, live");
  const live = await measureLive(stack, wholeNumber("blocks", options.blocks));

  const databases: [number, string][] = [];
  for (const size of sizes) {
    say(`${size.toLocaleString("en")} legs`);
    databases.push([size, await stack.databaseOf(size)]);
  }
  say("plans");
  const plans = await explainSizes(databases, stack.network);
  say("serving");
  const [largest, databaseUrl] = databases.at(-1) as [number, string];
  const serving = await measureServing({ databaseUrl, stack, load });

  const bars: Bar[] = [...planBars(plans), ...servingBars(serving, largest), ...liveBars(live)];
  console.log(`\n${planTables(plans)}\n\n${servingTables(serving)}\n\n${barTable(bars)}`);
  const postgres = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    return rows[0]?.server_version;
  });
  const result = {
    date: formatTime(BigInt(Math.floor(Date.now() / 1000))),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), memoryGiB: Math.round(totalmem() / 2 ** 30) },
    versions: { node: process.versions.node, postgres },
    options: { sizes, ...load, pollingIntervalMs: POLLING_INTERVAL_MS },
    bars: bars.map((bar) => ({ ...bar, met: isMet(bar) })),
    plans,
    serving,
    live,
  };
  if (!options.output) return;
  mkdirSync(dirname(options.output), { recursive: true });
  writeFileSync(options.output, `${JSON.stringify(result, null, 2)}\n`);
  say(`written to ${options.output}`);
}
