/** The directory of the demo, emptied at the start of each run and used by one run at a time. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

const LOCK = "demo.lock";

/**
 * Empties the directory except for test runs (`e2e-…`), and keeps other runs out of it as long as this process lives.
 * The lock is a listening socket, so it is released however the process ends.
 * @throws Error when another run uses it
 */
export async function claimDirectory(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const lock = join(directory, LOCK);
  if (await isHeld(lock)) {
    throw new Error(`Another demo runs from this folder and uses ${directory}/. End it first, or use another clone.`);
  }
  for (const entry of readdirSync(directory)) {
    if (!entry.startsWith("e2e-")) rmSync(join(directory, entry), { recursive: true });
  }
  const server = createServer();
  await new Promise<void>((settle, fail) => {
    server.once("error", fail);
    server.listen(lock, settle);
  });
  server.unref();
}

/** Whether a process listens; a socket that a killed run left behind refuses connections. */
function isHeld(lock: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(lock);
    socket.once("connect", () => {
      socket.destroy();
      settle(true);
    });
    socket.once("error", () => settle(false));
  });
}
