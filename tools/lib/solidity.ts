/** Solidity sources, the compiler, and its syntax trees. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** The solver inside the compiler has no time limit of its own. */
const TIME_LIMIT_MS = 15 * 60_000;

const compilerOutput = z.object({
  errors: z.array(z.object({ message: z.string(), formattedMessage: z.string() })).default([]),
  sources: z.record(z.string(), z.object({ ast: z.unknown() })).default({}),
});

/** Sources by name, as the compiler's JSON input has them. */
type SoliditySources = Record<string, { content: string }>;

/**
 * A file and everything that it imports.
 * @param path Relative to the working directory, with forward slashes; it is the source's name.
 * @param substitutes Files to read in place of sources, by source name.
 */
export function collectSources(path: string, substitutes: Readonly<Record<string, string>> = {}): SoliditySources {
  const sources: SoliditySources = {};
  const add = (name: string) => {
    if (name in sources) return;
    const content = readFileSync(substitutes[name] ?? (existsSync(name) ? name : `node_modules/${name}`), "utf8");
    sources[name] = { content };
    for (const [, imported = ""] of content.matchAll(/^import [^"]*"([^"]+)";/gm)) {
      const remapped = imported.replace(/^(?=(src|script)\/)/, "contracts/");
      add(imported.startsWith(".") ? posix.join(posix.dirname(name), imported) : remapped);
    }
  };
  add(path);
  return sources;
}

/**
 * Compiles sources only to their syntax trees.
 * @param settings Compiler settings besides the output selection.
 * @returns What the compiler reports, including errors, and the trees by source name.
 * @throws when the compiler ends abnormally or takes longer than 15 minutes
 */
export async function compile(sources: SoliditySources, settings: object = {}) {
  const outputSelection = { "*": { "": ["ast"] } };
  const running = promisify(execFile)(process.execPath, ["tools/solc", "--standard-json"], {
    maxBuffer: 2 ** 28,
    timeout: TIME_LIMIT_MS,
  });
  running.child.stdin?.end(
    JSON.stringify({ language: "Solidity", sources, settings: { ...settings, outputSelection } }),
  );
  const { stdout } = await running;
  return compilerOutput.parse(JSON.parse(stdout));
}

/** A node of the compiler's syntax tree. */
export type SyntaxNode = Record<string, unknown> & { readonly nodeType: string; readonly src: string };

/** The nodes of a syntax tree, each before those inside it. */
export function nodesIn(tree: unknown): SyntaxNode[] {
  if (typeof tree !== "object" || tree === null) return [];
  const inner = Object.values(tree).flatMap(nodesIn);
  return "nodeType" in tree ? [tree as SyntaxNode, ...inner] : inner;
}
