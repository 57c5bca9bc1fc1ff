import { createRoute, z } from "@hono/zod-openapi";
import { choice } from "../http/parameters.ts";
import { strictQuery } from "../http/queryString.ts";
import { refusals } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { parseEventId } from "./events.ts";

const query = z.object({ network: choice(API_NETWORKS) });

/** Browsers send an empty one, too. */
const headers = z.object({
  "Last-Event-ID": z
    .string()
    .refine((text) => text === "" || parseEventId(text) !== null, {
      error: "accepts the id of an event of this stream",
    })
    .optional()
    .openapi({ description: "`id` of the last event that was handled", example: "21000000-0123456789abcdef-7" }),
});

/** `GET /v1/events` */
export const eventsRoute = createRoute({
  method: "get",
  path: "/v1/events",
  operationId: "getEvents",
  tags: ["history" as const],
  summary: "New transactions of a network as server-sent events",
  description:
    "A stream that begins with the next change of the history. An event `transaction` holds a transaction as " +
    "`/v1/transactions` shows it, in the order of the chain. An event `reset` holds `fromBlock`: discard what you have " +
    "of that block and later ones, and read it from `/v1/transactions`; events that follow are newer or replace it. It " +
    "is sent when blocks were taken back, when more than 500 transactions, or fewer large ones, arrived at once, and, " +
    "for all blocks, when another index is put in place. An event `position` has only an `id`. An `id` names a block and the index of a " +
    "transaction in it, not that of a log, because a reverted call has no logs. To continue after an interruption, send " +
    "the last `id` in the header `Last-Event-ID`, as browsers do. A client that reads too slowly is disconnected. A " +
    "comment is sent every 15 seconds.",
  request: { query, headers },
  middleware: strictQuery(query),
  responses: {
    ...refusals,
    200: { description: "The stream", content: { "text/event-stream": { schema: z.string() } } },
  },
});
