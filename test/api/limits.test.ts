import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  clientByAddress,
  isFromLocalAddress,
  type TrustedProxies,
  warnOfUnreadHeader,
} from "../../src/api/http/client.ts";
import { TooManyRequests } from "../../src/api/http/errors.ts";
import { rateLimit } from "../../src/api/http/rateLimit.ts";
import { type ApiSettings, apiSettings } from "../../src/api/server/settings.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

describe("rateLimit", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function limited(requestsPerMinute: number, keys: Readonly<Record<string, number>> = {}) {
    const app = new Hono()
      .use(
        rateLimit({
          name: "test",
          requestsPerMinute,
          clientOf: (c) => c.req.header("x-client") ?? "",
          keyOf: (c) => {
            const limit = keys[c.req.header("x-client") ?? ""];
            return limit === undefined ? null : { name: "", digest: new Uint8Array(32), requestsPerMinute: limit };
          },
        }),
      )
      .get("/", (c) => c.text("ok"))
      .onError((error, c) => (error instanceof TooManyRequests ? c.text("", 429, error.headers) : c.text("", 500)));
    const send = async (client: string) => await app.request("/", { headers: { "x-client": client } });
    return {
      wait: (seconds: number) => vi.advanceTimersByTime(seconds * 1_000),
      remaining: async () => (await send("a")).headers.get("ratelimit"),
      ask: async (client = "a") => {
        const response = await send(client);
        return response.status === 429 ? Number(response.headers.get("retry-after")) : response.status;
      },
    };
  }

  it("admits the full number at once, the same again a minute later, and says when that is", async () => {
    const { ask, wait } = limited(6);
    for (let count = 0; count < 6; count += 1) expect(await ask()).toBe(200);
    expect(await ask()).toBe(60);
    wait(15.5);
    expect(await ask()).toBe(45);
    wait(44.5);
    for (let count = 0; count < 6; count += 1) expect(await ask()).toBe(200);
    expect(await ask()).toBe(60);
  });

  it("says how many requests can still be sent, and until when", async () => {
    const { remaining, wait } = limited(3);
    expect(await remaining()).toBe('"test";r=2;t=60');
    wait(20.5);
    expect(await remaining()).toBe('"test";r=1;t=40');
    expect(await remaining()).toBe('"test";r=0;t=40');
    expect(await remaining()).toBe('"test";r=0;t=40');
    wait(39.5);
    expect(await remaining()).toBe('"test";r=2;t=60');
  });

  it("counts clients separately, each with the limit of its key", async () => {
    const { ask } = limited(1, { c: 2 });
    for (const client of ["a", "b", "c", "c"]) expect(await ask(client)).toBe(200);
    for (const client of ["a", "b", "c"]) expect(await ask(client)).toBe(60);
  });
});

