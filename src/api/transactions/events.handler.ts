import type { RouteHandler } from "@hono/zod-openapi";
import { exchangeOf } from "../http/client.ts";
import type { ClientOf } from "../http/rateLimit.ts";
import { slots } from "../http/slots.ts";
import type { eventsRoute } from "./events.route.ts";
import { type EventStreams, parseEventId } from "./events.ts";

/**
 * A stream costs a connection and little else. A browser needs one for all its pages, but an office behind one address
 * needs many.
 */
const STREAM_LIMITS = { total: 1_000, perClient: 100 };
const RETRY_AFTER_SECONDS = 30;

const HEADERS = {
  "Content-Type": "text/event-stream",
  // A proxy that compresses or buffers would delay events.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** What event streams need in addition to what every feature receives. */
export interface EventsOptions {
  readonly events: EventStreams;
  readonly clientOf: ClientOf;
}

/** Answers `/v1/events`: the changes of a network's history, as they happen. */
export function eventsHandler({ events, clientOf }: EventsOptions): RouteHandler<typeof eventsRoute> {
  const takeSlot = slots("event streams", STREAM_LIMITS, RETRY_AFTER_SECONDS);
  return async (c) => {
    const { network } = c.req.valid("query");
    const lastEventId = c.req.header("last-event-id") || null;
    const seen = lastEventId === null ? null : parseEventId(lastEventId);
    const release = takeSlot(clientOf(c));
    try {
      const body = await events.open(network, { seen, connection: exchangeOf(c)?.incoming.socket, onEnd: release });
      if (c.req.method !== "HEAD") return c.body(body, 200, HEADERS);
      // Refused as GET would be, but without the stream.
      await body.cancel();
      return c.body(null, 200, HEADERS);
    } catch (error) {
      // A network that is off is refused before there is a stream that could end.
      release();
      throw error;
    }
  };
}
