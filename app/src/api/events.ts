/** Follows `/v1/events`, so that the page shows a change of the history when the API does. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Network } from "./queries.ts";

/** Views that show the history of a network, by the first part of their queries' keys. */
const HISTORY_VIEWS: readonly unknown[] = ["transactions", "transaction", "volume", "series"];

/** Delay after an event. The events of a block arrive together, and one request covers all of them. */
const GATHER_MS = 200;
/** Interval of requests while there is no stream. */
const POLL_MS = 4_000;
/** Delay before another stream is requested, as the API tells clients when it has no streams left. */
const REOPEN_MS = 30_000;

/**
 * Reloads the history of a network in all views whenever the API reports a change, and every few seconds while there is
 * no stream of events. A hidden page does not follow the stream, because a browser has few connections to a server, and
 * every tab would use one.
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
  let source: EventSource;
  let gathering: number | undefined;
  let reopening: number | undefined;
  let changes: string[] = [];

  const refresh = () => {
    const texts = changes;
    changes = [];
    gathering = undefined;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [view, of, wallet] }) =>
        of === network &&
        (HISTORY_VIEWS.includes(view) ||
          // Reading accounts costs requests to a node, so only wallets that the change mentions are read again.
          (view === "accounts" && texts.some((text) => text.includes(String(wallet))))),
    });
  };
  const note = ({ data }: MessageEvent<string>) => {
    changes.push(data);
    gathering ??= window.setTimeout(refresh, GATHER_MS);
  };
  const open = () => {
    source = new EventSource(`/v1/events?network=${network}`);
    // Something may have happened between the last answer and the beginning of the stream.
    source.addEventListener("open", refresh);
    source.addEventListener("transaction", note);
    source.addEventListener("reset", note);
    source.addEventListener("error", () => {
      // The browser reconnects by itself, but not after an answer that is not a stream.
      if (source.readyState === EventSource.CLOSED) reopening = window.setTimeout(open, REOPEN_MS);
    });
  };
  open();
  const polling = window.setInterval(() => {
    if (source.readyState !== EventSource.OPEN) refresh();
  }, POLL_MS);
  return () => {
    source.close();
    window.clearTimeout(gathering);
    window.clearTimeout(reopening);
    window.clearInterval(polling);
  };
}
