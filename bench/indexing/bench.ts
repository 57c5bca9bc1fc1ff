/** The course of the benchmark: histories of ascending size, and at each the runs that it is for. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "../../test/e2e/harness/postgres.ts";
import { assertSame, bareTotalsOf, chainTotals, type Digests, digestsOf, type Totals, totalsOf } from "./agreement.ts";
import { type RunOptions, type RunResult, runBarePonder, runCoreSwap, runSubsquid } from "./contenders.ts";
import { startCountingProxy, type Traffic } from "./countingProxy.ts";
import { queryOne } from "./database.ts";
import { type History, type HistoryCounts, startHistory } from "./history.ts";
import type { Options } from "./options.ts";
import { watchProcessTree } from "./processTree.ts";

export const CONTENDERS = {
  coreSwap: "this project, cold",
  coreSwapWarm: "this project, warm",
  bare: "bare Ponder, cold",
  bareWarm: "bare Ponder, warm",
  subsquid: "Subsquid, cold",
  coreSwapPglite: "this project on PGlite, cold",
} as const;

export type Contender = keyof typeof CONTENDERS;

/** A run, with what PostgreSQL spent on it. */
export interface MeasuredRun extends RunResult {
  readonly databaseCpuSeconds: number;
}

export interface GrowthPoint {
  readonly legs: number;
  readonly blocks: number;
  readonly runs: readonly MeasuredRun[];
  readonly databaseBytes: number;
  /** Of it, what Ponder keeps to index again without the node. */
  readonly rawDataBytes: number;
}

export interface Results {
  readonly history: HistoryCounts & { readonly startBlock: number };
  readonly totals: Totals;
  readonly runs: Readonly<Partial<Record<Contender, readonly MeasuredRun[]>>>;
  readonly traffic: Readonly<Record<string, Traffic>>;
  readonly growth: readonly GrowthPoint[];
  /** This project over the longest history with further blocks that hold nothing. */
  readonly emptyBlocks: GrowthPoint | null;
}

const SCHEMA = "cold";
const WARM_SCHEMA = "warm";

export class Bench {
  readonly #options: Options;
  readonly #directory: string;
  readonly #postgres: PostgresServer;
  readonly #postgresPid: number;
  readonly #history: History;
  #runNumber = 0;

  private constructor(
    options: Options,
    directory: string,
    postgres: PostgresServer,
    postgresPid: number,
    history: History,
  ) {
    this.#options = options;
    this.#directory = directory;
    this.#postgres = postgres;
    this.#postgresPid = postgresPid;
    this.#history = history;
  }

  static async start(options: Options, directory: string): Promise<Bench> {
    const maxLegs = Math.max(options.legs, ...options.growth);
    log(`Compiling and deploying the contracts`);
    const history = await startHistory({ directory, transactionsPerBlock: options.transactionsPerBlock, maxLegs });
    const postgres = await startPostgres();
    const { pid } = await queryOne<{ pid: number }>(
      postgres.databaseUrl,
      "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid",
    );
    return new Bench(options, directory, postgres, pid, history);
  }

