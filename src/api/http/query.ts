/** Strict reading of query strings: every parameter known, given once and not empty, every escape valid. */
import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { BadRequest } from "./errors.ts";

/** Longest part of a client's text that an error message repeats. */
const ECHO_LENGTH = 64;

/**
 * Checks the raw query string of a URL (without `?`) against the names accepted and returns the decoded values.
 * `+` and `%20` both stand for a space, as in HTML forms; empty parts between `&` are no parameters.
 * @throws BadRequest naming the parameter
 */
export function parseQueryString(raw: string, accepted: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of raw.split("&")) {
    if (part === "") continue;
    const separator = part.indexOf("=");
    const rawName = separator < 0 ? part : part.slice(0, separator);
    const name = decode(rawName);
    if (name === null) throw new BadRequest(`${echo(rawName)}: invalid percent-encoding; ${listOf(accepted)}`);
    if (!accepted.includes(name)) throw new BadRequest(`${echo(name)}: unknown parameter; ${listOf(accepted)}`);
    if (values.has(name)) throw new BadRequest(`${name}: accepts one value, given more than once`);
    const value = separator < 0 ? "" : decode(part.slice(separator + 1));
    if (value === null) throw new BadRequest(`${name}: invalid percent-encoding, accepts UTF-8 with %XX escapes`);
    if (value === "") throw new BadRequest(`${name}: empty, leave it out or give it a value`);
    values.set(name, value);
  }
  return values;
}

/** Refuses a request whose query string is malformed, before anything else is done with it. */
export function strictQuery(accepted: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    parseQueryString(rawQuery(c.req.url), accepted);
    await next();
  };
}

/**
 * Reads the query string of a URL by a schema.
 * @throws BadRequest naming the parameter and what it accepts
 */
export function readQuery<Query extends z.ZodObject>(url: string, query: Query): z.output<Query> {
  const parsed = query.safeParse(Object.fromEntries(parseQueryString(rawQuery(url), Object.keys(query.shape))));
  if (!parsed.success) throw refusalOf(parsed.error);
  return parsed.data;
}

/** The error by which a client learns which parameters a schema refused, and what they accept. */
export function refusalOf({ issues }: Pick<z.ZodError, "issues">): BadRequest {
  return new BadRequest(issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}

function rawQuery(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : (url.slice(start + 1).split("#", 1)[0] ?? "");
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null; // The one error it knows: a malformed escape.
  }
}

function echo(text: string): string {
  return JSON.stringify(text.length > ECHO_LENGTH ? `${text.slice(0, ECHO_LENGTH)}…` : text);
}

function listOf(accepted: readonly string[]): string {
  return accepted.length === 0 ? "no parameters are accepted" : `accepted are ${accepted.join(", ")}`;
}
