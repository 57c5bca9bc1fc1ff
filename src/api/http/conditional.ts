/** Conditional requests (RFC 9110, section 13) over the state that an answer was made from, not over its bytes. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { API_VERSION } from "../version.ts";
import { stringifyJson } from "./json.ts";

const TAG_BYTES = 16;

/** How old a cached answer may be. */
const CACHE_CONTROL = "max-age=1";

/** An answer with the state that it was made from, both of one database snapshot. */
export interface Snapshot<Body> {
  readonly state: unknown;
  readonly body: Body;
}

export interface AnswerSource<Body> {
  /** Path and normalised query: what was asked for. */
  readonly key: readonly unknown[];
  /** The state alone, cheaper than the answer. */
  readState(): Promise<unknown>;
  /** May give a snapshot again, for the same key, which is then neither written nor digested anew. */
  read(): Promise<Snapshot<Body>>;
}

/**
 * Answers 304 when the client's copy is current, else 200 with the body. Equal states give equal bodies, so
 * the tag is weak only in that it says nothing of their bytes.
 */
export async function answer<Body extends object>(c: Context, source: AnswerSource<Body>): Promise<Response> {
  if (c.req.header("if-none-match") !== undefined) {
    const { isCurrent, headers } = conditional(c, source.key, await source.readState());
    if (isCurrent) return c.body(null, 304, headers);
  }
  const { text, headers } = rendered(source.key, await source.read());
  return c.body(text, 200, headers);
}

interface Rendering {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** By snapshot, of which a source may give the same one again, to the same question. */
const renderings = new WeakMap<object, Rendering>();

function rendered<Body extends object>(key: readonly unknown[], snapshot: Snapshot<Body>): Rendering {
  const known = renderings.get(snapshot);
  if (known !== undefined) return known;
  const rendering = {
    text: stringifyJson(snapshot.body),
    headers: { ...headersOf(weakETag(key, snapshot.state)), "Content-Type": "application/json" },
  };
  renderings.set(snapshot, rendering);
  return rendering;
}

/** Headers of an answer made from a state, and whether the client's copy is of the same. */
export function conditional(c: Context, key: readonly unknown[], state: unknown) {
  const etag = weakETag(key, state);
  return { isCurrent: matches(c.req.header("if-none-match") ?? "", etag), headers: headersOf(etag) };
}

/** For answers that change with nothing but the process. */
export function constantAnswer<Body extends object>(c: Context, key: readonly unknown[], body: Body) {
  const snapshot = { state: body, body };
  return answer(c, { key, readState: async () => snapshot.state, read: async () => snapshot });
}

function headersOf(etag: string): Record<string, string> {
  return { ETag: etag, "Cache-Control": CACHE_CONTROL };
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
