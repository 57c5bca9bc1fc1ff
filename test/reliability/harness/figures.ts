/** The figures that the parts of the suite report, and how they are printed and judged. */

/** One line of the table: one fault on one database. */
export interface Figure {
  readonly part: string;
  readonly fault: string;
  readonly database: string;
  /** Number of faults that the part is to inject. */
  readonly planned: number;
  /** Number of faults that it has injected. */
  readonly tried: number;
  /** Number of faults after which every answer was right. */
  readonly survived: number;
  /** Rows of the reference that the history lacked. */
  readonly lost: number;
  /** Rows and answers that differed from the reference, or that contradicted each other. */
  readonly wrong: number;
  /** Requests that failed although everything they needed was available. */
  readonly failedRequests: number;
  readonly seconds: number;
  /** Other broken promises and the first differences, one sentence each. */
  readonly remarks: readonly string[];
}

/** Differences between the answers of an index and those of the reference. */
export interface Comparison {
  /** Keys of the rows that are missing. */
  readonly lost: readonly string[];
  /** Keys of the rows and answers that differ. */
  readonly wrong: readonly string[];
  /** The first difference, or null when there is none. */
  readonly first: string | null;
}

const MAXIMUM_REMARKS = 12;

/** Collects the figures of one fault on one database while it is injected repeatedly. */
export class Tally {
  readonly #start = performance.now();
  readonly #line: { readonly part: string; readonly fault: string; readonly database: string };
  readonly #planned: number;
  readonly #lost = new Set<string>();
  readonly #wrong = new Set<string>();
  readonly #remarks: string[] = [];
  #seconds = 0;
  #tried = 0;
  #survived = 0;
  #failedRequests = 0;

  constructor(
    line: { readonly part: string; readonly fault: string; readonly database: string },
    { planned }: { readonly planned: number },
  ) {
    this.#line = line;
    this.#planned = planned;
  }

  /** Faults that were really injected, according to the code that injects them. */
  injected(count = 1): void {
    this.#tried += count;
    this.#clock();
  }

  /**
   * Counts the faults before this comparison as survived when it finds no difference. Returns whether it finds none.
   */
  compared({ lost, wrong, first }: Comparison, faults = 1): boolean {
    for (const key of lost) this.#lost.add(key);
    for (const key of wrong) this.#wrong.add(key);
    if (first !== null) this.remark(first);
    this.#clock();
    const isWhole = lost.length === 0 && wrong.length === 0;
    if (isWhole) this.#survived += faults;
    return isWhole;
  }

  failed(requests: number): void {
    this.#failedRequests += requests;
  }

  /** Records a promise that was not kept. */
  remark(sentence: string): void {
    if (this.#remarks.length < MAXIMUM_REMARKS) this.#remarks.push(sentence);
  }

  /** The measured time ends with the last report. */
  #clock(): void {
    this.#seconds = (performance.now() - this.#start) / 1000;
  }

  figure(): Figure {
    return {
      ...this.#line,
      planned: this.#planned,
      tried: this.#tried,
      survived: this.#survived,
      lost: this.#lost.size,
      wrong: this.#wrong.size,
      failedRequests: this.#failedRequests,
      seconds: Math.round(this.#seconds),
      remarks: this.#remarks,
    };
  }
}

/**
 * Returns the reasons why a figure is red, and nothing when it is not. A fault that was never injected proves nothing,
 * so it is red.
 */
export function failuresOf(figure: Figure): string[] {
  const { planned, tried, survived, lost, wrong, failedRequests, remarks } = figure;
  return [
    ...(tried < planned || tried === 0 ? [`${tried} of ${planned} faults were injected`] : []),
    ...(survived < tried ? [`${tried - survived} of ${tried} faults were not survived`] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ...(failedRequests > 0 ? [`${failedRequests} requests failed`] : []),
    ...remarks,
  ];
}

const COLUMNS = [
  ["part", ({ part }) => part],
  ["fault", ({ fault }) => fault],
  ["database", ({ database }) => database],
  ["tried", ({ tried }) => tried],
  ["survived", ({ survived }) => survived],
  ["lost", ({ lost }) => lost],
  ["wrong", ({ wrong }) => wrong],
  ["failed requests", ({ failedRequests }) => failedRequests],
  ["seconds", ({ seconds }) => seconds],
  ["", (figure) => (failuresOf(figure).length === 0 ? "" : "RED")],
] satisfies [string, (figure: Figure) => string | number][];

/** The table of all figures, followed by the reasons why figures are red. */
export function formatFigures(figures: readonly Figure[]): string {
  const cells = figures.map((figure) => COLUMNS.map(([, cell]) => cell(figure)));
  const titles = COLUMNS.map(([title]) => title);
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => String(row[column]).length)),
  );
  const line = (row: readonly (string | number)[]) =>
    row
      .map((cell, column) =>
        typeof cell === "number" ? String(cell).padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const red = figures.flatMap((figure) =>
    failuresOf(figure).map((failure) => `  ${figure.part}, ${figure.fault}, ${figure.database}: ${failure}`),
  );
  return [line(titles), ...cells.map(line), ...(red.length > 0 ? ["", "Red:", ...red] : [])].join("\n");
}
