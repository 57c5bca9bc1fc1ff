/** Rows that were changed without the indexer are found, reported, and corrected by a repair. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createPublicClient, custom } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreSwapAbi } from "../../abis/index.ts";
import { CHAIN_IDS } from "../../config/networks.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { type Indexer, startIndexer } from "../../localnet/indexer.ts";
import { Setup } from "../../localnet/setup.ts";
import { auditBlock } from "../../src/api/audit/auditor.ts";
import type { AuditNode } from "../../src/api/audit/chain.ts";
import { auditCurrent } from "../../src/api/audit/currentAudit.ts";
import { CURRENT_TABLE_NAMES, type CurrentTableName, currentTable } from "../../src/api/audit/currentTables.ts";
import { documentedArguments } from "../support/documented.ts";
import { withClient } from "../support/postgres.ts";
import { ApiClient } from "./harness/api.ts";
import { waitForHistory } from "./harness/converge.ts";
import { otherValue, shownRow, withAudit } from "./harness/inForce.ts";
import { waitUntil } from "./harness/poll.ts";
import { type PostgresServer, startPostgres } from "./harness/postgres.ts";
import { reorganize } from "./harness/reorganize.ts";
import { Stack } from "./harness/stack.ts";
import { STATUS_PATH, statusOf, waitForState } from "./harness/status.ts";

const SCHEMA = "coreswap";
/** Newest blocks of mainnet that Ponder does not take for final. */
const NOT_FINAL_BLOCKS = 65;

let stack: Stack;
let server: PostgresServer;
let indexer: Indexer;
let finalBlock: number;

beforeAll(async () => {
  [stack, server] = await Promise.all([
    Stack.build({ name: "index-audit", networks: ["mainnet"], seed: 22, transactionCount: 120, emptyBlocks: 80 }),
    startPostgres(),
  ]);
  indexer = await start(SCHEMA);
  await indexer.ready();
});

afterAll(async () => {
  await indexer?.stop();
  await server?.stop();
  await stack?.stop();
});

function settings(schema: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: server.databaseUrl,
    DATABASE_SCHEMA: schema,
    DEPLOYMENTS_DIR: stack.deploymentsDirectory,
    PONDER_RPC_URL_1: stack.deployed("mainnet").rpcUrl,
    PONDER_RPC_URL_11155111: "",
    PONDER_RPC_REQUESTS_PER_SECOND: "500",
  };
}

function start(schema: string): Promise<Indexer> {
  return startIndexer({
    deploymentsDirectory: stack.deploymentsDirectory,
    rpcUrls: { [CHAIN_IDS.mainnet]: stack.deployed("mainnet").rpcUrl },
    database: { databaseUrl: server.databaseUrl, schema },
    settings: { AUDIT_REQUESTS_PER_MINUTE: "6000" },
    logFile: join(stack.directory, `${schema}.log`),
  });
}

/** Runs SQL. A reorganization does not take back what it changes. */
async function execute(text: string): Promise<Record<string, unknown>[]> {
  return withClient(server.databaseUrl, async (client) => (await client.query(text)).rows);
}

