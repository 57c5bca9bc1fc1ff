/** Typed client of the CoreSwap REST API. Paths, parameters and answers are those of its OpenAPI document. */
import createFetchClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.ts";

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

/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(`${status}: ${message}`);
    this.status = status;
  }
}

type PageQuery = paths["/v1/transactions"]["get"]["parameters"]["query"];
type HistoryQuery = Omit<PageQuery, "cursor">;

/**
 * All transactions that satisfy the filters, newest first, page after page.
 * @throws ApiError when the API refuses the query or fails
 */
export async function* allTransactions(
  client: CoreSwapClient,
  query: HistoryQuery,
): AsyncGenerator<Schemas["Transaction"], void> {
  let cursor: string | null = null;
  do {
    const page: Schemas["TransactionHistory"] = await pageOf(client, cursor === null ? query : { ...query, cursor });
    yield* page.transactions;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function pageOf(client: CoreSwapClient, query: PageQuery): Promise<Schemas["TransactionHistory"]> {
  const { data, error, response } = await client.GET("/v1/transactions", { params: { query } });
  if (data !== undefined) return data;
  throw new ApiError(response.status, error.error);
}
