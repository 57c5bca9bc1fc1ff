/** The directory of the demo, emptied at the start of each run and used by one run at a time. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { holdSocket } from "../../config/folderLock.ts";

const LOCK = "demo.lock";

/**
 * Empties the directory except for test runs (`e2e-…`), and keeps other runs out of it as long as this process lives.
 * The lock is a listening socket, so it is released however the process ends.
 * @throws Error when another run uses it
 */
export async function claimDirectory(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  if (!(await holdSocket(join(directory, LOCK)))) {
    throw new Error(`Another demo runs from this folder and uses ${directory}/. End it first, or use another clone.`);
  }
  for (const entry of readdirSync(directory)) {
    if (entry !== LOCK && !entry.startsWith("e2e-")) rmSync(join(directory, entry), { recursive: true });
  }
}