/** Runs a tool of this project. */
async function run(
  tool: string,
  args: readonly string[],
  schema = SCHEMA,
): Promise<{ status: number; output: string }> {
  const child = spawn(process.execPath, [`tools/${tool}.ts`, ...args], {
    env: { ...process.env, ...settings(schema) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => {
      output += data.toString();
    });
  }
  const [status] = (await once(child, "close")) as [number];
  return { status, output };
}

test("the audit works down from the newest final block, and finds no difference in an intact index", async () => {
  const head = Number(await createChainClient(stack.deployed("mainnet").rpcUrl).getBlockNumber());
  await waitUntil("the audit has seen some blocks", async () => {
    const { audit, newestFinalBlock } = await statusOf(indexer);
    finalBlock = Number(newestFinalBlock);
    // On a busy machine, the audit passes part of the history before the status shows the last final block.
    if (finalBlock < head - NOT_FINAL_BLOCKS) return `block ${finalBlock} of ${head} is final`;
    return audit !== null && Number(audit.fromBlock) <= finalBlock - 5 && Number(audit.toBlock) >= finalBlock
      ? null
      : JSON.stringify(audit);
  });
  await expectIntact();
  const { status, output } = await run("auditIndex", range(startBlock(), finalBlock));
  expect(output).toBe(`mainnet, blocks ${startBlock()} to ${finalBlock} in schema ${SCHEMA}: no difference\n`);
  expect(status).toBe(0);
});

/** Waits until the indexer is live, because a busy machine delays its status. Its audit must have passed meanwhile. */
async function expectIntact(): Promise<void> {
  await waitUntil("the indexer is live", async () => {
    const { state, audit } = await statusOf(indexer);
    expect(audit).toMatchObject({ result: "passed", difference: null });
    return state === "live" ? null : state;
  });
}

function startBlock(): number {
  return Number(stack.deployed("mainnet").startBlock);
}

/** The arguments of a tool for a range of blocks, as docs/operate/audit.md writes them. */
function range(from: number, to: number, tool: "audit:index" | "repair" = "audit:index"): string[] {
  const values = { "21000000": String(from), [tool === "repair" ? "21000100" : "21010000"]: String(to) };
  return documentedArguments("docs/operate/audit.md", new RegExp(`pnpm ${tool} (?=--network)`), values);
}

/** Each fault changes one row. The test restores it. */
const FAULTS = [
  {
    what: "a leg that is gone",
    table: "swap",
    change: (place: string) => `DELETE FROM ${SCHEMA}.swap WHERE ${place}`,
    reported: /swap \d+\/\d+\/\d+ is missing/,
  },
  {
    what: "a total that is one off",
    table: "volume_total",
    change: (place: string) => `UPDATE ${SCHEMA}.volume_total SET amount_total = amount_total + 1 WHERE ${place}`,
    reported: /volume of LP 0x[0-9a-f]{40}.*the totals say/,
  },
  {
    what: "a reverted call that is gone from every table",
    table: "transaction",
    change: (place: string) => `
      DELETE FROM ${SCHEMA}.transaction_by_hash WHERE hash = (SELECT hash FROM ${SCHEMA}.transaction WHERE ${place});
      DELETE FROM ${SCHEMA}.transaction_by_filter WHERE (block_number, transaction_index) =
        (SELECT block_number, transaction_index FROM ${SCHEMA}.transaction WHERE ${place});
      DELETE FROM ${SCHEMA}.transaction WHERE ${place}`,
    reported: /transaction \d+\/\d+ is missing/,
  },
] as const;

/** An SQL condition that holds only for one final row of the table. */
async function placeOf(table: string): Promise<string> {
  const condition = table === "volume_total" ? "true" : `block_number <= ${finalBlock}`;
  const reverted = table === "transaction" ? "AND outcome = 'revert'" : "";
  const [row] = await execute(
    `SELECT ctid FROM ${SCHEMA}.${table}_1 WHERE ${condition} ${reverted} ORDER BY 1 LIMIT 1`,
  );
  return `chain_id = 1 AND ctid = '${String(row?.ctid)}'`;
}

test.each(FAULTS)(
  "$what is reported as damage by every answer about the index",
  async ({ table, change, reported }) => {
    const tables = ["swap", "volume_total", "transaction", "transaction_by_hash", "transaction_by_filter"];
    for (const name of tables) {
      await execute(`CREATE TABLE kept_${name} AS SELECT * FROM ${SCHEMA}.${name}`);
    }
    await execute(change(await placeOf(table)));
    const damaged = await waitForState(indexer, "damaged");
    expect(damaged.audit).toMatchObject({ result: "failed" });
    expect(damaged.reason).toBe(damaged.audit?.difference);
    const api = new ApiClient(indexer.baseUrl);
    expect((await api.request(`${STATUS_PATH}?maxLagSeconds=31536000`)).status).toBe(503);
    expect((await api.request("/v1/status")).text).toBe("damaged\nevm-mainnet on, damaged\n");

    const { status, output } = await run("auditIndex", range(startBlock(), finalBlock));
    expect(status).toBe(1);
    expect(output).toMatch(reported);

    // Restores the rows, as a repair of the same schema would. The audit withdraws its report by itself.
    for (const name of tables) {
      await execute(
        `TRUNCATE ${SCHEMA}.${name}_1; INSERT INTO ${SCHEMA}.${name} SELECT * FROM kept_${name}; DROP TABLE kept_${name}`,
      );
    }
    await waitForState(indexer, "live");
  },
);

function audited() {
  return { deployed: stack.deployed("mainnet"), databaseUrl: server.databaseUrl, schema: SCHEMA };
}

test("rows in force are verified a few at a time, until all are", async () => {
  await withAudit(audited(), async (target) => {
    const few = { ...target, proven: new Set<string>(), proofsAtOnce: 2 };
    await auditCurrent(few);
    expect(few.proven.size).toBe(2);
    let size: number;
    do {
      size = few.proven.size;
      await auditCurrent(few);
    } while (few.proven.size > size);
    await auditCurrent(target);
    expect(few.proven).toEqual(target.proven);
  });
});

test("a change of any column in force is reported as damage", async () => {
  await withAudit(audited(), async (target) => {
    const passed = { kind: "compared", differences: [], notCompared: [], pending: [] };
    expect(await auditCurrent(target)).toMatchObject(passed);
    for (const table of CURRENT_TABLE_NAMES) {
      const { columns, totals = [], isList } = currentTable(table);
      for (const column of [...columns, ...totals]) {
        const [{ type } = {}] = await execute(`SELECT data_type AS type FROM information_schema.columns
          WHERE table_schema = '${SCHEMA}' AND table_name = '${table}' AND column_name = '${column}'`);
        const [kept] = await execute(
          `WITH old AS (SELECT * FROM ${SCHEMA}.${table}_1 WHERE ${shownRow(SCHEMA, table)})
          UPDATE ${SCHEMA}.${table}_1 AS entry SET ${column} = ${otherValue(String(type), `entry.${column}`)} FROM old
          WHERE entry.ctid = (SELECT ctid FROM ${SCHEMA}.${table}_1 WHERE ${shownRow(SCHEMA, table)})
          RETURNING old.${column}::text AS value, entry.ctid::text AS place, coalesce(
            to_jsonb(old) ->> 'block_number',
            (SELECT min(block_number)::text FROM ${SCHEMA}.credit_entry
              WHERE delegate_address = to_jsonb(old) ->> 'delegate_address' AND account = to_jsonb(old) ->> 'account')
          ) AS block`,
        );
        // Lists of events are audited in the block of each event, and all other tables at the newest final block.
        const audit = () => (isList ? auditBlock(target, BigInt(String(kept?.block))) : auditCurrent(target));
        const outcome = await audit();
        const what = `${table}.${column}`;
        if (outcome.kind === "unfinished") throw new Error(`${what}: ${outcome.reason}`);
        const differences = outcome.kind === "passed" ? [] : outcome.differences;
        expect(differences.join("\n"), what).toContain(table.replace("_correction", ""));
        const value = kept?.value === null ? "NULL" : `'${String(kept?.value)}'`;
        await execute(`UPDATE ${SCHEMA}.${table}_1 SET ${column} = ${value} WHERE ctid = '${String(kept?.place)}'`);
        if (isList) expect(await audit(), what).toEqual({ kind: "passed" });
      }
      expect(await auditCurrent(target), table).toMatchObject(passed);
    }
  });
});

test("a deleted row in force is reported as damage of the blocks whose events name it", async () => {
  await withAudit(audited(), async (target) => {
    const missing = new Set<string>();
    // The rows of the stablecoins say which delegates are registered, so they are deleted last.
    const others = CURRENT_TABLE_NAMES.filter((name) => name !== "stablecoin");
    const take = (table: CurrentTableName) =>
      execute(`CREATE TABLE kept_${table} AS SELECT * FROM ${SCHEMA}.${table}_1 WHERE ${shownRow(SCHEMA, table)};
        DELETE FROM ${SCHEMA}.${table}_1 WHERE ${shownRow(SCHEMA, table)}`);
    for (const table of others) await take(table);
    const auditAll = async () => {
      for (let block = BigInt(startBlock()); block <= BigInt(finalBlock); block += 1n) {
        const outcome = await auditBlock(target, block);
        if (outcome.kind === "unfinished") throw new Error(outcome.reason);
        if (outcome.kind === "failed") for (const text of outcome.differences) missing.add(text.split(" ")[0] ?? "");
      }
    };
    await auditAll();
    expect([...missing].sort()).toEqual([...others].sort());
    missing.clear();
    await take("stablecoin");
    await auditAll();
    expect(missing).toContain("stablecoin");
    missing.clear();
    for (const table of CURRENT_TABLE_NAMES) {
      await execute(`INSERT INTO ${SCHEMA}.${table} SELECT * FROM kept_${table}; DROP TABLE kept_${table}`);
    }
    await auditAll();
    expect([...missing]).toEqual([]);
    expect(await auditCurrent(target)).toMatchObject({ kind: "compared", differences: [] });
  });
});

test("a changed value in force is reported as damage by every answer about the index", async () => {
  // The indexer's own audit found the changes of the earlier tests.
  await waitForState(indexer, "live");
  const where = `WHERE chain_id = 1 AND ${shownRow(SCHEMA, "protocol_settings")}`;
  await execute(`UPDATE ${SCHEMA}.protocol_settings_1 SET paused = NOT paused ${where}`);
  const damaged = await waitForState(indexer, "damaged");
  expect(damaged.reason).toBe("protocol_settings: paused is true, should be false");
  const { status, output } = await run("auditIndex", range(finalBlock, finalBlock));
  expect(output).toContain(": protocol_settings: paused is true, should be false\n");
  expect(status).toBe(1);
  await execute(`UPDATE ${SCHEMA}.protocol_settings_1 SET paused = NOT paused ${where}`);
  await waitForState(indexer, "live");
});

test("an intact index is not reported as damaged while settings change, blocks are replaced and the node lags", async () => {
  const deployed = stack.deployed("mainnet");
  const [id] = [deployed.assets.USDC.id];
  await withAudit(audited(), async (target, client) => {
    const seen = { compared: 0, pending: 0, unfinished: 0 };
    let behind = 0n;
    /** Hides the newest blocks, like a node that lags behind. */
    const lagging: AuditNode["client"] = createPublicClient({
      transport: custom({
        request: async ({ method, params }) => {
          const head = await client.getBlockNumber({ cacheTime: 0 });
          const hides = method === "eth_getBlockByNumber" && BigInt(params[0]) > head - behind;
          return hides ? null : client.request({ method, params });
        },
      }),
    });
    const lag = { ...target, nodes: [{ client: lagging, pace: () => Promise.resolve() }] };
    const seenEnough = (isEnough: () => boolean) =>
      waitUntil("the audits have seen enough", async () => (isEnough() ? null : JSON.stringify(seen)));
    const stopping = new AbortController();
    const watch = (async () => {
      while (!stopping.signal.aborted) {
        const outcome = await auditCurrent(lag);
        if (outcome.kind === "unfinished") seen.unfinished += 1;
        else {
          expect(outcome.differences).toEqual([]);
          seen.compared += 1;
          seen.pending += outcome.pending.length;
        }
      }
    })();
    for (let round = 1; round <= 4; round += 1) {
      behind = round === 3 ? 100n : 0n;
      const setup = new Setup(deployed);
      await setup.begin();
      for (let count = 0; count < 5; count += 1) {
        const rate = BigInt(round * 10 + count) * 10n ** 14n;
        await setup.call("operator", deployed.coreSwap, coreSwapAbi, "setSpreadProtocolTakeRate", [rate]);
        await setup.call("operator", deployed.coreSwap, coreSwapAbi, "setIssuerPaidProtocolFeeRate", [id, rate]);
        await setup.end();
      }
      await indexedTo(client);
      await reorganize(deployed.rpcUrl, 4);
      await indexedTo(client);
      // More than the 65 blocks that are not final, so that the changes become final and are compared.
      if (round % 2 === 0) {
        await createChainClient(deployed.rpcUrl).mine({ blocks: 70, interval: 1 });
        await indexedTo(client);
      }
      // On a busy machine, a round may be over before an audit that began in it is.
      if (round === 1) await seenEnough(() => seen.pending > 0);
      if (round === 3) await seenEnough(() => seen.unfinished > 0);
    }
    await seenEnough(() => seen.compared > 10);
    stopping.abort();
    await watch;
    await expectIntact();
    const [{ rate } = {}] = await execute(
      `SELECT spread_protocol_take_rate_wad::text AS rate FROM ${SCHEMA}.protocol_settings`,
    );
    expect(rate).not.toBe("0");
  });
});

/** Waits until the indexer has indexed the newest block. */
async function indexedTo(client: AuditNode["client"]): Promise<void> {
  await waitUntil("the newest block is indexed", async () => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const { newestIndexedBlock } = await statusOf(indexer);
    const newest = BigInt(newestIndexedBlock?.blockNumber ?? 0);
    return newest >= head ? null : `${newest} of ${head}`;
  });
}

