/** Streams bodies that are read at the pace of the client. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exchange } from "./client.ts";

interface StreamOptions {
  /** Called when a read after the first fails. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, when reading has ended for any reason. */
  readonly onEnd: () => void;
  /** The exchange to which the body belongs. Undefined without a server, where only `cancel` ends the body. */
  readonly exchange: Exchange | undefined;
  /** How long a client may leave a text unread before its connection is closed. */
  readonly stallTimeoutMs: number;
}

/**
 * Streams texts as UTF-8. Each text is read after the client has received the previous ones, in a separate turn of the
 * event loop. A failed read aborts the transfer, so that no client mistakes a part for the whole. The transfer to a
 * client that does not read for too long is aborted, too. Reading ends when the client disconnects.
 * @throws what the first read throws, while the status can still report it; `onEnd` is called then, too
 */
export async function streamOf(
  texts: AsyncGenerator<string, void>,
  { onFailure, onEnd, exchange, stallTimeoutMs }: StreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const connection = exchange?.incoming.socket;
  let hasEnded = false;
  let stallTimer: NodeJS.Timeout | undefined;
  const end = async () => {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(stallTimer);
    connection?.off("close", end);
    onEnd();
    await texts.return();
  };
  // The HTTP server cancels a body that it is sending, but not one that it has not started to send.
  connection?.once("close", end);
  const startStallTimer = (controller: ReadableStreamDefaultController) => {
    stallTimer = setTimeout(() => {
      // Only a broken connection tells the client that the file is incomplete.
      if (connection === undefined) controller.error(new Error("the client reads nothing"));
      else connection.resetAndDestroy();
      return end();
    }, stallTimeoutMs).unref();
  };

  let next: IteratorResult<string, void> | undefined;
  try {
    next = await texts.next();
  } catch (error) {
    await end();
    throw error;
  }
  if (connection?.destroyed) await end();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stallTimer);
        try {
          if (next === undefined) await nextTurn();
          const text = next ?? (await texts.next());
          next = undefined;
          if (hasEnded) return;
          if (text.done) {
            await end();
            controller.close();
          } else {
            controller.enqueue(encoder.encode(text.value));
            startStallTimer(controller);
          }
        } catch (error) {
          await end();
          onFailure(error);
          // An answer to HTTP/1.0 has no length and no chunks, so only a reset tells it from a complete one.
          connection?.resetAndDestroy();
          controller.error(error);
        }
      },
      cancel: end,
    },
    // Nothing is read before the client needs it.
    { highWaterMark: 0 },
  );
}
