/**
 * What the patch of Ponder changes between its store and PostgreSQL. Its changes to sync and start are tested end to
 * end.
 */
import { Client } from "pg";
import { onchainTable } from "ponder";
import { numberToHex, padHex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../e2e/harness/postgres.ts";
import { internal } from "./support/ponderInternal.ts";

type Row = Record<string, unknown>;

interface EventData {
  readonly cursor: number;
  readonly blocks: readonly { readonly number: bigint }[];
  readonly logs: readonly { readonly blockNumber: number; readonly logIndex: number }[];
  readonly transactions: readonly { readonly blockNumber: number; readonly transactionIndex: number }[];
  readonly transactionReceipts: readonly { readonly blockNumber: number; readonly transactionIndex: number }[];
}

interface SyncStore {
  insertBlocks(rows: { blocks: readonly Row[]; chainId: number }): Promise<void>;
  insertTransactions(rows: { transactions: readonly Row[]; chainId: number }): Promise<void>;
  insertTransactionReceipts(rows: { transactionReceipts: readonly Row[]; chainId: number }): Promise<void>;
  insertLogs(rows: { logs: readonly Row[]; chainId: number }): Promise<void>;
  getEventData(query: {
    filters: readonly Row[];
    fromBlock: number;
    toBlock: number;
    chainId: number;
    limit: number;
  }): Promise<EventData>;
}

interface Database {
  readonly adminQB: unknown;
  readonly syncQB: { wrap(...query: unknown[]): Promise<readonly unknown[]> };
  migrateSync(): Promise<void>;
}

interface Shutdown {
  kill(): Promise<void>;
}

let postgres: PostgresServer;

/** Ponder's connections to the server, as each of its threads opens them, and the services that its stores take. */
async function openDatabase() {
  const { createShutdown } = await internal<{ createShutdown(): Shutdown }>("internal/shutdown.js");
  const { createLogger } = await internal<{ createLogger(options: Row): unknown }>("internal/logger.js");
  const { MetricsService } = await internal<{ MetricsService: new () => unknown }>("internal/metrics.js");
  const { createDatabase } = await internal<{ createDatabase(options: Row): Database }>("database/index.js");
  const shutdown = createShutdown();
  const common = {
    options: { command: "list", databaseMaxQueryParameters: 16_000 },
    logger: createLogger({ level: "error", mode: "pretty" }),
    metrics: new MetricsService(),
    shutdown,
  };
  const database = createDatabase({
    common,
    namespace: { schema: "public", viewsSchema: undefined },
    preBuild: {
      databaseConfig: { kind: "postgres", poolConfig: { connectionString: postgres.databaseUrl, max: 8 } },
    },
    schemaBuild: { schema: {} },
  });
  return { common, database, shutdown };
}

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describe("triggers that record rows for a reorganization", () => {
  const noted = onchainTable("noted", (t) => ({ chainId: t.integer().primaryKey(), text: t.text() }));
  interface Transaction {
    wrap(query: (db: { execute(statement: string): Promise<unknown> }) => unknown): Promise<unknown>;
  }
  interface Actions {
    createTriggers(qb: unknown, of: { tables: readonly unknown[]; chainId: number }): Promise<void>;
    recordRows(transaction: Transaction, checkpoint: string): Promise<void>;
  }
  const CHAIN_IDS = [1, 2];
  const ROUNDS = 25;
  let client: Client;
  let threads: readonly ({ readonly chainId: number } & Awaited<ReturnType<typeof openDatabase>>)[];
  let actions: Actions;

  beforeAll(async () => {
    actions = await internal<Actions>("database/actions.js");
    threads = await Promise.all(CHAIN_IDS.map(async (chainId) => ({ chainId, ...(await openDatabase()) })));
    client = new Client({ connectionString: postgres.databaseUrl });
    await client.connect();
    await client.query("CREATE TABLE noted (chain_id integer PRIMARY KEY, text text) PARTITION BY LIST (chain_id)");
    for (const chainId of CHAIN_IDS) {
      await client.query(`CREATE TABLE noted_${chainId} PARTITION OF noted FOR VALUES IN (${chainId})`);
    }
  });
  afterAll(async () => {
    await client?.end();
    await Promise.all((threads ?? []).map(({ shutdown }) => shutdown.kill()));
  });

  it("are created by two networks whose backfills end together, although they share one function", async () => {
    const { createTriggers } = actions;
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.query("DROP FUNCTION IF EXISTS operation_reorg__noted CASCADE");
      await Promise.all(
        threads.map(({ chainId, database }) => createTriggers(database.adminQB, { tables: [noted], chainId })),
      );
      const { rows } = await client.query("SELECT FROM pg_trigger WHERE tgname = 'reorg'");
      expect(rows).toHaveLength(CHAIN_IDS.length);
    }
  });

  it("record only what a live block writes, at the checkpoint of that block", async () => {
    const [{ chainId, database }] = threads as [(typeof threads)[number]];
    await actions.createTriggers(database.adminQB, { tables: [noted], chainId });
    await client.query(`CREATE TABLE _reorg__noted (
      chain_id integer, text text, operation_id serial PRIMARY KEY, operation integer NOT NULL, checkpoint varchar(75) NOT NULL
    )`);
    const write = (text: string) =>
      `INSERT INTO noted VALUES (${chainId}, '${text}') ON CONFLICT (chain_id) DO UPDATE SET text = excluded.text`;
    const connection = database.adminQB as {
      transaction(use: (transaction: Transaction) => Promise<void>): Promise<void>;
    };

    // One connection after another of the pool writes outside a live block, also the one that has had live blocks.
    const writeOutside = async (text: string) => {
      await client.query(write(text));
      for (let turn = 0; turn < 8; turn += 1) {
        await connection.transaction(async (transaction) => {
          await transaction.wrap((db) => db.execute(write(text)));
        });
      }
    };
    await writeOutside("backfill");
    await connection.transaction(async (transaction) => {
      await actions.recordRows(transaction, "first");
      await transaction.wrap((db) => db.execute(write("first block")));
      await actions.recordRows(transaction, "second");
      await transaction.wrap((db) => db.execute(write("second block")));
    });
    await writeOutside("correction");

    const { rows } = await client.query("SELECT checkpoint, text FROM _reorg__noted ORDER BY operation_id");
    expect(rows).toEqual([
      { checkpoint: "first", text: "backfill" },
      { checkpoint: "second", text: "first block" },
    ]);
  });
});