test("a repair fetches the range again and builds a correct index next to the present one", async () => {
  // The cache lacks the log: an index built from it lacks the leg, and so would every later index.
  const [leg] = await execute(`SELECT block_number AS block, log_index FROM ${SCHEMA}.swap ORDER BY 1, 2 LIMIT 1`);
  const block = Number(leg?.block);
  await execute(`DELETE FROM ponder_sync.logs WHERE block_number = ${block} AND log_index = ${String(leg?.log_index)}`);
  await indexer.stop();
  indexer = await start("spoilt");
  await indexer.ready();
  const spoilt = await run("auditIndex", range(block, block), "spoilt");
  expect(spoilt.output).toMatch(/swap \d+\/\d+\/\d+ is missing/);
  expect(spoilt.status).toBe(1);

  const repaired = await run("repair", range(block - 2, block + 2, "repair"), "spoilt");
  expect(repaired.output).toContain("Restart the replicas one by one with DATABASE_SCHEMA_MAINNET=spoilt_r1");
  expect(repaired.status).toBe(0);
  // The present index continues, and is as damaged as before.
  expect((await statusOf(indexer)).newestIndexedBlock).not.toBeNull();

  await indexer.stop();
  indexer = await start("spoilt_r1");
  await indexer.ready();
  await waitForHistory(new ApiClient(indexer.baseUrl), "mainnet", stack.source("mainnet"));
  expect((await run("auditIndex", range(startBlock(), finalBlock), "spoilt_r1")).status).toBe(0);
});

test("the tools report an invalid option in one line", async () => {
  for (const [args, message] of [
    [["--network", "polygon"], '--network is "polygon", expected mainnet or sepolia\n'],
    [["--network", "mainnet", "--from", "x"], "--from: expected the number of a block\n"],
    [range(9, 8), "--to: expected block 9 or a later one\n"],
  ] as const) {
    for (const tool of ["auditIndex", "repair"]) {
      const { status, output } = await run(tool, args);
      expect(status).toBe(1);
      expect(output).toBe(message);
    }
  }
});
