import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { errorBody } from "../../src/api/http/errors.ts";
import { prepared } from "../../src/api/shared/database.ts";
import { createIndexIdentity, INDEX_FORMAT } from "../../src/api/shared/indexIdentity.ts";
import { stateReader } from "../../src/api/shared/state.ts";
import { decodeCursor } from "../../src/api/transactions/cursor.ts";
import { historyAnswer } from "../../src/api/transactions/schema.ts";
import { checkedRequest } from "./support/checked.ts";
import { createIndex, insertRows, openEngine, pricesOf, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { addressOf, appOver, hashOf, insertHistory, NOW, networkOf } from "./support/world.ts";

const HISTORY = "/v1/transactions?network=evm-mainnet";
const VOLUME = "/v1/volume?network=evm-mainnet";

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("http_test");
  await insertHistory(engine, 1, madeHistory(10));
});
afterAll(() => engine.close());
beforeEach(() => {
  api = appOver(engine);
});

async function refusal(path: string): Promise<string> {
  const { response, body } = await checkedRequest(api, path);
  expect(response.status, path).toBe(400);
  const { error, status } = errorBody.parse(body);
  expect(status).toBe(400);
  return error;
}

describe("parameters", () => {
  it.each([
    ["/v1/transactions", "network: required, accepts evm-mainnet or evm-sepolia"],
    ["/v1/transactions?network=mainnet", "network: accepts evm-mainnet or evm-sepolia"],
    ["/v1/transactions?network=", "network: empty, accepts evm-mainnet or evm-sepolia"],
    [`${HISTORY}&network=evm-mainnet`, "network: given more than once, accepts evm-mainnet or evm-sepolia"],
    [`${HISTORY}&limit=`, "limit: empty, accepts an integer from 1 to 100"],
    [`${HISTORY}&limit=%ff`, "limit: invalid percent-encoding, accepts an integer from 1 to 100"],
    [`${HISTORY}&Wallet=1`, '"Wallet": unknown parameter; accepted are network, wallet, outcome'],
    [`${HISTORY}&wallet=`, "wallet: empty"],
    [`${HISTORY}&wallet=0X${"a".repeat(40)}`, "wallet: accepts the sender"],
    [`${HISTORY}&wallet=0x${"a".repeat(39)}`, "wallet: accepts the sender"],
    [`${HISTORY}&wallet=0x${"a".repeat(40)}%00`, "wallet: accepts the sender"],
    [`${HISTORY}&outcome=reverted`, "outcome: accepts success or revert"],
    [`${HISTORY}&activity=Swap`, "activity: accepts swap or allowlist"],
    [`${HISTORY}&entrypoint=9swap`, "entrypoint: accepts an exact Solidity function name"],
    [`${HISTORY}&entrypoint=${"s".repeat(65)}`, "entrypoint: accepts"],
    [`${HISTORY}&entrypoint=swap%0A`, "entrypoint: accepts"],
    [`${HISTORY}&transactionHash=0x${"a".repeat(63)}`, "transactionHash: accepts a transaction hash"],
    ...["0", "101", "-1", "1.0", "1e1", "0x10", "01", "%2B1", "1%20", "٣"].map((limit) => [
      `${HISTORY}&limit=${limit}`,
      "limit: accepts an integer from 1 to 100, by default 50",
    ]),
    [`${HISTORY}&cursor=AAAA`, "cursor: accepts nextCursor of the previous page"],
    [`${HISTORY}&cursor=%20`, "cursor: accepts nextCursor of the previous page"],
    [`${HISTORY}&limit=0&outcome=x`, "outcome: accepts success or revert; limit: accepts"],
    [`${VOLUME}&from=`, "from: empty, accepts a whole-second UTC time"],
    [`${VOLUME}&from=2026-01-01`, "from: not in that format, accepts a whole-second UTC time"],
    [`${VOLUME}&to=2026-01-01T00:00:60Z`, "to: no such date or time of day, accepts a whole-second UTC time"],
    [`${VOLUME}&to=2026-01-01T00:00:00%2B01:00`, "to: not in UTC but at +01:00, accepts"],
    [`${VOLUME}&to=2026-01-01T00:00:00.5Z`, "to: not a whole second, accepts"],
    [`${VOLUME}&to=2026-01-01T00:00:00+00:00`, "to: a space in place of the offset's +, which a query writes as %2B"],
    [`${VOLUME}&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`, "from: accepts a time earlier than to"],
    [`${VOLUME}&from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:01Z`, "from: accepts a time at most 365 days before to"],
    [`${VOLUME}&lpAddress=0x1`, "lpAddress: accepts a stablecoin delegate"],
    [`${VOLUME}&limit=1`, '"limit": unknown parameter; accepted are network, from, to, lpAddress'],
    ["/v1/info?runtime=tvm", "runtime: accepts evm or svm"],
    ["/v1/info?chain=mainnet", '"chain": unknown parameter; accepted are runtime'],
    ["/v1/info/evm?chain=devnet", "chain: accepts mainnet or sepolia"],
    ["/v1/info/svm?chain=sepolia", "chain: accepts mainnet or devnet"],
  ] as [string, string][])("%s is refused: %s", async (path, message) => {
    expect(await refusal(path)).toContain(message);
  });

  it("may be escaped, reordered and written in any case", async () => {
    const usual = await checkedRequest(api, `${HISTORY}&wallet=${addressOf("alice")}&limit=5`);
    const wallet = addressOf("alice").slice(2).toUpperCase();
    const other = await checkedRequest(api, `/v1/transactions?&lim%69t=%35&wallet=0%78${wallet}&network=evm%2dmainnet`);
    expect(other.body).toEqual(usual.body);
    expect(other.response.headers.get("etag")).toBe(usual.response.headers.get("etag"));
  });

  it("accept a time in each of its spellings, with the same meaning", async () => {
    const [plain, ...others] = ["Z", "%2B00:00", "-00:00", ".000Z", ".000000%2B00:00"].map(
      (utc) => `${VOLUME}&from=2026-01-01T00:00:00${utc}&to=2026-02-01T00:00:00${utc}`,
    );
    const usual = await checkedRequest(api, plain ?? "");
    for (const path of others) {
      const { response, body } = await checkedRequest(api, path);
      expect(response.status, path).toBe(200);
      expect(body).toEqual(usual.body);
      expect(response.headers.get("etag")).toBe(usual.response.headers.get("etag"));
    }
  });

  it("allow a range of exactly 365 days", async () => {
    const path = `${VOLUME}&from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`;
    expect((await checkedRequest(api, path)).response.status).toBe(200);
  });

  it("are ignored by the index and the status paths", async () => {
    for (const path of ["/?x=1", "/v1/status?x=1&x=%zz", "/api/status?x"]) {
      expect((await checkedRequest(api, path)).response.status).toBe(200);
    }
  });

  it("name the enabled networks if another one is requested", async () => {
    api = appOver(engine, { networks: [networkOf(engine, "mainnet")] });
    expect(await refusal("/v1/volume?network=evm-sepolia")).toBe(
      "network: evm-sepolia is not enabled; enabled: evm-mainnet",
    );
    expect(await refusal("/v1/info/evm?chain=sepolia")).toBe("chain: sepolia is not enabled; enabled: mainnet");
    expect(await refusal("/v1/info/svm?chain=devnet")).toBe("chain: devnet is not enabled; enabled: none");
  });
});

