/** Server-sent events (HTML standard, section 9.2) of the history of each network. */
import type { Socket } from "node:net";
import { perNetwork } from "../http/networks.ts";
import type { Database } from "../shared/database.ts";
import type { ApiNetwork, ApiNetworkName } from "../shared/networks.ts";
import { type EventId, type Feed, type HistoryEvent, historyFeed } from "./feed.ts";

const POLLING_INTERVAL_MS = 1_000;

/** Interval of comments. Proxies and browsers close connections without traffic. */
const HEARTBEAT_MS = 15_000;

/** Delay after which browsers connect again. */
const HELLO = "retry: 2000\n\n";
const HEARTBEAT = ":\n\n";

/**
 * Limit of the bytes that may wait for a client. A slower client is disconnected, and receives what it missed when it
 * reconnects.
 */
const MAXIMUM_WAITING_BYTES = 1024 * 1024;

const EVENT_ID = /^(0|[1-9][0-9]{0,17})-([0-9a-f]{16})-(0|[1-9][0-9]{0,8})$/;
const HASH_START = 16;

/** What a stream must know about its client. */
interface StreamClient {
  /** The last event that the client has seen, or null for a stream that starts with the next event. */
  readonly seen: EventId | null;
  /** Undefined when there is no server. */
  readonly connection: Socket | undefined;
  /** Called once, when the stream has ended for any reason. */
  readonly onEnd: () => void;
}

/** Opens streams until the process is told to end. */
export interface EventStreams {
  /**
   * Streams the events of a network.
   * @throws what the database throws; `onEnd` is called then, too
   */
  open(network: ApiNetworkName, client: StreamClient): Promise<ReadableStream<Uint8Array>>;
  /** Ends every stream, including those opened later. */
  end(): void;
}

interface StreamsOptions {
  readonly database: Database;
  readonly networks: readonly ApiNetwork[];
  /** Called when a read fails. Streams stay open, because the next read finds what this one missed. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes the ID of an event, which identifies its position and its chain. */
function textOfEventId({ blockNumber, blockHashStart, transactionIndex }: EventId): string {
  return `${blockNumber}-${blockHashStart}-${transactionIndex}`;
}

/** Reads the ID of an event. Returns null when the text is not one. */
export function parseEventId(text: string): EventId | null {
  const [, blockNumber, blockHashStart, transactionIndex] = EVENT_ID.exec(text) ?? [];
  if (blockNumber === undefined || blockHashStart === undefined || transactionIndex === undefined) return null;
  return { blockNumber: BigInt(blockNumber), blockHashStart, transactionIndex: Number(transactionIndex) };
}

/**
 * Makes the streams of all networks. A network is read once a second for all its clients, and only while it has
 * clients.
 */
export function eventStreams({ database, networks, onFailure }: StreamsOptions): EventStreams {
  const broadcasts: Broadcast[] = [];
  const broadcastOf = perNetwork(networks, (network) => {
    const broadcast = new Broadcast(historyFeed(database, network), onFailure);
    broadcasts.push(broadcast);
    return broadcast;
  });
  return {
    open: (network, client) => broadcastOf(network).open(client),
    end: () => {
      for (const broadcast of broadcasts) broadcast.end();
    },
  };
}

/** The clients of one network. */
class Broadcast {
  readonly #feed: Feed;
  readonly #onFailure: (error: unknown) => void;
  readonly #clients = new Set<Client>();
  #lastTask: Promise<unknown> = Promise.resolve();
  #timers: NodeJS.Timeout[] = [];
  #isReading = false;
  #hasEnded = false;

  constructor(feed: Feed, onFailure: (error: unknown) => void) {
    this.#feed = feed;
    this.#onFailure = onFailure;
  }

  async open({ seen, connection, onEnd }: StreamClient): Promise<ReadableStream<Uint8Array>> {
    const client = new Client(connection, () => {
      this.#clients.delete(client);
      if (this.#clients.size === 0) this.#stopTimers();
      onEnd();
    });
    try {
      // Clients join one at a time, so that nothing is lost between the events that a client missed and those that
      // follow.
      await this.#inTurn(async () => {
        await this.#sendNew();
        const missed = seen === null ? [] : await this.#feed.readSince(seen);
        client.send(HELLO + missed.map(textOf).join(""));
        if (!client.hasEnded) this.#clients.add(client);
      });
    } catch (error) {
      client.end();
      throw error;
    }
    if (this.#hasEnded) client.end();
    else this.#startTimers();
    return client.body;
  }

  end(): void {
    this.#hasEnded = true;
    for (const client of this.#clients) client.end();
  }

  async #sendNew(): Promise<void> {
    const events = await this.#feed.readNew();
    if (events.length > 0) this.#send(events.map(textOf).join(""));
  }

  #send(text: string): void {
    for (const client of this.#clients) client.send(text);
  }

  #startTimers(): void {
    if (this.#timers.length > 0 || this.#clients.size === 0) return;
    this.#timers = [
      setInterval(() => void this.#poll(), POLLING_INTERVAL_MS).unref(),
      setInterval(() => this.#send(HEARTBEAT), HEARTBEAT_MS).unref(),
    ];
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  async #poll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.#inTurn(() => this.#sendNew());
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Runs a task after the previous one, even if that one failed, because its own caller handles the error. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#lastTask.then(task, task);
    this.#lastTask = result;
    return result;
  }
}

const encoder = new TextEncoder();

/** One stream. */
class Client {
  readonly body: ReadableStream<Uint8Array>;
  readonly #connection: Socket | undefined;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(connection: Socket | undefined, onEnd: () => void) {
    this.#connection = connection;
    this.#onEnd = onEnd;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAXIMUM_WAITING_BYTES }),
    );
    // The HTTP server cancels a body that it is sending, but not one that it has not started to send.
    connection?.once("close", this.end);
    if (connection?.destroyed) this.end();
  }

  get hasEnded(): boolean {
    return this.#controller === undefined;
  }

  send(text: string): void {
    if (this.#controller === undefined) return;
    if ((this.#controller.desiredSize ?? 0) <= 0) this.end();
    else this.#controller.enqueue(encoder.encode(text));
  }

  readonly end = (): void => {
    this.#controller?.close();
    this.#end();
  };

  #end(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#connection?.off("close", this.end);
    this.#onEnd();
  }
}

function textOf(event: HistoryEvent): string {
  if (event.type === "reset") return `event: reset\ndata: {"fromBlock":"${event.fromBlock}"}\n\n`;
  const { blockNumber, blockHash, transactionIndex } = event.transaction.inclusion;
  const id = textOfEventId({
    blockNumber: BigInt(blockNumber),
    blockHashStart: blockHash.slice(2, 2 + HASH_START),
    transactionIndex: Number(transactionIndex),
  });
  return `id: ${id}\nevent: transaction\ndata: ${JSON.stringify(event.transaction)}\n\n`;
}
