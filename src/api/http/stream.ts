/** Bodies that are read as the client takes them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exchange } from "./client.ts";

interface StreamOptions {
  /** Hears of a reading that fails after the first. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, when nothing is read any more, whatever the reason. */
  readonly onEnd: () => void;
  /** The exchange that the body belongs to; undefined where no server is, and `cancel` alone tells that it is over. */
  readonly exchange: Exchange | undefined;
  /** How long a client may leave a text untaken before its connection is ended. */
  readonly stallTimeoutMs: number;
}

/**
 * Streams texts as UTF-8, each read when the client has taken those before it, and in a turn of the event loop of its
 * own. A reading that fails breaks the transfer off, so that no client takes a part for the whole. So does a client
 * that takes nothing for too long. The work ends when the client leaves.
 * @throws what the first reading throws, while the status can still say so; `onEnd` is called then, too
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
  // The HTTP server cancels a body that it is sending, but not one that it has not begun with.
  connection?.once("close", end);
  const startStallTimer = (controller: ReadableStreamDefaultController) => {
    stallTimer = setTimeout(() => {
      // Only a broken connection says that the file is not whole.
      if (connection === undefined) controller.error(new Error("the client reads nothing"));
      else connection.destroy();
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
          controller.error(error);
        }
      },
      cancel: end,
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
