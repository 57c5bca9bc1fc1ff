/** Keys for clients to whom the operator grants another limit. They protect nothing else: every answer is public. */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Context } from "hono";
import { Unauthorized } from "./errors.ts";

/** A key that the operator has given to a client. */
interface ApiKey {
  /** Tells the client apart from others, within limits. */
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. */
  readonly digest: Uint8Array;
  /** Requests per minute, in place of each limit that is on. */
  readonly requestsPerMinute: number;
}

/** The key that a request sends; null if it sends none. Throws Unauthorized for a key that nobody was given. */
export type KeyOf = (c: Context) => ApiKey | null;

const LINE = /^([A-Za-z0-9._-]{1,64}) ([0-9a-f]{64}) ([1-9][0-9]{0,5})$/;

/**
 * Reads a file of keys.
 * @throws Error naming the variable and what is wrong
 */
export function readApiKeys(path: string): ApiKey[] {
  try {
    return parseApiKeys(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`API_KEYS_FILE: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Parses lines of `<name> <SHA-256 of the key in hex> <requests per minute>`. Empty lines, and those that begin with #,
 * are ignored.
 * @throws Error naming the number of the first wrong line, but not its text, which may be a key
 */
export function parseApiKeys(text: string): ApiKey[] {
  const keys: ApiKey[] = [];
  const taken = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", digest = "", requests] = LINE.exec(line) ?? [];
    if (requests === undefined) {
      throw new Error(
        `line ${index + 1}: expected a name of letters, digits and "._-", the SHA-256 of a key in 64 lower-case ` +
          "hexadecimal digits, and a whole number from 1 to 999999, each after one space",
      );
    }
    if (taken.has(name) || taken.has(digest)) throw new Error(`line ${index + 1}: its name or key is already in use`);
    taken.add(name).add(digest);
    keys.push({ name, digest: Buffer.from(digest, "hex"), requestsPerMinute: Number(requests) });
  }
  return keys;
}

/** Finds the key that a request sends as `Authorization: Bearer <key>`; another scheme is not a key. */
export function keyByBearer(keys: readonly ApiKey[]): KeyOf {
  return (c) => {
    const [scheme = "", ...rest] = (c.req.header("Authorization") ?? "").split(" ");
    return scheme.toLowerCase() === "bearer" ? knownKey(keys, rest.join(" ").trim()) : null;
  };
}

function knownKey(keys: readonly ApiKey[], sent: string): ApiKey {
  const digest = createHash("sha256").update(sent).digest();
  // Every key is compared in full, so that the time taken does not tell how much of one is right.
  const [key] = keys.filter((candidate) => timingSafeEqual(candidate.digest, digest));
  if (key === undefined) throw new Unauthorized("unknown key in Authorization");
  return key;
}
