/** Follows `/v1/events`, so that the page shows a change of the history when the API does. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { openStream, type StreamNews } from "./eventStream.ts";
import type { Network } from "./queries.ts";
import { reload } from "./reload.ts";
import { type FollowMessage, REPEAT_MS } from "./workerProtocol.ts";

/** Views that show the history of a network, by the first part of their queries' keys. */
const HISTORY_VIEWS: readonly unknown[] = ["transactions", "transaction", "volume", "series"];
/** Views that show a wallet, which is the third part of their queries' keys. */
const WALLET_VIEWS: readonly unknown[] = ["accounts", "position"];

/** Delay after an event. The events of a block arrive together, and one request covers all of them. */
const GATHER_MS = 200;
/** Interval of requests while there is no stream. */
const POLL_MS = 4_000;

/**
 * Reloads the history of a network in all views whenever the API reports a change, and every few seconds while there is
 * no stream of events. All pages of a browser share one stream. A hidden page does not follow it.
 */
export function useEvents(network: Network): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop: (() => void) | null = null;
    const update = () => {
      if (document.visibilityState === "hidden") {
        stop?.();
        stop = null;
      } else stop ??= follow(queries, network);
    };
    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      stop?.();
    };
  }, [queries, network]);
}

/** Follows a network until the returned function is called. */
function follow(queries: QueryClient, network: Network): () => void {
  let gathering: number | undefined;
  let transactions: string[] = [];
  let isOpen = false;

  const reloadHistory = () => {
    const texts = transactions;
    transactions = [];
    gathering = undefined;
    void reload(
      queries,
      ({ queryKey: [view, of, wallet] }) =>
        of === network &&
        (HISTORY_VIEWS.includes(view) ||
          // Reading accounts costs requests to a node, so only wallets that a transaction mentions are read again.
          (WALLET_VIEWS.includes(view) && texts.some((text) => text.includes(String(wallet))))),
    );
  };
  const hear = (news: StreamNews) => {
    isOpen = news.kind !== "lost";
    if (news.kind === "transaction") {
      transactions.push(news.data);
      gathering ??= window.setTimeout(reloadHistory, GATHER_MS);
    } else if (isOpen) {
      // Transactions were taken back, or may have been while there was no stream, so no figure is certain.
      void reload(queries, ({ queryKey: [, of] }) => of === network);
    }
  };
  const worker = startWorker();
  const stop = worker === null ? openStream(network, hear) : shareStream(worker, network, hear);
  const polling = window.setInterval(() => {
    if (!isOpen) reloadHistory();
  }, POLL_MS);
  return () => {
    stop();
    window.clearTimeout(gathering);
    window.clearInterval(polling);
  };
}

/** Starts the worker that all pages share, or returns null where there is none. */
function startWorker(): SharedWorker | null {
  if (typeof SharedWorker === "undefined") return null;
  try {
    return new SharedWorker(new URL("./eventWorker.ts", import.meta.url), { type: "module", name: "events" });
  } catch {
    // Some browsers refuse it to pages that may not store data, and all of them to sandboxed frames.
    return null;
  }
}

/** Follows a network through the worker, and by a stream of its own if that does not start. */
function shareStream(worker: SharedWorker, network: Network, hear: (news: StreamNews) => void): () => void {
  const { port } = worker;
  const say = (message: FollowMessage) => port.postMessage(message);
  const sayFollow = () => say({ kind: "follow", network });
  let stopOwn: (() => void) | null = null;
  worker.addEventListener("error", () => {
    stopOwn ??= openStream(network, hear);
  });
  port.addEventListener("message", ({ data }: MessageEvent<StreamNews>) => hear(data));
  port.start();
  sayFollow();
  const repeating = window.setInterval(sayFollow, REPEAT_MS);
  const stop = () => {
    say({ kind: "stop" });
    window.clearInterval(repeating);
    window.removeEventListener("pagehide", stop);
    port.close();
    stopOwn?.();
  };
  window.addEventListener("pagehide", stop);
  return stop;
}
