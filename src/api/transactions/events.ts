/** Server-sent events (HTML standard, section 9.2) of the history of each network. */
import type { Socket } from "node:net";
import { perNetwork } from "../http/perNetwork.ts";
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

/** The part of the origin is missing in the ID that a client makes from a transaction. */
const EVENT_ID = /^(0|[1-9][0-9]{0,17})-([0-9a-f]{16})-(0|[1-9][0-9]{0,8})(?:-(0|[1-9][0-9]{0,17})-([0-9a-f]{16}))?$/;

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
   * @throws BadRequest for a network that is off; what the database throws, and `onEnd` is called then, too
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

/** Writes the ID of an event, which identifies its position, its chain, and the index that it was sent from. */
function textOfEventId({ blockNumber, blockHashStart, transactionIndex, origin }: EventId): string {
  const suffix = origin === null ? "" : `-${origin.firstUnfinal}-${origin.index}`;
  return `${blockNumber}-${blockHashStart}-${transactionIndex}${suffix}`;
}

/** Reads the ID of an event. Returns null when the text is not one. */
export function parseEventId(text: string): EventId | null {
  const [, blockNumber, blockHashStart, transactionIndex, firstUnfinal, index] = EVENT_ID.exec(text) ?? [];
  if (blockNumber === undefined || blockHashStart === undefined || transactionIndex === undefined) return null;
  const origin =
    firstUnfinal === undefined || index === undefined ? null : { firstUnfinal: BigInt(firstUnfinal), index };
  return { blockNumber: BigInt(blockNumber), blockHashStart, transactionIndex: Number(transactionIndex), origin };
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
  /** Reads of the feed, and the joining of clients between them. */
  readonly #inTurn = queue();
  /** Reads of what clients missed, which take longer. One at a time, so that they do not crowd out the others. */
  readonly #catchingUp = queue();
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
      // Clients join between two reads, so that nothing is lost between the events that a client missed and those that
      // follow. The latter wait in the client while it catches up, which delays no other client.
      const { position, readMissed } = await this.#inTurn(async () => {
        await this.#sendNew();
        if (!client.hasEnded) this.#clients.add(client);
        return { position: this.#feed.position(), readMissed: seen && this.#feed.since(seen) };
      });
      if (this.#hasEnded) client.end();
      else this.#startTimers();
      const missed = readMissed && (await this.#catchingUp(async () => (client.hasEnded ? [] : readMissed())));
      client.begin(encoder.encode(HELLO + textOf(missed ?? []) + textOfPosition(position)));
    } catch (error) {
      client.end();
      throw error;
    }
    return client.body;
  }

  end(): void {
    this.#hasEnded = true;
    for (const client of this.#clients) client.end();
  }

  async #sendNew(): Promise<void> {
    const events = await this.#feed.readNew();
    if (events.length === 0) return;
    const text = textOf(events);
    this.#send(text.startsWith(RESET) ? text + textOfPosition(this.#feed.position()) : text);
  }

  /** Encodes the text once for all clients. */
  #send(text: string): void {
    const bytes = encoder.encode(text);
    for (const client of this.#clients) client.send(bytes);
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
}

/** Makes a function that runs each task after the one before, even if that failed: its own caller handles the error. */
function queue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task, task);
    last = result;
    return result;
  };
}

const encoder = new TextEncoder();

/** One stream. */
class Client {
  readonly body: ReadableStream<Uint8Array>;
  readonly #connection: Socket | undefined;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** What is to follow the beginning. Null once the stream has begun. */
  #held: Uint8Array[] | null = [];

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

  /** Begins the stream, before everything that was sent so far. */
  begin(bytes: Uint8Array): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.send(Buffer.concat([bytes, ...held]));
  }

  send(bytes: Uint8Array): void {
    if (this.#controller === undefined) return;
    if (this.#held !== null) {
      this.#held.push(bytes);
      if (this.#held.reduce((sum, { length }) => sum + length, 0) > MAXIMUM_WAITING_BYTES) this.end();
      return;
    }
    if ((this.#controller.desiredSize ?? 0) <= 0) this.end();
    else this.#controller.enqueue(bytes);
  }

  readonly end = (): void => {
    this.#controller?.close();
    this.#end();
  };

  #end(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#held = null;
    this.#connection?.off("close", this.end);
    this.#onEnd();
  }
}

/** The beginning of an event that tells a client to read anew. */
const RESET = "event: reset\n";

/**
 * Writes events. Those that are longer than what may wait for a client become one reset: anybody can make a transaction
 * with hundreds of kilobytes of legs, because a call that reverts is part of the history, too.
 */
function textOf(events: readonly HistoryEvent[]): string {
  const [first] = events;
  if (first === undefined) return "";
  const text = events.map(textOfEvent).join("");
  if (text.length <= MAXIMUM_WAITING_BYTES) return text;
  const fromBlock = first.type === "reset" ? first.fromBlock : first.id.blockNumber;
  return textOfEvent({ type: "reset", fromBlock });
}

function textOfEvent(event: HistoryEvent): string {
  if (event.type === "reset") return `${RESET}data: {"fromBlock":"${event.fromBlock}"}\n\n`;
  return `id: ${textOfEventId(event.id)}\nevent: transaction\ndata: ${JSON.stringify(event.transaction)}\n\n`;
}

/**
 * Tells a client where its stream stands. Without it, a client that is interrupted before its next transaction has no
 * ID to continue from, or has the ID of a block that a reset told it to discard: if that block returned meanwhile, the
 * client would never get its transactions again.
 */
function textOfPosition(id: EventId): string {
  return `id: ${textOfEventId(id)}\nevent: position\ndata: {}\n\n`;
}
