/** Answers and conditional requests (RFC 9110, section 13), based on the state from which an answer was made. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import type { ApiNetwork } from "../shared/networks.ts";
import type { NetworkState } from "../shared/state.ts";
import { API_VERSION } from "../shared/version.ts";
import { demandedBlock, MIN_INDEXED_BLOCK, requireBlock } from "./minIndexedBlock.ts";

const TAG_BYTES = 16;

/** How long other caches may reuse an answer. */
const CACHE_CONTROL = "public, max-age=1, must-revalidate";

/**
 * The same for an answer that contains its age. A cache may return it for another second while it fetches a newer one,
 * and for a minute if it gets none.
 */
const STALE_CACHE_CONTROL = "public, max-age=1, stale-while-revalidate=1, stale-if-error=60";

/** How the bodies of some answers are sent. */
interface Format<Body extends object> {
  readonly mediaType: string;
  /** Writes a body, and the headers of an answer with it. A 304 has none of these. */
  write(body: Body): { readonly text: string; readonly headers?: Readonly<Record<string, string>> };
}

const JSON_FORMAT: Format<object> = {
  mediaType: "application/json",
  write: (body) => ({ text: JSON.stringify(body) }),
};

/** A request to the API in normal form, and the source of its answer. */
export interface Question<Body extends object> {
  /** Path and normalized query, as `questionOf` writes them. Equal texts mean equal requests. */
  readonly text: string;
  /** By default JSON. */
  readonly format?: Format<Body>;
  /** Reads only the state, which is cheaper than the answer. Equal states give equal answers. */
  readState(): Promise<unknown>;
  /** Reads the answer and the state from which it was made, in one snapshot. */
  read(): Promise<{ readonly state: unknown; readonly body: Body }>;
}

/**
 * The state of an index from which an answer is made, or an object that contains it next to the versions of other data.
 */
type IndexState = NetworkState | { readonly state: NetworkState };

/** A question about one network, which is answered only if the index has the block that the request demands. */
interface NetworkQuestion<Body extends object> extends Question<Body> {
  readonly network: ApiNetwork;
  /** Whether it also reads a node. Caches may return an answer from the index alone while they get no newer one. */
  readonly readsNode: boolean;
  readState(): Promise<IndexState>;
  read(): Promise<{ readonly state: IndexState; readonly body: Body }>;
}

/**
 * Answers a question: 304 when the client's copy is current, and otherwise 200.
 * @throws Unavailable when the index lacks the block that the request demands
 */
export type Answer = <Body extends object>(
  c: Context,
  question: Question<Body> | NetworkQuestion<Body>,
) => Promise<Response>;

interface KeptAnswer {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Makes the function that answers every question. Answers are cached under the tag of their snapshot. When an answer is
 * cached, or the client has a copy or demands a block, the state is read first. If the tag is unchanged, nothing else
 * is read. Otherwise one statement reads the state and the answer.
 * @param maximumBytes limit for the cached answers with their questions, counting a character as a byte; beyond it, the
 * least recently used are dropped
 */
export function answersKeeping(maximumBytes: number): Answer {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: maximumBytes,
    sizeCalculation: ({ body, etag }, text) => text.length + etag.length + body.byteLength,
  });
  /** Answers for which a node is being asked, by the tag of the state if it was read, demanded block and question. */
  const running = new Map<string, Promise<KeptAnswer>>();
  const readAnswer = async <Body extends object>(
    { text, format = JSON_FORMAT }: Question<Body>,
    read: Question<Body>["read"],
  ): Promise<KeptAnswer> => {
    const { state, body } = await read();
    const { text: written, headers = {} } = format.write(body);
    const answer = { etag: etagOf(text, state), headers, body: Buffer.from(written) };
    kept.set(text, answer);
    return answer;
  };
  /**
   * Gives whoever asks meanwhile for the same state the same answer, because a node answers more slowly than the database,
   * and has limits.
   */
  const shared = (key: string, read: () => Promise<KeptAnswer>): Promise<KeptAnswer> => {
    const reading = running.get(key) ?? read().finally(() => running.delete(key));
    running.set(key, reading);
    return reading;
  };
  return async (c, question) => {
    const { text, format: { mediaType } = JSON_FORMAT } = question;
    const ofNetwork = "network" in question ? question : null;
    const readsNode = ofNetwork?.readsNode ?? false;
    const demanded = ofNetwork && demandedBlock(c);
    const { readState, read } = ofNetwork && demanded !== null ? demanding(demanded, ofNetwork) : question;
    const networkHeaders = ofNetwork ? headersOfNetwork(ofNetwork) : {};
    const known = kept.get(text);
    let tag = "";
    if (known !== undefined || demanded !== null || c.req.header("if-none-match") !== undefined) {
      const { isCurrent, etag, headers } = conditional(c, text, await readState(), mediaType);
      if (isCurrent) return c.body(null, 304, { ...headers, ...networkHeaders });
      if (known?.etag === etag) return c.body(known.body, 200, { ...headers, ...networkHeaders, ...known.headers });
      // A reading that began at an earlier state may lack what is in this one.
      tag = etag;
    }
    const answer = await (readsNode
      ? shared(`${tag} ${demanded ?? ""} ${text}`, () => readAnswer(question, read))
      : readAnswer(question, read));
    return c.body(answer.body, 200, {
      ...headersOf(answer.etag, mediaType),
      ...networkHeaders,
      ...answer.headers,
    });
  };
}

/** Wraps the readers of a question so that they refuse each state that lacks the block that the request demands. */
function demanding<Body extends object>(demanded: bigint, { network, readState, read }: NetworkQuestion<Body>) {
  const check = (state: IndexState) => {
    requireBlock(demanded, network, "state" in state ? state.state : state);
    return state;
  };
  return {
    readState: async () => check(await readState()),
    read: async () => {
      const reading = await read();
      check(reading.state);
      return reading;
    },
  };
}

/** A cache must not answer a request that demands a block with the answer to one that does not. */
function headersOfNetwork({ readsNode }: Pick<NetworkQuestion<object>, "readsNode">): Record<string, string> {
  return { Vary: MIN_INDEXED_BLOCK, ...(readsNode ? {} : { "Cache-Control": STALE_CACHE_CONTROL }) };
}

/**
 * Reads a body that serves as its own state, because it never changes, or must be built to determine whether it
 * changed.
 */
export function itself<Body extends object>(body: Body): Omit<Question<Body>, "text"> {
  return { readState: async () => body, read: async () => ({ state: body, body }) };
}

/** Writes the text of a question: a path and the given parameters, ordered by name. */
export function questionOf(
  path: string,
  parameters: Readonly<Record<string, string | number | bigint | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  query.sort();
  return `${path}?${query}`;
}

/**
 * Returns the tag of an answer made from a state, its headers, and whether the client's copy matches. The headers
 * include the media type even for a 304. Otherwise the HTTP server would add its default, which caches may adopt.
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

/** Returns a weak tag, because it does not identify the bytes of an answer. */
function etagOf(question: string, state: unknown): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([API_VERSION, question, state]))
    .digest();
  return `W/"${digest.subarray(0, TAG_BYTES).toString("base64url")}"`;
}

/** Compares weakly with an `If-None-Match` header. */
function matches(condition: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return condition.trim() === "*" || condition.split(",").some((tag) => opaque(tag) === opaque(etag));
}
