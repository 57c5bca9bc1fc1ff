/** A TCP proxy in front of PostgreSQL that can cut a connection at a COMMIT, and switch to another server. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { HOST } from "../../../localnet/ports.ts";

export type CommitCut = "before" | "after";

export interface DatabaseProxy {
  readonly port: number;
  /**
   * Cuts the connection of the next transaction that writes something with the given text, either before its COMMIT
   * reaches the server or after the server has answered it. Settles when the connection has been cut.
   */
  cutCommit(when: CommitCut, text: string): Promise<void>;
  /** Forwards new connections to this port of 127.0.0.1, and breaks existing ones. */
  forwardTo(targetPort: number): void;
  /** Breaks all connections and refuses new ones until `forwardTo` is called. */
  block(): void;
  stop(): Promise<void>;
}

/** The number of bytes of a transaction that are searched. Statements come before their rows. */
const REMEMBERED_BYTES = 4 * 2 ** 20;

interface PendingCut {
  readonly when: CommitCut;
  readonly text: string;
  readonly done: () => void;
}

/** Starts the proxy on a free port of 127.0.0.1. */
export async function startDatabaseProxy(firstTargetPort: number): Promise<DatabaseProxy> {
  let targetPort: number | null = firstTargetPort;
  let pending: PendingCut | undefined;
  const sockets = new Set<Socket>();
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    if (targetPort === null) {
      client.destroy();
      return;
    }
    const target = connect(targetPort, HOST);
    const messages = new FrontendMessages();
    let transaction = "";
    let answering: PendingCut | undefined;
    const breakBoth = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      sockets.add(socket);
      // Either end may close at any time. The other end is then closed too.
      socket.on("error", breakBoth);
      socket.on("close", () => {
        sockets.delete(socket);
        breakBoth();
      });
    }
    client.on("data", (bytes) => {
      for (const { query, text } of messages.read(bytes)) {
        if (query?.startsWith("begin")) transaction = "";
        if (transaction.length < REMEMBERED_BYTES) transaction += text;
        if (query !== "commit" || pending === undefined || !transaction.includes(pending.text)) continue;
        answering = pending;
        pending = undefined;
        if (answering.when === "before") {
          breakBoth();
          answering.done();
          return;
        }
      }
      target.write(bytes);
    });
    target.on("data", (bytes) => {
      // The first answer after the COMMIT belongs to it: the server has committed, and the client does not learn it.
      if (answering?.when === "after") {
        breakBoth();
        answering.done();
        return;
      }
      client.write(bytes);
    });
  });
  server.listen(0, HOST);
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  return {
    port: (server.address() as AddressInfo).port,
    cutCommit(when, text) {
      const done = Promise.withResolvers<void>();
      pending = { when, text, done: done.resolve };
      return done.promise;
    },
    forwardTo(port) {
      targetPort = port;
      breakAll();
    },
    block() {
      targetPort = null;
      breakAll();
    },
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      breakAll();
      await closed;
    },
  };
}

/** Splits the bytes that a client sends into messages of the protocol, as far as needed to cut a COMMIT. */
export class FrontendMessages {
  #rest = Buffer.alloc(0);
  #isStarted = false;

  /**
   * Returns, for each whole message, the statement of a simple query in lower case (null for other messages) and the
   * message's whole text.
   */
  read(bytes: Buffer): { readonly query: string | null; readonly text: string }[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: { query: string | null; text: string }[] = [];
    for (;;) {
      // A message has one byte for its type, except the first message, and then its length, which includes the length
      // field.
      const typeBytes = this.#isStarted ? 1 : 0;
      if (this.#rest.length < typeBytes + 4) return messages;
      const end = typeBytes + this.#rest.readUInt32BE(typeBytes);
      if (this.#rest.length < end) return messages;
      const type = this.#isStarted ? String.fromCharCode(this.#rest[0] ?? 0) : "";
      const text = this.#rest.toString("latin1", typeBytes + 4, end);
      this.#rest = this.#rest.subarray(end);
      this.#isStarted = true;
      const query = type === "Q" ? text.replace(/\0$/, "").trim().replace(/;$/, "").toLowerCase() : null;
      messages.push({ query, text });
    }
  }
}
