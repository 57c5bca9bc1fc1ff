/** Ports of this machine. */
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Everything listens on this address only. */
export const HOST = "127.0.0.1";

/**
 * Systems assign the ports of outgoing connections from above, so a port from this range stays free until it is used.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;

/** A port that is free now, and that no process of this machine which still runs has been given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if ((await reserve(port)) && (await isFreePort(port))) return port;
  }
}

/**
 * Reserves a port until this process ends, so that no other one is given it before the server that it is for listens.
 * The UDP port of the same number stands for it, because servers listen on TCP.
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
