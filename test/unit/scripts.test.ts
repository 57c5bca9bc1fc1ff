import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pnpm } from "../support/pnpm.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const names = Object.keys(scripts);
/** The commands of pnpm that run the script of their own name. */
const RUNS_ITS_SCRIPT = new Set(["test", "start", "stop", "restart"]);

/** A package whose scripts have the names of this one's and only print them. */
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "scripts-"));
  const printing = Object.fromEntries(names.map((name) => [name, `printf 'ran %s' ${name}`]));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, scripts: printing }));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Whether pnpm has a command or an alias of that name: it has help on it. */
function isCommand(name: string): boolean {
  return pnpm(["help", name], { cwd: directory }).status === 0;
}

it.each(["update", "upgrade", "ls", "test"])("knows %s as a command or an alias of pnpm", (name) => {
  expect(isCommand(name)).toBe(true);
});

it.each(names)("`pnpm %s` runs the script, not a command of pnpm", (name) => {
  // Run only then: a command could do anything.
  expect(isCommand(name) && !RUNS_ITS_SCRIPT.has(name)).toBe(false);
  expect(pnpm([name], { cwd: directory })).toMatchObject({ status: 0, output: expect.stringContaining(`ran ${name}`) });
});
