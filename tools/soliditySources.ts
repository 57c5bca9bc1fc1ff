/** Reads Solidity sources for the compiler's JSON input. */
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** Sources by name, as the compiler's JSON input has them. */
export type SoliditySources = Record<string, { content: string }>;

/**
 * A file and all that it imports.
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
      add(imported.startsWith(".") ? posix.join(posix.dirname(name), imported) : imported);
    }
  };
  add(path);
  return sources;
}

/** A node of the compiler's syntax tree. */
export type SyntaxNode = Record<string, unknown> & { readonly nodeType: string; readonly src: string };

/** A syntax tree's nodes, outermost first. */
export function nodesIn(tree: unknown): SyntaxNode[] {
  if (typeof tree !== "object" || tree === null) return [];
  const inner = Object.values(tree).flatMap(nodesIn);
  return "nodeType" in tree ? [tree as SyntaxNode, ...inner] : inner;
}
