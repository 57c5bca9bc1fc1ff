/**
 * Reads LCOV trace files. npm has parsers for them, but only three kinds of records matter here, too few for a
 * dependency.
 */

/** Coverage of one file. */
interface FileCoverage {
  readonly path: string;
  readonly lines: Measure;
  readonly branches: Measure;
}

/** Number of items, and the line numbers of those that no test reached, ascending. */
export interface Measure {
  readonly total: number;
  readonly missed: readonly number[];
}

/**
 * Parses a trace file. It reads only the records `SF`, `DA` (line, hits) and `BRDA` (line, block, branch, hits or `-`).
 * @throws when the text names no file
 */
export function parseLcov(text: string): FileCoverage[] {
  const files = text
    .split("end_of_record")
    .map((record) => record.trim())
    .filter((record) => record !== "")
    .map(parseRecord);
  if (files.length === 0) throw new Error("the trace file names no source file");
  return files;
}

function parseRecord(record: string): FileCoverage {
  const fields = record.split("\n").map((line) => {
    const colon = line.indexOf(":");
    return { key: line.slice(0, colon), values: line.slice(colon + 1).split(",") };
  });
  const path = fields.find(({ key }) => key === "SF")?.values[0];
  if (!path) throw new Error(`a record has no source file: ${record.slice(0, 80)}`);
  return { path, lines: measure(fields, "DA", 1), branches: measure(fields, "BRDA", 3) };
}

function measure(fields: readonly { key: string; values: string[] }[], key: string, hitsAt: number): Measure {
  const items = fields.filter((field) => field.key === key);
  const missed = items.filter(({ values }) => !(Number(values[hitsAt]) > 0)).map(({ values }) => Number(values[0]));
  return { total: items.length, missed: missed.toSorted((a, b) => a - b) };
}

/** Share reached, in percent: 100 when there are no items. */
export function percentOf(measures: readonly Measure[]): number {
  const total = measures.reduce((sum, { total }) => sum + total, 0);
  const missed = measures.reduce((sum, { missed }) => sum + missed.length, 0);
  return total === 0 ? 100 : (100 * (total - missed)) / total;
}

/** Minimum shares over all files together, in percent. */
interface Thresholds {
  readonly lines: number;
  readonly branches: number;
}

/**
 * Returns why the coverage of `files` is insufficient: one line per missed threshold, and one per `required` path that
 * was not measured. Empty if it is sufficient.
 */
export function shortfalls(
  files: readonly FileCoverage[],
  required: readonly string[],
  thresholds: Thresholds,
): string[] {
  const known = new Set(files.map(({ path }) => path));
  const unknown = required.filter((path) => !known.has(path)).map((path) => `${path} was not measured`);
  const low = (["lines", "branches"] as const).flatMap((kind) => {
    const percent = percentOf(files.map((file) => file[kind]));
    return percent < thresholds[kind] ? [`${percent.toFixed(2)} % of ${kind}, required ${thresholds[kind]} %`] : [];
  });
  return [...unknown, ...low];
}
