/** A TCP proxy that can stop forwarding bytes or refuse connections, like a server that is frozen or unreachable. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** Stops forwarding in both directions, on existing and new connections. */
  stall(): void;
  /** Closes all connections. New ones are accepted. */
  cut(): void;
  /** Closes all connections, and new ones as soon as they are opened. */
  refuse(): void;
  /** Forwards the bytes that are waiting, and accepts connections. */
  resume(): void;
  /** Number of ends of connections that are open: two for each. */
  openEnds(): number;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1 for another port of the same address. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  let isRefusing = false;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const target = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      // Either end may close at any time. The other end is then closed too.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    cut,
    refuse() {
      isRefusing = true;
      cut();
    },
    resume() {
      isStalled = false;
      isRefusing = false;
      for (const socket of sockets) socket.resume();
    },
    openEnds: () => sockets.size,
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      cut();
      await closed;
    },
  };
}
