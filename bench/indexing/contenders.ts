/** Runs one contender over one history: starts it, watches it until everything is indexed, and ends it. */
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PONDER } from "../../localnet/indexer.ts";
import { freePort, HOST } from "../../localnet/ports.ts";
import { describeEnd, type ManagedProcess, startProcess } from "../../localnet/processes.ts";
import { CHAIN_ID, FINALITY_BLOCKS, type History, type HistoryCounts } from "./history.ts";
import { type Usage, watchProcessTree } from "./processTree.ts";

export interface RunResult extends Usage {
  readonly seconds: number;
}

export interface RunOptions {
  readonly history: History;
  readonly counts: HistoryCounts;
  /** URL of the history's node, or of a proxy in front of it. */
  readonly rpcUrl: string;
  readonly database: { readonly url: string; readonly schema: string } | { readonly pgliteDirectory: string };
  readonly logFile: string;
  /** Bytes for Ponder's cache of rows. */
  readonly cacheBytes: number;
  readonly timeoutMs: number;
  /** Folder of another version of this project to run. */
  readonly folder?: string;
  /** Folder for V8's CPU profiles; none are taken without it. */
  readonly profileDirectory?: string;
}

const POLL_MS = 50;
/** The rate that the node here can serve. The peers set no limit. */
const REQUESTS_PER_SECOND = 5_000;

/** This repository's indexer with its API, until `/ready` answers 200. */
export async function runCoreSwap(options: RunOptions): Promise<RunResult> {
  const { history, rpcUrl, database } = options;
  return runPonder(options, PONDER, {
    DEPLOYMENTS_DIR: resolve(history.deployed.deploymentsDirectory),
    PONDER_NETWORKS: "mainnet",
    PONDER_RPC_URL_11155111: "",
    [`PONDER_RPC_URL_${CHAIN_ID}`]: rpcUrl,
    DATABASE_PRIVATE_URL: "",
    ...("url" in database
      ? { DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema }
      : { DATABASE_URL: "", DATABASE_SCHEMA: "coreswap", PGLITE_DIRECTORY: database.pgliteDirectory }),
  });
}

/** The bare Ponder app of `bench/peers/barePonder`, until `/ready` answers 200. */
export async function runBarePonder(options: RunOptions): Promise<RunResult> {
  const { history, rpcUrl, database } = options;
  if (!("url" in database)) throw new Error("the bare app runs on PostgreSQL");
  return runPonder(
    options,
    ["bench/peers/node_modules/ponder/dist/esm/bin/ponder.js", "--root", "bench/peers/barePonder"],
    {
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      BARE_RPC_URL: rpcUrl,
      BARE_START_BLOCK: String(history.deployed.startBlock),
      BARE_CORE_SWAP: history.deployed.coreSwap,
      BARE_TREASURY: history.deployed.treasury,
    },
  );
}

/** The processor of `bench/peers/subsquid`, until it has ended. */
export async function runSubsquid(options: RunOptions): Promise<RunResult> {
  const { history, counts, rpcUrl, database, logFile } = options;
  if (!("url" in database)) throw new Error("Subsquid runs on PostgreSQL");
  const { coreSwap, treasury, startBlock } = history.deployed;
  const configuration = {
    databaseUrl: database.url,
    chainId: CHAIN_ID,
    rpcUrl,
    coreSwap: coreSwap.toLowerCase(),
    treasury: treasury.toLowerCase(),
    fromBlock: startBlock,
    toBlock: counts.lastBlock,
    finalityBlocks: FINALITY_BLOCKS,
  };
  const started = performance.now();
  const child = await startProcess({
    name: "Subsquid",
    command: process.execPath,
    args: [...profileFlags(options), "bench/peers/subsquid/main.ts", JSON.stringify(configuration)],
    env: { ...process.env, SQD_TRACE: "", PROMETHEUS_PORT: "0" },
    logFile,
  });
  const meter = watchProcessTree(child.pid);
  const deadline = AbortSignal.timeout(options.timeoutMs);
  deadline.addEventListener("abort", () => void child.kill());
  const end = await child.ended;
  const seconds = (performance.now() - started) / 1_000;
  const usage = meter.stop();
  if (end !== "exit code 0") throw new Error(describeEnd(child, end));
  return { seconds, ...usage };
}

/** A Ponder app, until `/ready` answers 200. */
export async function runPonder(
  options: Pick<RunOptions, "logFile" | "cacheBytes" | "timeoutMs" | "folder" | "profileDirectory">,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<RunResult> {
  const port = await freePort();
  const started = performance.now();
  const child = await startProcess({
    name: command.at(-1) ?? "Ponder",
    command: process.execPath,
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    args: [...profileFlags(options), ...command, "start", "--hostname", HOST, "--port", String(port)],
    env: {
      ...process.env,
      PONDER_TELEMETRY_DISABLED: "1",
      PONDER_CACHE_BYTES: String(options.cacheBytes),
      PONDER_RPC_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
      ...env,
    },
    logFile: options.logFile,
  });
  const meter = watchProcessTree(child.pid);
  try {
    await waitUntilReady(child, port, options.timeoutMs);
    return { seconds: (performance.now() - started) / 1_000, ...meter.stop() };
  } finally {
    meter.stop();
    await child.stop();
  }
}

async function waitUntilReady(child: ManagedProcess, port: number, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    child.requireRunning();
    if (await answersOk(`http://${HOST}:${port}/ready`)) return;
    if (performance.now() > deadline) {
      throw new Error(`${child.name} is not ready after ${timeoutMs / 1_000} s, see ${child.logFile}`);
    }
    await sleep(POLL_MS);
  }
}

/** Also false while nothing listens yet. */
async function answersOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
}

function profileFlags({ profileDirectory }: Pick<RunOptions, "profileDirectory">): string[] {
  return profileDirectory === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileDirectory}`];
}
