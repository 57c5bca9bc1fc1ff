/** Reads the final part of an index, in one snapshot at a time. */
import { escapeIdentifier } from "pg";
import { z } from "zod";
import { type CachedPrice, cachedPriceRows, PRICE_ROWS_SQL, pricesSql } from "../../src/api/shared/cachedPrices.ts";
import { integerColumn } from "../../src/api/shared/columns.ts";
import { type Database, prepared, type Statement } from "../../src/api/shared/database.ts";
import type { IndexIdentity } from "../../src/api/shared/indexIdentity.ts";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import { blockOfCheckpoint } from "../../src/api/shared/ponderCheckpoint.ts";
import { stateReader } from "../../src/api/shared/state.ts";
import { type SeriesVolume, volumeReader } from "../../src/api/shared/volume/query.ts";
import { readStatusRows } from "../../src/api/status/table.ts";
import { UsageError } from "../../tools/lib/runTool.ts";
import type { DataSet, Row, Slice } from "./dataSets.ts";

/** SQLSTATEs of a statement that names a schema or a table that is not there. */
const MISSING = ["3F000", "42P01"];

/** The newest block that no reorganization can take back, and the index that says so. */
export interface FinalBlock {
  readonly number: bigint;
  /** Seconds since 1970. */
  readonly time: bigint;
  readonly index: IndexIdentity;
}

const firstRow = z.object({ first: integerColumn.nullable() });
const secondRow = z.object({ second: integerColumn });
const hashRow = z.object({ hash: z.string() });
const pricesRow = z.object({ prices: cachedPriceRows });

/** Reads one network through one connection. */
export class IndexReader {
  readonly #connection: Database;
  readonly #network: ApiNetwork;
  readonly #readState: ReturnType<typeof stateReader>;
  readonly #readVolume: ReturnType<typeof volumeReader>;
  readonly #statements = new Map<string, Omit<Statement, "values">>();

  constructor(connection: Database, network: ApiNetwork) {
    this.#connection = explaining(connection);
    this.#network = network;
    this.#readState = stateReader(this.#connection, network);
    this.#readVolume = volumeReader(this.#connection, network);
  }

