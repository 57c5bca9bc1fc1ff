/** Seeded requests composed of the pieces, with the known properties of their answers. */
import type { Random } from "../../localnet/random.ts";
import { BROKEN_ESCAPES, ENDPOINTS, type Endpoint, HOSTILE, KINDS, type Kind, QUERYLESS } from "./pieces.ts";

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when each value is valid, so that the answer depends on their combination. */
  readonly expectedStatus: 200 | 400 | 404 | 405 | null;
  /**
   * The canonical form of the request: endpoint and decoded parameters, ordered by name, with hex in lower case. Null
   * for a request that does not read an endpoint.
   */
  readonly meaning: string | null;
  readonly endpoint: Endpoint | null;
  /** Decoded parameters. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Values in addition to those of the pieces, such as addresses that occur in the data, and cursors from answers. */
export type MoreValues = Readonly<Partial<Record<Kind, readonly string[]>>>;

const METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;
const PATHS = [
  "/v1",
  "/v1/",
  "//",
  "/v1/info/",
  "//v1/info",
  "/v1//volume",
  "/V1/volume",
  "/v1/volumes",
  "/v2/info",
  "/%00",
  "/%zz",
  "/.env",
  "/docs/x",
];
const NO_HEADERS = {};
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "If-None-Match": '"x"' },
  { "If-None-Match": 'W/"", *x, ,' },
  { "Accept-Encoding": "gzip, br;q=0" },
  { Accept: "application/xml" },
  { "X-Forwarded-For": "1.2.3.4", Range: "bytes=0-1" },
  { "X-HTTP-Method-Override": "DELETE", Cookie: "a=b" },
];

export function fuzzRequest(random: Random, more: MoreValues): FuzzRequest {
  const headers = random.integer(1, 4) === 1 ? random.pick(HEADERS) : NO_HEADERS;
  const shape = random.integer(1, 100);
  const elsewhere = { headers, meaning: null, endpoint: null, parameters: {} };
  if (shape <= 4) return { ...elsewhere, method: "GET", path: random.pick(PATHS) + query(random), expectedStatus: 404 };
  if (shape <= 8)
    return { ...elsewhere, method: "GET", path: random.pick(QUERYLESS) + query(random), expectedStatus: 200 };
  const endpoint = random.pick(ENDPOINTS);
  if (shape <= 12)
    return { ...elsewhere, method: random.pick(METHODS), path: endpoint.path + query(random), expectedStatus: 405 };
  return { ...readingOf(random, endpoint, more), method: shape <= 16 ? "HEAD" : "GET", headers, endpoint };
}

/** Any value, for paths that ignore it. */
function query(random: Random): string {
  return random.pick(["", "?", "?a=1&a=2", "?%zz", "?network=", `?${random.pick(HOSTILE)}`]);
}

function readingOf(random: Random, endpoint: Endpoint, more: MoreValues) {
  const chosen = Object.entries(endpoint.parameters).filter(
    ([name]) => name in endpoint.required || random.integer(1, 3) === 1,
  );
  const parts: string[] = [];
  const parameters: Record<string, string> = {};
  let isRefused = false;
  let isOpen = false;
  for (const [name, kind] of chosen) {
    const piece = pieceOf(random, kind, more);
    isRefused ||= piece.isRefused;
    // Only the answer shows whether a cursor fits the filters, and whether bounds fit each other.
    isOpen ||= kind === "cursor" || kind === "time" || piece.isOpen;
    parts.push(`${escapedName(random, name)}=${piece.value}`);
    if (!piece.isRefused && !piece.isOpen) parameters[name] = decoded(piece.value);
  }
  if (random.integer(1, 20) === 1) {
    isRefused = true;
    const [name = "a"] = random.pick(Object.entries(endpoint.parameters));
    parts.push(
      random.pick([
        "x=1",
        "%ff=1",
        "=",
        `${name.toUpperCase()}=1`,
        `${name}=`,
        `${name}=1&${name}=1`,
        HOSTILE.at(-1) ?? "x",
      ]),
    );
  }
  if (Object.keys(endpoint.required).length > 0 && random.integer(1, 40) === 1) {
    return { path: endpoint.path, expectedStatus: 400 as const, meaning: null, parameters: {} };
  }
  const shuffled = random.shuffled(parts);
  return {
    path: `${endpoint.path}?${shuffled.join(random.pick(["&", "&&"]))}`,
    expectedStatus: isRefused ? (400 as const) : isOpen ? null : (200 as const),
    meaning: isRefused ? null : JSON.stringify([endpoint.path, Object.entries(parameters).sort()]),
    parameters,
  };
}

function pieceOf(random: Random, kind: Kind, more: MoreValues): { value: string; isRefused: boolean; isOpen: boolean } {
  const { accepted, refused } = KINDS[kind];
  const known = [...accepted, ...(more[kind] ?? [])];
  const shape = random.integer(1, 100);
  if (shape <= 80 && known.length > 0) return { value: random.pick(known), isRefused: false, isOpen: false };
  if (shape <= 90) return { value: random.pick(refused), isRefused: true, isOpen: false };
  if (shape <= 94) return { value: random.pick(BROKEN_ESCAPES), isRefused: true, isOpen: false };
  if (shape <= 97) return { value: random.pick(HOSTILE), isRefused: false, isOpen: true };
  // Changes one byte of a valid value to any other.
  const bytes = Buffer.from(decoded(random.pick([...known, ...refused])));
  if (bytes.length > 0) bytes.writeUInt8(random.integer(0, 255), random.integer(0, bytes.length - 1));
  return {
    value: [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    isRefused: false,
    isOpen: true,
  };
}

function escapedName(random: Random, name: string): string {
  if (random.integer(1, 10) > 1) return name;
  return `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
}

function decoded(value: string): string {
  const text = decodeURIComponent(value.replaceAll("+", " "));
  return /^0x[0-9a-fA-F]+$/.test(text) ? text.toLowerCase() : text;
}
