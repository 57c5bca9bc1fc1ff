/** One month of an export: writes its files, or reads its rows again to compare them with files of before. */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SeriesVolume } from "../../src/api/shared/volume/query.ts";
import { UsageError } from "../../tools/lib/runTool.ts";
import { DATA_SETS, type DataSet, type Row, type Slice } from "./dataSets.ts";
import { digestOf, naming, PARTIAL, publish } from "./files.ts";
import { type Format, jsonLine, openWriter } from "./formats.ts";
import type { ExportedFile, ExportedMonth, ExportedSeries } from "./manifest.ts";
import type { IndexReader } from "./reader.ts";

/** Where and how files are written. */
export interface Target {
  /** Folder of the network. */
  readonly folder: string;
  readonly format: Format;
}

type Content = Pick<ExportedFile, "rows" | "rowsSha256" | "firstBlock" | "lastBlock" | "sums">;

/**
 * Writes the files of a month under the names of files that are not whole yet, and compares them with the running totals.
 * @param reader in a snapshot
 * @throws UsageError when the legs do not add up to the totals, or a file cannot be written
 */
export async function writeMonth(
  reader: IndexReader,
  month: string,
  slice: Slice,
  { folder, format }: Target,
): Promise<Pick<ExportedMonth, "files" | "series">> {
  const files: ExportedFile[] = [];
  const legs = new LegSums();
  const pathOf = (dataSet: string) => join(dataSet, `${month}.${format}`);
  try {
    for (const dataSet of DATA_SETS) {
      const partial = join(folder, pathOf(dataSet.name)) + PARTIAL;
      const writer = await openWriter(format, partial, dataSet);
      const content = new ContentSums(dataSet);
      try {
        for await (const rows of reader.rows(dataSet, slice)) {
          content.add(rows);
          if (dataSet.isOfLegs) legs.add(rows);
          await writer.write(rows);
        }
      } catch (error) {
        await writer.abandon();
        throw error;
      }
      await writer.finish();
      const digest = await naming(partial, () => digestOf(partial));
      files.push({ dataSet: dataSet.name, path: pathOf(dataSet.name), ...content.result(), ...digest });
    }
    const series = legs.result();
    refuseOtherTotals(month, series, (await reader.series(slice)).map(shownSeries));
    return { files, series };
  } catch (error) {
    // What is left must not fill the disk. Without the right to remove it, the next run does.
    for (const { name } of DATA_SETS) {
      for (const end of [PARTIAL, `${PARTIAL}.ndjson${PARTIAL}`, `${PARTIAL}.duckdb${PARTIAL}`]) {
        await rm(join(folder, pathOf(name)) + end, { recursive: true, force: true }).catch(() => undefined);
      }
    }
    throw error;
  }
}

/** Gives the files of a month, which are all whole, their names. @throws UsageError when one cannot be renamed */
export async function publishMonth(folder: string, files: readonly ExportedFile[]): Promise<void> {
  for (const { path } of files) await publish(join(folder, path) + PARTIAL, join(folder, path));
}

/**
 * Compares the rows of a month with those that were exported.
 * @throws UsageError that names the first file with other rows
 */
export async function compareMonth(reader: IndexReader, { month, files }: ExportedMonth, slice: Slice): Promise<void> {
  for (const dataSet of DATA_SETS) {
    const exported = files.find((file) => file.dataSet === dataSet.name);
    const content = new ContentSums(dataSet);
    for await (const rows of reader.rows(dataSet, slice)) content.add(rows);
    const { rows, rowsSha256 } = content.result();
    if (exported?.rowsSha256 !== rowsSha256) {
      throw new UsageError(
        `${exported?.path ?? dataSet.name}: the index has other rows of ${month} now (${rows}, exported were ` +
          `${exported?.rows ?? 0}). Audit it, and export into an empty folder.`,
      );
    }
  }
}

/** The running totals of a month, as the manifest has them. */
export function shownSeries({ lpAddress, assetId, decimals, legs, amount, ...fees }: SeriesVolume): ExportedSeries {
  return {
    lpAddress,
    assetId: assetId || null,
    decimals,
    legs,
    amount: amount.toString(),
    issuerFeeWad: fees.issuerFeeWad.toString(),
    spreadFeeWad: fees.spreadFeeWad.toString(),
    lpFeeWad: fees.lpFeeWad.toString(),
  };
}

/** @throws UsageError when sums of legs differ from the running totals */
export function refuseOtherTotals(
  month: string,
  series: readonly ExportedSeries[],
  totals: readonly ExportedSeries[],
): void {
  const text = (all: readonly ExportedSeries[]) =>
    all
      .map((one) => JSON.stringify(one))
      .sort()
      .join("\n");
  if (text(series) === text(totals)) return;
  throw new UsageError(
    `${month}: the legs do not add up to the running totals of the index, from which the API answers. ` +
      `Run pnpm audit:index.\nlegs:\n${text(series)}\ntotals:\n${text(totals)}`,
  );
}

/** Count, digest, blocks and sums of the rows of one file. */
class ContentSums {
  readonly #hash = createHash("sha256");
  readonly #sums: Map<string, bigint>;
  #rows = 0;
  #first: Row | undefined;
  #last: Row | undefined;

  constructor({ sums }: DataSet) {
    this.#sums = new Map(sums.map((column) => [column, 0n]));
  }

  add(rows: readonly Row[]): void {
    this.#rows += rows.length;
    this.#first ??= rows[0];
    this.#last = rows.at(-1) ?? this.#last;
    for (const row of rows) {
      this.#hash.update(jsonLine(row));
      for (const [column, sum] of this.#sums) this.#sums.set(column, sum + BigInt(row[column] ?? 0));
    }
  }

  result(): Content {
    return {
      rows: this.#rows,
      rowsSha256: this.#hash.digest("hex"),
      firstBlock: blockOf(this.#first),
      lastBlock: blockOf(this.#last),
      sums: Object.fromEntries([...this.#sums].map(([column, sum]) => [column, sum.toString()])),
    };
  }
}

function blockOf(row: Row | undefined): ExportedFile["firstBlock"] {
  if (row === undefined) return null;
  return { number: String(row.block_number), hash: row.block_hash === undefined ? null : String(row.block_hash) };
}

/** Sums of legs by LP and what values them. */
class LegSums {
  readonly #series = new Map<string, SeriesVolume>();

  add(legs: readonly Row[]): void {
    for (const leg of legs) {
      const lpAddress = String(leg.lp_address);
      const assetId = String(leg.value_asset_id ?? "");
      const key = `${lpAddress} ${assetId}`;
      const before = this.#series.get(key);
      this.#series.set(key, {
        lpAddress,
        assetId,
        decimals: Number(leg.value_decimals),
        legs: (before?.legs ?? 0) + 1,
        amount: (before?.amount ?? 0n) + BigInt(leg.value_amount ?? 0),
        issuerFeeWad: (before?.issuerFeeWad ?? 0n) + BigInt(leg.issuer_fee_wad ?? 0),
        spreadFeeWad: (before?.spreadFeeWad ?? 0n) + BigInt(leg.spread_fee_wad ?? 0),
        lpFeeWad: (before?.lpFeeWad ?? 0n) + BigInt(leg.lp_fee_wad ?? 0),
      });
    }
  }

  result(): ExportedSeries[] {
    return [...this.#series.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => shownSeries(series));
  }
}
