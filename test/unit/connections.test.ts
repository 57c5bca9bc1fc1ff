/** The connections of a server, over real sockets. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type ConnectionLimits, type GuardedConnections, guardConnections } from "../../src/api/server/connections.ts";
import { SERVER_OPTIONS } from "../../src/api/server/hooks.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
const UNLIMITED = { total: 0, perAddress: 0 };

let server: Server;
let port: number;
let guarded: GuardedConnections;
const warnings: string[] = [];
const clients: Socket[] = [];

async function start(listener: RequestListener, limits: ConnectionLimits = UNLIMITED) {
  server = createServer(SERVER_OPTIONS, listener);
  guarded = guardConnections(server, { limits, logWarning: (message) => warnings.push(message) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  warnings.length = 0;
  if (server.listening) server.close();
  server.closeAllConnections();
});

/** A connection, what it has received, and when the server ended it. */
async function open(request = "", localAddress = "127.0.0.1") {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  clients.push(socket);
  const client = { socket, text: "", ended: new Promise<void>((settle) => socket.once("close", () => settle())) };
  socket.on("data", (chunk: Buffer) => {
    client.text += chunk.toString("latin1");
  });
  // A connection may be reset. The received data are sufficient.
  socket.on("error", () => {});
  await once(socket, "connect");
  if (request !== "") socket.write(request);
  return client;
}

const count = () =>
  new Promise<number>((settle) => server.getConnections((_error, connections) => settle(connections)));

/** Counts the requests that arrive from now on, also those that wait for the answers before them. */
function countArrivals(): () => number {
  let arrived = 0;
  server.on("request", () => {
    arrived += 1;
  });
  return () => arrived;
}

async function untilCount(expected: number) {
  while ((await count()) !== expected) await delay(10);
}

it("forbids caches to keep a response that says nothing of them, and no other", async () => {
  await start((request, response) => {
    if (request.url === "/kept") response.writeHead(200, { "Cache-Control": "public, max-age=1" });
    response.end();
  });
  for (const [path, caching] of [
    ["/health", "no-store"],
    ["/kept", "public, max-age=1"],
  ] as const) {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(headers.get("cache-control"), path).toBe(caching);
  }
});

describe("limits", () => {
  it("closes connections beyond the total limit, and logs it once", async () => {
    await start((_, response) => response.end("ok"), { total: 3, perAddress: 0 });
    const kept = [await open(), await open(), await open()];
    const refused = [await open(), await open()];
    await Promise.all(refused.map(({ ended }) => ended));
    expect(await count()).toBe(3);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("at most 3 in total");
    kept[0]?.socket.destroy();
    await untilCount(2);
    const again = await open(REQUEST);
    while (again.text === "") await delay(10);
    expect(again.text).toContain("200 OK");
  });

  it.runIf(process.platform === "linux")("closes those of one address beyond its limit, and no others", async () => {
    await start((_, response) => response.end("ok"), { total: 0, perAddress: 2 });
    const kept = [await open(), await open()];
    await (await open()).ended;
    const other = await open(REQUEST, "127.0.0.2");
    while (other.text === "") await delay(10);
    expect(other.text).toContain("200 OK");
    kept[0]?.socket.destroy();
    await untilCount(2);
    const again = await open(REQUEST);
    while (again.text === "") await delay(10);
    expect(again.text).toContain("200 OK");
  });

  it("closes connections that send nothing, or half a head, within thirteen seconds", async () => {
    await start((_, response) => response.end("ok"));
    const since = performance.now();
    const silent = await Promise.all([open(), open(), open("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "), open("G")]);
    await Promise.all(silent.map(({ ended }) => ended));
    expect(performance.now() - since).toBeLessThan(50_000);
  });
});

