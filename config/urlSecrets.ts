/** Takes the secrets of URLs out of errors: keys in paths and queries, user names and passwords. */

/** What is put in the place of a URL and of each of its parts. */
const HIDDEN = "<RPC URL>";

/** A shorter part is not a key. It may be a word that occurs in messages, such as "v2" or "mainnet". */
const SHORTEST_PART = 8;

/**
 * Replaces URLs and their parts in the texts of an error and of everything below it. A node's answer can hold a part of
 * the URL alone, such as "Cannot POST /v2/<key>", and viem removes the password from a URL before it prints the rest.
 * The error object stays the same, because Ponder recognizes rate limits and range limits by class and status.
 */
export function hideUrls(error: unknown, urls: readonly string[]): unknown {
  return replaceTexts(error, textHider(urls), new Set());
}

/** Returns a function that replaces the URLs and their parts in a text. */
export function textHider(urls: readonly string[]): (text: string) => string {
  // The longest first, so that a whole URL is replaced at once.
  const secrets = [...new Set(urls.flatMap(secretsOf))].sort((left, right) => right.length - left.length);
  return (text) => secrets.reduce((result, secret) => result.replaceAll(secret, HIDDEN), text);
}

function secretsOf(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [url];
  const { href, pathname, search, searchParams } = parsed;
  const [username, password] = [decoded(parsed.username), decoded(parsed.password)];
  parsed.username = "";
  parsed.password = "";
  const parts = [username, password, `${username}:${password}`, ...pathname.split("/").map(decoded)];
  const forms = [...parts, ...searchParams.values()].flatMap((part) => [part, encodeURIComponent(part), base64(part)]);
  return [
    ...[url, href, parsed.href],
    ...[pathname + search, pathname, ...pathname.split("/"), ...forms].filter((part) => part.length >= SHORTEST_PART),
  ];
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function replaceTexts(value: unknown, hide: (text: string) => string, seen: Set<object>): unknown {
  if (typeof value === "string") return hide(value);
  if (!isSearched(value) || seen.has(value)) return value;
  seen.add(value);
  // Not every property of an error is enumerable, such as its message. One that cannot be set stays.
  for (const key of Object.getOwnPropertyNames(value)) {
    const before: unknown = Reflect.get(value, key);
    const after = replaceTexts(before, hide, seen);
    if (after !== before) Reflect.set(value, key, after);
  }
  return value;
}

/** Errors, and the plain objects that clients attach to them. */
function isSearched(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof Error || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