  /**
   * Runs a task in one snapshot of the database.
   * @throws UsageError when the index is another one by now, is damaged or forked, or has lost the final block
   */
  async inSnapshot<T>(expected: FinalBlock, task: () => Promise<T>): Promise<T> {
    await this.#query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    try {
      const { index, number } = await this.finalBlock();
      if (index.id !== expected.index.id)
        throw new UsageError(`The index was switched to that of schema ${index.schema} meanwhile: run this again.`);
      if (number < expected.number) {
        throw new UsageError(`Block ${expected.number} was final, and the index ends at ${number} now: see its state.`);
      }
      return await task();
    } finally {
      // Nothing was written. If the connection is broken, the statement before has told so.
      await this.#query("ROLLBACK").catch(() => undefined);
    }
  }

  /** @throws UsageError when the schema has no index, its rows may be wrong, or nothing of the network is final yet */
  async finalBlock(): Promise<FinalBlock> {
    const { name, schema } = this.#network;
    const state = await this.#readState().catch((error: unknown) => {
      const cause = error instanceof UsageError ? error.cause : null;
      if (!(cause instanceof Error && "code" in cause && MISSING.includes(String(cause.code)))) throw error;
      throw new UsageError(`Schema ${schema} has no index (${cause.message}): is DATABASE_SCHEMA the indexer's?`);
    });
    const final = blockOfCheckpoint(state.safeCheckpoint);
    if (final === null || final.blockNumber < this.#network.startBlock) {
      throw new UsageError(`No block of ${name} is final in schema ${schema} yet: is its indexer in the backfill?`);
    }
    await this.#refuseWrong(state.index);
    return { number: final.blockNumber, time: final.timestamp, index: state.index };
  }

  /** @throws UsageError when the index is damaged or forked. An index without a state is not known to be either. */
  async #refuseWrong({ schema }: IndexIdentity): Promise<void> {
    const [row] = await readStatusRows(this.#connection, [{ schema, chainId: this.#network.chainId }]);
    if (row?.state !== "damaged" && row?.state !== "forked") return;
    throw new UsageError(
      `Schema ${schema} is ${row.state}, so its rows may be wrong (docs/operate/monitoring.md): ${row.reason ?? "no reason is known"}`,
    );
  }

  /** Time of the first final row, seconds since 1970; null without rows. */
  async firstTime({ number }: FinalBlock): Promise<bigint | null> {
    const first = (table: string, time: string) => `SELECT min(${time}) FROM ${this.#table(table)}
      WHERE chain_id = ${this.#network.chainId} AND block_number <= $1::bigint`;
    const [row] = await this.#query(
      `SELECT least(
        (${this.#transactionFrom("0", "timestamp")}),
        (${first("daily_rate", "posted_at")}),
        (${first("daily_rate_correction", "corrected_at")})
      )::text AS first`,
      [number.toString()],
    );
    return firstRow.parse(row).first;
  }

  /** The first block from a time on that has a final row of the history; without one, the block after the final one. */
  async blockAt(time: bigint, { number }: FinalBlock): Promise<bigint> {
    // Times only grow with block numbers. No key begins with the time, so each guess is one look-up by number.
    let low = 0n;
    let high = number + 1n;
    while (low < high) {
      const middle = (low + high) / 2n;
      const [row] = await this.#query(`${this.#transactionFrom("$2::bigint", 'timestamp::text AS "second"')}`, [
        number.toString(),
        middle.toString(),
      ]);
      if (row === undefined || secondRow.parse(row).second >= time) high = middle;
      else low = middle + 1n;
    }
    return low;
  }

  /** Block hash of the history's last transaction in a block; null when there is none. */
  async blockHash(blockNumber: bigint): Promise<string | null> {
    const [row] = await this.#query(
      `SELECT block_hash AS hash FROM ${this.#table("transaction")}
      WHERE chain_id = ${this.#network.chainId} AND block_number = $1::bigint
      ORDER BY transaction_index DESC LIMIT 1`,
      [blockNumber.toString()],
    );
    return row === undefined ? null : hashRow.parse(row).hash;
  }

  /** The rows of a slice, in the order of their key. */
  async *rows(dataSet: DataSet, slice: Slice): AsyncGenerator<readonly Row[], void> {
    const text = dataSet.sql(this.#network);
    const bounds = dataSet.bounds(slice);
    let after = dataSet.start(slice);
    for (;;) {
      const page = await this.#query(text, [dataSet.pageLength, ...bounds, ...after]);
      if (page.length === 0) return;
      const rows = page.map((row) => finished(dataSet, row));
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < dataSet.pageLength) return;
      after = dataSet.key.map((column) => last[column] ?? "");
    }
  }

  /** What the API's running totals gained over a slice. */
  async series({ from, to }: Slice): Promise<readonly SeriesVolume[]> {
    return (await this.#readVolume({ from, to }, undefined)).series;
  }

  /** The prices at which the API values legs. */
  async prices(): Promise<readonly CachedPrice[]> {
    const [row] = await this.#query(
      `WITH price AS MATERIALIZED (${pricesSql(this.#network)}) SELECT (${PRICE_ROWS_SQL}) AS prices`,
    );
    return pricesRow.parse(row).prices;
  }

  #table(name: string): string {
    return `${escapeIdentifier(this.#network.schema)}.${name}`;
  }

  /** Statement of the first transaction of the history from a block on, up to block `$1`. */
  #transactionFrom(block: string, column: string): string {
    return `SELECT ${column} FROM ${this.#table("transaction")}
      WHERE chain_id = ${this.#network.chainId} AND block_number >= ${block} AND block_number <= $1::bigint
      ORDER BY block_number, transaction_index LIMIT 1`;
  }

  async #query(text: string, values: Statement["values"] = []): Promise<unknown[]> {
    const statement = this.#statements.get(text) ?? prepared("export", text);
    this.#statements.set(text, statement);
    return this.#connection.query({ ...statement, values });
  }
}

/** The same database, whose failures say what to do. */
function explaining(database: Database): Database {
  return {
    async query(statement) {
      try {
        return await database.query(statement);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new UsageError(`The database failed: ${reason}. Run this again: complete months are kept.`, { cause });
      }
    },
  };
}

/** The row with the columns of the files, in their order. */
function finished({ name, columns, finish }: DataSet, stored: unknown): Row {
  let row: Row;
  try {
    row = finish(stored);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new UsageError(`A row of ${name} is damaged: ${z.prettifyError(error)}\n${JSON.stringify(stored)}`);
  }
  return Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? null]));
}
