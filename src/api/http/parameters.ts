/** Schemas of query parameters. Every message says what the parameter accepts. */
import { z } from "@hono/zod-openapi";
import { maxUint256 } from "viem";
import { parseTime, timeFault } from "../shared/time.ts";

/** Zod options that make the error of a refused parameter say what it accepts. */
function expecting(accepts: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? `required, accepts ${accepts}` : `accepts ${accepts}`,
  };
}

function textMatching(expression: RegExp, accepts: string) {
  return z.string(expecting(accepts)).regex(expression, expecting(accepts)).openapi({ description: accepts });
}

/** One of the given names, spelled exactly. */
export function choice<const Values extends readonly string[]>(values: Values) {
  const accepts = new Intl.ListFormat("en", { type: "disjunction", style: "long" })
    .format(values)
    .replace(", or ", " or ");
  return z.enum(values, expecting(accepts)).openapi({ description: accepts });
}

/** 0x-prefixed hex of a fixed length, in any case. Normalized to lower case. */
export function hexParameter(bytes: number, what: string) {
  return textMatching(
    new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`),
    `${what} (0x and ${2 * bytes} hex digits)`,
  ).transform((value) => value.toLowerCase() as `0x${string}`);
}

/** The name of a function of a contract, which need not exist. */
export function entrypointParameter() {
  return textMatching(
    /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/,
    "an exact Solidity function name: 1 to 64 letters, digits, _ or $, not starting with a digit",
  );
}

/** Rows per page, from 1. Parsed to a number. The handler applies the default. */
export function limitParameter(defaultLimit: number, maximum: number) {
  const accepts = `an integer from 1 to ${maximum}, by default ${defaultLimit}`;
  return z
    .string(expecting(accepts))
    .refine((text) => /^[1-9][0-9]*$/.test(text) && Number(text) <= maximum, expecting(accepts))
    .openapi({ description: accepts, type: "integer", minimum: 1, maximum, default: defaultLimit })
    .transform(Number);
}

/** A whole number from 0, in plain digits. Parsed to a number. */
export function wholeNumberParameter(maximum: number, what: string) {
  const accepts = `a whole number of ${what}, from 0 to ${maximum}`;
  return z
    .string(expecting(accepts))
    .refine((text) => /^(0|[1-9][0-9]*)$/.test(text) && Number(text) <= maximum, expecting(accepts))
    .openapi({ description: accepts, type: "integer", minimum: 0, maximum })
    .transform(Number);
}

/** An amount of a token, in plain digits. Parsed to a bigint. */
export function amountParameter(what: string) {
  const accepts = `an amount of ${what}: a whole number of smallest units, from 1 to 2^256 - 1`;
  return z
    .string(expecting(accepts))
    .refine((text) => /^[1-9][0-9]{0,77}$/.test(text) && BigInt(text) <= maxUint256, expecting(accepts))
    .openapi({ description: accepts, pattern: "^[1-9][0-9]{0,77}$" })
    .transform(BigInt);
}

/** Checks only the characters of a cursor; `decodeCursor` checks that it belongs to the request. */
export function cursorParameter() {
  return textMatching(/^[A-Za-z0-9_-]{1,64}$/, "nextCursor of the previous page, with the same network and filters");
}

/** Whole-second RFC 3339 time in UTC. Parsed to seconds since 1970. */
export function timeParameter(what: string) {
  const accepts = `a whole-second UTC time from 1970 to 9999, such as 2026-01-31T00:00:00Z (${what})`;
  return z
    .string(expecting(accepts))
    .superRefine((text, { addIssue }) => {
      const fault = timeFault(text);
      // An empty text is used to find out what the parameter accepts.
      if (fault !== null) addIssue({ code: "custom", message: `${text === "" ? "" : `${fault}, `}accepts ${accepts}` });
    })
    .openapi({ type: "string", format: "date-time", description: accepts, example: "2026-01-31T00:00:00Z" })
    .transform(parseTime);
}
