/** Answers, and conditional requests for them (RFC 9110, section 13), by the state that an answer was made from. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { API_VERSION } from "../shared/version.ts";

const TAG_BYTES = 16;

/** How old an answer may be in the caches of others. */
const CACHE_CONTROL = "max-age=1";

const JSON_TYPE = "application/json";

/** A question to the API, and where its answer comes from. */
export interface Question<Body extends object> {
  /** Path and normalized query, as `questionOf` writes them: the same text asks the same. */
  readonly text: string;
  /** The state alone, cheaper than the answer. Equal states give equal answers. */
  readState(): Promise<unknown>;
  /** The answer with the state that it was made from, both of one snapshot. */
  read(): Promise<{ readonly state: unknown; readonly body: Body }>;
}

/** Answers a question with JSON: 304 when the copy that the client names is current, else 200. */
export type Answer = <Body extends object>(c: Context, question: Question<Body>) => Promise<Response>;

interface KeptAnswer {
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Makes the way in which every question is answered. Answers are kept under the tag of their snapshot. When one is kept,
 * or the client has a copy, the state is read first: a tag that is still the same needs no other reading. Else one
 * reading gives state and answer.
 * @param maximumBytes of the answers kept, with their questions, a character counted as a byte; beyond it, those asked
 * for longest ago are forgotten
 */
export function answersKeeping(maximumBytes: number): Answer {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: maximumBytes,
    sizeCalculation: ({ body, etag }, text) => text.length + etag.length + body.byteLength,
  });
  return async (c, { text, readState, read }) => {
    const known = kept.get(text);
    if (known !== undefined || c.req.header("if-none-match") !== undefined) {
      const { isCurrent, etag, headers } = conditional(c, text, await readState(), JSON_TYPE);
      if (isCurrent) return c.body(null, 304, headers);
      if (known?.etag === etag) return c.body(known.body, 200, headers);
    }
    const { state, body } = await read();
    const answer: KeptAnswer = { etag: etagOf(text, state), body: Buffer.from(JSON.stringify(body)) };
    kept.set(text, answer);
    return c.body(answer.body, 200, headersOf(answer.etag, JSON_TYPE));
  };
}

/** Reads a body that is its own state: one that never changes, or that is made before it is known whether it did. */
export function itself<Body extends object>(body: Body): Omit<Question<Body>, "text"> {
  return { readState: async () => body, read: async () => ({ state: body, body }) };
}

/** The text of a question: a path, and the parameters that are given, in the order of their names. */
export function questionOf(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  query.sort();
  return `${path}?${query}`;
}

/**
 * The tag of an answer made from a state, its headers, and whether the client's copy is of the same. The headers hold
 * the media type for a 304 too: the HTTP server would else put in its default, which caches may take over.
 */
export function conditional(c: Context, question: string, state: unknown, contentType: string) {
  const etag = etagOf(question, state);
  return {
    etag,
    isCurrent: matches(c.req.header("if-none-match") ?? "", etag),
    headers: headersOf(etag, contentType),
  };
}

function headersOf(etag: string, contentType: string): Record<string, string> {
  return { ETag: etag, "Cache-Control": CACHE_CONTROL, "Content-Type": contentType };
}

/** Weak, because it says nothing of the bytes of an answer. */
function etagOf(question: string, state: unknown): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([API_VERSION, question, state]))
    .digest();
  return `W/"${digest.subarray(0, TAG_BYTES).toString("base64url")}"`;
}

/** Weak comparison with an `If-None-Match` header. */
function matches(condition: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return condition.trim() === "*" || condition.split(",").some((tag) => opaque(tag) === opaque(etag));
}
