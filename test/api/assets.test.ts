import { afterAll, beforeAll, expect, it } from "vitest";
import type { RwaPrice } from "../../src/api/prices/store.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, pricesOf, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf, insertStatus, LIVE } from "./support/world.ts";

const PATH = "/v1/assets?network=evm-mainnet";
const [ID_1, ID_2, ID_3] = ["A", "B", "C"].map(hashOf).sort() as [string, string, string];
const [TOKEN_1, TOKEN_2] = ["token 1", "token 2"].map(addressOf).sort() as [string, string];
const WAD = 10n ** 18n;
const PRICE: RwaPrice = {
  chainId: 1,
  rwaId: hashOf("fund"),
  priceAdapter: addressOf("price"),
  priceUsdWad: 2n * WAD + 1n,
  fetchedAt: 1_790_000_000n,
  blockNumber: 3_000n,
  blockHash: hashOf("block 3000"),
};
const EMPTY_COVERAGE = {
  historicalBackfill: { startBlock: "100", nextBlock: "100", indexedThroughBlock: null },
  lastMatchingStreamObservation: null,
};

let engine: TestEngine;
let api: ReturnType<typeof appOver>;

beforeAll(async () => {
  engine = await openEngine("assets_test");
  await insertStatus(engine, { mainnet: LIVE, sepolia: LIVE });
  await insertRows(engine, "stablecoin", [
    {
      chainId: 1,
      stablecoinId: ID_2,
      tokenAddress: TOKEN_2,
      decimals: 6,
      name: "USD Coin",
      symbol: "USDC",
      delegateAddress: addressOf("delegate 2"),
      accepted: true,
      yieldBearing: false,
      usdValueWad: WAD - 1n,
      usdValueSetAt: 1_780_000_000n,
      issuerPaidProtocolFeeRateWad: 5n,
      protocolFeeExempt: true,
      guardrailPriceAdapter: addressOf("oracle"),
      guardrailBandWad: WAD / 200n,
      guardrailEnabled: true,
    },
  ]);
  await insertRows(engine, "stablecoin", [
    {
      chainId: 1,
      stablecoinId: ID_1,
      tokenAddress: TOKEN_1,
      decimals: 18,
      delegateAddress: addressOf("delegate 1"),
      accepted: false,
      yieldBearing: true,
    },
  ]);
  // An event named this stablecoin, but it was never registered.
  await insertRows(engine, "stablecoin", [
    { chainId: 1, stablecoinId: ID_3, accepted: false, yieldBearing: false, usdValueWad: WAD, usdValueSetAt: 1n },
  ]);
  await insertRows(engine, "rwa", [
    {
      chainId: 1,
      rwaId: PRICE.rwaId,
      tokenAddress: addressOf("fund token"),
      decimals: 18,
      name: "Fund",
      symbol: "FUND",
      accepted: true,
      delegateAddress: addressOf("risk"),
      priceAdapter: PRICE.priceAdapter,
      whitelistAdapter: addressOf("register"),
    },
    { chainId: 1, rwaId: ID_3, accepted: false, priceAdapter: addressOf("price") },
  ]);
  const rate = (stablecoinId: string, rwaId: string, discountRateWad: bigint, redemptionFeeWad: bigint) => ({
    ...{ chainId: 1, stablecoinId, rwaId },
    ...{ discountRateWad, redemptionFeeWad },
  });
  const post = { chainId: 1, adapterAddress: PRICE.priceAdapter, poster: addressOf("poster"), transactionHash: ID_1 };
  await insertRows(engine, "nav_post", [
    { ...post, second: 1_790_035_200n, blockNumber: 70, logIndex: 3, navWad: 2n * WAD + 3n },
    { ...post, second: 1_790_035_200n, blockNumber: 70, logIndex: 2, navWad: 2n * WAD + 2n },
    { ...post, second: 1_790_000_000n, blockNumber: 80, logIndex: 9, navWad: 1n },
    {
      ...post,
      adapterAddress: addressOf("another adapter"),
      second: 1_800_000_000n,
      blockNumber: 90,
      logIndex: 1,
      navWad: 5n,
    },
    { ...post, chainId: 11155111, second: 1_800_000_000n, blockNumber: 90, logIndex: 1, navWad: 7n },
  ]);
  await insertRows(engine, "lp_rwa_rate", [
    rate(ID_2, ID_3, 3n, 0n),
    rate(ID_2, ID_1, 0n, 99n * (WAD / 100n)),
    rate(ID_3, ID_1, 7n, 7n),
    { ...rate(ID_2, ID_2, 9n, 9n), chainId: 11155111 },
  ]);
  await insertRows(engine, "lp_stablecoin_rate", [
    { chainId: 1, stablecoinId: ID_1, tokenAddress: TOKEN_2, acceptanceFeeWad: 1n, redemptionFeeWad: 2n },
    { chainId: 1, stablecoinId: ID_1, tokenAddress: TOKEN_1, acceptanceFeeWad: 3n, redemptionFeeWad: 4n },
  ]);
  await insertRows(engine, "protocol_settings", [{ chainId: 1, spreadProtocolTakeRateWad: WAD / 10n, paused: true }]);
  api = appOver(engine);
});
afterAll(() => engine.close());

