/**
 * `pnpm bench:quick`: compares the CPU time of this folder with that of another revision: a first index of one history,
 * and requests that all differ. Takes some minutes, and no check depends on it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { startPostgres } from "../../test/e2e/harness/postgres.ts";
import { withClient } from "../../test/support/postgres.ts";
import { commandLine, wholeNumber } from "../../tools/lib/commandLine.ts";
import { compareLoad, type Target } from "../api/closedLoop.ts";
import { SCHEMA } from "../api/dataset.ts";
import { format, tableOf } from "../api/report.ts";
import { type Server, startApi } from "../api/servers.ts";
import { pagePositions, pageQuestions, volumeQuestions } from "../api/serving.ts";
import { type Distribution, distributionOf } from "../api/statistics.ts";
import { runCoreSwap } from "../indexing/contenders.ts";
import { type History, type HistoryCounts, startHistory } from "../indexing/history.ts";
import { watchProcessTree } from "../indexing/processTree.ts";
import { checkOut } from "./revision.ts";

const LEGS = 20_000;
const TRANSACTIONS_PER_BLOCK = 5;
const CACHE_BYTES = 2 ** 28;
const TIMEOUT_MS = 120_000;
const CONNECTIONS = 16;
const SECONDS = 2;
/** A page takes long here, because each of its transactions has ten legs. */
const WARM_UP_REQUESTS = 2_000;
const DIRECTORY = join(".demo", "bench-quick");

const { values: options } = commandLine({
  usage: "pnpm bench:quick",
  summary: "Compares the CPU time of this folder with that of another revision: a first index, and requests.",
  options: {
    base: { type: "string", default: "HEAD", value: "<revision>", help: "revision to compare with" },
    runs: { type: "string", default: "5", value: "<number>", help: "runs of each, in turn" },
  },
});
const runs = wholeNumber("runs", options.runs);

/** The two versions, by the name of their columns. */
type Version = "this folder" | "base";
const VERSIONS: readonly Version[] = ["base", "this folder"];

/** One line of the table. */
interface Row {
  readonly what: string;
  readonly unit: string;
  readonly figures: Readonly<Record<string, Distribution>>;
  /** This folder relative to the base, for each pair of runs. */
  readonly ratio: Distribution;
}

rmSync(DIRECTORY, { recursive: true, force: true });
mkdirSync(DIRECTORY, { recursive: true });
const base = await checkOut(options.base, resolve(DIRECTORY, "base"));
const folders: Record<Version, string> = { "this folder": process.cwd(), base: base.folder };
try {
  console.log("Compiling and deploying the contracts, and filling blocks");
  const history = await startHistory({
    directory: DIRECTORY,
    transactionsPerBlock: TRANSACTIONS_PER_BLOCK,
    maxLegs: LEGS,
  });
  const counts = await history.extendTo(LEGS);
  const postgres = await startPostgres();
  const databaseUrls = Object.fromEntries(
    VERSIONS.map((version, index) => [
      version,
      Object.assign(new URL(postgres.databaseUrl), { pathname: `/bench_${index}` }).href,
    ]),
  ) as Record<Version, string>;
  const rows = [await compareFirstIndex(history, counts, postgres.databaseUrl, databaseUrls)];
  rows.push(...(await compareRequests(history, databaseUrls)));
  const cells = ({ what, unit, figures, ratio }: Row) => [
    what,
    ...VERSIONS.map((version) => `${format(figures[version]?.median ?? Number.NaN)} ${unit}`),
    `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} … ${ratio.max.toFixed(2)})`,
  ];
  console.log(`\n${tableOf(["CPU time", options.base, "this folder", "ratio (min … max)"], rows.map(cells))}`);
} finally {
  await stopAllProcesses();
  base.remove();
}

/** CPU time of the indexer and of PostgreSQL, from the start until `/ready`. The last index of each version stays. */
async function compareFirstIndex(
  history: History,
  counts: HistoryCounts,
  adminUrl: string,
  databaseUrls: Readonly<Record<Version, string>>,
): Promise<Row> {
  const postgresPid = await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer AS pid",
    );
    return rows[0]?.pid ?? 0;
  });
  const seconds: Record<Version, number[]> = { "this folder": [], base: [] };
  for (let run = 0; run < runs; run++) {
    for (const version of run % 2 === 0 ? VERSIONS : VERSIONS.toReversed()) {
      const database = new URL(databaseUrls[version]).pathname.slice(1);
      await withClient(adminUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
        await client.query(`CREATE DATABASE ${database}`);
      });
      const meter = watchProcessTree(postgresPid);
      const { cpuSeconds } = await runCoreSwap({
        folder: folders[version],
        history,
        counts,
        rpcUrl: history.deployed.rpcUrl,
        database: { url: databaseUrls[version], schema: SCHEMA },
        logFile: join(DIRECTORY, "indexer.log"),
        cacheBytes: CACHE_BYTES,
        timeoutMs: TIMEOUT_MS,
      });
      const spent = cpuSeconds + meter.stop().cpuSeconds;
      seconds[version].push(spent);
      console.log(`First index by ${version}: ${spent.toFixed(1)} s of CPU time`);
    }
  }
  return {
    what: `first index of ${LEGS} legs, with PostgreSQL`,
    unit: "s",
    figures: { "this folder": distributionOf(seconds["this folder"]), base: distributionOf(seconds.base) },
    ratio: distributionOf(seconds["this folder"].map((spent, run) => spent / (seconds.base[run] ?? Number.NaN))),
  };
}

/** CPU time of `ponder serve` for each request. */
async function compareRequests({ deployed }: History, databaseUrls: Readonly<Record<Version, string>>): Promise<Row[]> {
  const start = (version: Version) =>
    startApi(databaseUrls[version], deployed.rpcUrl, resolve(deployed.deploymentsDirectory), folders[version]);
  const servers: Record<Version, Server> = { "this folder": await start("this folder"), base: await start("base") };
  const positions = await withClient(databaseUrls["this folder"], (client) => pagePositions(client, 1));
  const rows: Row[] = [];
  for (const [what, questions] of [
    ["/v1/volume", volumeQuestions()],
    ["/v1/transactions", pageQuestions(positions)],
  ] as const) {
    const target = ({ baseUrl, pid }: Server): Target => {
      const [first, ...others] = questions.map(({ path }) => baseUrl + path);
      return { urls: [first ?? "", ...others], status: 200, pid };
    };
    const { cpuUs, cpuRatio } = await compareLoad(
      [
        ["this folder", target(servers["this folder"])],
        ["base", target(servers.base)],
      ],
      { connections: CONNECTIONS, seconds: SECONDS, runs, warmUpRequests: WARM_UP_REQUESTS },
    );
    rows.push({ what: `${what}, requests that all differ`, unit: "µs", figures: cpuUs, ratio: cpuRatio });
    console.log(`${what}: measured`);
  }
  return rows;
}
