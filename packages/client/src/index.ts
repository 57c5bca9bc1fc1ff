/** Typed client of the CoreSwap REST API. Paths, parameters and answers are those of its OpenAPI document. */
import createFetchClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.ts";

export { ApiError, apiErrorOf } from "./apiError.ts";
export { eventIdOf } from "./eventId.ts";
export { type FollowOptions, followHistory, type HistoryEvent } from "./events.ts";
export { allTransactions, ChangingHistoryError } from "./history.ts";

/** Names of the document's schemas, such as `Schemas["Transaction"]`. */
export type Schemas = components["schemas"];

export type CoreSwapClient = Client<paths>;

/**
 * A client of the API at a base URL.
 * @param baseUrl such as `https://api.example`, without the slash at its end
 * @param options of `openapi-fetch`: `fetch`, headers and the like
 */
export function createClient(baseUrl: string, options: Omit<ClientOptions, "baseUrl"> = {}): CoreSwapClient {
  return createFetchClient<paths>({ ...options, baseUrl });
}