it("state what a bound accepts only once, however many rules it breaks", async () => {
  const message = await refusal(`${VOLUME}&from=1762000000`);
  expect(message.match(/from: /g)).toHaveLength(1);
  expect(message.match(/accepts/g)).toHaveLength(1);
});

describe("cursors", () => {
  const pageOf = async (query: string) => historyAnswer.parse((await checkedRequest(api, `${HISTORY}${query}`)).body);

  it("are valid only with their network and filters, with any limit and in any app", async () => {
    const { nextCursor } = await pageOf("&outcome=success&limit=2");
    expect(nextCursor).not.toBeNull();
    const scope = [
      ["network", "evm-mainnet"],
      ["outcome", "success"],
    ] as const;
    expect(decodeCursor(scope, nextCursor ?? "")).not.toBeNull();

    expect(await refusal(`${HISTORY}&limit=2&cursor=${nextCursor}`)).toContain("cursor: accepts");
    expect(await refusal(`${HISTORY}&outcome=revert&cursor=${nextCursor}`)).toContain("cursor: accepts");
    const elsewhere = `/v1/transactions?network=evm-sepolia&outcome=success&cursor=${nextCursor}`;
    expect(await refusal(elsewhere)).toContain("cursor: accepts");

    const all = (await pageOf("&outcome=success")).transactions;
    api = appOver(engine);
    expect((await pageOf(`&cursor=${nextCursor}&limit=100&outcome=success`)).transactions).toEqual(all.slice(2));
  });
});

