import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A module of the installed Ponder that it does not export; the caller types it as far as it is used. */
export const internal = async <T>(path: string): Promise<T> =>
  import(pathToFileURL(resolve("node_modules/ponder/dist/esm", path)).href);
