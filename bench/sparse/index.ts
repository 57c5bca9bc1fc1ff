/**
 * `pnpm bench:sparse`: a first index of a chain on which few transactions are this project's, with calls from traces
 * and from blocks. Prints requests, bytes, CPU and time of both.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallsFrom } from "../../config/callsFrom.ts";
import { PONDER } from "../../localnet/indexer.ts";
import { freePort, HOST } from "../../localnet/ports.ts";
import { startProcess, stopAllProcesses } from "../../localnet/processes.ts";
import { type PostgresServer, startPostgres } from "../../test/e2e/harness/postgres.ts";
import { commandLine, wholeNumber } from "../../tools/lib/commandLine.ts";
import { runPonder } from "../indexing/contenders.ts";
import type { Traffic } from "../indexing/countingProxy.ts";
import { queryOne } from "../indexing/database.ts";
import { CHAIN_ID, CORE_SWAP, TREASURY } from "./chain.ts";

/** Ponder streams the newest blocks of chain 1; the rest is the backfill. */
const FINALITY_BLOCKS = 65;
const CACHE_BYTES = 256 * 1_024 * 1_024;
const REQUESTS_PER_SECOND = 5_000;

const { values } = commandLine({
  usage: "pnpm bench:sparse",
  summary: "Measures a first index of a chain with few transactions of this project, by traces and by blocks.",
  options: {
    blocks: { type: "string", default: "200000", value: "<number>", help: "blocks indexed with calls from traces" },
    "reference-blocks": { type: "string", default: "10000", value: "<number>", help: "blocks indexed from blocks" },
    every: { type: "string", default: "100", value: "<number>", help: "one block in this many has a call of ours" },
    "timeout-minutes": { type: "string", default: "60", value: "<number>", help: "time-out of one run" },
  },
});
const every = wholeNumber("every", values.every);
const timeoutMs = wholeNumber("timeout-minutes", values["timeout-minutes"]) * 60_000;
const directory = join(".demo", `bench-sparse-${process.pid}`);
mkdirSync(join(directory, "evm"), { recursive: true });

interface Figures {
  readonly callsFrom: CallsFrom;
  readonly blocks: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly traffic: Traffic;
}

try {
  const deployment = { chainId: CHAIN_ID, startBlock: 0, coreSwap: CORE_SWAP, treasury: TREASURY };
  writeFileSync(join(directory, "evm", "mainnet.json"), JSON.stringify(deployment));
  const postgres = await startPostgres();
  const runs = [
    await run(postgres, "traces", wholeNumber("blocks", values.blocks)),
    await run(postgres, "blocks", wholeNumber("reference-blocks", values["reference-blocks"])),
  ];
  await postgres.stop();
  printFigures(runs);
  rmSync(directory, { recursive: true });
} finally {
  await stopAllProcesses();
}

/** @throws Error unless every call of ours is in the index */
async function run(postgres: PostgresServer, callsFrom: CallsFrom, blocks: number): Promise<Figures> {
  const port = await freePort();
  const rpcUrl = `http://${HOST}:${port}`;
  const node = await startProcess({
    name: "the sparse node",
    command: process.execPath,
    args: ["bench/sparse/node.ts", String(blocks + FINALITY_BLOCKS - 1), String(every)],
    env: { ...process.env, PORT: String(port) },
    logFile: join(directory, `${callsFrom}.node.log`),
  });
  while (!(await isAnswering(rpcUrl))) {
    node.requireRunning();
    await sleep(50);
  }
  await queryOne(postgres.databaseUrl, `CREATE DATABASE ${callsFrom}`);
  const databaseUrl = Object.assign(new URL(postgres.databaseUrl), { pathname: `/${callsFrom}` }).href;
  const logFile = join(directory, `${callsFrom}.log`);
  const { seconds, cpuSeconds } = await runPonder({ logFile, cacheBytes: CACHE_BYTES, timeoutMs }, PONDER, {
    CALLS_FROM: callsFrom,
    DEPLOYMENTS_DIR: directory,
    PONDER_NETWORKS: "mainnet",
    [`PONDER_RPC_URL_${CHAIN_ID}`]: rpcUrl,
    PONDER_RPC_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
    AUDIT_REQUESTS_PER_MINUTE: "0",
    DATABASE_PRIVATE_URL: "",
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: "coreswap",
  });
  const { calls, reverted } = await queryOne<{ calls: number; reverted: number }>(
    databaseUrl,
    `SELECT count(*)::int AS calls, count(*) FILTER (WHERE outcome = 'revert')::int AS reverted
     FROM coreswap.transaction WHERE block_number < ${blocks}`,
  );
  if (calls !== Math.floor(blocks / every))
    throw new Error(`${calls} calls are indexed of ${Math.floor(blocks / every)}`);
  console.log(
    `${callsFrom}: ${blocks} blocks with ${calls} calls, ${reverted} of them reverted, in ${seconds.toFixed(1)} s`,
  );
  const traffic = await askNode<Traffic>(rpcUrl, "bench_traffic");
  await node.stop();
  return { callsFrom, blocks, seconds, cpuSeconds, traffic };
}

async function askNode<T>(rpcUrl: string, method: string): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });
  const response = await fetch(rpcUrl, { method: "POST", body });
  return ((await response.json()) as { result: T }).result;
}

async function isAnswering(rpcUrl: string): Promise<boolean> {
  try {
    await askNode(rpcUrl, "eth_chainId");
    return true;
  } catch {
    return false;
  }
}

function printFigures(runs: readonly Figures[]): void {
  const most = Math.max(...runs.map(({ blocks }) => blocks));
  console.table(
    runs.map(({ callsFrom, blocks, seconds, cpuSeconds, traffic }) => ({
      callsFrom,
      blocks,
      requests: traffic.requests,
      MB: Math.round(traffic.bytesReceived / 1e6),
      seconds: Math.round(seconds),
      cpuSeconds: Math.round(cpuSeconds),
      [`requests for ${most} blocks`]: Math.round((traffic.requests * most) / blocks),
      [`MB for ${most} blocks`]: Math.round((traffic.bytesReceived * most) / blocks / 1e6),
      [`seconds for ${most} blocks`]: Math.round((seconds * most) / blocks),
    })),
  );
  for (const { callsFrom, traffic } of runs) console.log(callsFrom, JSON.stringify(traffic.requestsByMethod));
}
