/** Reads query strings strictly: every parameter is known, given once and not empty, and every escape is valid. */
import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { BadRequest } from "./errors.ts";

/** Longest part of a client's text that an error message repeats. */
const ECHO_LENGTH = 64;

/**
 * Checks the raw query string of a URL (without `?`) against the accepted names and returns the decoded values. `+` and
 * `%20` both mean a space, as in HTML forms. Empty parts between `&` are ignored.
 * @param acceptedBy returns what a parameter accepts: "accepts …"
 * @throws BadRequest naming the parameter and what it accepts
 */
export function parseQueryString(
  raw: string,
  accepted: readonly string[],
  acceptedBy: (name: string) => string,
): Map<string, string> {
  const refusal = (name: string, fault: string) => new BadRequest(`${name}: ${fault}, ${acceptedBy(name)}`);
  const values = new Map<string, string>();
  for (const part of raw.split("&")) {
    if (part === "") continue;
    const separator = part.indexOf("=");
    const rawName = separator < 0 ? part : part.slice(0, separator);
    const name = decode(rawName);
    if (name === null) throw new BadRequest(`${echo(rawName)}: invalid percent-encoding; ${listOf(accepted)}`);
    if (!accepted.includes(name)) throw new BadRequest(`${echo(name)}: unknown parameter; ${listOf(accepted)}`);
    if (values.has(name)) throw refusal(name, "given more than once");
    const value = separator < 0 ? "" : decode(part.slice(separator + 1));
    if (value === null) throw refusal(name, "invalid percent-encoding");
    if (value === "") throw refusal(name, "empty");
    values.set(name, value);
  }
  return values;
}

/** Refuses a request with a malformed query string before any other work. */
export function strictQuery(query: z.ZodObject): MiddlewareHandler {
  return async (c, next) => {
    parseQuery(c.req.url, query);
    await next();
  };
}

/** Returns the error that tells a client which parameters a schema refused, and what they accept. */
export function refusalOf({ issues }: Pick<z.ZodError, "issues">): BadRequest {
  return new BadRequest(issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}

function parseQuery(url: string, { shape }: z.ZodObject): Map<string, string> {
  // No parameter accepts an empty text, so parsing one returns what the parameter accepts.
  const acceptedBy = (name: string) => shape[name]?.safeParse("").error?.issues[0]?.message ?? "accepts a text";
  return parseQueryString(rawQuery(url), Object.keys(shape), acceptedBy);
}

function rawQuery(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : (url.slice(start + 1).split("#", 1)[0] ?? "");
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null; // It throws only on a malformed escape.
  }
}

function echo(text: string): string {
  return JSON.stringify(text.length > ECHO_LENGTH ? `${text.slice(0, ECHO_LENGTH)}…` : text);
}

function listOf(accepted: readonly string[]): string {
  return accepted.length === 0 ? "no parameters are accepted" : `accepted are ${accepted.join(", ")}`;
}
