/** Parses CSV (RFC 4180) without quoted fields, such as the API's files. */

export type CsvRow = Readonly<Record<string, string>>;

/**
 * Parses a file.
 * @throws Error unless every row ends with CRLF and has a field for each column
 */
export function parseCsv(text: string): { readonly columns: readonly string[]; readonly rows: readonly CsvRow[] } {
  if (!text.endsWith("\r\n") || text.includes('"')) throw new Error("not the CSV that was promised");
  const [columns = [], ...rows] = text
    .slice(0, -2)
    .split("\r\n")
    .map((line) => line.split(","));
  return {
    columns,
    rows: rows.map((fields, index) => {
      if (fields.length !== columns.length) throw new Error(`row ${index + 1} has ${fields.length} fields`);
      return Object.fromEntries(columns.map((column, place) => [column, fields[place] ?? ""]));
    }),
  };
}
