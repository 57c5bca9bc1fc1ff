import { createRoute, z } from "@hono/zod-openapi";
import {
  choice,
  cursorParameter,
  entrypointParameter,
  hexParameter,
  limitParameter,
  timeParameter,
} from "../http/parameters.ts";
import { strictQuery } from "../http/queryString.ts";
import { networkRoute, notModified, refusals } from "../http/route.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { CSV_COLUMNS } from "./csv.ts";
import { MAXIMUM_LIMIT } from "./query.ts";
import { historyAnswer } from "./schema.ts";

/** Transactions per page when a request names no limit. */
export const DEFAULT_LIMIT = 50;

/** Maximum number of transactions in one CSV file. */
export const MAXIMUM_CSV_TRANSACTIONS = 100_000;

const filteredQuery = z.object({
  network: choice(API_NETWORKS),
  wallet: hexParameter(20, "the sender, or the user, operator, receiver or allowlist wallet of an activity").optional(),
  outcome: choice(["success", "revert"]).optional(),
  activity: choice(["swap", "allowlist"]).optional(),
  entrypoint: entrypointParameter().optional(),
  transactionHash: hexParameter(32, "a transaction hash").optional(),
  cursor: cursorParameter().optional(),
});

/** `GET /v1/transactions` */
export const transactionsRoute = networkRoute({
  path: "/v1/transactions",
  operationId: "getTransactions",
  tag: "history",
  summary: "Transaction history of a network",
  description:
    "Canonical economic transactions, newest first. Filters are conditions on the transaction, joined by AND. " +
    "`success` is the execution status of the receipt; rows above `indexedThroughBlock` can still change. A page with " +
    "long reverted calls has fewer transactions than `limit`: `nextCursor` alone says whether older ones match.",
  query: filteredQuery.extend({ limit: limitParameter(DEFAULT_LIMIT, MAXIMUM_LIMIT).optional() }),
  answer: historyAnswer,
});

const fileQuery = filteredQuery.extend({
  from: timeParameter("inclusive lower bound, by default there is none").optional(),
  to: timeParameter("exclusive upper bound, by default there is none").optional(),
});

/** `GET /v1/transactions.csv` */
export const transactionsCsvRoute = createRoute({
  method: "get",
  path: "/v1/transactions.csv",
  operationId: "getTransactionsCsv",
  tags: ["history" as const],
  summary: "Transaction history of a network as a CSV file",
  description:
    "The final part of the history, newest first: transactions at or below `indexedThroughBlock`. Filters are the same; " +
    "`from` and `to` limit the block timestamps to [from, to), of any length. " +
    "The file has one row per activity; a transaction without activities has one row, in which those columns are " +
    `empty. It has at most ${MAXIMUM_CSV_TRANSACTIONS} transactions; if older ones match, \`nextCursor\` of the last ` +
    "row is the `cursor` of the next file. RFC 4180, UTF-8, with the header row " +
    `\`${CSV_COLUMNS.join(",")}\`. Values are those of \`/v1/transactions\`. ` +
    "If a file cannot be completed, its transfer breaks off. The number of files sent at once is limited, per client " +
    "and in total: beyond it the response is a 429.",
  request: { query: fileQuery },
  middleware: strictQuery(fileQuery),
  responses: {
    ...refusals,
    304: notModified,
    429: {
      ...refusals[429],
      description:
        "Too many files at once, for this client or in total; or too many requests from this client within a minute",
    },
    200: {
      description: "The file",
      headers: z.object({
        ETag: z.string().openapi({
          description: "Weak tag of the file, which changes with the index and as more blocks become final",
        }),
        "Indexed-Through-Block": z.string().optional().openapi({
          description: "Last block that the file covers; absent before any block is final",
          example: "21000000",
        }),
        "Range-Final": z
          .enum(["true", "false"])
          .optional()
          .openapi({
            description:
              "Whether every block before `to` is final; `false` if transactions of the range can still be added to the " +
              "file, whose name then ends with `-not-final`; absent without `to`",
            example: "true",
          }),
      }),
      content: { "text/csv": { schema: z.string() } },
    },
  },
});
