/** The indexer and its API as a child process. */
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, HOST } from "./ports.ts";
import { describeEnd, startProcess } from "./processes.ts";

interface IndexerOptions {
  /** `serve` starts a replica, which answers from the tables of an indexer on PostgreSQL. Default `start`. */
  readonly command?: "start" | "serve";
  /** Contains `evm/<network>.json` and `svm/<chain>.json`. */
  readonly deploymentsDirectory: string;
  /** RPC URL by chain id. A network without one is disabled. */
  readonly rpcUrls: Readonly<Record<number, string>>;
  /** A free port when absent or 0. */
  readonly port?: number;
  readonly database: { readonly pgliteDirectory: string } | { readonly databaseUrl: string; readonly schema: string };
  /** More settings, by variable. */
  readonly settings?: Readonly<Record<string, string>>;
  /** More words of the command line. */
  readonly words?: readonly string[];
  /** The indexer's own log is appended here. */
  readonly logFile: string;
}

export interface Indexer {
  readonly baseUrl: string;
  readonly pid: number;
  /** Settles when the process has ended, with a description that contains the end of its log. */
  readonly ended: Promise<string>;
  /**
   * Settles when the whole history is indexed (`/ready` answers 200).
   * @throws Error when the process ends or the time runs out first
   */
  ready(timeoutMs?: number): Promise<void>;
  /** Ends it gracefully (SIGTERM) and waits. */
  stop(): Promise<void>;
  /** Kills it as a crash would (SIGKILL) and waits. */
  kill(): Promise<void>;
}

/** Arguments of Node.js before those of Ponder, as in `pnpm ponder`. */
export const PONDER = ["--import", "./tools/lib/drizzleModules.ts", "tools/ponder.ts"];

/** Starts an indexer or a replica, without waiting for it to be ready. */
export async function startIndexer(options: IndexerOptions): Promise<Indexer> {
  const { command = "start", deploymentsDirectory, rpcUrls, database, words = [], logFile } = options;
  const port = options.port || (await freePort());
  const baseUrl = `http://${HOST}:${port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    // An empty variable counts as unset, also where an .env.local of this checkout sets it.
    ...Object.fromEntries(
      ["PONDER_NETWORKS", "DATABASE_URL", "DATABASE_PRIVATE_URL", ...rpcUrlVariables([1, 11155111])].map((name) => [
        name,
        "",
      ]),
    ),
    DEPLOYMENTS_DIR: deploymentsDirectory,
    PONDER_TELEMETRY_DISABLED: "1",
    // Tests, benchmarks and the reliability suite send more than any client.
    RATE_LIMIT_PER_MINUTE: "0",
    // The default protects a provider's nodes. At that rate, a start would wait for up to half a minute.
    PONDER_RPC_REQUESTS_PER_SECOND: "1000",
    ...options.settings,
    ...Object.fromEntries(Object.entries(rpcUrls).map(([chainId, url]) => [`PONDER_RPC_URL_${chainId}`, url])),
    ...("pgliteDirectory" in database
      ? { PGLITE_DIRECTORY: database.pgliteDirectory }
      : { DATABASE_URL: database.databaseUrl, DATABASE_SCHEMA: database.schema }),
  };
  const child = await startProcess({
    name: command === "start" ? "the indexer" : "the replica",
    command: process.execPath,
    args: [...PONDER, command, "--hostname", HOST, "--port", String(port), ...words],
    env,
    logFile,
  });
  return {
    baseUrl,
    pid: child.pid,
    ended: child.ended.then((end) => describeEnd(child, end)),
    async ready(timeoutMs = 300_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        child.requireRunning();
        if (await answersOk(`${baseUrl}/ready`)) return;
        if (Date.now() > deadline)
          throw new Error(`the indexer is not ready after ${timeoutMs / 1000} s, see ${logFile}`);
        await sleep(250);
      }
    },
    stop: () => child.stop(),
    kill: () => child.kill(),
  };
}

function rpcUrlVariables(chainIds: readonly number[]): string[] {
  return chainIds.flatMap((chainId) => [`PONDER_RPC_URL_${chainId}`, `PONDER_WS_URL_${chainId}`]);
}

/** Also false while nothing listens yet. */
async function answersOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}
