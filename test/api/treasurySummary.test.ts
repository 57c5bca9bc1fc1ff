import { dailyGrowthWad, INDEX_ONE, nextIndex, type SolvencyReading, WAD } from "@coreswap/sdk";
import { createPublicClient, custom, encodeAbiParameters } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { summaryReader } from "../../src/api/treasury/summary.query.ts";
import { treasurySummaryAnswer } from "../../src/api/treasury/summary.schema.ts";
import { summaryOf } from "../../src/api/treasury/summary.ts";
import { timeText } from "../support/time.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, NO_CREDITS, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf, networkOf } from "./support/world.ts";

const PATH = "/v1/treasury/summary?network=evm-mainnet";
const DELEGATE = addressOf("delegate");
const PLAIN_DELEGATE = addressOf("plain delegate");
const FIRST_DAY = 20_400n;
const DAY_SECONDS = 86_400n;
const POSTED_RATE = (45n * WAD) / 1_000n;
const CORRECTED_RATE = (50n * WAD) / 1_000n;

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("treasury_summary_test");
});
afterAll(() => engine.close());

beforeEach(async () => {
  const tables = ["stablecoin", "rwa", "credited_account", "rate_start", "daily_rate", "daily_rate_correction"];
  await engine.execute(
    [...tables, "chain_state", "_ponder_checkpoint"]
      .map((table) => `DELETE FROM "${engine.schema}".${table};`)
      .join(""),
  );
});

/** Inserts the treasury token with two posted days, of which the second is corrected, and a plain stablecoin. */
async function insertTreasury() {
  const stablecoin = (text: string, delegateAddress: string, yieldBearing: boolean) => ({
    chainId: 1,
    stablecoinId: hashOf(text),
    tokenAddress: addressOf(text),
    decimals: 18,
    delegateAddress,
    accepted: true,
    yieldBearing,
  });
  await insertRows(engine, "stablecoin", [
    stablecoin("TREASURY", DELEGATE, true),
    stablecoin("USDC", PLAIN_DELEGATE, false),
    // An event named this stablecoin, but it was never registered.
    { ...stablecoin("NAMED", addressOf("nobody"), true), tokenAddress: null, delegateAddress: null },
  ]);
  await insertRows(engine, "rwa", [
    { chainId: 1, rwaId: hashOf("BOND"), tokenAddress: addressOf("BOND"), decimals: 6, accepted: false },
    { chainId: 1, rwaId: hashOf("NAMED RWA"), tokenAddress: null, accepted: false },
  ]);
  const ofBoth = [DELEGATE, addressOf("stranger")].flatMap((delegateAddress) =>
    ["alice", "vault"].map((account) => ({ chainId: 1, delegateAddress, account: addressOf(account), ...NO_CREDITS })),
  );
  await insertRows(engine, "credited_account", [...ofBoth, { ...ofBoth[0], chainId: 11155111 }]);
  const key = { chainId: 1, delegateAddress: DELEGATE };
  await insertRows(engine, "rate_start", [{ ...key, firstRateDay: FIRST_DAY }]);
  const post = { ...key, poster: addressOf("poster"), postedAt: 0n, blockNumber: 1, transactionHash: hashOf("post") };
  await insertRows(
    engine,
    "daily_rate",
    [FIRST_DAY, FIRST_DAY + 1n].map((dayNumber) => ({ ...post, dayNumber, rateWad: POSTED_RATE })),
  );
  await insertRows(engine, "daily_rate_correction", [
    {
      ...key,
      dayNumber: FIRST_DAY + 1n,
      blockNumber: 200n,
      logIndex: 0,
      oldRateWad: POSTED_RATE,
      newRateWad: CORRECTED_RATE,
      corrector: addressOf("operator"),
      correctedAt: 0n,
      transactionHash: hashOf("correction"),
    },
  ]);
}

