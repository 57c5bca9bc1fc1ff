import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientByAddress } from "../../src/api/http/client.ts";
import { TooManyRequests } from "../../src/api/http/errors.ts";
import { rateLimit } from "../../src/api/http/rateLimit.ts";
import { apiSettings } from "../../src/api/settings.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver } from "./support/world.ts";

describe("rateLimit", () => {
  function limited(requestsPerMinute: number) {
    let now = 1_000;
    const app = new Hono()
      .use(
        rateLimit(
          requestsPerMinute,
          (c) => c.req.header("x-client") ?? "",
          () => now,
        ),
      )
      .get("/", (c) => c.text("ok"))
      .onError((error, c) => (error instanceof TooManyRequests ? c.text("", 429, error.headers) : c.text("", 500)));
    return {
      wait: (seconds: number) => {
        now += seconds * 1_000;
      },
      ask: async (client = "a") => {
        const response = await app.request("/", { headers: { "x-client": client } });
        return response.status === 429 ? Number(response.headers.get("retry-after")) : response.status;
      },
    };
  }

  it("admits its number at once, then as many as come back, and says when", async () => {
    const { ask, wait } = limited(6);
    for (let count = 0; count < 6; count += 1) expect(await ask()).toBe(200);
    expect(await ask()).toBe(10);
    wait(4);
    expect(await ask()).toBe(6);
    wait(6);
    expect(await ask()).toBe(200);
    expect(await ask()).toBe(10);
    wait(3_600);
    for (let count = 0; count < 6; count += 1) expect(await ask()).toBe(200);
    expect(await ask()).toBe(10);
  });

  it("counts clients apart, and forgets those idle for longest", async () => {
    const { ask } = limited(1);
    expect(await ask("a")).toBe(200);
    expect(await ask("b")).toBe(200);
    expect(await ask("a")).toBe(60);
    for (let client = 0; client < 10_000; client += 1) await ask(String(client));
    expect(await ask("b")).toBe(200);
  });
});

describe("the app", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await openEngine("limits_test");
  });
  afterAll(() => engine.close());
  const limits = { requestsPerMinute: 0, accountRequestsPerMinute: 0, clientOf: () => "one" };

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
      "/v1/transactions",
      "/v1/transactions.csv",
      "/v1/volume",
      "/v1/volume/series",
      "/v1/treasury/rates",
    ];
    for (const path of [...paths, ...more, `/v1/treasury/accounts/${addressOf("a")}`]) {
      const api = appOver(engine, { limits: { ...limits, requestsPerMinute: 2 } });
      // The first is the document, which the check of an answer reads; the second is used up here.
      await checkedRequest(api, "/v1/status");
      const { response, body } = await checkedRequest(api, path);
      expect(response.status, path).toBe(429);
      expect(response.headers.get("retry-after")).toBe("30");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(body).toEqual({ error: "too many requests, at most 2 per minute are answered", status: 429 });
    }
  });

  it("limits treasury accounts on their own", async () => {
    const api = appOver(engine, { limits: { ...limits, accountRequestsPerMinute: 1 } });
    const path = `/v1/treasury/accounts/${addressOf("a")}?network=evm-mainnet`;
    expect((await checkedRequest(api, path)).response.status).toBe(503);
    expect((await checkedRequest(api, path)).response.status).toBe(429);
    expect((await checkedRequest(api, "/v1/volume?network=evm-mainnet")).response.status).toBe(200);
  });
});

describe("clientByAddress", () => {
  const nameOf = async (header: string | null, headers: Record<string, string>, env: object) => {
    const clientOf = clientByAddress(header);
    const app = new Hono().get("/", (c) => c.text(clientOf(c)));
    return (await app.request("/", { headers }, env)).text();
  };
  const env = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };

  it("is the connection's address, or what the proxy's header says", async () => {
    expect(await nameOf(null, { "x-real-ip": "198.51.100.7" }, env)).toBe("192.0.2.1");
    expect(await nameOf("X-Real-IP", { "x-real-ip": "198.51.100.7" }, env)).toBe("198.51.100.7");
    expect(await nameOf("X-Real-IP", {}, env)).toBe("192.0.2.1");
    expect(await nameOf(null, {}, {})).toBe("unknown");
  });
});

describe("apiSettings", () => {
  it("has defaults, also for empty variables", () => {
    const defaults = { requestsPerMinute: 0, accountRequestsPerMinute: 60, clientAddressHeader: null };
    expect(apiSettings({})).toEqual(defaults);
    expect(apiSettings({ RATE_LIMIT_PER_MINUTE: "", CLIENT_ADDRESS_HEADER: "" })).toEqual(defaults);
  });

  it("reads what is set", () => {
    const env = { RATE_LIMIT_PER_MINUTE: "600", TREASURY_ACCOUNTS_PER_MINUTE: "0", CLIENT_ADDRESS_HEADER: "X-Real-IP" };
    expect(apiSettings(env)).toEqual({
      requestsPerMinute: 600,
      accountRequestsPerMinute: 0,
      clientAddressHeader: "X-Real-IP",
    });
  });

  it.each([
    ["RATE_LIMIT_PER_MINUTE", "-1"],
    ["RATE_LIMIT_PER_MINUTE", "1.5"],
    ["TREASURY_ACCOUNTS_PER_MINUTE", "many"],
    ["CLIENT_ADDRESS_HEADER", "a b"],
  ])("refuses %s=%s, naming the variable", (name, value) => {
    expect(() => apiSettings({ [name]: value })).toThrow(name);
  });
});
