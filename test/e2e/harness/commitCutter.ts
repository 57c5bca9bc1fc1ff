/** A proxy before PostgreSQL that cuts a connection of the indexer while it commits. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Where a connection is cut: when COMMIT has not reached the server, or when the server has committed. */
export type CutPlace = "before" | "after";

export interface CommitCutter {
  readonly port: number;
  /** Cuts at the next COMMIT of a transaction that inserted rows into a table, by either of Ponder's ways. */
  cutNext(place: CutPlace, schema: string, table: string): void;
  /** How many connections were cut. */
  cuts(): number;
  stop(): Promise<void>;
}

/** The simple query `commit` in the protocol: type, length, text, NUL. */
const COMMIT = Buffer.from("Q\0\0\0\x0bcommit\0", "latin1");

/** Starts a proxy on a free port of 127.0.0.1 before a PostgreSQL server on a port of the same address. */
export async function startCommitCutter(targetPort: number): Promise<CommitCutter> {
  const sockets = new Set<Socket>();
  let next: { readonly place: CutPlace; readonly insertion: RegExp } | null = null;
  let cuts = 0;

  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    /** Whether the open transaction inserted into the table. */
    let isWriting = false;
    let isCommitting = false;
    const cut = () => {
      cuts += 1;
      client.destroy();
      target.destroy();
    };
    client.on("data", (bytes: Buffer) => {
      if (next?.insertion.test(bytes.toString("latin1"))) isWriting = true;
      if (bytes.includes(COMMIT)) {
        if (next !== null && isWriting) {
          const { place } = next;
          next = null;
          if (place === "before") return cut();
          isCommitting = true;
        }
        isWriting = false;
      }
      target.write(bytes);
    });
    target.on("data", (bytes: Buffer) => {
      // The first answer after COMMIT says that it was done.
      if (isCommitting) return cut();
      client.write(bytes);
    });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      // Either end may go at any time; the other one learns of it.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return {
    port: (server.address() as AddressInfo).port,
    cutNext(place, schema, table) {
      // Many rows are copied into the partition of a network, few inserted into the table.
      next = { place, insertion: new RegExp(`(?:COPY|insert into) "${schema}"\\."${table}(?:_[0-9]+)?"`) };
    },
    cuts: () => cuts,
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
