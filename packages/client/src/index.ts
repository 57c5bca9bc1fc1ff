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
 * @param baseUrl such as `https://api.example`, without the slash at its end; in a browser, or with a `fetch` of your own,
 * also a path of the page's server, such as `/coreswap`, or an empty text
 * @param options of `openapi-fetch`: `fetch`, headers and the like
 * @throws RangeError for anything else
 */
export function createClient(baseUrl: string, options: Omit<ClientOptions, "baseUrl"> = {}): CoreSwapClient {
  requireBaseUrl(baseUrl, options.fetch !== undefined || "location" in globalThis);
  return createFetchClient<paths>({ ...options, baseUrl });
}

/** Requests to another address would fail as those to a server that cannot be reached, which `followHistory` repeats. */
function requireBaseUrl(baseUrl: string, acceptsPaths: boolean): void {
  if (acceptsPaths && (baseUrl === "" || baseUrl.startsWith("/"))) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.username || url?.password) {
    throw new RangeError(
      "the base URL must have no user name or password, which `fetch` refuses: send a header instead",
    );
  }
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#\s]/.test(baseUrl)) {
    throw new RangeError(
      `"${baseUrl}" is not a base URL: expected a URL such as https://api.example without a query or, ` +
        "in a browser, a path that begins with a slash",
    );
  }
}
