/**
 * Learns of new blocks through a node's WebSocket. An announcement only ends the wait before the next request for the
 * head, and its content is not read: every block is requested and verified as without a socket, and a socket that is
 * silent, cut or wrong delays nothing.
 */
import { sleep } from "../../deadline.ts";

/** Three blocks of a chain that has one every twelve seconds. */
const SILENT_MS = 36_000;
const REOPEN_MS = 5_000;

/** Announcements that follow another one faster are ignored, so that a socket cannot use up the rate of requests. */
const SHORTEST_INTERVAL_MS = 100;

const SUBSCRIPTION = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] });

interface HeadSocketOptions {
  /** A URL of ws or wss, which appears in no message. */
  readonly url: string;
  /** Closes the socket. */
  readonly signal: AbortSignal;
  /** Writes a line to the log, whenever announcements end or come again. */
  readonly warn: (message: string) => void;
  /** Time without an announcement after which a connection is closed. */
  readonly silentMs?: number;
  /** Pause between two connections. */
  readonly reopenMs?: number;
}

/**
 * Opens a socket, and another one whenever it has closed, until the signal.
 * @returns a wait for so many milliseconds that ends early at an announcement, or at once after one that was not waited
 * for
 */
export function openHeadSocket({
  url,
  signal,
  warn,
  silentMs = SILENT_MS,
  reopenMs = REOPEN_MS,
}: HeadSocketOptions): (durationMs: number) => Promise<void> {
  let announced = new AbortController();
  let lastAt = -Infinity;
  let isHeard: boolean | null = null;
  signal.addEventListener("abort", () => announced.abort(), { once: true });

  function report(isNowHeard: boolean, message: string): void {
    if (isHeard !== isNowHeard && !signal.aborted) warn(`${message}; the head is requested every second in any case`);
    isHeard = isNowHeard;
  }

  /**
   * Listens to one connection until it is closed, and closes it when it is silent. Another one is opened only then: the
   * client does not drop the connection of a node that leaves the request to close it unanswered.
   */
  async function listen(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    const socket = new WebSocket(url);
    const stop = () => socket.close();
    const silence = setTimeout(() => {
      report(false, `the WebSocket was silent for ${silentMs / 1_000} s`);
      stop();
    }, silentMs);
    signal.addEventListener("abort", stop, { once: true });
    socket.onopen = () => socket.send(SUBSCRIPTION);
    socket.onmessage = ({ data }) => {
      if (!String(data).includes('"eth_subscription"')) return;
      silence.refresh();
      report(true, "the WebSocket announces blocks");
      if (performance.now() - lastAt < SHORTEST_INTERVAL_MS) return;
      lastAt = performance.now();
      announced.abort();
    };
    // An error is followed by this, too.
    socket.onclose = () => closed.resolve();
    await closed.promise;
    clearTimeout(silence);
    signal.removeEventListener("abort", stop);
    report(false, "the WebSocket was closed");
  }

  async function listenAgain(): Promise<void> {
    while (!signal.aborted) {
      await listen();
      await sleep(reopenMs, signal);
    }
  }
  void listenAgain();

  return async (durationMs) => {
    await sleep(durationMs, announced.signal);
    announced = new AbortController();
  };
}
