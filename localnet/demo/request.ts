/** Requests to the API of the demo. */

const TIMEOUT_MS = 10_000;

/** Sends a GET request. */
export function ask(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/**
 * Sends a GET request and returns the body of its answer.
 * @throws Error when the answer is not 200
 */
export async function getText(url: string): Promise<string> {
  const response = await ask(url);
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${body}`);
  return body;
}
