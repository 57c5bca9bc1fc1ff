/** Requests to the API that served this page. */
import { ApiError, createClient } from "@coreswap/client";

export type { Schemas } from "@coreswap/client";
export { ApiError } from "@coreswap/client";

/**
 * The browser asks whether its copy is current each time, which a 304 answers. Without that, a request made right after
 * an event could show the answer of before it, which the browser may reuse for two seconds.
 */
export const api = createClient("", { cache: "no-cache" });

/**
 * The data of an answer.
 * @throws ApiError with the API's error message
 */
export async function dataOf<Data>(
  answering: Promise<{ data?: Data; error?: object | undefined; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await answering;
  if (data !== undefined) return data;
  throw new ApiError(response.status, messageOf(error) ?? response.statusText);
}

/** The message in the body of an error. */
function messageOf(error: object | undefined): string | undefined {
  return error !== undefined && "error" in error && typeof error.error === "string" ? error.error : undefined;
}
