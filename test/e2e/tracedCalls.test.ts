/** An index whose calls come from traces equals an index whose calls come from blocks, whatever the traces omit. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hexToNumber, isHex } from "viem";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import type { CallsFrom } from "../../config/callsFrom.ts";
import { CHAIN_IDS, type NetworkName } from "../../config/networks.ts";
import { MEASURED_BLOCKS } from "../../config/rpc/backfill/calls/measure.ts";
import { compareAnswers, digestOf, NETWORKS, type Oracles, takeAnswers } from "../reliability/harness/answers.ts";
import { type Fault, type RpcProxy, startRpcProxy } from "../reliability/harness/rpcProxy.ts";
import { waitUntilCaughtUp } from "../reliability/harness/settle.ts";
import { queryOnce } from "../support/postgres.ts";
import { ApiClient } from "./harness/api.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { Supervisor } from "./harness/supervisor.ts";
import { consultOracle } from "./oracle/network.ts";

const REFUSED = "may lack calls of chain";
const WRONG = "are wrong, and are not used any more in this database";

const shared = inject("sharedStack");
const directory = join(shared.deploymentsDirectory, "..");
let server: PostgresServer;
let oracles: Oracles;
/** The answers of the index whose calls come from blocks. */
let reference: Awaited<ReturnType<typeof takeAnswers>>;

beforeAll(async () => {
  server = await startPostgres();
  const { mainnet, sepolia } = shared.networks;
  oracles = { mainnet: await consultOracle(mainnet), sepolia: await consultOracle(sepolia) };
  reference = await takeAnswers(new ApiClient(shared.baseUrl), oracles);
});

afterAll(async () => {
  await server?.stop();
});

interface Trace {
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly error?: string;
}

interface Lie {
  readonly isLost: (trace: Trace) => boolean;
  /** True when answers about a single block are right, so that samples do not find the fault. */
  readonly isOfRangesOnly?: boolean;
}

interface TraceRange {
  readonly fromBlock: `0x${string}`;
  readonly toBlock: `0x${string}`;
}

const blocksOf = ([range]: readonly unknown[]) => {
  const { fromBlock, toBlock } = range as TraceRange;
  return hexToNumber(toBlock) - hexToNumber(fromBlock) + 1;
};

/** Omits traces from the node's answers. */
function lying({ isLost, isOfRangesOnly = false }: Lie): Fault {
  return async ({ method, params }, ask) => {
    if (method !== "trace_filter" || (isOfRangesOnly && blocksOf(params) === 1)) return undefined;
    const traces = (await ask(method, params)) as readonly Trace[];
    return { kind: "result", result: traces.filter((trace) => !isLost(trace)) };
  };
}

async function startProxies(faults: Readonly<Record<NetworkName, Fault>>): Promise<Record<NetworkName, RpcProxy>> {
  const proxyOf = async (network: NetworkName) => {
    const proxy = await startRpcProxy(shared.networks[network].rpcUrl);
    proxy.inject(faults[network]);
    onTestFinished(() => proxy.stop());
    return proxy;
  };
  return { mainnet: await proxyOf("mainnet"), sepolia: await proxyOf("sepolia") };
}

interface Started {
  readonly supervisor: Supervisor;
  readonly log: () => string;
  readonly proxies: Readonly<Record<NetworkName, RpcProxy>>;
}

/**
 * Starts an index whose nodes have the given faults.
 * @param database the name of a new PostgreSQL database; PGlite when absent
 */
async function start(
  name: string,
  faults: Readonly<Record<NetworkName, Fault>>,
  database?: string,
  callsFrom: CallsFrom = "traces",
): Promise<Started> {
  const proxies = await startProxies(faults);
  if (database !== undefined) await query("postgres", `CREATE DATABASE ${database}`);
  rmSync(join(directory, `${name}.pglite`), { recursive: true, force: true });
  return { proxies, ...(await startIndex(name, "first", proxies, database, callsFrom)) };
}

async function startIndex(
  name: string,
  schema: string,
  proxies: Started["proxies"],
  database: string | undefined,
  callsFrom: CallsFrom = "traces",
) {
  const logFile = join(directory, `${name}.${schema}.log`);
  rmSync(logFile, { force: true });
  const options = {
    deploymentsDirectory: shared.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: proxies.mainnet.rpcUrl, [CHAIN_IDS.sepolia]: proxies.sepolia.rpcUrl },
    database:
      database === undefined
        ? { pgliteDirectory: join(directory, `${name}.pglite`) }
        : { databaseUrl: urlOf(database), schema },
    settings: { CALLS_FROM: callsFrom, DATABASE_SCHEMA: schema },
    logFile,
  };
  const supervisor = await Supervisor.start({ name: `${name}.${schema}`, options });
  onTestFinished(() => supervisor.stop());
  return { supervisor, log: () => readFileSync(logFile, "utf8") };
}

