/** Conditional requests (RFC 9110, section 13) over the state that an answer was made from, not over its bytes. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { API_VERSION } from "../version.ts";
import { stringifyJson } from "./json.ts";

const TAG_BYTES = 16;

/** How old a cached answer may be. */
const CACHE_CONTROL = "max-age=1";

const JSON_TYPE = "application/json";

/** An answer with the state that it was made from, both of one database snapshot. */
interface Snapshot<Body> {
  readonly state: unknown;
  readonly body: Body;
}

/** An answer as it is sent. */
export interface Rendering {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where an answer comes from. */
export interface AnswerSource<Answer> {
  /** What was asked for: path and normalized query. */
  readonly key: readonly unknown[];
  /** The state alone, cheaper than the answer. */
  readState(): Promise<unknown>;
  read(): Promise<Answer>;
}

/**
 * Answers 304 when the client's copy is current, else 200 with the body. Equal states give equal bodies; the tag is
 * weak only because it says nothing of their bytes.
 */
export function answer<Body extends object>(c: Context, source: AnswerSource<Snapshot<Body>>): Promise<Response> {
  const { key } = source;
  return answerRendered(c, { ...source, read: async () => render(key, await source.read()) });
}

/** Like `answer`, for a source that renders its answers itself and may have them already. */
export async function answerRendered(c: Context, source: AnswerSource<Rendering>): Promise<Response> {
  if (c.req.header("if-none-match") !== undefined) {
    const { isCurrent, headers } = conditional(c, source.key, await source.readState(), JSON_TYPE);
    if (isCurrent) return c.body(null, 304, headers);
  }
  const { body, headers } = await source.read();
  return c.body(body, 200, headers);
}

/** An answer as JSON text, with the headers of a 200. */
export function render<Body extends object>(key: readonly unknown[], { state, body }: Snapshot<Body>): Rendering {
  return { body: stringifyJson(body), headers: headersOf(weakETag(key, state), JSON_TYPE) };
}

/**
 * Headers of an answer made from a state, and whether the client's copy is of the same. They hold the media type for a
 * 304 too: the HTTP server would else put in its default, which caches may take over.
 */
export function conditional(c: Context, key: readonly unknown[], state: unknown, contentType: string) {
  const etag = weakETag(key, state);
  return { isCurrent: matches(c.req.header("if-none-match") ?? "", etag), headers: headersOf(etag, contentType) };
}

/** Answers with a body that stays the same while the process runs. */
export function constantAnswer<Body extends object>(c: Context, key: readonly unknown[], body: Body) {
  const snapshot = { state: body, body };
  return answer(c, { key, readState: async () => snapshot.state, read: async () => snapshot });
}

function headersOf(etag: string, contentType: string): Record<string, string> {
  return { ETag: etag, "Cache-Control": CACHE_CONTROL, "Content-Type": contentType };
}

function weakETag(key: readonly unknown[], state: unknown): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([API_VERSION, key, state]))
    .digest();
  return `W/"${digest.subarray(0, TAG_BYTES).toString("base64url")}"`;
}

/** Weak comparison with an `If-None-Match` header. */
function matches(condition: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return condition.trim() === "*" || condition.split(",").some((tag) => opaque(tag) === opaque(etag));
}