describe("the app", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await openEngine("limits_test");
  });
  afterAll(() => engine.close());
  const limits = {
    requestsPerMinute: 0,
    nodeRequestsPerMinute: 0,
    clientOf: () => "one",
  };

  it("answers 429 with Retry-After on every documented path that it serves", async () => {
    const paths = [
      "/",
      "/openapi.json",
      "/docs",
      "/v1/status",
      "/api/status",
      "/v1/info",
      "/v1/info/evm",
      "/v1/info/svm",
    ];
    const more = [
      "/v1/status/indexing",
      "/v1/assets",
      "/v1/quote",
      "/v1/transactions",
      "/v1/transactions.csv",
      "/v1/volume",
      "/v1/volume/series",
      "/v1/volume/series.csv",
      "/v1/treasury/rates",
      "/v1/treasury/summary",
    ];
    for (const path of [...paths, ...more, `/v1/treasury/accounts/${addressOf("a")}`]) {
      const api = appOver(engine, { limits: { ...limits, requestsPerMinute: 2 } });
      // The first request loads the document that checks the answer. The second uses up the limit.
      await checkedRequest(api, "/v1/status");
      const { response, body } = await checkedRequest(api, path);
      expect(response.status, path).toBe(429);
      // The time that the requests take counts.
      expect(response.headers.get("retry-after")).toMatch(/^(5[0-9]|60)$/);
      expect(response.headers.get("ratelimit-policy"), path).toBe('"requests";q=2;w=60');
      expect(response.headers.get("ratelimit"), path).toMatch(/^"requests";r=0;t=(5[0-9]|60)$/);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(body).toEqual({ error: "too many requests: the limit is 2 per minute", status: 429 });
    }
  });

  it("names each limit of a request, in every kind of response, and none where there is none", async () => {
    const api = appOver(engine, { limits: { ...limits, requestsPerMinute: 600, nodeRequestsPerMinute: 60 } });
    const { response: quote } = await checkedRequest(api, "/v1/quote");
    expect(quote.status).toBe(400);
    expect(quote.headers.get("ratelimit-policy")).toBe('"requests";q=600;w=60, "quotes";q=60;w=60');
    expect(quote.headers.get("ratelimit")).toMatch(/^"requests";r=59\d;t=\d+, "quotes";r=59;t=\d+$/);
    for (const path of ["/v1/info", "/v1/transactions.csv?network=evm-mainnet", "/nothing"]) {
      const { headers } = (await checkedRequest(api, path)).response;
      expect(headers.get("ratelimit-policy"), path).toBe('"requests";q=600;w=60');
      const current = await checkedRequest(api, path, { headers: { "If-None-Match": headers.get("etag") ?? "" } });
      expect(current.response.headers.get("ratelimit"), path).toMatch(/^"requests";r=59\d;t=\d+$/);
    }
    const unlimited = (await checkedRequest(appOver(engine, { limits }), "/v1/info")).response.headers;
    expect([unlimited.get("ratelimit-policy"), unlimited.get("ratelimit")]).toEqual([null, null]);
  });

  it("leaves requests out of the limit for all paths as told, but no client with a key, and no other limit", async () => {
    const api = appOver(engine, {
      limits: {
        ...limits,
        requestsPerMinute: 1,
        nodeRequestsPerMinute: 1,
        isUnlimited: (c) => c.req.header("X-From") === "here",
        keyOf: (c) =>
          c.req.header("Authorization") ? { name: "bank", digest: new Uint8Array(32), requestsPerMinute: 1 } : null,
      },
    });
    const ask = async (path: string, headers: Record<string, string>) =>
      (await checkedRequest(api, path, { headers })).response.status;
    for (let count = 0; count < 3; count += 1) expect(await ask("/v1/info", { "X-From": "here" })).toBe(200);
    // The request for the document, which checks the answers, has used up the limit.
    expect(await ask("/v1/info", {})).toBe(429);
    const key = { "X-From": "here", Authorization: "Bearer key" };
    expect([await ask("/v1/info", key), await ask("/v1/info", key)]).toEqual([200, 429]);
    const here = { "X-From": "here" };
    expect([await ask("/v1/quote", here), await ask("/v1/quote", here)]).toEqual([400, 429]);
  });

  it("limits quotes separately", async () => {
    const api = appOver(engine, { limits: { ...limits, nodeRequestsPerMinute: 1 } });
    expect((await checkedRequest(api, "/v1/quote")).response.status).toBe(400);
    expect((await checkedRequest(api, "/v1/quote")).response.status).toBe(429);
    expect((await checkedRequest(api, "/v1/volume?network=evm-mainnet")).response.status).toBe(200);
  });

  it("limits the reasons of failures separately from the history", async () => {
    const api = appOver(engine, { limits: { ...limits, nodeRequestsPerMinute: 1 } });
    const path = `/v1/transactions/${hashOf("a")}/revert?network=evm-mainnet`;
    expect((await checkedRequest(api, path)).response.status).toBe(200);
    expect((await checkedRequest(api, path)).response.status).toBe(429);
    expect((await checkedRequest(api, "/v1/quote")).response.status).toBe(400);
    expect((await checkedRequest(api, "/v1/transactions?network=evm-mainnet")).response.status).toBe(200);
  });

  it("limits treasury accounts and summaries separately", async () => {
    const api = appOver(engine, { limits: { ...limits, nodeRequestsPerMinute: 1 } });
    const path = `/v1/treasury/accounts/${addressOf("a")}?network=evm-mainnet`;
    expect((await checkedRequest(api, path)).response.status).toBe(503);
    expect((await checkedRequest(api, path)).response.status).toBe(429);
    // The history of an account needs no node.
    const history = `/v1/treasury/accounts/${addressOf("a")}/history?network=evm-mainnet&interval=day`;
    for (let count = 0; count < 2; count += 1) {
      const { response } = await checkedRequest(api, history);
      expect([response.status, response.headers.get("ratelimit")]).toEqual([200, null]);
    }
    // Summaries have a separate limit of the same size.
    const summary = "/v1/treasury/summary?network=evm-mainnet";
    expect((await checkedRequest(api, summary)).response.status).toBe(503);
    expect((await checkedRequest(api, summary)).response.status).toBe(429);
    expect((await checkedRequest(api, "/v1/volume?network=evm-mainnet")).response.status).toBe(200);
  });
});