/** A node whose blocks have one hash and whose views return one number. */
function nodeWith({ hash, view = 0n }: { readonly hash: string; readonly view?: bigint }) {
  const blocks: unknown[] = [];
  const client = createPublicClient({
    transport: custom({
      request: async ({ method, params }) => {
        if (method === "eth_call") return encodeAbiParameters([{ type: "uint256" }], [view]);
        blocks.push(params[0]);
        return { number: params[0], hash, timestamp: "0x64", transactions: [] };
      },
    }),
  });
  return { client, blocks };
}

describe("a summary", () => {
  it("takes rates in force, accounts with credits, assets and delegates from the index", async () => {
    await insertTreasury();
    const { delegates, assets, allDelegates } = await summaryReader(engine.database, networkOf(engine, "mainnet"))();
    expect(delegates).toEqual([
      {
        delegateAddress: DELEGATE,
        stablecoinId: hashOf("TREASURY"),
        tokenAddress: addressOf("TREASURY"),
        firstRateDay: FIRST_DAY,
        rates: [
          { dayNumber: FIRST_DAY, rateWad: POSTED_RATE },
          { dayNumber: FIRST_DAY + 1n, rateWad: CORRECTED_RATE },
        ],
        accounts: [addressOf("alice"), addressOf("vault")].sort(),
      },
    ]);
    const expected = [
      { id: hashOf("BOND"), kind: "rwa" },
      { id: hashOf("TREASURY"), kind: "stablecoin" },
      { id: hashOf("USDC"), kind: "stablecoin" },
    ];
    expect(assets).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
    expect([...allDelegates].sort()).toEqual([DELEGATE, PLAIN_DELEGATE].sort());
  });

  it("of a network without a yield-bearing delegate names only the block, and is read once for each state", async () => {
    await setCheckpoint(engine, "mainnet", 105);
    const { client, blocks } = nodeWith({ hash: hashOf("block") });
    const api = appOver(engine, { nodeOf: () => client });
    const { response, body } = await checkedRequest(api, PATH);
    expect(response.status).toBe(200);
    expect(treasurySummaryAnswer.parse(body)).toMatchObject({
      block: { blockNumber: "105", blockHash: hashOf("block"), timestamp: "100" },
      delegates: [],
    });
    const etag = response.headers.get("etag") ?? "";
    expect((await checkedRequest(api, PATH, { headers: { "If-None-Match": etag } })).response.status).toBe(304);
    expect(blocks).toEqual(["0x69"]);
  });
});

describe("a summary is a 503 that gives the cause", () => {
  async function refusal(nodeOf: Parameters<typeof appOver>[1]) {
    const api = appOver(engine, nodeOf);
    const { response, body } = await checkedRequest(api, PATH);
    expect(response.status).toBe(503);
    return { error: (body as { error: string }).error, logged: api.errors };
  }

  it("before anything is indexed", async () => {
    const { client } = nodeWith({ hash: hashOf("block") });
    expect((await refusal({ nodeOf: () => client })).error).toBe("nothing of evm-mainnet is indexed yet");
  });

  it("when the node does not answer, without its message", async () => {
    await setCheckpoint(engine, "mainnet", 105);
    const client = createPublicClient({
      transport: custom(
        { request: () => Promise.reject(new Error("http://node.example/key is down")) },
        { retryCount: 0 },
      ),
    });
    const { error, logged } = await refusal({ nodeOf: () => client });
    expect(error).toBe(
      "the treasury of evm-mainnet cannot be read at block 105: the node does not answer, try again later",
    );
    expect(String(logged[0])).toContain("is down");
  });

  it("when the node has a different block than the index", async () => {
    await insertRows(engine, "chain_state", [
      { chainId: 1, blockNumber: 110, blockHash: hashOf("110"), eventId: "7", seriesCount: 0 },
    ]);
    const { client } = nodeWith({ hash: hashOf("another 110") });
    const { error, logged } = await refusal({ nodeOf: () => client });
    expect(error).toContain("block 110: the node and the index disagree about the block");
    expect(String(logged[0])).toContain(hashOf("another 110"));
  });

  it("when the index lacks a rate that the contract has", async () => {
    await insertTreasury();
    await setCheckpoint(engine, "mainnet", 105);
    const { client } = nodeWith({ hash: hashOf("block"), view: FIRST_DAY + 2n });
    const { error, logged } = await refusal({ nodeOf: () => client });
    expect(error).toContain("the node and the index disagree");
    expect(String(logged[0])).toContain(`newest posted day is ${FIRST_DAY + 2n}, the index has ${FIRST_DAY + 1n}`);
  });
});

