import { writeFileSync } from "node:fs";
import { Failure } from "../failure.ts";

/**
 * Writes a file that a command leaves to its user.
 * @throws Failure naming the file when the system refuses
 */
export function writeTextFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