describe("methods and paths", () => {
  it.each(["/v1/info/", "//v1/info", "/v1//info", "/v1", "/v2/info", "/V1/info", "/v1/%zz", "/v1/info%2f", "/graphql"])(
    "%s is unknown",
    async (path) => {
      const { response, body } = await checkedRequest(api, path);
      expect(response.status).toBe(404);
      expect(body).toEqual({ error: "no such path: / lists all paths", status: 404 });
    },
  );

  it.each(["POST", "PUT", "PATCH", "DELETE"])("%s is not allowed on any known path", async (method) => {
    const paths = ["/", "/health", "/v1/status", "/api/status", "/v1/info", "/v1/info/evm", "/v1/info/svm"];
    for (const path of [...paths, "/v1/transactions", "/v1/volume", "/openapi.json"]) {
      const { response, body } = await checkedRequest(api, path, { method });
      expect(response.status, path).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(errorBody.parse(body).status).toBe(405);
    }
    expect((await checkedRequest(api, "/v1/nothing", { method })).response.status).toBe(404);
  });

  it("HEAD is GET without the body", async () => {
    for (const path of [HISTORY, VOLUME, "/v1/info", "/", "/v1/transactions"]) {
      const get = await checkedRequest(api, path);
      const head = await checkedRequest(api, path, { method: "HEAD" });
      expect(head.response.status).toBe(get.response.status);
      expect(head.response.headers.get("etag")).toBe(get.response.headers.get("etag"));
    }
  });
});

