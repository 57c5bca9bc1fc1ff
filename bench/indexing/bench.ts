/** The sequence of the benchmark: one history for comparing the contenders, and one that grows. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "../../test/e2e/harness/postgres.ts";
import { assertSame, bareTotalsOf, chainTotals, digestsOf, type Totals, totalsOf } from "./agreement.ts";
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

/** All contenders over one history. */
interface Comparison {
  history: (HistoryCounts & { readonly startBlock: number }) | null;
  totals: Totals | null;
  readonly runs: Record<Contender, MeasuredRun[]>;
  readonly traffic: Record<string, Traffic>;
  /** The cold runs of this project among them. */
  compared: GrowthPoint | null;
  /** This project over the same history with additional empty blocks. */
  emptyBlocks: GrowthPoint | null;
}

/** What was measured so far. */
export interface Results extends Comparison {
  /** This project over another history, at each of its sizes. */
  readonly growth: GrowthPoint[];
}

const SCHEMA = "cold";
const WARM_SCHEMA = "warm";

export class Bench {
  /** Grows with every run. */
  readonly results: Results = {
    history: null,
    totals: null,
    runs: { coreSwap: [], coreSwapWarm: [], bare: [], bareWarm: [], subsquid: [], coreSwapPglite: [] },
    traffic: {},
    compared: null,
    emptyBlocks: null,
    growth: [],
  };
  readonly #options: Options;
  readonly #directory: string;
  readonly #onProgress: () => void;
  readonly #postgres: PostgresServer;
  readonly #postgresPid: number;
  #runNumber = 0;

  private constructor(
    options: Options,
    directory: string,
    onProgress: () => void,
    postgres: PostgresServer,
    postgresPid: number,
  ) {
    this.#options = options;
    this.#directory = directory;
    this.#onProgress = onProgress;
    this.#postgres = postgres;
    this.#postgresPid = postgresPid;
  }

  /** @param onProgress called whenever there is more in `results` */
  static async start(options: Options, directory: string, onProgress: () => void): Promise<Bench> {
    const postgres = await startPostgres();
    const { pid } = await queryOne<{ pid: number }>(
      postgres.databaseUrl,
      "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid",
    );
    return new Bench(options, directory, onProgress, postgres, pid);
  }

