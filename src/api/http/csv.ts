/**
 * CSV files (RFC 4180). No value may contain a comma, quote or line break, so nothing is quoted: all are hex, numbers,
 * times or fixed names.
 */
import { formatTime } from "../shared/time.ts";

/** Media type of a file with a header row. */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** Returns a row, or the header row. Null is an empty field. */
export function csvRow(fields: readonly (string | number | boolean | null | undefined)[]): string {
  return `${fields.map((field) => field ?? "").join(",")}\r\n`;
}

/** The bounds of a file, in seconds since 1970: `from` is inclusive, and `to` exclusive. */
export interface FileBounds {
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
}

/**
 * Returns the `Content-Disposition` of a file. Its name has the bounds of the range, and marks of what a reader of the
 * file must know, because nobody sees headers later.
 * @param name beginning of the name, without extension
 */
export function attachment(name: string, { from, to }: FileBounds, marks: readonly string[]): string {
  const time = (bound: string, second: bigint | undefined) =>
    second === undefined ? "" : `-${bound}-${formatTime(second).replaceAll(/[-:]/g, "")}`;
  const suffix = marks.map((mark) => `-${mark}`).join("");
  return `attachment; filename="${name}${time("from", from)}${time("to", to)}${suffix}.csv"`;
}