it("lists registered assets with their values, rates by pair and newest price", async () => {
  await pricesOf(engine, PRICE);
  const { response, body } = await checkedRequest(api, PATH);
  expect(api.errors).toEqual([]);
  expect(response.status).toBe(200);
  expect(body).toEqual({
    network: "evm-mainnet",
    chainId: 1,
    paused: true,
    spreadProtocolTakeRateWad: "100000000000000000",
    stablecoins: [
      {
        stablecoinId: ID_1,
        tokenAddress: TOKEN_1,
        name: null,
        symbol: null,
        decimals: 18,
        accepted: false,
        yieldBearing: true,
        lpAddress: addressOf("delegate 1"),
        usdValueWad: null,
        usdValueSetAt: null,
        issuerPaidProtocolFeeRateWad: "0",
        protocolFeeExempt: false,
        guardrail: null,
        rwaRates: [],
        stablecoinRates: [
          { tokenAddress: TOKEN_1, acceptanceFeeWad: "3", redemptionFeeWad: "4" },
          { tokenAddress: TOKEN_2, acceptanceFeeWad: "1", redemptionFeeWad: "2" },
        ],
      },
      {
        stablecoinId: ID_2,
        tokenAddress: TOKEN_2,
        name: "USD Coin",
        symbol: "USDC",
        decimals: 6,
        accepted: true,
        yieldBearing: false,
        lpAddress: addressOf("delegate 2"),
        usdValueWad: "999999999999999999",
        usdValueSetAt: "2026-05-28T20:26:40Z",
        issuerPaidProtocolFeeRateWad: "5",
        protocolFeeExempt: true,
        guardrail: { priceAdapter: addressOf("oracle"), bandWad: "5000000000000000", enabled: true },
        rwaRates: [
          { rwaId: ID_1, discountRateWad: "0", redemptionFeeWad: "990000000000000000" },
          { rwaId: ID_3, discountRateWad: "3", redemptionFeeWad: "0" },
        ],
        stablecoinRates: [],
      },
    ],
    rwas: [
      {
        rwaId: PRICE.rwaId,
        tokenAddress: addressOf("fund token"),
        name: "Fund",
        symbol: "FUND",
        decimals: 18,
        accepted: true,
        priceAdapter: PRICE.priceAdapter,
        price: {
          assetId: PRICE.rwaId,
          priceAdapter: PRICE.priceAdapter,
          priceUsdWad: "2000000000000000001",
          fetchedAt: "2026-09-21T14:13:20Z",
          observation: { blockNumber: "3000", blockHash: PRICE.blockHash },
        },
        nav: { navWad: "2000000000000000003", postedAt: "2026-09-22T00:00:00Z" },
        riskDelegate: addressOf("risk"),
        whitelistAdapter: addressOf("register"),
      },
    ],
    coverage: EMPTY_COVERAGE,
  });
});

it("shows the initial state of a network without settings, and an RWA without a price", async () => {
  await pricesOf(engine);
  const { body } = await checkedRequest(api, PATH);
  expect(body).toMatchObject({ rwas: [{ rwaId: PRICE.rwaId, price: null }] });
  const { body: empty } = await checkedRequest(api, "/v1/assets?network=evm-sepolia");
  expect(empty).toEqual({
    network: "evm-sepolia",
    chainId: 11155111,
    paused: false,
    spreadProtocolTakeRateWad: "0",
    stablecoins: [],
    rwas: [],
    coverage: EMPTY_COVERAGE,
  });
});

it("shows the price of the current adapter, and until it is read the newest one of a former adapter", async () => {
  const [older, newer, foreign] = [1n, 2n, 3n].map((number) => ({
    ...PRICE,
    priceAdapter: addressOf(`former adapter ${number}`),
    priceUsdWad: number,
    fetchedAt: PRICE.fetchedAt + number,
  })) as [RwaPrice, RwaPrice, RwaPrice];
  const shows = async (price: RwaPrice | null) => {
    const shown =
      price && expect.objectContaining({ priceUsdWad: `${price.priceUsdWad}`, priceAdapter: price.priceAdapter });
    const { body } = await checkedRequest(api, PATH);
    expect(body).toMatchObject({ rwas: expect.arrayContaining([expect.objectContaining({ price: shown })]) });
  };
  const change = ({ chainId, rwaId, priceAdapter }: RwaPrice, blockNumber: number) =>
    insertRows(engine, "price_adapter_change", [
      {
        chainId,
        rwaId,
        second: 1_780_000_000n,
        blockNumber,
        logIndex: 0,
        adapterAddress: priceAdapter,
        transactionHash: hashOf("adapter"),
      },
    ]);
  await change(older, 2_000);
  await change(newer, 2_001);
  // An adapter that this index does not know is one of another deployment in the same database.
  await pricesOf(engine, foreign);
  await shows(null);
  await pricesOf(engine, newer, older, foreign);
  await shows(newer);
  await pricesOf(engine, newer, older, foreign, PRICE);
  await shows(PRICE);
  // An RWA can get the adapter back that it had before. Its price from then is older than that of the adapter between.
  await change(PRICE, Number(PRICE.blockNumber) + 1);
  await shows(newer);
  const readAgain = { ...PRICE, blockNumber: PRICE.blockNumber + 1n };
  await pricesOf(engine, newer, older, foreign, readAgain);
  await shows(readAgain);
});

it("gets a new tag when a price changes", async () => {
  const tagOf = async (headers: Record<string, string> = {}) => {
    const { response } = await checkedRequest(api, PATH, { headers });
    return { status: response.status, etag: response.headers.get("etag") ?? "" };
  };
  await pricesOf(engine, PRICE);
  const { etag } = await tagOf();
  expect(await tagOf({ "If-None-Match": etag })).toEqual({ status: 304, etag });
  await pricesOf(engine, { ...PRICE, priceUsdWad: PRICE.priceUsdWad + 1n });
  expect(await tagOf({ "If-None-Match": etag })).toMatchObject({ status: 200 });
});
