import { address } from "@solana/addresses";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf, insertStatus, LIVE } from "./support/world.ts";

let engine: TestEngine;
let api: ReturnType<typeof appOver>;

const SVM = {
  mainnet: { program_id: address("11111111111111111111111111111111"), rwa_assets: [], stable_assets: [], lp_info: [] },
};
const [ID_1, ID_2, ID_3] = ["A", "B", "C"].map(hashOf).sort() as [string, string, string];
const ADMINS = ["admin 1", "admin 2"].map(addressOf).sort();

beforeAll(async () => {
  engine = await openEngine("info_test");
  await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
  const stablecoin = { chainId: 1, decimals: 6, accepted: true, yieldBearing: false };
  await insertRows(engine, "stablecoin", [
    {
      ...stablecoin,
      stablecoinId: ID_2,
      tokenAddress: addressOf("token 2"),
      name: "USD Coin",
      symbol: "USDC",
      delegateAddress: addressOf("delegate 2"),
      guardrailPriceAdapter: addressOf("oracle"),
      guardrailBandWad: 5n * 10n ** 15n,
      guardrailEnabled: true,
    },
    {
      ...stablecoin,
      stablecoinId: ID_1,
      tokenAddress: addressOf("token 1"),
      delegateAddress: addressOf("delegate 1"),
      accepted: false,
      yieldBearing: true,
      guardrailBandWad: 0n,
      guardrailEnabled: false,
    },
    // An event named this stablecoin, but it was never registered.
    { ...stablecoin, stablecoinId: ID_3, guardrailBandWad: 1n, guardrailEnabled: true },
  ]);
  await insertRows(engine, "rwa", [
    {
      chainId: 1,
      rwaId: ID_3,
      tokenAddress: addressOf("rwa 3"),
      decimals: 18,
      name: "Gold",
      symbol: "GOLD",
      accepted: true,
      delegateAddress: addressOf("risk"),
      priceAdapter: addressOf("price"),
      whitelistAdapter: addressOf("whitelist"),
    },
    { chainId: 1, rwaId: ID_1, tokenAddress: addressOf("rwa 1"), decimals: 0, accepted: false },
    { chainId: 1, rwaId: ID_2, accepted: false, priceAdapter: addressOf("price") },
  ]);
  const issuerAdmin = (delegate: string, account: string, active = true) => ({
    chainId: 1,
    delegateAddress: addressOf(delegate),
    adminAddress: account,
    active,
  });
  await insertRows(engine, "issuer_admin", [
    issuerAdmin("delegate 2", ADMINS[1] ?? ""),
    issuerAdmin("delegate 2", ADMINS[0] ?? ""),
    issuerAdmin("delegate 2", addressOf("removed"), false),
    issuerAdmin("some other contract", addressOf("stranger")),
  ]);
  api = appOver(engine, { svm: SVM });
});
afterAll(() => engine.close());

const MAINNET = {
  chain_id: 1,
  swap_contract: addressOf("CoreSwap"),
  treasury_contract: addressOf("Treasury"),
  stablecoin_delegate_contracts: [
    {
      delegate_address: addressOf("delegate 1"),
      stablecoin_id: ID_1,
      token_address: addressOf("token 1"),
      yield_bearing: true,
      accepted: false,
      administrators: [],
      guardrail: { price_adapter: null, band_wad: "0", enabled: false },
    },
    {
      delegate_address: addressOf("delegate 2"),
      stablecoin_id: ID_2,
      token_address: addressOf("token 2"),
      yield_bearing: false,
      accepted: true,
      administrators: ADMINS,
      guardrail: { price_adapter: addressOf("oracle"), band_wad: "5000000000000000", enabled: true },
    },
  ],
  stable_assets: [
    {
      name: null,
      symbol: null,
      stablecoin_id: ID_1,
      token_address: addressOf("token 1"),
      decimals: 6,
      accepted: false,
    },
    {
      name: "USD Coin",
      symbol: "USDC",
      stablecoin_id: ID_2,
      token_address: addressOf("token 2"),
      decimals: 6,
      accepted: true,
    },
  ],
  rwa_assets: [
    {
      name: null,
      symbol: null,
      rwa_id: ID_1,
      token_address: addressOf("rwa 1"),
      decimals: 0,
      price_adapter: null,
      delegate: null,
      whitelist_adapter: null,
      accepted: false,
    },
    {
      name: "Gold",
      symbol: "GOLD",
      rwa_id: ID_3,
      token_address: addressOf("rwa 3"),
      decimals: 18,
      price_adapter: addressOf("price"),
      delegate: addressOf("risk"),
      whitelist_adapter: addressOf("whitelist"),
      accepted: true,
    },
  ],
};
const SEPOLIA = {
  ...MAINNET,
  chain_id: 11155111,
  stablecoin_delegate_contracts: [],
  stable_assets: [],
  rwa_assets: [],
};