/**
 * Builds an index in the next schema whenever one is refused, as an operator does, and compares the accepted one.
 * @returns the logs of all indexes, and how many were refused
 */
async function expectRebuilt(
  name: string,
  first: Started,
  database?: string,
): Promise<{ log: string; refused: number }> {
  let { supervisor, log } = first;
  let before = "";
  for (const [refused, schema] of ["second", "third"].entries()) {
    await waitUntil(`${name} is refused or ready`, async () => {
      if (log().includes(REFUSED)) return null;
      const status = await supervisor.api.request("/ready").then((answer) => answer.status, String);
      return status === 200 ? null : `/ready is ${status}`;
    });
    if (!log().includes(REFUSED)) {
      await expectSameAsFromBlocks(supervisor);
      return { log: before + log(), refused };
    }
    before += log();
    await supervisor.stop();
    ({ supervisor, log } = await startIndex(name, schema, first.proxies, database));
  }
  await expectSameAsFromBlocks(supervisor);
  return { log: before + log(), refused: 2 };
}

const urlOf = (database: string) => Object.assign(new URL(server.databaseUrl), { pathname: `/${database}` }).href;

const query = (database: string, text: string) => queryOnce(urlOf(database), text);

async function expectSameAsFromBlocks({ api }: Supervisor): Promise<void> {
  await waitUntilCaughtUp(api, oracles);
  const answers = await takeAnswers(api, oracles);
  expect(compareAnswers(reference, answers)).toEqual({ lost: [], wrong: [], first: null });
  expect(digestOf(answers)).toBe(digestOf(reference));
}

/** A call with events in the middle of a chain, so that traces are used before its block. */
function callWithEvents(network: NetworkName): { readonly hash: string; readonly block: number } {
  const calls = oracles[network].transactions.filter(
    ({ directCall, activities }) => directCall && activities.length > 0,
  );
  const call = calls[Math.floor(calls.length / 2)];
  if (call === undefined) throw new Error(`${network} has no calls with events`);
  return { hash: call.transactionHash, block: Number(call.inclusion.blockNumber) };
}

const NO_FAULT: Fault = () => undefined;
const UNKNOWN_METHOD = { kind: "error", code: -32_601, message: "the method trace_filter does not exist" } as const;

test("traces give the same answers as blocks, which are used once a node refuses traces, and no other block is fetched", async () => {
  const refusedFrom = callWithEvents("sepolia").block;
  const limited: Fault = ({ method, params: [range] }) => {
    if (method !== "trace_filter") return undefined;
    const { toBlock } = range as TraceRange;
    if (hexToNumber(toBlock) >= refusedFrom && blocksOf([range]) > 1 && blocksOf([range]) <= 10) {
      sepolia.inject(({ method: next }) => (next === "trace_filter" ? UNKNOWN_METHOD : undefined));
    }
    return blocksOf([range]) > 10
      ? { kind: "error", code: -32_005, message: "query exceeds the limit of 10 blocks" }
      : undefined;
  };
  const { supervisor, log, proxies } = await start("traces", { mainnet: NO_FAULT, sepolia: limited }, "traces");
  const { sepolia } = proxies;
  await expectSameAsFromBlocks(supervisor);
  expect(sepolia.injected()).toBeGreaterThan(0);
  expect(log()).not.toContain(WRONG);
  expect(log()).toContain("Calls of chain 11155111 are taken from blocks from now on: trace_filter for block");
  expect(supervisor.restarts).toBe(0);
  const [mainnet] = await query(
    "traces",
    `SELECT (upper(traced) - lower(traced))::int AS traced, (
       SELECT count(*)::int FROM ponder_sync.blocks WHERE chain_id = 1 AND number::numeric <@ traced
     ) AS fetched
     FROM (SELECT range_merge(blocks) AS traced FROM core_offchain.traced_calls
       WHERE chain_id = 1 AND refuted_at IS NULL) AS noted`,
  );
  expect(mainnet?.traced).toBeGreaterThan(200);
  expect(mainnet?.fetched).toBeLessThan(Number(mainnet?.traced) - 20);
});

