import { fallback, http, type Transport } from "viem";

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Checks how many requests a second a node grants, which Ponder's patch reads from the environment by itself.
 * @throws Error unless it is unset or a number from 1
 */
export function verifyRequestRate(env: NodeJS.ProcessEnv = process.env): void {
  const rate = env.PONDER_RPC_REQUESTS_PER_SECOND;
  if (rate && !/^[1-9]\d{0,5}$/.test(rate)) {
    throw new Error(`PONDER_RPC_REQUESTS_PER_SECOND is "${rate}", expected a number of requests from 1 to 999999`);
  }
}

/**
 * One viem transport over the RPC URLs of a network: requests go to the first URL and to the next when it fails.
 *
 * Ponder, handed an array, would spread requests over all of them, and a node one block behind would look like a
 * reorganization. Retries are left to Ponder. URLs carry keys, so no error that leaves here contains one.
 */
export function rpcTransport(urls: readonly string[]): Transport {
  const failover = fallback(
    // A range of blocks with many legs answers with more than the 10 MiB that viem allows, and Ponder, which asks for a
    // smaller range when the node refuses one, does not take viem's refusal for that: indexing would end there.
    urls.map((url) => http(url, { retryCount: 0, timeout: REQUEST_TIMEOUT_MS, maxResponseBodySize: false })),
    { retryCount: 0 },
  );
  return (parameters) => {
    const transport = failover(parameters);
    // The cast keeps viem's generic request signature, which a wrapper function cannot restate.
    const request = (async (...args: Parameters<typeof transport.request>) => {
      try {
        return await transport.request(...args);
      } catch (error) {
        throw redactUrls(error, urls);
      }
    }) as typeof transport.request;
    return { ...transport, request };
  };
}

/**
 * Replaces every RPC URL in the texts of an error and its causes. The error object stays the same, because Ponder
 * tells rate limits and range limits apart by class and status.
 */
function redactUrls(error: unknown, urls: readonly string[]): unknown {
  const secrets = urls.flatMap((url) => [url, new URL(url).href]);
  const clean = (text: string) => secrets.reduce((result, secret) => result.replaceAll(secret, "<RPC URL>"), text);
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    for (const key of Object.getOwnPropertyNames(current)) {
      const value: unknown = Reflect.get(current, key);
      if (typeof value === "string") Reflect.set(current, key, clean(value));
      else if (Array.isArray(value)) {
        Reflect.set(
          current,
          key,
          value.map((item: unknown) => (typeof item === "string" ? clean(item) : item)),
        );
      }
    }
  }
  return error;
}
