/**
 * `node coreswap.mjs start|serve`: the indexer or a replica of the API, without a package manager. Plain JavaScript, so
 * that a Node.js which cannot read TypeScript says in one line what it lacks.
 */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const needed = manifest.engines.node.replace(">=", "");
const found = process.versions.node;
if (found.localeCompare(needed, "en", { numeric: true }) < 0) {
  console.error(`CoreSwap needs Node.js ${needed} or later, and runs on ${found}: install a newer Node.js.`);
  process.exit(1);
}
await import("./tools/ponder.ts");
