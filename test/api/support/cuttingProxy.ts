/** A proxy whose connections a test cuts. */
import { connect, createServer, type Server, type Socket } from "node:net";

/** Forwards connections until it is told to cut them. */
export class CuttingProxy {
  readonly baseUrl: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    const { port } = server.address() as { port: number };
    this.baseUrl = `http://127.0.0.1:${port}`;
    server.on("connection", (socket) => {
      if (this.#isCut) return void socket.destroy();
      const upstream = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        this.#sockets.add(one);
        // A connection that is cut reports an error here. The client must notice the cut by itself.
        one
          .on("error", () => other.destroy())
          .on("close", () => {
            this.#sockets.delete(one);
            other.destroy();
          });
        one.pipe(other);
      }
    });
  }

  static async before(target: string): Promise<CuttingProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new CuttingProxy(server, new URL(target));
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
