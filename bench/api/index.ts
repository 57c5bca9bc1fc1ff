/** `pnpm bench:api`: what volume and transaction pages cost as the history grows, beside the plain way to answer them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { formatTime } from "../../src/api/shared/time.ts";
import { liveBars, planBars, planTables, servingBars, servingTables } from "./bars.ts";
import { measureLive, POLLING_INTERVAL_MS } from "./live.ts";
import { explainSizes } from "./plans.ts";
import { type Bar, barTable, isMet } from "./report.ts";
import { measureServing } from "./serving.ts";
import { type BenchStack, startStack, withClient } from "./stack.ts";

const HELP = `pnpm bench:api [flags]
  --sizes 100000,1000000,10000000   legs of the data sets, the smallest and the largest of which are compared
  --seconds 2                       length of each run of a load test
  --runs 9                          runs of each load test
  --blocks 100                      blocks of the live test
  --server postgresql://…           a PostgreSQL that runs already, where loaded data stay for the next run
  --output bench/results/api.json   "" for none`;

const { values: options } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    sizes: { type: "string", default: "100000,1000000,10000000" },
    seconds: { type: "string", default: "2" },
    runs: { type: "string", default: "9" },
    blocks: { type: "string", default: "100" },
    server: { type: "string" },
    output: { type: "string", default: "bench/results/api.json" },
  },
});

if (options.help) {
  console.log(HELP);
  process.exit(0);
}

/** Below, not every LP gets a leg of every kind. */
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

/** Ends every process, then removes what they left: gigabytes of data. */
async function end(): Promise<void> {
  await stopAllProcesses();
  await stack?.stop();
}

async function run(): Promise<void> {
  const sizes = options.sizes
    .split(",")
    .map((text) => wholeNumber("--sizes", text))
    .sort((a, b) => a - b);
  if (sizes.some((size) => size < SMALLEST_SIZE)) throw new Error(`--sizes: at least ${SMALLEST_SIZE} legs each`);
  const load = { seconds: wholeNumber("--seconds", options.seconds), runs: wholeNumber("--runs", options.runs) };
  stack = await startStack(options.server, say);

  say("indexing, live");
  const indexer = await stack.startIndexer();
  await indexer.ready();
  const live = await measureLive(stack.deployed, indexer.baseUrl, wholeNumber("--blocks", options.blocks));
  await indexer.stop();

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

/** @throws Error naming the flag */
function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new Error(`${flag}: "${text}" is no whole number above zero`);
  return Number(text);
}
