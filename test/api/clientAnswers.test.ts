/** `@coreswap/client` with addresses that are none, and with servers whose answers are not those of the API. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, allTransactions, createClient, followHistory } from "@coreswap/client";
import { afterEach, expect, it, vi } from "vitest";

const network = "evm-mainnet";
const LAST_EVENT_ID = "7-0123456789abcdef-0";
const STREAM = { "content-type": "text/event-stream; charset=utf-8" };
const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  vi.unstubAllGlobals();
});

/** Starts a server, and returns a client of it. */
async function serve(listener: RequestListener) {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it.each([
  "api.example",
  "localhost:42069",
  "127.0.0.1:42069",
  "ftp://api.example",
  "https://",
  "https://api.example?key=1",
  "https://api.example/#top",
  "https://api.example ",
  "",
  "/coreswap",
])("refuses the base URL «%s» at once, and says which ones it accepts", (baseUrl) => {
  expect(() => createClient(baseUrl)).toThrow(
    `"${baseUrl}" is not a base URL: expected a URL such as https://api.example without a query`,
  );
});

it("refuses a base URL with a password, with which no request is sent, without repeating it", () => {
  expect(() => createClient("https://user:secret@api.example")).toThrow(/^the base URL must have no user name/);
});

it.each(["http://127.0.0.1:42069", "https://api.example/coreswap/", "HTTPS://api.example"])(
  "accepts the base URL %s",
  (baseUrl) => {
    expect(() => createClient(baseUrl)).not.toThrow();
  },
);

it.each(["", "/coreswap"])("accepts «%s» on a page, and with a function that sends the requests", (baseUrl) => {
  expect(() => createClient(baseUrl, { fetch })).not.toThrow();
  vi.stubGlobal("location", new URL("https://page.example/"));
  expect(() => createClient(baseUrl)).not.toThrow();
});

/** Answers with the status 200 that a proxy could give in place of the API's. */
const FOREIGN: readonly [string, Readonly<Record<string, string>>, string][] = [
  ["a page about maintenance", HTML, "<!doctype html><title>Back soon</title>"],
  ["JSON that is not a page of a history", JSON_TYPE, '{"status":"maintenance"}'],
  ["null", JSON_TYPE, "null"],
  ["nothing", HTML, ""],
];

it.each(FOREIGN)("takes %s in place of the history for a failure of the server", async (_name, headers, body) => {
  const client = await serve((_, response) => void response.writeHead(200, headers).end(body));
  const first = allTransactions(client, { network }).next();
  await expect(first).rejects.toThrow(ApiError);
  await expect(first).rejects.toMatchObject({
    status: 502,
    message: expect.stringContaining("does not come from the API"),
  });
});

it.each(FOREIGN)(
  "goes on following the history after %s in place of the newest transaction and of the stream",
  async (_name, headers, body) => {
    const asked: string[] = [];
    const client = await serve(({ url = "" }, response) => {
      const path = url.replace(/\?.*/, "");
      const isFirst = !asked.includes(path);
      asked.push(path);
      if (isFirst) response.writeHead(200, headers).end(body);
      else if (path === "/v1/transactions") response.writeHead(200, JSON_TYPE).end('{"transactions":[]}');
      else response.writeHead(200, STREAM).write(`id: ${LAST_EVENT_ID}\nevent: position\ndata: {}\n\n`);
    });
    const interruptions: unknown[] = [];
    const onInterruption = (reason: unknown) => void interruptions.push(reason);
    const events = followHistory(client, { network, onInterruption });
    // Of the history, which is empty.
    expect((await events.next()).value).toEqual({ type: "reset", fromBlock: 0n });
    expect((await events.next()).value).toEqual({ type: "position", id: LAST_EVENT_ID });
    await events.return();
    expect(interruptions).toMatchObject([{ status: 502 }, { status: 502 }]);
    expect(interruptions.every((reason) => reason instanceof ApiError)).toBe(true);
    expect(asked).toEqual(["/v1/transactions", "/v1/transactions", "/v1/events", "/v1/events"]);
  },
);

it.each(["{}", "no JSON", '{"fromBlock":"abc"}'])(
  "ends at an event of the stream whose data it cannot read, instead of asking for it for ever: %s",
  async (data) => {
    let asked = 0;
    const client = await serve((_, response) => {
      asked += 1;
      response.writeHead(200, STREAM).write(`event: reset\ndata: ${data}\n\n`);
    });
    const interruptions: unknown[] = [];
    const onInterruption = (reason: unknown) => void interruptions.push(reason);
    const events = followHistory(client, { network, lastEventId: LAST_EVENT_ID, onInterruption });
    await expect(events.next()).rejects.toThrow("cannot read the data of the event reset");
    expect(interruptions).toEqual([]);
    expect(asked).toBe(1);
  },
);