describe("headers", () => {
  it("of answers and errors", async () => {
    for (const [path, caching] of [
      [HISTORY, "public, max-age=1, stale-while-revalidate=1, stale-if-error=60"],
      ["/v1/info", "public, max-age=1, must-revalidate"],
      ["/v1/transactions", "no-store"],
      ["/nothing", "no-store"],
    ] as const) {
      const { headers } = (await checkedRequest(api, path)).response;
      expect(headers.get("cache-control")).toBe(caching);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-expose-headers")).toBe(
        "ETag, Indexed-Through-Block, Pricing-Complete, Range-Final, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
      );
      expect(headers.get("content-type")).toBe("application/json");
    }
  });

  it("of the status keep caches from answering with an earlier one", async () => {
    for (const path of ["/v1/status", "/api/status"]) {
      const { response } = await checkedRequest(api, path);
      expect([response.status, response.headers.get("cache-control")], path).toEqual([200, "no-store"]);
    }
  });

  it("of a 304 name the media type of the full response", async () => {
    for (const path of [HISTORY, VOLUME, "/v1/info", "/", "/docs", "/v1/transactions.csv?network=evm-mainnet"]) {
      const { headers } = (await checkedRequest(api, path)).response;
      const conditional = await checkedRequest(api, path, { headers: { "If-None-Match": headers.get("etag") ?? "" } });
      expect(conditional.response.status, path).toBe(304);
      expect(conditional.response.headers.get("content-type"), path).toBe(headers.get("content-type"));
    }
  });

  const tagOf = async (path: string) => (await checkedRequest(api, path)).response.headers.get("etag") ?? "";

  it("If-None-Match with the current tag returns 304 without a body", async () => {
    for (const path of [
      HISTORY,
      VOLUME,
      "/v1/info",
      "/v1/info/evm?chain=mainnet",
      "/v1/info/svm",
      "/",
      "/openapi.json",
    ]) {
      const etag = await tagOf(path);
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      const other = await checkedRequest(api, path, { headers: { "If-None-Match": '"other"' } });
      expect(other.response.status).toBe(200);
      for (const condition of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
        const { response } = await checkedRequest(api, path, { headers: { "If-None-Match": condition } });
        expect(response.status).toBe(304);
        expect(response.headers.get("etag")).toBe(etag);
        expect(response.headers.get("cache-control")).toBe(other.response.headers.get("cache-control"));
      }
    }
  });

  it("the tag differs between requests and stays the same for equal requests", async () => {
    const paths = [HISTORY, `${HISTORY}&limit=2`, `${HISTORY}&outcome=revert`, VOLUME, "/v1/info", "/v1/info/evm"];
    const tags = await Promise.all(paths.map(tagOf));
    expect(new Set(tags).size).toBe(paths.length);
    expect(await Promise.all(paths.map(tagOf))).toEqual(tags);
  });

  /** Stores the identity of another index. */
  async function identify(schema: string, format: number, contracts: object = {}): Promise<void> {
    await engine.execute(
      `CREATE OR REPLACE VIEW "${engine.schema}".coreswap_index AS
        SELECT '${schema}'::text AS schema_name, ${format} AS format, '${randomUUID()}'::text AS id,
          '${JSON.stringify(contracts)}'::jsonb AS contracts`,
    );
  }

  it("an index of another format is not read, and the log gives the reason", async () => {
    onTestFinished(() => identify(engine.schema, INDEX_FORMAT));
    await identify(engine.schema, INDEX_FORMAT + 1);
    const { app, errors } = appOver(engine);
    expect((await app.request(HISTORY)).status).toBe(500);
    expect(String(errors[0])).toContain("the index has another format than this version of CoreSwap reads");
  });

  it("an index of other contracts than those of this process is not read, and the log gives the reason", async () => {
    onTestFinished(() => identify(engine.schema, INDEX_FORMAT));
    const { coreSwap, treasury } = networkOf(engine, "mainnet");
    await identify(engine.schema, INDEX_FORMAT, { 1: `${coreSwap} ${treasury}`, 11155111: `${treasury} ${coreSwap}` });
    const { app, errors } = appOver(engine);
    expect((await app.request(HISTORY)).status).toBe(200);
    for (const path of ["/v1/transactions?network=evm-sepolia", "/v1/info", "/v1/status"]) {
      expect((await app.request(path)).status, path).toBe(500);
    }
    expect(String(errors[0])).toContain("the index is of other contracts than those in the deployment file");
  });

  it("an index names the contracts of its networks", async () => {
    const schema = "named";
    await createIndex(engine, schema);
    await engine.execute(`DROP VIEW ${schema}.coreswap_index`);
    const network = networkOf(engine, "mainnet");
    await createIndexIdentity(engine.database, schema, [network]);
    const readState = (coreSwap: Address) => stateReader(engine.database, { ...network, schema, coreSwap })();
    expect((await readState(network.coreSwap)).index.schema).toBe(schema);
    await expect(readState(network.treasury)).rejects.toThrow("the index is of other contracts");
  });

  it("an index whose tables were made anew, as by `ponder dev`, has another identity", async () => {
    const schema = "anew";
    await createIndex(engine, schema);
    const identify = async () => {
      await createIndexIdentity(engine.database, schema, []);
      const [row] = await engine.database.query({
        ...prepared("test_index_id", `SELECT id FROM ${schema}.coreswap_index`),
        values: [],
      });
      return row;
    };
    const first = await identify();
    expect(await identify()).toEqual(first);
    await engine.execute(`DROP TABLE ${schema}.chain_state CASCADE`);
    await engine.execute(`CREATE TABLE ${schema}.chain_state (LIKE "${engine.schema}".chain_state)`);
    expect(await identify()).not.toEqual(first);
  });

  it("the tag changes with the newest event, the observation, the checkpoint, the index and, for volume, the prices", async () => {
    const state = { chainId: 1, blockNumber: 103, blockHash: hashOf("103"), eventId: "7", seriesCount: 0 };
    const checkpoint = "0".repeat(26) + "103".padStart(16, "0") + "9".repeat(33);
    const table = `"${engine.schema}"`;
    const changes = [
      () => insertRows(engine, "chain_state", [state]),
      () => engine.execute(`UPDATE ${table}.chain_state SET event_id = '8'`),
      () =>
        engine.execute(
          `UPDATE ${table}.chain_state SET observed_block_number = 103, observed_block_hash = '${hashOf("103")}'`,
        ),
      () =>
        engine.execute(
          `INSERT INTO ${table}._ponder_checkpoint VALUES ('mainnet', 1, '${checkpoint}', '${checkpoint}', '${checkpoint}')`,
        ),
      () => identify("repaired", INDEX_FORMAT),
      // It was dropped, and built anew under the same name.
      () => identify("repaired", INDEX_FORMAT),
    ];
    onTestFinished(() => identify(engine.schema, INDEX_FORMAT));
    const tags = [await tagOf(HISTORY)];
    for (const change of changes) {
      await change();
      tags.push(await tagOf(HISTORY));
    }
    expect(new Set(tags).size).toBe(changes.length + 1);

    const { coverage } = historyAnswer.parse((await checkedRequest(api, HISTORY)).body);
    expect(coverage).toEqual({
      historicalBackfill: { startBlock: "100", nextBlock: "104", indexedThroughBlock: "103" },
      lastMatchingStreamObservation: { blockNumber: "103", blockHash: hashOf("103") },
    });

    const asset = { rwaId: hashOf("TBILL"), priceAdapter: addressOf("adapter") };
    await insertRows(engine, "rwa", [{ chainId: 1, ...asset, accepted: true }]);
    const prices = await pricesOf(engine);
    const before = await tagOf(VOLUME);
    api = appOver(engine);
    expect(await tagOf(VOLUME)).toBe(before);
    const price = {
      chainId: 1,
      ...asset,
      priceUsdWad: 1n,
      fetchedAt: NOW,
      blockNumber: 1n,
      blockHash: hashOf("1"),
    };
    await prices.write([price]);
    const priced = await tagOf(VOLUME);
    await prices.write([{ ...price, priceUsdWad: 2n }]);
    expect(new Set([before, priced, await tagOf(VOLUME)]).size).toBe(3);
    expect(await tagOf(HISTORY)).toBe(tags.at(-1));
  });
});