  async run(): Promise<void> {
    const { legs, growth, transactionsPerBlock, growthTransactionsPerBlock } = this.#options;
    await this.#withHistory("compared", transactionsPerBlock, legs, async (history) => {
      log(`Generating a history of ${legs} legs, ${transactionsPerBlock} batches a block`);
      await this.#compare(history, await history.extendTo(legs));
      await this.#measureEmptyBlocks(history);
    });
    const maxLegs = growth.at(-1);
    if (maxLegs !== undefined) {
      await this.#withHistory("growth", growthTransactionsPerBlock, maxLegs, async (history) => {
        for (const size of growth) {
          log(`Generating the history up to ${size} legs, ${growthTransactionsPerBlock} batches a block`);
          const counts = await history.extendTo(size);
          this.results.growth.push(await this.#grow(history, counts, size === maxLegs ? 1 : this.#options.growthRuns));
          this.#onProgress();
        }
      });
    }
    await this.#postgres.stop();
  }

  async #withHistory(
    name: string,
    transactionsPerBlock: number,
    maxLegs: number,
    use: (history: History) => Promise<void>,
  ): Promise<void> {
    log(`Compiling and deploying the contracts`);
    const directory = join(this.#directory, name);
    mkdirSync(directory, { recursive: true });
    const history = await startHistory({ directory, transactionsPerBlock, maxLegs });
    await use(history);
    await history.stop();
  }

  /** All contenders, one after the other, as often as requested. */
  async #compare(history: History, counts: HistoryCounts): Promise<void> {
    const { runs: rounds, peers, pgliteRuns } = this.#options;
    const { startBlock } = history.deployed;
    const { results } = this;
    const { runs } = results;
    results.history = { ...counts, startBlock };
    const expected = await chainTotals(history, counts);

    for (let round = 1; round <= rounds; round++) {
      const measure = async (who: Contender, run: () => Promise<RunResult>) => {
        runs[who].push(await this.#measure(`round ${round}: ${CONTENDERS[who]}`, run));
      };
      const [totals, digests] = await this.#inDatabase(async (url) => {
        const base = this.#runOptions(history, counts, "coreswap");
        await measure("coreSwap", () => runCoreSwap({ ...base, database: { url, schema: SCHEMA } }));
        const found = [await totalsOf(url, SCHEMA), await digestsOf(url, SCHEMA)] as const;
        assertSame("this project, against the chain", found[0], expected);
        const blocks = counts.lastBlock - startBlock + 1;
        results.compared = { legs: counts.legs, blocks, runs: runs.coreSwap, ...(await sizesOf(url)) };
        await measure("coreSwapWarm", () => runCoreSwap({ ...base, database: { url, schema: WARM_SCHEMA } }));
        assertSame("this project, warm", await digestsOf(url, WARM_SCHEMA), found[1]);
        return found;
      });
      results.totals = totals;
      if (peers.includes("bare")) {
        await this.#inDatabase(async (url) => {
          const base = this.#runOptions(history, counts, "bare");
          await measure("bare", () => runBarePonder({ ...base, database: { url, schema: SCHEMA } }));
          assertSame("bare Ponder", await bareTotalsOf(url, SCHEMA), totals);
          await measure("bareWarm", () => runBarePonder({ ...base, database: { url, schema: WARM_SCHEMA } }));
          assertSame("bare Ponder, warm", await bareTotalsOf(url, WARM_SCHEMA), totals);
        });
      }
      if (peers.includes("subsquid")) {
        await this.#inDatabase(async (url) => {
          const base = this.#runOptions(history, counts, "subsquid");
          await measure("subsquid", () => runSubsquid({ ...base, database: { url, schema: "public" } }));
          assertSame("Subsquid", await totalsOf(url, "public"), totals);
          assertSame("Subsquid", await digestsOf(url, "public"), digests);
        });
      }
      if (round <= pgliteRuns) {
        const pgliteDirectory = join(this.#directory, `pglite-${round}`);
        const base = this.#runOptions(history, counts, "pglite");
        await measure("coreSwapPglite", () => runCoreSwap({ ...base, database: { pgliteDirectory } }));
        rmSync(pgliteDirectory, { recursive: true });
      }
      this.#onProgress();
    }
    // Requests to the node are counted in separate runs, because the proxy takes time.
    for (const [who, run] of [
      ["coreSwap", runCoreSwap],
      ["subsquid", runSubsquid],
    ] as const) {
      if (who === "subsquid" && !peers.includes(who)) continue;
      results.traffic[who] = await this.#measureTraffic(history, counts, who, run);
      this.#onProgress();
    }
  }

  async #measureTraffic(
    history: History,
    counts: HistoryCounts,
    who: string,
    run: (options: RunOptions) => Promise<RunResult>,
  ): Promise<Traffic> {
    const proxy = await startCountingProxy(history.deployed.rpcUrl);
    try {
      await this.#inDatabase(async (url) => {
        const schema = who === "subsquid" ? "public" : SCHEMA;
        await run({ ...this.#runOptions(history, counts, who), rpcUrl: proxy.rpcUrl, database: { url, schema } });
      });
      return proxy.traffic();
    } finally {
      await proxy.stop();
    }
  }

  async #measureEmptyBlocks(history: History): Promise<void> {
    const { emptyBlocks, legs } = this.#options;
    if (emptyBlocks === 0) return;
    await history.mineEmptyBlocks(emptyBlocks);
    this.results.emptyBlocks = await this.#grow(history, await history.extendTo(legs), 1);
    this.#onProgress();
  }

  /** Only this project, at one size. */
  async #grow(history: History, counts: HistoryCounts, rounds: number): Promise<GrowthPoint> {
    const expected = await chainTotals(history, counts);
    const runs: MeasuredRun[] = [];
    let sizes: DatabaseSizes = { databaseBytes: 0, rawDataBytes: 0 };
    for (let round = 1; round <= rounds; round++) {
      await this.#inDatabase(async (url) => {
        const options = { ...this.#runOptions(history, counts, "growth"), database: { url, schema: SCHEMA } };
        runs.push(await this.#measure(`${counts.legs} legs, run ${round}`, () => runCoreSwap(options)));
        assertSame("this project, against the chain", await totalsOf(url, SCHEMA), expected);
        sizes = await sizesOf(url);
      });
    }
    const blocks = counts.lastBlock - history.deployed.startBlock + 1;
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

  #runOptions(history: History, counts: HistoryCounts, name: string): Omit<RunOptions, "database"> {
    const { cacheBytes, timeoutMs, profile } = this.#options;
    this.#runNumber += 1;
    const run = `${name}-${this.#runNumber}`;
    if (profile !== undefined) mkdirSync(join(profile, run), { recursive: true });
    return {
      history,
      counts,
      rpcUrl: history.deployed.rpcUrl,
      logFile: join(this.#directory, `${run}.log`),
      cacheBytes,
      timeoutMs,
      ...(profile === undefined ? {} : { profileDirectory: join(profile, run) }),
    };
  }

  /** Creates a new database and drops it afterwards. */
  async #inDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
    this.#runNumber += 1;
    const name = `bench_${this.#runNumber}`;
    await this.#administrate(`CREATE DATABASE ${name}`);
    const url = new URL(this.#postgres.databaseUrl);
    url.pathname = `/${name}`;
    const result = await use(url.href);
    await this.#administrate(`DROP DATABASE ${name} WITH (FORCE)`);
    await this.#administrate("CHECKPOINT");
    return result;
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
