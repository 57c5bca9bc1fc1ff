/** Lets one process at a time use a folder of PGlite, which has no lock of its own: two would lose each other's rows. */
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { basename, dirname, join, relative } from "node:path";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

/**
 * The key of the folder that this process holds. After an edit, `ponder dev` runs the configuration again in new modules.
 */
const HELD_FOLDER = "coreswap.heldFolder";

/**
 * Holds a folder as long as this process runs, by listening on a socket next to it.
 * @throws Error when another process holds the folder
 */
export async function holdFolder(directory: string): Promise<void> {
  if (getEnvironmentData(HELD_FOLDER) === directory) return;
  mkdirSync(dirname(directory), { recursive: true });
  const path = shortest(join(realpathSync(dirname(directory)), `${basename(directory)}.lock`));
  if (!(await holdSocket(path))) {
    throw new Error(
      `Another process uses the database in ${directory}: end it, or set PGLITE_DIRECTORY to another folder`,
    );
  }
  setEnvironmentData(HELD_FOLDER, directory);
}

/**
 * Listens on a socket as long as this process runs. The system ends that with the process, also when it is killed.
 * @returns false when another process listens on it
 */
export async function holdSocket(path: string): Promise<boolean> {
  while (!(await listensOn(path))) {
    if (await answersOn(path)) return false;
    // The socket of a process that was killed stays behind.
    rmSync(path, { force: true });
  }
  return true;
}

/** The path of a socket can have about a hundred characters. */
function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/** Listens on a socket, unless it exists already. */
function listensOn(path: string): Promise<boolean> {
  const server = createServer((socket) => socket.end()).unref();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(path, () => resolve(true));
  });
}

/** @throws Error when it is not known whether a process listens, such as for lack of rights */
function answersOn(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(true));
    socket.on("connect", () => socket.end());
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
      else reject(error);
    });
  });
}
