/** Files that are either whole on disk under their name, or not there. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../../tools/lib/runTool.ts";

/** Ending of a file that is not whole yet. */
export const PARTIAL = ".partial";

/** What a file holds. */
interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a file that was written. */
export async function digestOf(path: string): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    bytes += (chunk as Buffer).length;
    hash.update(chunk as Buffer);
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Waits until a file, or the names in a directory, are on disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a file that is whole on disk its name, in place of an older one. */
export function publish(partial: string, path: string): Promise<void> {
  return naming(path, async () => {
    await rename(partial, path);
    await syncPath(dirname(path));
  });
}

/** Makes a folder, and returns its path without links, so that the lock of a folder has one name. */
export function createFolder(folder: string): Promise<string> {
  return naming(folder, async () => {
    await mkdir(dirname(folder), { recursive: true });
    // Not recursive, because then Node.js reports a read-only file system as a missing folder.
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    return realpath(folder);
  });
}

/** Makes a folder, and removes what a killed run left in it. */
export async function prepareFolder(folder: string): Promise<void> {
  await createFolder(folder);
  await naming(folder, async () => {
    for (const name of await readdir(folder)) {
      if (name.endsWith(PARTIAL)) await rm(join(folder, name), { recursive: true });
    }
  });
}

/**
 * Runs a task on a file or a folder.
 * @throws UsageError that names it, when the system refuses: no space, no right, no such folder
 */
export async function naming<T>(path: string, task: () => Promise<T>, verb: "read" | "write" = "write"): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) {
      throw new UsageError(`Cannot ${verb} ${path}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
