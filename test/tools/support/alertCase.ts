/** A test case of an alert: series, a time, and what fires then. */

/** Values by series, as `promtool` writes them, one each 15 seconds: `12+0x720` is 12 for three hours. */
export type Series = Readonly<Record<string, string>>;
export const always = (value: number) => `${value}+0x720`;

export interface Case {
  /** Series that differ from those of a healthy installation. Null removes a series. */
  readonly series: Readonly<Record<string, string | null>>;
  /** The time at which the alerts are evaluated. */
  readonly at: string;
  /** The only alert that fires, with its labels and summary. Absent if none fires. */
  readonly fires?: { readonly labels: Readonly<Record<string, string>>; readonly summary: string };
}
