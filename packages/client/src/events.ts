/** The event stream of a network (`/v1/events`), by `fetch`: it runs in browsers and in Node.js. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError, apiErrorOf, foreignAnswerError } from "./apiError.ts";
import { eventIdOf } from "./eventId.ts";
import { pageOf } from "./history.ts";
import type { CoreSwapClient, Schemas } from "./index.ts";
import type { paths } from "./schema.ts";
import { delayMs, LONGEST_DELAY_MS, wait } from "./waiting.ts";

type Transaction = Schemas["Transaction"];
type Network = paths["/v1/events"]["get"]["parameters"]["query"]["network"];

interface ResetData {
  readonly fromBlock: string;
}

/** A change of the history. */
export type HistoryEvent =
  | {
      readonly type: "transaction";
      readonly transaction: Transaction;
      /** For `lastEventId`, to continue after this event. */
      readonly id: string;
    }
  /** Discard what you have of this block and later ones, and the last `id`. Read it again at the next `position`. */
  | { readonly type: "reset"; readonly fromBlock: bigint }
  /**
   * Nothing was added. Store this `id` in place of the last one: after a `reset`, that one names a discarded block. What
   * has to be read now is in a reading of `allTransactions` with this `lastEventId`.
   */
  | { readonly type: "position"; readonly id: string };

export interface FollowOptions {
  readonly network: Network;
  /**
   * Id of the last event that was handled, or of a transaction (`eventIdOf`). Null when you have none, because the history
   * that you read was empty: it begins with a `reset`, to read it again. Default: the newest transaction's.
   */
  readonly lastEventId?: string | null | undefined;
  /** Ends the iteration, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the reason of each interruption, before the stream is opened again. */
  readonly onInterruption?: ((reason: unknown) => void) | undefined;
}

/** The API sends a comment every 15 seconds. Without traffic, the connection is lost, or the server hangs. */
const SILENCE_MS = 45_000;

/** The API ended the stream, or sent nothing for too long. */
class InterruptedStreamError extends Error {
  override readonly name = "InterruptedStreamError";
}

/** The data of an event is not what the API documents. To ask for the event again would not change that. */
class UnreadableEventError extends Error {
  override readonly name = "UnreadableEventError";
}

/**
 * Follows the history of a network: every transaction in the order of the chain, and a `reset` when blocks were taken
 * back, or when more than 500 transactions, or fewer large ones, were missed. An interrupted stream is opened again and
 * continues after the last event, so nothing is left out. The delay before that is at most 1 second, then 2, 4 and so on up to 30, or as long as
 * the API asks for.
 *
 * It follows until the loop is left or `signal` is aborted.
 * @throws ApiError when the API refuses the request, with a status below 500 other than 429; an `UnreadableEventError` when
 * it cannot read the data of an event
 */
export async function* followHistory(
  client: CoreSwapClient,
  options: FollowOptions,
): AsyncGenerator<HistoryEvent, void> {
  const { network, signal, onInterruption } = options;
  /** Null for an empty history; undefined while the newest transaction is not known yet. */
  let seen: string | null | undefined = options.lastEventId;
  for (let interruptions = 0; ; interruptions += 1) {
    const stopping = new AbortController();
    const stopped = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
    let openedAt = Number.POSITIVE_INFINITY;
    let delay: number;
    try {
      // A stream without an id begins with the next event. What happens while it is interrupted would be lost.
      if (seen === undefined) seen = await heard(newestId(client, network, stopped), stopping, stopped);
      const body: NonNullable<Response["body"]> = await heard(
        openStream(client, network, seen, stopped),
        stopping,
        stopped,
      );
      openedAt = Date.now();
      if (seen === null) yield { type: "reset", fromBlock: 0n };
      for await (const message of eventsOf(body, stopping, stopped)) {
        if (message.id !== undefined) seen = message.id;
        const event = eventOf(message);
        if (event !== null) yield event;
      }
      throw new InterruptedStreamError("the API ended the stream");
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      onInterruption?.(error);
      if (Date.now() - openedAt > LONGEST_DELAY_MS) interruptions = 0;
      delay = delayMs(interruptions, error);
    } finally {
      stopping.abort();
    }
    await wait(delay, signal);
  }
}

async function newestId(client: CoreSwapClient, network: Network, signal: AbortSignal): Promise<string | null> {
  const [newest] = (await pageOf(client, { network, limit: 1 }, { signal })).transactions;
  return newest === undefined ? null : eventIdOf(newest);
}

async function openStream(
  client: CoreSwapClient,
  network: Network,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<NonNullable<Response["body"]>> {
  const { data, error, response } = await client.GET("/v1/events", {
    params: { query: { network }, header: lastEventId === null ? {} : { "Last-Event-ID": lastEventId } },
    parseAs: "stream",
    signal,
  });
  if (!response.ok) throw apiErrorOf(response, error);
  const contentType = response.headers.get("Content-Type");
  if (!contentType?.startsWith("text/event-stream"))
    throw foreignAnswerError(`its type is ${contentType ?? "not given"}, expected text/event-stream`);
  if (!data) throw new InterruptedStreamError("the API answered without a stream");
  return data;
}

/** The messages of one stream, until it ends or `stopped` is aborted. A silent one is stopped. */
async function* eventsOf(
  body: NonNullable<Response["body"]>,
  stopping: AbortController,
  stopped: AbortSignal,
): AsyncGenerator<EventSourceMessage, void> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await heard(reader.read(), stopping, stopped);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const message of messages.splice(0)) {
        yield message;
        stopped.throwIfAborted();
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/**
 * Waits for something of the API until `stopped` is aborted, or the API was silent for too long. Waits by itself, because
 * Node.js passes a signal on through the request, which it may have collected by then.
 * @throws the reason of `stopped`
 */
async function heard<Answer>(
  answer: Promise<Answer>,
  stopping: AbortController,
  stopped: AbortSignal,
): Promise<Answer> {
  // Only while it waits: the caller may take long over an event.
  const silence = setTimeout(
    () => stopping.abort(new InterruptedStreamError(`the API sent nothing for ${SILENCE_MS / 1000} seconds`)),
    SILENCE_MS,
  );
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(stopped.reason);
    if (stopped.aborted) stop();
    else stopped.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([aborted, answer]);
  } finally {
    clearTimeout(silence);
    stopped.removeEventListener("abort", stop);
  }
}

/**
 * Returns null for a kind of event that a later version of the API may add.
 * @throws UnreadableEventError
 */
function eventOf({ event, id, data }: EventSourceMessage): HistoryEvent | null {
  try {
    if (event === "reset") return { type: "reset", fromBlock: BigInt((JSON.parse(data) as ResetData).fromBlock) };
    if (event === "position" && id !== undefined) return { type: "position", id };
    if (event !== "transaction") return null;
    const transaction = JSON.parse(data) as Transaction;
    return { type: "transaction", transaction, id: id ?? eventIdOf(transaction) };
  } catch (cause) {
    throw new UnreadableEventError(`cannot read the data of the event ${event}`, { cause });
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return !(error instanceof UnreadableEventError);
}
