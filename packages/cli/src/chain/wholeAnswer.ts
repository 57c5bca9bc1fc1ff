/** Fetches answers to their last byte within a time and a size, however a server delays or extends them. */
import { Failure } from "../failure.ts";

/**
 * Fetches like `fetch`, and returns when the whole body is here. viem's time-out covers what this returns, and would not
 * cover a body that is read later.
 * @param init the signal also ends the wait for the body
 * @throws the reason of the signal, Failure if the body is too long, and the errors of `fetch`
 */
export async function fetchWhole(
  url: string | URL | Request,
  init: RequestInit & { readonly signal: AbortSignal },
  maxBytes: number,
): Promise<Response> {
  const { signal } = init;
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > maxBytes) throw new Failure(`it has more than ${maxBytes} bytes`);
      chunks.push(value);
    }
    signal.throwIfAborted();
    return new Response(Buffer.concat(chunks), response);
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
