/**
 * A database of plain `pg`: each batch of blocks is one transaction of multi-row inserts, whose columns travel as arrays.
 * `@subsquid/typeorm-store`, which Subsquid's templates use, builds entities and INSERT texts on top of the same driver
 * and can only be slower.
 */
import type { FinalDatabase, FinalTxInfo, HashAndHeight } from "@subsquid/util-internal-processor-tools";
import { Client } from "pg";

/** Column names and types of a table, in order, and its primary key. The types are those that Ponder creates. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly primaryKey: readonly string[];
}

export type Row = Readonly<Record<string, string | number | bigint | boolean | null>>;

export class Store {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Inserts rows; a row replaces one with the same key when `isUpsert`. */
  async insert({ name, columns, primaryKey }: Table, rows: readonly Row[], isUpsert = false): Promise<void> {
    if (rows.length === 0) return;
    const names = Object.keys(columns);
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
    const values = names.map((column) => rows.map((row) => row[column]));
    const updates = names
      .filter((column) => !primaryKey.includes(column))
      .map((column) => `${quoted(column)} = EXCLUDED.${quoted(column)}`);
    await this.#client.query({
      name: `insert_${name}`,
      text:
        `INSERT INTO ${name} (${names.map(quoted).join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})` +
        (isUpsert ? ` ON CONFLICT (${primaryKey.map(quoted).join(", ")}) DO UPDATE SET ${updates.join(", ")}` : ""),
      values,
    });
  }
}

function quoted(column: string): string {
  return `"${column}"`;
}

/** Blocks are final when they are processed, so nothing is ever rolled back. */
export class PostgresDatabase implements FinalDatabase<Store> {
  readonly #client: Client;
  readonly #tables: readonly Table[];

  constructor(connectionString: string, tables: readonly Table[]) {
    this.#client = new Client({ connectionString });
    this.#tables = tables;
  }

  async connect(): Promise<HashAndHeight> {
    await this.#client.connect();
    for (const { name, columns, primaryKey } of this.#tables) {
      const definitions = Object.entries(columns).map(([column, type]) => `${quoted(column)} ${type}`);
      await this.#client.query(
        `CREATE TABLE ${name} (${definitions.join(", ")}, PRIMARY KEY (${primaryKey.map(quoted).join(", ")}))`,
      );
    }
    await this.#client.query("CREATE TABLE processor_status (height bigint NOT NULL, hash text NOT NULL)");
    await this.#client.query("INSERT INTO processor_status VALUES (-1, '0x')");
    return { height: -1, hash: "0x" };
  }

  async transact({ nextHead }: FinalTxInfo, callback: (store: Store) => Promise<void>): Promise<void> {
    await this.#client.query("BEGIN");
    try {
      await callback(new Store(this.#client));
      await this.#client.query("UPDATE processor_status SET height = $1, hash = $2", [nextHead.height, nextHead.hash]);
      await this.#client.query("COMMIT");
    } catch (error) {
      await this.#client.query("ROLLBACK");
      throw error;
    }
  }
}
