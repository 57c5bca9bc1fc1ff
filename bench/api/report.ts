/** Bars and tables of the benchmark. */
import type { Distribution } from "./statistics.ts";

export interface Bar {
  readonly what: string;
  /** Size, connections and other circumstances of the figure. */
  readonly where: string;
  readonly measured: number;
  readonly bar: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit: string;
  /** Of the figure, where it is one of several runs. */
  readonly runs?: Distribution;
}

export function isMet({ measured, bar }: Bar): boolean {
  return "atLeast" in bar ? measured >= bar.atLeast : measured <= bar.atMost;
}

/** A Markdown table. */
export function tableOf(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

export function barTable(bars: readonly Bar[]): string {
  return tableOf(
    ["what", "where", "median", "min", "max", "runs", "bar", ""],
    bars.map((bar) => [
      bar.what,
      bar.where,
      `${format(bar.measured)} ${bar.unit}`.trim(),
      bar.runs ? format(bar.runs.min) : "",
      bar.runs ? format(bar.runs.max) : "",
      bar.runs?.runs ?? "",
      "atLeast" in bar.bar ? `≥ ${bar.bar.atLeast}` : `≤ ${bar.bar.atMost}`,
      isMet(bar) ? "met" : "**missed**",
    ]),
  );
}

/** Three significant digits, or all before the point. */
export function format(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

export function formatCount(count: number): string {
  return count.toLocaleString("en");
}
