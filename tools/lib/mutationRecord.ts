/**
 * The results for the mutants of each contract file, in `contracts/test/generatedMutants.json`, and the page
 * docs/mutation.md, whose figures and lists are written from them.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { KINDS, type Kind } from "./mutation.ts";

const RECORD = "contracts/test/generatedMutants.json";
const PAGE = "docs/mutation.md";
const [BEGIN, END] = ["<!-- written by pnpm mutants:generated -->", "<!-- end of what is written -->"];

const survivor = z.object({
  /** The mutated lines, before and after. */
  mutant: z.string(),
  /** Why the mutant changes no result; empty until that has been found out. */
  reason: z.string(),
});

const kindResults = z.object({
  killed: z.number(),
  /** Mutants whose tests did not end in time, which says nothing about the tests. */
  timedOut: z.number(),
  /** Mutants that do not compile. */
  invalid: z.number(),
  survivors: z.array(survivor),
});

const fileRecord = z.object({
  /** Hash of the code that was mutated; see {@link codeHash}. */
  code: z.string(),
  /** The results for each kind of mutant whose mutants have all been tried. */
  results: z.partialRecord(z.enum(KINDS), kindResults),
});

type KindResults = z.infer<typeof kindResults>;
type FileRecord = z.infer<typeof fileRecord>;
type MutationRecord = Record<string, FileRecord>;

/** Every file with code, in the order of the page. */
export function mutableFiles(): string[] {
  return globSync("contracts/src/**/*.sol", { exclude: ["contracts/src/interfaces/**"] }).toSorted();
}

