import { renameSync, writeFileSync } from "node:fs";
import { Failure } from "../failure.ts";

/**
 * Writes a file that a command leaves to its user.
 * @throws Failure naming the file when the system refuses
 */
export function writeTextFile(path: string, text: string): void {
  naming(path, () => writeFileSync(path, text));
}

/**
 * Replaces a file as a whole, so that a full disk or a crash leaves the one that was there.
 * @throws Failure naming the file when the system refuses
 */
export function replaceTextFile(path: string, text: string): void {
  naming(path, () => {
    writeFileSync(`${path}.new`, text, { flush: true });
    renameSync(`${path}.new`, path);
  });
}

function naming(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
