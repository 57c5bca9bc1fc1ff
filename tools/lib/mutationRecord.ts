/**
 * The results for the mutants of each contract file, in `contracts/test/generatedMutants.json`, and the page
 * docs/mutation.md, whose figures and lists are written from them.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";

const RECORD = "contracts/test/generatedMutants.json";
const PAGE = "docs/mutation.md";
const [BEGIN, END] = ["<!-- written by pnpm mutants:generated -->", "<!-- end of what is written -->"];

const survivor = z.object({
  /** The mutated lines, before and after. */
  mutant: z.string(),
  /** Why the mutant changes no result; empty until that has been found out. */
  reason: z.string(),
});

const fileRecord = z.object({
  /** Hash of the code that was mutated; see {@link codeHash}. */
  code: z.string(),
  killed: z.number(),
  /** Mutants whose tests did not end in time, which says nothing about the tests. */
  timedOut: z.number(),
  /** Mutants that do not compile. */
  invalid: z.number(),
  survivors: z.array(survivor),
});

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

/** Stores the results of a file, and keeps the reasons of survivors that survived before. */
export function storeFile(path: string, measured: FileRecord): MutationRecord {
  const record = readRecord();
  const reasons = new Map(record[path]?.survivors.map(({ mutant, reason }) => [mutant, reason]));
  record[path] = {
    ...measured,
    survivors: measured.survivors.map(({ mutant }) => ({ mutant, reason: reasons.get(mutant) ?? "" })),
  };
  const sorted = Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(RECORD, `${JSON.stringify(sorted, null, 2)}\n`);
  writePage(sorted);
  return sorted;
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
function isCurrent(path: string, record: MutationRecord): boolean {
  return record[path]?.code === codeHash(path, readFileSync(path, "utf8"));
}

function figures(record: MutationRecord): string {
  const files = mutableFiles();
  const current = files.filter((path) => isCurrent(path, record));
  const measured = current.flatMap((path) => record[path] ?? []);
  const count = (of: (file: FileRecord) => number) => measured.reduce((sum, file) => sum + of(file), 0);
  const total = count(all);
  const killed = count(({ killed }) => killed);
  const explained = count(({ survivors }) => survivors.filter(({ reason }) => reason !== "").length);
  const unexplained = count(({ survivors }) => survivors.length) - explained;
  const rows = files.map((path) => row(path, current.includes(path) ? record[path] : undefined, record));
  const lists = current.flatMap((path) => survivorsOf(path, record[path]));
  return [
    `Measured on the present code: ${current.length} of ${files.length} files. Of their ${total} mutants, ${killed} were ` +
      `killed; ${explained} survived and are explained below, ${unexplained} survived without an explanation, ` +
      `${count(({ timedOut }) => timedOut)} did not end in time, and ${count(({ invalid }) => invalid)} do not compile.`,
    "",
    "| file | mutants | killed | survived, explained | survived, not explained | not in time | did not compile |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
    "### Survivors",
    ...(lists.length === 0 ? ["", "None."] : lists),
  ].join("\n");
}

function row(path: string, measured: FileRecord | undefined, record: MutationRecord): string {
  const name = `\`${path.slice("contracts/src/".length, -".sol".length)}\``;
  if (measured === undefined) {
    const note = path in record ? "the code has changed since" : "not measured";
    return `| ${name} | ${note} | | | | | |`;
  }
  const explained = measured.survivors.filter(({ reason }) => reason !== "").length;
  const cells = [all(measured), measured.killed, explained, measured.survivors.length - explained];
  return `| ${[name, ...cells, measured.timedOut, measured.invalid].join(" | ")} |`;
}

function survivorsOf(path: string, measured: FileRecord | undefined): string[] {
  if (!measured || measured.survivors.length === 0) return [];
  const items = measured.survivors.map(({ mutant, reason }) => `- ${mutant}: ${reason || "**not explained yet**"}`);
  return ["", `**${basename(path, ".sol")}**`, "", ...items];
}

function all({ killed, timedOut, invalid, survivors }: FileRecord): number {
  return killed + timedOut + invalid + survivors.length;
}
