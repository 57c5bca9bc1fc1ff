/** Ports of this machine. */
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Everything listens on this address only. */
export const HOST = "127.0.0.1";

/** Outgoing connections get ports above this range (Linux: from 32768), so they never take one of these. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;

/** A free port that no running process has reserved. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if ((await reserve(port)) && (await isFreePort(port))) return port;
  }
}

/**
 * Reserves a port until this process ends, by binding the UDP port of the same number. The server's own TCP port stays
 * free.
 * @returns false if it is reserved already
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  const isBound = await new Promise<boolean>((settle) => {
    socket.once("error", () => settle(false));
    socket.bind({ port, address: HOST, exclusive: true }, () => settle(true));
  });
  if (!isBound) socket.close();
  return isBound;
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
