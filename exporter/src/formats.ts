/** Writers of rows in each format. */
import { type FileHandle, open, rm } from "node:fs/promises";
import { UsageError } from "../../tools/lib/runTool.ts";
import type { ColumnType, DataSet, Row } from "./dataSets.ts";
import { naming, PARTIAL, syncPath } from "./files.ts";

/** Formats of the files. */
export const FORMATS = ["parquet", "ndjson", "csv"] as const;

/** A format of the files. */
export type Format = (typeof FORMATS)[number];

/** Writes one file. */
interface RowWriter {
  write(rows: readonly Row[]): Promise<void>;
  /** Makes the file whole on disk. */
  finish(): Promise<void>;
  /** Lets go of a file that stays incomplete. */
  abandon(): Promise<void>;
}

const DUCKDB_TYPES: Readonly<Record<ColumnType, string>> = { integer: "BIGINT", text: "VARCHAR", time: "TIMESTAMP" };

/** DuckDB streams from one file to the other; this is more than a few groups of rows need. */
const DUCKDB_MEMORY = "1GB";

/**
 * Opens a new file for rows of a data set.
 * @param path where the file is while it is written; it ends with `PARTIAL`
 */
export function openWriter(format: Format, path: string, { columns }: DataSet): Promise<RowWriter> {
  const names = Object.keys(columns);
  if (format === "csv") return openText(path, csvLine(names), (row) => csvLine(names.map((name) => row[name] ?? "")));
  if (format === "ndjson") return openText(path, "", jsonLine);
  return openParquet(path, columns);
}

/** A row as a line of NDJSON. */
export function jsonLine(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}

/** A record of RFC 4180; null is an empty field. */
function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => csvField(String(value))).join(",")}\r\n`;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function openText(path: string, head: string, lineOf: (row: Row) => string): Promise<RowWriter> {
  const file: FileHandle = await naming(path, () => open(path, "w"));
  const append = (text: string) => naming(path, () => file.appendFile(text));
  await append(head);
  return {
    write: (rows) => append(rows.map(lineOf).join("")),
    finish: () =>
      naming(path, async () => {
        await file.sync();
        await file.close();
      }),
    abandon: () => file.close(),
  };
}

/** DuckDB makes the file from NDJSON. The types are given, so it infers nothing. */
async function openParquet(path: string, columns: DataSet["columns"]): Promise<RowWriter> {
  const source = `${path}.ndjson${PARTIAL}`;
  const text = await openText(source, "", jsonLine);
  let rowCount = 0;
  return {
    async write(rows) {
      rowCount += rows.length;
      await text.write(rows);
    },
    async finish() {
      await text.finish();
      const copied = await copyToParquet(source, path, columns);
      if (copied !== rowCount) throw new Error(`${path}: DuckDB wrote ${copied} of ${rowCount} rows`);
      await naming(path, async () => {
        await rm(source);
        await syncPath(path);
      });
    },
    abandon: () => text.abandon(),
  };
}

/** @returns the number of rows */
async function copyToParquet(source: string, path: string, columns: DataSet["columns"]): Promise<number> {
  // Only this format needs the package.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    memory_limit: DUCKDB_MEMORY,
    temp_directory: `${path}.duckdb${PARTIAL}`,
  });
  const connection = await instance.connect();
  const types = Object.entries(columns).map(([name, type]) => `${quoted(name, '"')}: '${DUCKDB_TYPES[type]}'`);
  const rows = `read_json(${quoted(source)}, format = 'newline_delimited', columns = {${types.join(", ")}})`;
  try {
    const result = await connection.run(
      `COPY (SELECT * FROM ${rows}) TO ${quoted(path)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    return result.rowsChanged;
  } catch (error) {
    // Its message has the reason of the system, such as no space.
    throw new UsageError(`Cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function quoted(text: string, quote = "'"): string {
  return quote + text.replaceAll(quote, quote + quote) + quote;
}
