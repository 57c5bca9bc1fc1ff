/** Keys of clients, from their file to the limits that they change. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyByBearer, parseApiKeys, readApiKeys } from "../../src/api/http/apiKeys.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { appOver } from "./support/world.ts";

const digestOf = (key: string) => createHash("sha256").update(key).digest("hex");
const HISTORY = "/v1/transactions?network=evm-mainnet";
const FILE = `# name, SHA-256 of the key, requests per minute
bank ${digestOf("key-of-bank")} 3

fund.one ${digestOf("key-of-fund")} 1
`;

describe("parseApiKeys", () => {
  it("reads a key of each line, and ignores comments and empty lines", () => {
    const expected = [
      { name: "bank", digest: Buffer.from(digestOf("key-of-bank"), "hex"), requestsPerMinute: 3 },
      { name: "fund.one", digest: Buffer.from(digestOf("key-of-fund"), "hex"), requestsPerMinute: 1 },
    ];
    expect(parseApiKeys(FILE)).toEqual(expected);
    expect(parseApiKeys(FILE.replaceAll("\n", "\r\n"))).toEqual(expected);
    expect(parseApiKeys("")).toEqual([]);
  });

  it.each([
    ["a key in place of its hash", "bank key-of-bank 3"],
    ["no number", `bank ${digestOf("a")}`],
    ["no requests", `bank ${digestOf("a")} 0`],
    ["a fraction", `bank ${digestOf("a")} 1.5`],
    ["a name with a blank", `the bank ${digestOf("a")} 3`],
    ["upper case", `bank ${digestOf("a").toUpperCase()} 3`],
  ])("refuses a line with %s, without quoting it", (_what, line) => {
    const parse = () => parseApiKeys(`# first\n${line}\n`);
    expect(parse).toThrow(/^line 2: expected a name/);
    expect(parse).not.toThrow(line.split(" ")[1] ?? "");
  });

  it("refuses a name or a key that an earlier line has", () => {
    for (const again of [`bank ${digestOf("b")} 3`, `other ${digestOf("key-of-bank")} 3`]) {
      expect(() => parseApiKeys(`${FILE}${again}`)).toThrow("line 5: its name or key is already in use");
    }
  });
});

describe("readApiKeys", () => {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-keys-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("reads a file, and names the variable when that is not possible", () => {
    const path = join(directory, "keys");
    expect(() => readApiKeys(path)).toThrow(/^API_KEYS_FILE: ENOENT/);
    writeFileSync(path, "bank");
    expect(() => readApiKeys(path)).toThrow(/^API_KEYS_FILE: line 1: expected/);
    writeFileSync(path, FILE);
    expect(readApiKeys(path)).toHaveLength(2);
  });
});

describe("the app with keys", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await openEngine("api_keys_test");
  });
  afterAll(() => engine.close());

  const limits = {
    requestsPerMinute: 2,
    nodeRequestsPerMinute: 1,
    clientOf: () => "one address",
  };
  const keyed = (overrides: Partial<typeof limits> = {}) =>
    appOver(engine, { limits: { ...limits, ...overrides, keyOf: keyByBearer(parseApiKeys(FILE)) } });
  const ask = async (api: ReturnType<typeof appOver>, authorization: string | null, path = HISTORY) => {
    const headers = authorization === null ? {} : { Authorization: authorization };
    return (await checkedRequest(api, path, { headers })).response;
  };
  const policy = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).headers.get("ratelimit-policy");

  it("counts clients with a key by key, with the limit of that key in place of each other limit", async () => {
    const api = keyed({ requestsPerMinute: 100 });
    for (let count = 0; count < 3; count += 1) {
      expect((await ask(api, "Bearer key-of-bank")).status).toBe(200);
    }
    const refused = await ask(api, "Bearer key-of-bank");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe('"requests";q=3;w=60');
    expect((await ask(api, "Bearer key-of-fund")).status).toBe(200);
    expect(await policy(api, null)).toBe('"requests";q=100;w=60');
    expect(await policy(keyed(), "Bearer key-of-bank", "/v1/quote")).toBe('"requests";q=3;w=60, "quotes";q=3;w=60');
  });

  it("sets no limit with a key where there is none without", async () => {
    expect(await policy(keyed({ requestsPerMinute: 0 }), "Bearer key-of-bank")).toBeNull();
  });

  it("takes the scheme in any case", async () => {
    expect(await policy(keyed(), "bearer key-of-bank")).toBe('"requests";q=3;w=60');
  });

  it.each([
    "Bearer unknown",
    "Bearer",
    "Bearer key-of-bank key-of-fund",
    "Bearer KEY-OF-BANK",
    `Bearer ${digestOf("key-of-bank")}`,
  ])("answers %j with 401, without a limit too, and does not repeat it", async (authorization) => {
    const api = keyed({ requestsPerMinute: 0 });
    for (const path of [HISTORY, "/", "/openapi.json", "/docs", "/v1/status", "/v1/info"]) {
      const { response, body } = await checkedRequest(api, path, { headers: { Authorization: authorization } });
      expect(response.status, path).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(body).toEqual({ error: "unknown key in Authorization", status: 401 });
    }
    expect(api.errors).toEqual([]);
  });

  it("ignores other schemes, and every key where none was given", async () => {
    expect(await policy(keyed(), "Basic a2V5")).toBe('"requests";q=2;w=60');
    expect((await ask(appOver(engine, { limits }), "Bearer unknown")).status).toBe(200);
  });
});