test("an index that lacks all reverted calls, or a call after traces were used, is refused, and a new index is right", async () => {
  const { hash } = callWithEvents("mainnet");
  const first = await start("lost_pglite", {
    mainnet: lying({ isLost: ({ transactionHash }) => transactionHash === hash, isOfRangesOnly: true }),
    sepolia: lying({ isLost: ({ error }) => error !== undefined }),
  });
  const { log, refused } = await expectRebuilt("lost_pglite", first);
  expect(refused).toBe(1);
  for (const network of NETWORKS) expect(log).toContain(`Traces of chain ${CHAIN_IDS[network]} ${WRONG}`);
});

test("an index on PostgreSQL that lacks one percent of the traces, or a range of them, is refused, and a new index is right", async () => {
  const lost = BigInt(callWithEvents("mainnet").hash) % 100n;
  const { block } = callWithEvents("sepolia");
  const first = await start(
    "lost_postgres",
    {
      mainnet: lying({ isLost: ({ transactionHash }) => BigInt(transactionHash) % 100n === lost }),
      sepolia: lying({
        isLost: ({ blockNumber }) => blockNumber >= block && blockNumber < block + 40,
        isOfRangesOnly: true,
      }),
    },
    "lost",
  );
  const { log, refused } = await expectRebuilt("lost_postgres", first, "lost");
  expect(refused).toBeGreaterThan(0);
  for (const network of NETWORKS) expect(log).toContain(`Traces of chain ${CHAIN_IDS[network]} ${WRONG}`);
  const rows = await query("lost", "SELECT chain_id::int FROM core_offchain.traced_calls WHERE refuted_at IS NOT NULL");
  expect(rows).toHaveLength(NETWORKS.length);
});

/** Delays the blocks that traces spare the indexer, each by several times what the traces took on a busy machine. */
function untracedSlow(): Fault {
  let tracesSince: number | undefined;
  let delayMs: number | undefined;
  const traced = new Set<number>();
  const delayedUntil = new Map<number, number>();
  return async ({ method, params }, ask) => {
    if (method === "trace_filter") {
      tracesSince ??= performance.now();
      const result = (await ask(method, params)) as readonly Trace[];
      for (const { blockNumber } of result) traced.add(blockNumber);
      return { kind: "result", result };
    }
    const [block, isWhole] = params;
    if (tracesSince === undefined || method !== "eth_getBlockByNumber" || isWhole !== true || !isHex(block)) {
      return undefined;
    }
    const number = hexToNumber(block);
    if (traced.has(number)) return undefined;
    const now = performance.now();
    delayMs ??= Math.min(LONGEST_DELAY_MS, Math.max(SHORTEST_DELAY_MS, 3 * (now - tracesSince)));
    // A request that the indexer repeats, because its answer is late, is delayed only by the rest.
    const until = delayedUntil.get(number) ?? now + delayMs;
    delayedUntil.set(number, until);
    await sleep(Math.max(0, until - now));
    return undefined;
  };
}

/**
 * Allows half of the measured blocks in a request, so that they take six requests: less than the minute after which
 * traces are given up, and more than a busy machine needs for the blocks.
 */
const tracesSlow: Fault = async ({ method, params }) => {
  if (method !== "trace_filter") return undefined;
  const limit = MEASURED_BLOCKS / 2;
  if (blocksOf(params) > limit)
    return { kind: "error", code: -32_005, message: `query exceeds the limit of ${limit} blocks` };
  await sleep(6_000);
  return undefined;
};

const SHORTEST_DELAY_MS = 3_000;
/** The indexer gives up a request after three rounds of ten seconds. */
const LONGEST_DELAY_MS = 22_000;

const chosen = (network: NetworkName, source: string) =>
  `Calls of chain ${CHAIN_IDS[network]} are taken from ${source} (CALLS_FROM=auto): `;

test("with CALLS_FROM=auto the faster source is taken, and the answers are the same", async () => {
  const faults = { mainnet: untracedSlow(), sepolia: tracesSlow };
  const { supervisor, log, proxies } = await start("auto", faults, "auto", "auto");
  await waitUntil("both sources are measured", async () =>
    log().split("CALLS_FROM=auto").length > NETWORKS.length ? null : "no choice yet",
  );
  for (const network of NETWORKS) proxies[network].inject(null);
  await expectSameAsFromBlocks(supervisor);
  expect(log()).toContain(chosen("mainnet", "traces"));
  expect(log()).toContain(chosen("sepolia", "blocks"));
  expect(log().match(/blocks \d+ to \d+ took \d+\.\d\d s by traces, \d+\.\d\d s by blocks/g)).toHaveLength(2);
  const traced = await query("auto", "SELECT chain_id::int FROM core_offchain.traced_calls WHERE NOT isempty(blocks)");
  expect(traced).toEqual([{ chain_id: CHAIN_IDS.mainnet }]);
  expect(supervisor.restarts).toBe(0);
});
