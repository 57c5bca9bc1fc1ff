/** Sends HTTP exactly as written, for requests that `fetch` would normalize before sending. */
import { once } from "node:events";
import { connect } from "node:net";

/** Several times what a busy machine needs. A test that checks how long an answer takes has a limit of its own. */
const TIMEOUT_MS = 120_000;

export interface RawResponse {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Sends a request line and headers as given, on a new connection, and reads until the connection ends. */
export async function rawRequest(
  baseUrl: string,
  requestLine: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${requestLine.slice(0, 100)}: no answer`)));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const lines = Object.entries({ Host: host, Connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  // Latin-1 maps each character to one byte, so a test can send any bytes.
  socket.write(Buffer.from([`${requestLine} HTTP/1.1`, ...lines, "", ""].join("\r\n"), "latin1"));
  try {
    await once(socket, "close");
  } catch (error) {
    // A server that refuses a request may end the connection before it has received the whole request.
    const isCutOff =
      error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
    if (!isCutOff || chunks.length === 0) throw error;
  }
  return parse(Buffer.concat(chunks));
}

function parse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? unchunked(rest) : rest;
  return { status: Number(statusLine.split(" ")[1]), headers, text: body.toString("utf8") };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (!(length > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