describe("clientByAddress", () => {
  const clientOf = async (proxies: TrustedProxies | null, headers: [string, string][], remoteAddress?: string) => {
    const name = clientByAddress(proxies);
    const app = new Hono().get("/", (c) => c.text(name(c)));
    const env = remoteAddress === undefined ? {} : { incoming: { socket: { remoteAddress } }, outgoing: {} };
    return (await app.request("/", { headers }, env)).text();
  };
  const behind = (count: number, ...values: string[]) =>
    clientOf(
      { header: "X-Forwarded-For", count },
      values.map((value): [string, string] => ["x-forwarded-for", value]),
      "10.0.0.1",
    );

  it("is the address of the connection, whatever the headers say", async () => {
    expect(await clientOf(null, [["x-forwarded-for", "198.51.100.7"]], "192.0.2.1")).toBe("192.0.2.1");
    expect(await clientOf(null, [], "::ffff:192.0.2.1")).toBe("192.0.2.1");
  });

  it("is the address that the trusted proxies appended, counted from the right", async () => {
    expect(await behind(1, "203.0.113.9, 198.51.100.7")).toBe("198.51.100.7");
    expect(await behind(1, "203.0.113.9", "198.51.100.7")).toBe("198.51.100.7");
    expect(await behind(2, "203.0.113.9, 198.51.100.7, 10.0.0.2")).toBe("198.51.100.7");
    expect(await behind(1, "198.51.100.7")).toBe("198.51.100.7");
  });

  it("is the same client for a /64 network of IPv6, and for an address with any port", async () => {
    expect(await behind(1, "2001:db8:0:1::1")).toBe("2001:db8:0:1::/64");
    expect(await behind(1, "[2001:DB8:0:1:ffff::2]:5678")).toBe("2001:db8:0:1::/64");
    expect(await behind(1, "[2001:db8::1:0:0:0:1]")).toBe("2001:db8:0:1::/64");
    expect(await behind(1, "2001:db8:0:2::1")).toBe("2001:db8:0:2::/64");
    expect(await behind(1, "::1")).toBe("0:0:0:0::/64");
    expect(await behind(1, "fe80::1%eth0")).toBe("fe80:0:0:0::/64");
    expect(await behind(1, "::ffff:198.51.100.7")).toBe("198.51.100.7");
    expect(await behind(1, "::ffff:c633:6407")).toBe("198.51.100.7");
    expect(await behind(1, "198.51.100.7:5678")).toBe("198.51.100.7");
  });

  it.each([
    [1, ""],
    [1, "unknown"],
    [1, "198.51.100.7, "],
    [1, "198.51.100.7:"],
    [1, "198.51.100.7:123456"],
    [1, "198.51.100.256"],
    [1, "[198.51.100.7]:5678x"],
    [1, "for=198.51.100.7"],
    [1, "2001:db8:::1"],
    [2, "198.51.100.7"],
  ])("is one shared client with %i trusted proxies and the header %j", async (count, value) => {
    expect(await behind(count, value)).toBe("unidentified");
  });

  it("is the shared client when the header or the connection is missing", async () => {
    expect(await behind(1)).toBe("unidentified");
    expect(await clientOf(null, [])).toBe("unidentified");
  });
});

describe("isFromLocalAddress", () => {
  const isLocal = async (remoteAddress: string) => {
    const app = new Hono().get("/", (c) => c.json(isFromLocalAddress(c)));
    const response = await app.request("/", {}, { incoming: { socket: { remoteAddress } }, outgoing: {} });
    return (await response.json()) as boolean;
  };

  it.each([
    ...["127.0.0.1", "10.1.2.3", "172.31.255.255", "192.168.0.1", "100.127.0.1", "169.254.1.1"],
    ...["::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fd00::1", "fe80::1%eth0"],
  ])("is true for %s", async (address) => expect(await isLocal(address)).toBe(true));

  it.each(["192.0.2.1", "172.32.0.1", "100.128.0.1", "::ffff:198.51.100.7", "2001:db8::1", "fe00::1", ""])(
    "is false for %j",
    async (address) => expect(await isLocal(address)).toBe(false),
  );
});