describe("requests that are pipelined", () => {
  const SIZE = 4 * 2 ** 20;

  it("are answered in order, each after the previous answer is sent", async () => {
    let atOnce = 0;
    let mostAtOnce = 0;
    await start(async (request, response) => {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await delay(request.url === "/1" ? 50 : 5);
      atOnce -= 1;
      response.end(`done ${request.url}`);
    });
    const client = await open(["/1", "/2", "/3"].map((path) => REQUEST.replace("/", path)).join(""));
    while (!client.text.includes("done /3")) await delay(10);
    expect(client.text.match(/done .\d/g)).toEqual(["done /1", "done /2", "done /3"]);
    expect(mostAtOnce).toBe(1);
  });

  it("wait while the client reads nothing, and continue when it reads", async () => {
    let answered = 0;
    await start((_, response) => {
      answered += 1;
      response.end("x".repeat(SIZE));
    });
    const client = await open();
    client.socket.pause();
    client.socket.write(REQUEST.repeat(20));
    await delay(500);
    // Some answers fit into the buffers of the two sockets.
    expect(answered).toBeLessThan(10);
    client.socket.resume();
    while (answered < 20) await delay(10);
  });

  it("end the connection beyond a hundred unanswered requests", async () => {
    let answered = 0;
    await start(() => {
      answered += 1;
    });
    const kept = await open(REQUEST.repeat(100));
    const cut = await open(REQUEST.repeat(500));
    await cut.ended;
    expect(answered).toBe(2);
    expect(kept.socket.destroyed).toBe(false);
  });
});

describe("drain", () => {
  it("lets requests in flight end, asks their connections to close, and accepts no new ones", async () => {
    const release = Promise.withResolvers<void>();
    await start(async (_, response) => {
      await release.promise;
      response.end("done");
    });
    const arrived = countArrivals();
    const inFlight = await Promise.all([open(REQUEST), open(REQUEST)]);
    while (arrived() < 2) await delay(10);
    const drained = guarded.drain(60_000);
    while (server.listening) await delay(10);
    await expect(open()).rejects.toThrow("ECONNREFUSED");
    release.resolve();
    expect(await drained).toBe(0);
    for (const client of inFlight) {
      await client.ended;
      expect(client.text).toContain("Connection: close");
      expect(client.text).toContain("done");
    }
  });

  it("answers every pipelined request, and announces the end of the connection with the last", async () => {
    const release = Promise.withResolvers<void>();
    await start(async (request, response) => {
      await release.promise;
      response.end(`done ${request.url}`);
    });
    const arrived = countArrivals();
    const client = await open(REQUEST.replace("/", "/1") + REQUEST.replace("/", "/2"));
    while (arrived() < 2) await delay(10);
    const drained = guarded.drain(60_000);
    client.socket.write(REQUEST.replace("/", "/3"));
    while (arrived() < 3) await delay(10);
    release.resolve();
    expect(await drained).toBe(0);
    await client.ended;
    for (const path of ["/1", "/2", "/3"]) expect(client.text).toContain(`done ${path}`);
    expect(client.text.match(/Connection: close/g)).toHaveLength(1);
  });

  it("answers a request that was on its way on a quiet connection, and soon closes quiet ones", async () => {
    await start((_, response) => response.end("done"));
    const [asking, quiet, half] = await Promise.all([open(REQUEST), open(REQUEST), open("GET / HT")]);
    while (asking.text === "" || quiet.text === "") await delay(10);
    // Quiet for longer than a quiet connection stays open in a drain.
    await delay(700);
    const drained = guarded.drain(60_000);
    await delay(100);
    asking.text = "";
    asking.socket.write(REQUEST);
    await Promise.all([asking.ended, quiet.ended, half.ended]);
    expect(asking.text).toContain("Connection: close");
    // None was left for the end of the time.
    expect(await drained).toBe(0);
  });

  it("cuts off connections that do not end in time, and says how many", async () => {
    await start((_, response) => void response.write("part"));
    const endless = await open(REQUEST);
    while (endless.text === "") await delay(10);
    expect(await guarded.drain(300)).toBe(1);
    await endless.ended;
    expect(endless.text).not.toContain("\r\n0\r\n\r\n");
  });

  it("answers connections that the system had queued and the server had not accepted", async () => {
    await start((_, response) => response.end("done"));
    const opening = Array.from({ length: 20 }, () => open(REQUEST));
    // In the same turn of the event loop, so that the server has not seen any of them.
    const drained = guarded.drain(60_000);
    for (const client of await Promise.all(opening)) {
      await client.ended;
      expect(client.text).toContain("done");
    }
    expect(await drained).toBe(0);
  });
});