/** A source without comments and with single spaces, so that only changes of code change it. */
export function codeOf(source: string): string {
  const parts = source.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[^"'/]+|\//g) ?? [];
  const code = parts.filter((part) => !part.startsWith("//") && !part.startsWith("/*"));
  return code.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Hash of a file's code: results hold as long as it stays the same. */
export function codeHash(path: string, source: string): string {
  return createHash("sha256")
    .update(`${path}\0${codeOf(source)}`)
    .digest("hex")
    .slice(0, 16);
}

export function readRecord(): MutationRecord {
  return existsSync(RECORD) ? z.record(z.string(), fileRecord).parse(JSON.parse(readFileSync(RECORD, "utf8"))) : {};
}

/**
 * Stores the results of a file. Those of other kinds of mutants stay if they are of the same code, and so do the reasons
 * of survivors that survived before.
 */
export function storeFile(path: string, measured: FileRecord): MutationRecord {
  const record = withFile(readRecord(), path, measured);
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  writePage(record);
  return record;
}

/** The record with the results of a file in it; see {@link storeFile}. */
export function withFile(record: MutationRecord, path: string, { code, results }: FileRecord): MutationRecord {
  const before = record[path];
  const reasons = new Map(before && survivorsIn(before).map(({ mutant, reason }) => [mutant, reason]));
  const known = before?.code === code ? before.results : {};
  const merged = KINDS.flatMap((kind) => {
    const measured = results[kind] ?? known[kind];
    if (measured === undefined) return [];
    const survivors = measured.survivors.map(({ mutant }) => ({ mutant, reason: reasons.get(mutant) ?? "" }));
    return [[kind, { ...measured, survivors }] as const];
  });
  const file = { code, results: Object.fromEntries(merged) };
  return Object.fromEntries(Object.entries({ ...record, [path]: file }).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes the figures of the page. */
export function writePage(record: MutationRecord = readRecord()): void {
  writeFileSync(PAGE, pageOf(readFileSync(PAGE, "utf8"), record));
}

/**
 * Returns the page with figures from the record and the current code.
 * @throws Error if the page has no place for them
 */
export function pageOf(page: string, record: MutationRecord): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} lacks "${BEGIN}" or "${END}"`);
  return `${before}${BEGIN}\n\n${figures(record)}\n\n${END}${after}`;
}

/** Whether a file's record is of the code that the file has now. */
function isCurrent(path: string, { code }: FileRecord): boolean {
  return code === codeHash(path, readFileSync(path, "utf8"));
}

const COLUMNS = "mutants | killed | survived, explained | survived, not explained | not in time | did not compile |";
const RULE = `|${"---|".repeat(7)}`;
const KIND_NAMES: Readonly<Record<Kind, string>> = {
  changes: "changes of operators, constants, conditions and statements",
  modifiers: "a modifier of a function deleted",
  operands: "an operand of `&&` or `||` deleted",
};

function figures(record: MutationRecord): string {
  const files = mutableFiles();
  const current = new Map(
    files.flatMap((path) => {
      const file = record[path];
      return file && isCurrent(path, file) ? [[path, file] as const] : [];
    }),
  );
  const complete = [...current.values()].filter(({ results }) => untried(results).length === 0);
  const [total, killed, explained, unexplained, timedOut, invalid] = counts(
    [...current.values()].flatMap(({ results }) => Object.values(results)),
  );
  const kinds = KINDS.map((kind) => {
    const results = [...current.values()].flatMap(({ results }) => results[kind] ?? []);
    return tableRow(KIND_NAMES[kind], counts(results));
  });
  const rows = files.map((path) => fileRow(path, current.get(path), path in record));
  const lists = [...current].flatMap(([path, file]) => survivorList(path, file));
  return [
    `Measured in full on the present code: ${complete.length} of ${files.length} files. Of the ${total} mutants that ` +
      `were tried, ${killed} were killed; ${explained} survived and are explained below, ${unexplained} survived ` +
      `without an explanation, ${timedOut} did not end in time, and ${invalid} do not compile.`,
    "",
    `| fault | ${COLUMNS}`,
    RULE,
    ...kinds,
    "",
    `| file | ${COLUMNS}`,
    RULE,
    ...rows,
    "",
    "### Survivors",
    ...(lists.length === 0 ? ["", "None."] : lists),
  ].join("\n");
}

function fileRow(path: string, file: FileRecord | undefined, isOutdated: boolean): string {
  const name = `\`${path.slice("contracts/src/".length, -".sol".length)}\``;
  if (file === undefined)
    return `| ${name} | ${isOutdated ? "the code has changed since" : "not measured"} | | | | | |`;
  const missing = untried(file.results);
  const note = missing.length === 0 ? "" : ` (without ${missing.join(" and ")})`;
  return tableRow(`${name}${note}`, counts(Object.values(file.results)));
}

function tableRow(name: string, cells: readonly number[]): string {
  return `| ${[name, ...cells].join(" | ")} |`;
}

/** The cells of {@link COLUMNS}. */
function counts(results: readonly KindResults[]): [number, number, number, number, number, number] {
  const sum = (of: (result: KindResults) => number) => results.reduce((total, result) => total + of(result), 0);
  const [killed, timedOut, invalid] = [
    sum(({ killed }) => killed),
    sum(({ timedOut }) => timedOut),
    sum(({ invalid }) => invalid),
  ];
  const survived = sum(({ survivors }) => survivors.length);
  const explained = sum(({ survivors }) => survivors.filter(({ reason }) => reason !== "").length);
  return [killed + survived + timedOut + invalid, killed, explained, survived - explained, timedOut, invalid];
}

function untried(results: FileRecord["results"]): Kind[] {
  return KINDS.filter((kind) => results[kind] === undefined);
}

export function survivorsIn({ results }: FileRecord): KindResults["survivors"] {
  return Object.values(results).flatMap(({ survivors }) => survivors);
}

function survivorList(path: string, file: FileRecord): string[] {
  const items = survivorsIn(file).map(({ mutant, reason }) => `- ${mutant}: ${reason || "**not explained yet**"}`);
  return items.length === 0 ? [] : ["", `**${basename(path, ".sol")}**`, "", ...items];
}
