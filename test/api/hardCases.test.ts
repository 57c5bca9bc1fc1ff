/** The values that each parameter of each endpoint refuses and accepts, by name and status. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBody } from "../../src/api/http/errors.ts";
import { encodeCursor } from "../../src/api/transactions/cursor.ts";
import { historyAnswer } from "../../src/api/transactions/schema.ts";
import { BROKEN_ESCAPES, ENDPOINTS, type Endpoint, HOSTILE, KINDS, pathOf, QUERYLESS } from "../support/pieces.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { appOver, insertHistory, insertStatus, LIVE, networkOf, withStatusAge } from "./support/world.ts";

const HISTORY_LENGTH = 12;

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("hard_cases_test");
  await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
  await insertHistory(engine, 1, madeHistory(HISTORY_LENGTH));
  api = appWith();
});
afterAll(() => engine.close());

const appWith = (overrides: Parameters<typeof appOver>[1] = {}) =>
  appOver(engine, { database: withStatusAge(engine.database, () => 0), ...overrides });

/** Checks that a request is refused with a 400 whose message begins with the parameter's name. */
async function expectRefused(path: string, parameter: string) {
  const { response, body } = await checkedRequest(api, path);
  expect(response.status, path.slice(0, 300)).toBe(400);
  const { error, status } = errorBody.parse(body);
  expect(status).toBe(400);
  expect(error.split(/[:;]/)[0], path.slice(0, 300)).toBe(parameter);
  expect(error.length).toBeLessThan(1_000);
  expect(response.headers.get("cache-control")).toBe("no-store");
}

const ROWS = ENDPOINTS.flatMap((endpoint) =>
  Object.entries(endpoint.parameters).map(([name, kind]) => ({
    ...endpoint,
    name,
    kind,
    title: `${name} of ${endpoint.path}`,
  })),
);

