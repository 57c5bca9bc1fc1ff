/** Ports of this machine. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Everything listens on this address only. */
export const HOST = "127.0.0.1";

/**
 * Systems assign the ports of outgoing connections from above, so a port from this range stays free until it is used.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const givenPorts = new Set<number>();

/** A port that is free now, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    if (await isFreePort(port)) return port;
  }
}

/** Whether this process could listen on a port now. */
export async function isFreePort(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // EACCES: a port that this user may not use counts as busy.
    if (code === "EADDRINUSE" || code === "EACCES") return false;
    throw error;
  }
}

function listenOnce(port: number): Promise<void> {
  return new Promise((settle, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen({ host: HOST, port, exclusive: true }, () => server.close(() => settle()));
  });
}