describe("failures", () => {
  it("do not reveal their cause and are logged", async () => {
    api = appOver(engine, { networks: [{ ...networkOf(engine, "mainnet"), schema: "missing" }] });
    for (const path of [HISTORY, VOLUME, "/v1/info", "/v1/info/evm"]) {
      const { response, body } = await checkedRequest(api, path);
      expect(response.status).toBe(500);
      expect(body).toEqual({ error: "internal error", status: 500 });
    }
    expect(api.errors).toHaveLength(4);
    expect(String(api.errors[0])).toContain("missing");
  });

  it("are logged with the ID of the request, which a proxy can set", async () => {
    const messages: string[] = [];
    api = appOver(engine, {
      networks: [{ ...networkOf(engine, "mainnet"), schema: "missing" }],
      logError: (message) => messages.push(message),
    });
    const ids: (string | null)[] = [];
    for (const headers of [{}, { "X-Request-Id": "4f9c-01" }, { "X-Request-Id": 'a "b"' }]) {
      ids.push((await checkedRequest(api, "/v1/info", { headers })).response.headers.get("x-request-id"));
    }
    expect(ids).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      "4f9c-01",
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(messages).toEqual(ids.map((id) => `GET /v1/info failed (request ${id})`));
  });
});

describe("an earlier answer", () => {
  it("is reused while its state is the same, and made again when it changes", async () => {
    const { body, response } = await checkedRequest(api, HISTORY);
    const etag = response.headers.get("etag");
    const table = `"${engine.schema}"`;
    // Rows change only together with the state. The test changes a row alone, so the value shows which answer was
    // returned.
    await engine.execute(`UPDATE ${table}.transaction SET gas_used = gas_used + 1`);
    const again = await checkedRequest(api, HISTORY);
    expect(again.body).toEqual(body);
    expect(again.response.headers.get("etag")).toBe(etag);

    await engine.execute(`UPDATE ${table}.chain_state SET event_id = '9' WHERE chain_id = 1`);
    const anew = await checkedRequest(api, HISTORY);
    expect(anew.body).not.toEqual(body);
    expect(anew.response.headers.get("etag")).not.toBe(etag);
    expect((await checkedRequest(api, HISTORY)).body).toEqual(anew.body);
    await engine.execute(`UPDATE ${table}.transaction SET gas_used = gas_used - 1`);
  });
});