describe("deployment metadata", () => {
  it.each([
    ["/v1/info/evm?chain=mainnet", MAINNET],
    ["/v1/info/evm?chain=sepolia", SEPOLIA],
    ["/v1/info/evm", { mainnet: MAINNET, sepolia: SEPOLIA }],
    ["/v1/info/svm?chain=mainnet", SVM.mainnet],
    ["/v1/info/svm", SVM],
    ["/v1/info", { evm: { mainnet: MAINNET, sepolia: SEPOLIA }, svm: SVM }],
    ["/v1/info?runtime=evm", { evm: { mainnet: MAINNET, sepolia: SEPOLIA } }],
    ["/v1/info?runtime=svm", { svm: SVM }],
  ])("%s", async (path, expected) => {
    const { response, body } = await checkedRequest(api, path);
    expect(api.errors).toEqual([]);
    expect(response.status).toBe(200);
    expect(body).toEqual(expected);
  });
});

const HISTORY_FILTERS = ["network", "wallet", "outcome", "activity", "entrypoint", "transactionHash"];

describe("index and document", () => {
  it("list exactly the endpoints that answer, with their parameters", async () => {
    const index = z
      .object({
        endpoints: z.array(
          z.object({ path: z.string(), parameters: z.array(z.object({ name: z.string(), in: z.string() })) }),
        ),
      })
      .parse((await checkedRequest(api, "/")).body);
    expect(
      Object.fromEntries(
        index.endpoints.map(({ path, parameters }) => [
          path,
          parameters.filter((parameter) => parameter.in !== "header").map(({ name }) => name),
        ]),
      ),
    ).toEqual({
      "/": [],
      "/openapi.json": [],
      "/docs": [],
      "/health": [],
      "/v1/status": [],
      "/v1/status/indexing": ["network", "maxLagSeconds", "maxAgeSeconds"],
      "/api/status": [],
      "/v1/info": ["runtime"],
      "/v1/info/evm": ["chain"],
      "/v1/info/svm": ["chain"],
      "/v1/assets": ["network"],
      "/v1/assets/{rwaId}/navs": ["rwaId", "network", "from", "to"],
      "/v1/lps/{address}": ["address", "network"],
      "/v1/quote": [
        "network",
        "user",
        "routeId",
        "assetInId",
        "assetOutId",
        "stablecoinDelegateId",
        "amountIn",
        "amountOut",
      ],
      "/v1/transactions": [...HISTORY_FILTERS, "cursor", "limit"],
      "/v1/transactions.csv": [...HISTORY_FILTERS, "cursor", "from", "to"],
      "/v1/transactions/{transactionHash}/revert": ["transactionHash", "network"],
      "/v1/events": ["network"],
      "/v1/volume": ["network", "from", "to", "lpAddress"],
      "/v1/volume/series": ["network", "from", "to", "lpAddress", "interval"],
      "/v1/volume/series.csv": ["network", "from", "to", "lpAddress", "interval"],
      "/v1/treasury/summary": ["network"],
      "/v1/treasury/rates": ["network", "delegate", "from", "to"],
      "/v1/treasury/accounts/{wallet}": ["wallet", "network"],
      "/v1/treasury/accounts/{wallet}/history": ["wallet", "network", "from", "to", "interval"],
    });
    // Ponder answers /health before the app does.
    for (const { path } of index.endpoints.filter(({ path }) => path !== "/health")) {
      expect((await checkedRequest(api, path)).response.status).not.toBe(404);
    }
  });

  it("say that users approve the delegate", async () => {
    expect(JSON.stringify((await checkedRequest(api, "/")).body)).toContain("Users approve the delegate");
  });

  it("describe every parameter and declare errors", async () => {
    const parameter = z.object({
      in: z.enum(["query", "path", "header"]),
      schema: z.object({ description: z.string().min(1) }),
    });
    const route = z.object({
      get: z.object({ parameters: z.array(parameter).optional(), responses: z.looseObject({ 200: z.object({}) }) }),
    });
    const { openapi, paths } = z
      .object({ openapi: z.string(), paths: z.record(z.string(), route) })
      .parse((await checkedRequest(api, "/openapi.json")).body);
    expect(openapi).toBe("3.1.0");
    for (const [path, { get }] of Object.entries(paths)) {
      // A stream cannot be revalidated, so it has no 304.
      const expected = path === "/v1/events" ? ["200", "400", "429", "500"] : ["200", "304", "400", "500"];
      expect(Object.keys(get.responses), path).toEqual(
        expect.arrayContaining(get.parameters === undefined ? ["200"] : expected),
      );
    }
  });

  it("allow null only in fields, and in no component", async () => {
    const schema = z.record(z.string(), z.looseObject({}));
    const { components } = z
      .object({ components: z.object({ schemas: schema }) })
      .parse((await checkedRequest(api, "/openapi.json")).body);
    for (const [name, component] of Object.entries(components.schemas)) {
      expect(JSON.stringify(component.type ?? component.oneOf), name).not.toContain('"null"');
    }
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["Transaction", "SwapCall", "AllowlistCall", "BlockReference", "Coverage", "ApiError"]),
    );
  });

  it("status is plain text under both paths", async () => {
    const { response, body } = await checkedRequest(api, "/v1/status");
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(body).toBe("ok\nevm-mainnet on\nevm-sepolia on\n");
    expect((await checkedRequest(api, "/api/status")).body).toBe(body);
  });
});