describe("warnOfUnreadHeader", () => {
  it("warns once, and names the header that the proxy sends", async () => {
    const warnings: string[] = [];
    const warn = warnOfUnreadHeader((message) => warnings.push(message));
    const app = new Hono().get("/", (c) => {
      warn(c);
      return c.text("");
    });
    await app.request("/");
    expect(warnings).toEqual([]);
    for (const headers of [{ "x-real-ip": "192.0.2.1" }, { "x-forwarded-for": "192.0.2.2" }]) {
      await app.request("/", { headers });
    }
    expect(warnings).toEqual([expect.stringContaining("set CLIENT_ADDRESS_HEADER to X-Real-IP")]);
  });
});

describe("apiSettings", () => {
  const defaults: ApiSettings = {
    requestsPerMinute: 6_000,
    limitsLocalAddresses: false,
    nodeRequestsPerMinute: 60,
    keysFile: null,
    proxies: null,
    connections: { total: 2_000, perAddress: 250 },
    shutdownMs: 4_000,
    hasExplorerLinks: true,
  };

  it("has defaults, also for empty variables", () => {
    expect(apiSettings({})).toEqual(defaults);
    expect(
      apiSettings({ RATE_LIMIT_PER_MINUTE: "", API_KEYS_FILE: "", CLIENT_ADDRESS_HEADER: "", TRUSTED_PROXIES: "" }),
    ).toEqual(defaults);
  });

  it("reads the variables that are set", () => {
    const env = {
      RATE_LIMIT_PER_MINUTE: "600",
      NODE_REQUESTS_PER_MINUTE: "5",
      API_KEYS_FILE: "/etc/coreswap/keys",
      CLIENT_ADDRESS_HEADER: "X-Forwarded-For",
      TRUSTED_PROXIES: "2",
      MAX_CONNECTIONS: "0",
      MAX_CONNECTIONS_PER_ADDRESS: "10",
      SHUTDOWN_SECONDS: "20",
      EXPLORER_LINKS: "off",
    };
    expect(apiSettings(env)).toEqual({
      requestsPerMinute: 600,
      limitsLocalAddresses: true,
      nodeRequestsPerMinute: 5,
      keysFile: "/etc/coreswap/keys",
      proxies: { header: "X-Forwarded-For", count: 2 },
      connections: { total: 0, perAddress: 10 },
      shutdownMs: 20_000,
      hasExplorerLinks: false,
    });
  });

  it("has no limit if it is 0, and limits local addresses if a limit or a header is set", () => {
    const limitsOf = (env: NodeJS.ProcessEnv) => {
      const { requestsPerMinute, limitsLocalAddresses } = apiSettings(env);
      return [requestsPerMinute, limitsLocalAddresses];
    };
    expect(limitsOf({ RATE_LIMIT_PER_MINUTE: "0" })).toEqual([0, true]);
    expect(limitsOf({ RATE_LIMIT_PER_MINUTE: "6000" })).toEqual([6_000, true]);
    expect(limitsOf({ CLIENT_ADDRESS_HEADER: "X-Real-IP" })).toEqual([6_000, true]);
  });

  it("trusts one proxy if a header is set, and does not limit connections per address", () => {
    expect(apiSettings({ CLIENT_ADDRESS_HEADER: "X-Real-IP" })).toEqual({
      ...defaults,
      limitsLocalAddresses: true,
      proxies: { header: "X-Real-IP", count: 1 },
      connections: { total: 2_000, perAddress: 0 },
    });
  });

  it.each([
    ["RATE_LIMIT_PER_MINUTE", "-1"],
    ["RATE_LIMIT_PER_MINUTE", "1.5"],
    ["NODE_REQUESTS_PER_MINUTE", "many"],
    ["CLIENT_ADDRESS_HEADER", "a b"],
    ["TRUSTED_PROXIES", "0"],
    ["TRUSTED_PROXIES", "2"],
    ["MAX_CONNECTIONS", "-1"],
    ["SHUTDOWN_SECONDS", "4s"],
    ["EXPLORER_LINKS", "no"],
  ])("refuses %s=%s with the name of the variable", (name, value) => {
    expect(() => apiSettings({ [name]: value })).toThrow(name);
  });
});
