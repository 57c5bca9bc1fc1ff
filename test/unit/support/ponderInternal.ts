import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Loads a module of the installed Ponder that is not exported. The caller types the parts that it uses. */
export const internal = async <T>(path: string): Promise<T> =>
  import(pathToFileURL(resolve("node_modules/ponder/dist/esm", path)).href);
