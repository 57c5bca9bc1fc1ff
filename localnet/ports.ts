/** Ports of this machine. */
import { createServer } from "node:net";

/** Everything listens here and nowhere else. */
export const HOST = "127.0.0.1";

/** A port that is free now, chosen by the system. */
export async function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Whether this process could listen on a port now. */
export async function isFreePort(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // EACCES: a port that this user may not use is no more use than a busy one.
    if (code === "EADDRINUSE" || code === "EACCES") return false;
    throw error;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((settle, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen({ host: HOST, port, exclusive: true }, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      server.close(() => settle(actual));
    });
  });
}