describe("raw data", () => {
  const CHAIN_ID = 1;
  const BLOCKS = 30;
  const hash = (kind: number, number: number) => padHex(numberToHex(kind * 1_000_000 + number), { size: 32 });
  const filters = [
    {
      type: "log",
      chainId: CHAIN_ID,
      fromBlock: undefined,
      toBlock: undefined,
      address: zeroAddress,
      topic0: null,
      topic1: null,
      topic2: null,
      topic3: null,
      hasTransactionReceipt: true,
      include: ["log.data", "transaction.hash", "block.hash", "transactionReceipt.status"],
    },
  ];
  let store: SyncStore;
  /** Number of rows of transactions that the database has returned. */
  let transactionsRead = 0;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const { createSyncStore } = await internal<{ createSyncStore(options: Row): SyncStore }>("sync-store/index.js");
    const { common, database, shutdown } = await openDatabase();
    close = () => shutdown.kill();
    await database.migrateSync();
    const { syncQB } = database;
    const { wrap } = syncQB;
    syncQB.wrap = async (...query) => {
      const rows = await wrap(...query);
      if ((query[0] as Row).label === "select_transactions") transactionsRead += rows.length;
      return rows;
    };
    store = createSyncStore({ common, qb: syncQB });
    await fill();
  });
  afterAll(() => close());

  /** Block n has n % 4 transactions with five logs each. */
  async function fill() {
    const zero = padHex("0x", { size: 32 });
    for (let number = 1; number <= BLOCKS; number++) {
      const inBlock = { blockNumber: numberToHex(number), blockHash: hash(1, number) };
      await store.insertBlocks({
        chainId: CHAIN_ID,
        blocks: [
          {
            number: numberToHex(number),
            timestamp: numberToHex(1_000 + number),
            hash: hash(1, number),
            parentHash: hash(1, number - 1),
            logsBloom: zero,
            miner: zeroAddress,
            gasUsed: "0x1",
            gasLimit: "0x2",
            stateRoot: zero,
            receiptsRoot: zero,
            transactionsRoot: zero,
            size: "0x3",
            difficulty: "0x0",
            extraData: "0x",
          },
        ],
      });
      const indexes = Array.from({ length: number % 4 }, (_, index) => index);
      const parties = { from: zeroAddress, to: zeroAddress, type: "0x2" };
      const envelopes = indexes.map((index) => ({
        ...inBlock,
        ...parties,
        transactionIndex: numberToHex(index),
        hash: hash(2, number * 10 + index),
        transactionHash: hash(2, number * 10 + index),
      }));
      await store.insertTransactions({
        chainId: CHAIN_ID,
        transactions: envelopes.map((envelope) => ({
          ...envelope,
          input: "0x1234",
          value: "0x0",
          nonce: "0x5",
          gas: "0x6",
        })),
      });
      await store.insertTransactionReceipts({
        chainId: CHAIN_ID,
        transactionReceipts: envelopes.map((envelope) => ({
          ...envelope,
          logsBloom: zero,
          gasUsed: "0x1",
          cumulativeGasUsed: "0x1",
          effectiveGasPrice: "0x1",
          status: "0x1",
        })),
      });
      await store.insertLogs({
        chainId: CHAIN_ID,
        logs: envelopes.flatMap((envelope, index) =>
          [0, 1, 2, 3, 4].map((log) => ({
            ...envelope,
            logIndex: numberToHex(index * 5 + log),
            address: zeroAddress,
            topics: [hash(3, log)],
            data: "0x",
          })),
        ),
      });
    }
  }

  /** Everything up to the last block, by ranges of at most `limit` rows. */
  async function readAll(limit: number) {
    const found = {
      blocks: [] as bigint[],
      logs: [] as string[],
      transactions: [] as string[],
      receipts: [] as string[],
    };
    for (let fromBlock = 1; fromBlock <= BLOCKS; ) {
      const data = await store.getEventData({ filters, fromBlock, toBlock: BLOCKS, chainId: CHAIN_ID, limit });
      found.blocks.push(...data.blocks.map((row) => row.number));
      found.logs.push(...data.logs.map((row) => `${row.blockNumber}:${row.logIndex}`));
      found.transactions.push(...data.transactions.map((row) => `${row.blockNumber}:${row.transactionIndex}`));
      found.receipts.push(...data.transactionReceipts.map((row) => `${row.blockNumber}:${row.transactionIndex}`));
      expect(data.cursor).toBeGreaterThanOrEqual(fromBlock);
      fromBlock = data.cursor + 1;
    }
    return found;
  }

  it("is read completely and only once, whatever the row limit", async () => {
    const whole = await readAll(1_000);
    expect(whole.blocks).toEqual(Array.from({ length: BLOCKS }, (_, index) => BigInt(index + 1)));
    expect(whole.transactions).toHaveLength(45);
    expect(whole.logs).toHaveLength(45 * 5);
    expect(whole.receipts).toEqual(whole.transactions);
    for (const limit of [1, 2, 3, 5, 7, 16, 29, 30, 31, 45, 100, 224, 225, 226]) {
      expect(await readAll(limit), `limit ${limit}`).toEqual(whole);
    }
  });

  it("ends with the last block that has all of its logs, and is read up to the block after it", async () => {
    transactionsRead = 0;
    const data = await store.getEventData({ filters, fromBlock: 1, toBlock: BLOCKS, chainId: CHAIN_ID, limit: 20 });
    // Twenty logs are those of blocks 1 and 2, and of a part of block 3.
    expect(data.cursor).toBe(2);
    expect(data.transactions.map((row) => row.blockNumber)).toEqual([1, 2, 2]);
    expect(transactionsRead).toBe(6);
  });
});
