/** The installed Ponder: its files, and its own dependencies in the versions that it uses. */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Ponder's real directory, behind pnpm's link. Its dependencies can be resolved only from there. From the link,
 * resolving works only in a runner that sets `NODE_PATH`, as pnpm does.
 */
const DIRECTORY = realpathSync(fileURLToPath(new URL("../../node_modules/ponder", import.meta.url)));

const require = createRequire(join(DIRECTORY, "package.json"));

/** URL of a file of Ponder's package. */
export function ponderFile(path: string): string {
  return pathToFileURL(join(DIRECTORY, path)).href;
}

/** URL of the entry point of a package that Ponder depends on, for `import`. */
export function ponderDependency(name: string): string {
  return pathToFileURL(require.resolve(name)).href;
}