describe("the yield of a summary", () => {
  const reading = (timestamp: bigint): SolvencyReading => ({
    block: { number: 1n, hash: hashOf("block"), timestamp },
    stablecoinId: hashOf("TREASURY"),
    tokenAddress: addressOf("TREASURY"),
    supply: 0n,
    withheldCredits: 0n,
    inputs: { token: { decimals: 18, usdPerTokenWad: WAD }, creditedAccounts: [], reserveAccounts: [], assets: [] },
  });
  const delegate = (days: number) => ({
    delegateAddress: DELEGATE,
    stablecoinId: hashOf("TREASURY"),
    tokenAddress: addressOf("TREASURY"),
    firstRateDay: days === 0 ? null : FIRST_DAY,
    rates: Array.from({ length: days }, (_, index) => ({
      dayNumber: FIRST_DAY + BigInt(index),
      // The days before the newest seven have another rate.
      rateWad: index < days - 7 ? 2n * POSTED_RATE : POSTED_RATE,
    })),
    accounts: [],
  });
  const yieldOf = (days: number, timestamp: bigint) => summaryOf(delegate(days), reading(timestamp)).yield;

  it("is null before the first posted day", () => {
    expect(yieldOf(0, FIRST_DAY * DAY_SECONDS)).toEqual({
      currentApyWad: null,
      apy7DaysWad: null,
      apy30DaysWad: null,
      apy90DaysWad: null,
      lastPostedDay: null,
      nextDayEndsAt: null,
      unpostedDays: 0,
    });
  });

  it("is the compound growth of exactly the given number of days, and null where fewer are posted", () => {
    const six = yieldOf(6, 0n);
    expect([six.apy7DaysWad, six.apy30DaysWad]).toEqual([null, null]);
    const seven = yieldOf(7, 0n);
    const growth = dailyGrowthWad(POSTED_RATE);
    const index = Array.from({ length: 7 }).reduce((before: bigint) => nextIndex(before, growth), INDEX_ONE);
    const apyWad = BigInt(seven.apy7DaysWad ?? -1);
    const isWithin = (apy: bigint) => (WAD + apy) ** 7n * INDEX_ONE ** 365n <= index ** 365n * WAD ** 7n;
    expect([isWithin(apyWad), isWithin(apyWad + 1n)]).toEqual([true, false]);
    const thirty = yieldOf(30, 0n);
    // The seven newest days have the lower rate, and the 23 days before them have twice that rate.
    expect(BigInt(thirty.apy30DaysWad ?? 0) > BigInt(thirty.apy7DaysWad ?? 0)).toBe(true);
    expect(BigInt(thirty.apy30DaysWad ?? 0) < 2n * POSTED_RATE).toBe(true);
    expect([thirty.currentApyWad, thirty.apy90DaysWad]).toEqual([String(POSTED_RATE), null]);
  });

  it.each([
    ["in the second before the next day ends", -1n, 0],
    ["as soon as it has ended", 0n, 1],
    ["a second before a second day has ended", DAY_SECONDS - 1n, 1],
    ["when a second day has ended", DAY_SECONDS, 2],
  ])("counts the days without a rate %s", (_name, seconds, unpostedDays) => {
    const last = FIRST_DAY + 1n;
    expect(yieldOf(2, (last + 2n) * DAY_SECONDS + seconds)).toMatchObject({
      lastPostedDay: String(last),
      nextDayEndsAt: timeText((last + 2n) * DAY_SECONDS),
      unpostedDays,
    });
  });
});