  async run(): Promise<Results> {
    const { legs, growth } = this.#options;
    const sizes = [...new Set([...growth, legs])].sort((a, b) => a - b);
    const points: GrowthPoint[] = [];
    let compared: (Omit<Results, "growth" | "emptyBlocks"> & { readonly point: GrowthPoint }) | undefined;
    for (const size of sizes) {
      log(`Generating the history up to ${size} legs`);
      const counts = await this.#history.extendTo(size);
      if (size === legs) compared = await this.#compare(counts);
      if (!growth.includes(size)) continue;
      // The cold runs of the comparison are runs at this size.
      points.push(size === legs && compared ? compared.point : await this.#grow(counts, size === Math.max(...growth)));
    }
    const emptyBlocks = await this.#measureEmptyBlocks(Math.max(...sizes));
    await this.#postgres.stop();
    await this.#history.stop();
    if (compared === undefined) throw new Error("nothing was compared");
    const { point: _, ...results } = compared;
    return { ...results, growth: points, emptyBlocks };
  }

  /** All contenders, one after the other, as often as asked. */
  async #compare(
    counts: HistoryCounts,
  ): Promise<Omit<Results, "growth" | "emptyBlocks"> & { readonly point: GrowthPoint }> {
    const { runs: rounds, peers, pgliteRuns } = this.#options;
    const expected = await chainTotals(this.#history, counts);
    const runs: Record<Contender, MeasuredRun[]> = {
      coreSwap: [],
      coreSwapWarm: [],
      bare: [],
      bareWarm: [],
      subsquid: [],
      coreSwapPglite: [],
    };
    const traffic: Record<string, Traffic> = {};
    let totals: Totals | undefined;
    let digests: Digests | undefined;
    let sizes: DatabaseSizes = { databaseBytes: 0, rawDataBytes: 0 };

    for (let round = 1; round <= rounds; round++) {
      const measure = async (who: Contender, run: () => Promise<RunResult>) => {
        runs[who].push(await this.#measure(`round ${round}: ${CONTENDERS[who]}`, run));
      };
      await this.#inDatabase(async (url) => {
        const base = this.#runOptions(counts, "coreswap");
        await measure("coreSwap", () => runCoreSwap({ ...base, database: { url, schema: SCHEMA } }));
        totals = await totalsOf(url, SCHEMA);
        digests = await digestsOf(url, SCHEMA);
        assertSame("this project, against the chain", totals, expected);
        sizes = await sizesOf(url);
        await measure("coreSwapWarm", () => runCoreSwap({ ...base, database: { url, schema: WARM_SCHEMA } }));
        assertSame("this project, warm", await digestsOf(url, WARM_SCHEMA), digests);
      });
      if (peers.includes("bare")) {
        await this.#inDatabase(async (url) => {
          const base = this.#runOptions(counts, "bare");
          await measure("bare", () => runBarePonder({ ...base, database: { url, schema: SCHEMA } }));
          assertSame("bare Ponder", await bareTotalsOf(url, SCHEMA), totals as Totals);
          await measure("bareWarm", () => runBarePonder({ ...base, database: { url, schema: WARM_SCHEMA } }));
          assertSame("bare Ponder, warm", await bareTotalsOf(url, WARM_SCHEMA), totals as Totals);
        });
      }
      if (peers.includes("subsquid")) {
        await this.#inDatabase(async (url) => {
          const base = this.#runOptions(counts, "subsquid");
          await measure("subsquid", () => runSubsquid({ ...base, database: { url, schema: "public" } }));
          assertSame("Subsquid", await totalsOf(url, "public"), totals as Totals);
          assertSame("Subsquid", await digestsOf(url, "public"), digests as Digests);
        });
      }
      if (round <= pgliteRuns) {
        const pgliteDirectory = join(this.#directory, `pglite-${round}`);
        const base = this.#runOptions(counts, "pglite");
        await measure("coreSwapPglite", () => runCoreSwap({ ...base, database: { pgliteDirectory } }));
        rmSync(pgliteDirectory, { recursive: true });
      }
    }
    // What the node is asked for, in runs of their own: the proxy takes its time.
    for (const [who, run] of [
      ["coreSwap", runCoreSwap],
      ["subsquid", runSubsquid],
    ] as const) {
      if (who === "subsquid" && !peers.includes(who)) continue;
      traffic[who] = await this.#measureTraffic(counts, who, run);
    }
    if (totals === undefined) throw new Error("no round was run");
    const { startBlock } = this.#history.deployed;
    const blocks = counts.lastBlock - startBlock + 1;
    const point = { legs: counts.legs, blocks, runs: runs.coreSwap, ...sizes };
    return { history: { ...counts, startBlock }, totals, runs, traffic, point };
  }

  async #measureTraffic(
    counts: HistoryCounts,
    who: string,
    run: (options: RunOptions) => Promise<RunResult>,
  ): Promise<Traffic> {
    const proxy = await startCountingProxy(this.#history.deployed.rpcUrl);
    try {
      await this.#inDatabase(async (url) => {
        const schema = who === "subsquid" ? "public" : SCHEMA;
        await run({ ...this.#runOptions(counts, who), rpcUrl: proxy.rpcUrl, database: { url, schema } });
      });
      return proxy.traffic();
    } finally {
      await proxy.stop();
    }
  }

  async #measureEmptyBlocks(legs: number): Promise<GrowthPoint | null> {
    const { emptyBlocks } = this.#options;
    if (emptyBlocks === 0) return null;
    await this.#history.mineEmptyBlocks(emptyBlocks);
    return this.#grow(await this.#history.extendTo(legs), true);
  }

  /** This project alone at one size. */
  async #grow(counts: HistoryCounts, isLargest: boolean): Promise<GrowthPoint> {
    const runs: MeasuredRun[] = [];
    let sizes: DatabaseSizes = { databaseBytes: 0, rawDataBytes: 0 };
    for (let round = 1; round <= (isLargest ? 1 : this.#options.growthRuns); round++) {
      await this.#inDatabase(async (url) => {
        const options = { ...this.#runOptions(counts, "growth"), database: { url, schema: SCHEMA } };
        runs.push(await this.#measure(`${counts.legs} legs, run ${round}`, () => runCoreSwap(options)));
        sizes = await sizesOf(url);
      });
    }
    const blocks = counts.lastBlock - this.#history.deployed.startBlock + 1;
    return { legs: counts.legs, blocks, runs, ...sizes };
  }

  async #measure(what: string, run: () => Promise<RunResult>): Promise<MeasuredRun> {
    const meter = watchProcessTree(this.#postgresPid);
    try {
      const result = await run();
      const { cpuSeconds: databaseCpuSeconds } = meter.stop();
      log(
        `${what}: ${result.seconds.toFixed(1)} s, CPU ${result.cpuSeconds.toFixed(1)} s and ` +
          `${databaseCpuSeconds.toFixed(1)} s of PostgreSQL`,
      );
      return { ...result, databaseCpuSeconds };
    } finally {
      meter.stop();
    }
  }

  #runOptions(counts: HistoryCounts, name: string): Omit<RunOptions, "database"> {
    const { cacheBytes, timeoutMs, profile } = this.#options;
    this.#runNumber += 1;
    const run = `${name}-${this.#runNumber}`;
    if (profile !== undefined) mkdirSync(join(profile, run), { recursive: true });
    return {
      history: this.#history,
      counts,
      rpcUrl: this.#history.deployed.rpcUrl,
      logFile: join(this.#directory, `${run}.log`),
      cacheBytes,
      timeoutMs,
      ...(profile === undefined ? {} : { profileDirectory: join(profile, run) }),
    };
  }

  /** Hands out a new database and drops it afterwards. */
  async #inDatabase(use: (url: string) => Promise<void>): Promise<void> {
    this.#runNumber += 1;
    const name = `bench_${this.#runNumber}`;
    await this.#administrate(`CREATE DATABASE ${name}`);
    const url = new URL(this.#postgres.databaseUrl);
    url.pathname = `/${name}`;
    await use(url.href);
    await this.#administrate(`DROP DATABASE ${name} WITH (FORCE)`);
    await this.#administrate("CHECKPOINT");
  }

  async #administrate(statement: string): Promise<void> {
    await queryOne(this.#postgres.databaseUrl, statement);
  }
}

interface DatabaseSizes {
  readonly databaseBytes: number;
  readonly rawDataBytes: number;
}

async function sizesOf(url: string): Promise<DatabaseSizes> {
  const row = await queryOne<Record<keyof DatabaseSizes, string>>(
    url,
    `SELECT pg_database_size(current_database()) AS "databaseBytes",
            sum(pg_total_relation_size(c.oid)) FILTER (WHERE n.nspname = 'ponder_sync') AS "rawDataBytes"
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r'`,
  );
  return { databaseBytes: Number(row.databaseBytes), rawDataBytes: Number(row.rawDataBytes) };
}

function log(text: string): void {
  console.log(`${(performance.now() / 1_000).toFixed(0).padStart(5)} s  ${text}`);
}
