import { readFileSync } from "node:fs";

/** Reads what is added to a log from now on. */
export function followLog(path: string): () => string {
  const { length } = readFileSync(path);
  return () => readFileSync(path).toString("utf8", length);
}