describe.each(ROWS)("$title", ({ name, kind, ...endpoint }) => {
  const path = (value: string) => pathOf(endpoint, { [name]: value });

  it.each(KINDS[kind].refused.map((value) => [value]))("%s is a 400", (value) => expectRefused(path(value), name));

  it("an empty value is a 400, with and without =", async () => {
    await expectRefused(path(""), name);
    await expectRefused(path("").replace(`${name}=`, name), name);
  });

  it("a repeated parameter is a 400, also with the same value", async () => {
    const value = KINDS[kind].accepted[0] ?? "A";
    await expectRefused(`${path(value)}&${name}=${value}`, name);
  });

  it("the name in another case is an unknown name, which is a 400", async () => {
    for (const other of [name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`]) {
      await expectRefused(pathOf(endpoint, { [name]: null, [other]: "1" }), JSON.stringify(other));
    }
  });

  it.each(HOSTILE.map((value) => [value]))("%.40s is a 400", async (value) => {
    if (kind === "entrypoint" && /^\w+$/.test(value) && value.length <= 64) return; // A valid name.
    await expectRefused(path(value), name);
  });

  it.each(BROKEN_ESCAPES.map((value) => [value]))("the broken escape %s is a 400", (value) =>
    expectRefused(path(value), name),
  );
});

describe.each(ENDPOINTS)("$path", (endpoint) => {
  it("refuses unknown names with any value", async () => {
    const joint = (query: string) => `${pathOf(endpoint)}${pathOf(endpoint).includes("?") ? "&" : "?"}${query}`;
    for (const [query, name] of [
      ["unknown=1", "unknown"],
      ["__proto__=1", "__proto__"],
      ["constructor=1", "constructor"],
      ["%00=1", "\0"],
      ["=1", ""],
      ["network%20=evm-mainnet", "network "],
      ["network[]=evm-mainnet", "network[]"],
      [`${"n".repeat(65_536)}=1`, `${"n".repeat(64)}…`],
      ["%ff=1", "%ff"],
      ["%=1", "%"],
    ] as const) {
      await expectRefused(joint(query), JSON.stringify(name));
    }
  });

  it("refuses a request without a required parameter", async () => {
    for (const name of Object.keys(endpoint.required)) await expectRefused(pathOf(endpoint, { [name]: null }), name);
  });
});

/** These endpoints read from a node, which this application does not have. */
const FROM_NODES = ["/v1/treasury/accounts", "/v1/treasury/summary"];

/** Only parameters whose value alone decides the answer. Ranges and cursors are tested below. */
const ACCEPTED = ROWS.filter(
  ({ kind, path }) => kind !== "time" && kind !== "cursor" && !FROM_NODES.some((start) => path.startsWith(start)),
);

describe.each(ACCEPTED)("$title", ({ name, kind, ...endpoint }) => {
  it.each(KINDS[kind].accepted.map((value) => [value]))("%s is a 200", async (value) => {
    if (kind === "svmChain") api = appWith({ svm: SVM });
    const { response } = await checkedRequest(api, pathOf(endpoint, { [name]: value }));
    expect(response.status).toBe(200);
    expect(api.errors).toEqual([]);
  });
});

const deployment = { program_id: "1".repeat(32), rwa_assets: [], stable_assets: [], lp_info: [] };
const SVM = { mainnet: deployment, devnet: deployment } as never;

/** The endpoints with a range of at most 365 days, by default the last 30. The history's file has none of that. */
const RANGED = ENDPOINTS.filter(({ path, parameters }) => "from" in parameters && path !== "/v1/transactions.csv");

describe.each(RANGED)("the range of $path", (endpoint) => {
  const get = (from: string | null, to: string | null) =>
    checkedRequest(
      api,
      pathOf(endpoint, { from, to, ...("interval" in endpoint.required ? { interval: "month" } : {}) }),
    );

  it.each([
    ["365 days exactly", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["365 days exactly, over a leap day", "2024-01-01T00:00:01Z", "2024-12-31T00:00:01Z"],
    ["one second", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"],
    ["the first second of all", "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"],
    ["the last second of all", "9999-12-31T23:59:58Z", "9999-12-31T23:59:59Z"],
    ["both in the future", "2999-01-01T00:00:00Z", "2999-02-01T00:00:00Z"],
    ["before the start block", "1999-01-01T00:00:00Z", "1999-02-01T00:00:00Z"],
    ["from alone", "2027-01-01T00:00:00Z", null],
    ["to alone", null, "2026-01-01T00:00:00Z"],
    ["to alone, less than 30 days after 1970", null, "1970-01-02T00:00:00Z"],
    ["neither", null, null],
  ])("%s is a 200 that echoes it in JSON", async (_title, from, to) => {
    const { response, body } = await get(from, to);
    expect(response.status).toBe(200);
    // A file has the range in its name only.
    if (typeof body === "string") return;
    if (from !== null) expect(body).toHaveProperty("from", from);
    if (to !== null) expect(body).toHaveProperty("to", to);
  });

  it.each([
    ["from = to", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["from > to", "2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z"],
    ["365 days and one second", "2025-01-01T00:00:00Z", "2026-01-01T00:00:01Z"],
    ["365 days and one second before the leap day", "2024-01-01T00:00:00Z", "2024-12-31T00:00:01Z"],
    ["all there is", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
    ["from in the future alone", "2999-01-01T00:00:00Z", null],
    ["from more than 365 days before now", "2020-01-01T00:00:00Z", null],
  ])("%s is a 400 that names from", async (_title, from, to) => {
    const { response, body } = await get(from, to);
    expect(response.status).toBe(400);
    expect(errorBody.parse(body).error).toMatch(/^from: accepts a time/);
  });
});

describe("cursor of /v1/transactions and /v1/transactions.csv", () => {
  const [json, csv] = ["/v1/transactions", "/v1/transactions.csv"].map(
    (path) => ENDPOINTS.find((endpoint) => endpoint.path === path) as Endpoint,
  ) as [Endpoint, Endpoint];
  let cursor: string;
  beforeAll(async () => {
    api = appOver(engine);
    const { body } = await checkedRequest(api, pathOf(json, { limit: "5", outcome: "success" }));
    cursor = historyAnswer.parse(body).nextCursor ?? "";
    expect(cursor).toMatch(/^[\w-]{39}$/);
  });

  const expectRefusedByBoth = async (given: Record<string, string>) => {
    for (const endpoint of [json, csv])
      await expectRefused(pathOf(endpoint, { outcome: "success", ...given }), "cursor");
  };

  it("is accepted by both endpoints for the network and filters it came from", async () => {
    for (const endpoint of [json, csv]) {
      const { response } = await checkedRequest(api, pathOf(endpoint, { outcome: "success", cursor }));
      expect(response.status).toBe(200);
    }
  });

  it("that is cut or extended is a 400", async () => {
    for (let length = 1; length < cursor.length; length += 1)
      await expectRefusedByBoth({ cursor: cursor.slice(0, length) });
    for (const more of ["A", "AAAA", "=", "%3D", "%00"]) await expectRefusedByBoth({ cursor: cursor + more });
  });

  it("with any flipped bit is a 400", async () => {
    const bytes = Buffer.from(cursor, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      await expectRefusedByBoth({ cursor: flipped.toString("base64url") });
    }
  });

  it("from another network, from other filters or of another version is a 400", async () => {
    await expectRefusedByBoth({ cursor, network: "evm-sepolia" });
    await expectRefusedByBoth({ cursor, outcome: "revert" });
    await expectRefusedByBoth({ cursor, activity: "swap" });
    const scope = [["network", "evm-mainnet"]] as const;
    await expectRefusedByBoth({ cursor: encodeCursor(scope, { blockNumber: 101n, transactionIndex: 0 }) });
    const version2 = Buffer.from(cursor, "base64url");
    version2.writeUInt8(2, 0);
    await expectRefusedByBoth({ cursor: version2.toString("base64url") });
  });

  it("in base64 that is not canonical is a 400", async () => {
    const padded = Buffer.from(cursor, "base64url").toString("base64");
    for (const other of [`${padded}=`, `${cursor}%20`, `%20${cursor}`, cursor.toLowerCase(), `.${cursor}`]) {
      await expectRefusedByBoth({ cursor: other });
    }
  });
});

describe("networks and chains that are disabled", () => {
  beforeAll(() => {
    api = appOver(engine, { networks: [networkOf(engine, "mainnet")] });
  });

  it.each(ENDPOINTS.filter(({ required }) => "network" in required))(
    "the message for network of $path names the enabled networks",
    async (endpoint) => {
      const { response, body } = await checkedRequest(api, pathOf(endpoint, { network: "evm-sepolia" }));
      expect(response.status).toBe(400);
      expect(errorBody.parse(body).error).toBe("network: evm-sepolia is not enabled; enabled: evm-mainnet");
    },
  );

  it("the message for chain names the enabled chains", async () => {
    for (const [path, error] of [
      ["/v1/info/evm?chain=sepolia", "chain: sepolia is not enabled; enabled: mainnet"],
      ["/v1/info/svm?chain=devnet", "chain: devnet is not enabled; enabled: none"],
    ] as const) {
      const { response, body } = await checkedRequest(api, path);
      expect(response.status).toBe(400);
      expect(errorBody.parse(body).error).toBe(error);
    }
  });
});

describe("paths", () => {
  const WITH_ADDRESS = [
    ["/v1/treasury/accounts", "wallet"],
    ["/v1/lps", "address"],
  ] as const;

  describe.each(WITH_ADDRESS)("behind %s", (path, name) => {
    it.each([...KINDS.address.refused, `${KINDS.address.accepted[0]}%2f`, ...BROKEN_ESCAPES].map((value) => [value]))(
      "%s is a 400",
      (value) => expectRefused(`${path}/${value}?network=evm-mainnet`, name),
    );
  });

  const known = [...QUERYLESS, "/health", ...ENDPOINTS.map(({ path }) => path)].filter((path) => path !== "/");

  // Everything after the segment of an address is part of it.
  const closed = known.filter((path) => WITH_ADDRESS.every(([open]) => !path.startsWith(open)));

  it.each([
    ...known.flatMap((path) => [`${path}/`, `/${path}`, path.replace(/\/(?=[^/]+$)/, "//"), path.toUpperCase()]),
    ...closed.flatMap((path) => [`${path}%2f`, `${path}%00`, `${path}.json`, `${path};a=1`]),
    ...WITH_ADDRESS.flatMap(([path]) => [path, `${path}/`]),
    "/v1",
    "/v2/info",
    "/v1/transactions/",
    "/docs/../package.json",
    "/docs/%2e%2e/package.json",
    "/docs/swagger-ui-bundle.js.map",
    "/graphql",
    "/sql/db",
  ])("%s is a 404", async (path) => {
    const { response, body } = await checkedRequest(api, path);
    expect(response.status).toBe(404);
    expect(body).toEqual({ error: "no such path: / lists all paths", status: 404 });
  });

  it.each([...known, "/", "/docs/swagger-ui.css"])(
    "%s answers 405 with Allow to methods that do not read",
    async (path) => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
        const { response, body } = await checkedRequest(api, path, { method });
        expect(response.status, method).toBe(405);
        expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
        expect(errorBody.parse(body).status).toBe(405);
      }
    },
  );
});
