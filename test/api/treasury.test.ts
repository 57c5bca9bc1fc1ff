import { dailyGrowthWad, INDEX_ONE, nextIndex } from "@coreswap/sdk";
import { createPublicClient, custom } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { treasuryAccountsAnswer, treasuryRatesAnswer } from "../../src/api/treasury/schema.ts";
import { timeText } from "../support/time.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

const DELEGATE = addressOf("delegate");
const FIRST_DAY = 20_400n;
const DAY_SECONDS = 86_400n;
const WAD = 10n ** 18n;
const RATES = [45n, 45n, 50n, 0n, 199n].map((permille) => (permille * WAD) / 1_000n);
/** The third day is corrected twice. */
const CORRECTED = [51n, 49n].map((permille) => (permille * WAD) / 1_000n);
const WALLET = addressOf("alice");

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("treasury_test");
  const stablecoin = (text: string, delegateAddress: string, yieldBearing: boolean) => ({
    chainId: 1,
    stablecoinId: hashOf(text),
    tokenAddress: addressOf(text),
    decimals: 6,
    delegateAddress,
    accepted: true,
    yieldBearing,
  });
  await insertRows(engine, "stablecoin", [
    stablecoin("TREASURY", DELEGATE, true),
    stablecoin("USDC", addressOf("plain delegate"), false),
  ]);
  await insertRates(1, DELEGATE);
  // Any contract can emit these events.
  await insertRates(1, addressOf("stranger"));
});
afterAll(() => engine.close());

async function insertRates(chainId: number, delegateAddress: string) {
  const key = { chainId, delegateAddress };
  await insertRows(engine, "rate_start", [{ ...key, firstRateDay: FIRST_DAY }]);
  await insertRows(
    engine,
    "daily_rate",
    RATES.map((rateWad, index) => ({
      ...key,
      dayNumber: FIRST_DAY + BigInt(index),
      rateWad,
      poster: addressOf("poster"),
      postedAt: (FIRST_DAY + BigInt(index) + 1n) * DAY_SECONDS + 60n,
      blockNumber: 100 + index,
      transactionHash: hashOf(`post ${index}`),
    })),
  );
  await insertRows(
    engine,
    "daily_rate_correction",
    CORRECTED.map((newRateWad, index) => ({
      ...key,
      dayNumber: FIRST_DAY + 2n,
      blockNumber: 200n,
      logIndex: index,
      oldRateWad: index === 0 ? RATES[2] : CORRECTED[0],
      newRateWad,
      corrector: addressOf("operator"),
      correctedAt: (FIRST_DAY + 10n) * DAY_SECONDS,
      transactionHash: hashOf("correction"),
    })),
  );
}

const timeOf = (day: bigint, second = 0n) => timeText(day * DAY_SECONDS + second);

async function rates(query: Record<string, string>) {
  const api = appOver(engine);
  const path = `/v1/treasury/rates?${new URLSearchParams({ network: "evm-mainnet", ...query })}`;
  const { response, body } = await checkedRequest(api, path);
  expect(api.errors).toEqual([]);
  expect(response.status).toBe(200);
  return treasuryRatesAnswer.parse(body);
}

describe("rates", () => {
  const whole = { from: timeOf(FIRST_DAY), to: timeOf(FIRST_DAY + 5n) };

  it("are the current ones, with the posted rate, its corrections and the index through each day", async () => {
    const { delegates } = await rates(whole);
    expect(delegates.map(({ delegateAddress }) => delegateAddress)).toEqual([DELEGATE]);
    const [delegate] = delegates;
    expect(delegate).toMatchObject({ stablecoinId: hashOf("TREASURY"), firstRateDay: String(FIRST_DAY) });
    const inForce = RATES.map((rate, index) => (index === 2 ? CORRECTED[1] : rate) ?? 0n);
    let index = INDEX_ONE;
    for (const [place, line] of (delegate?.rates ?? []).entries()) {
      const rate = inForce[place] ?? 0n;
      index = nextIndex(index, dailyGrowthWad(rate));
      expect(line).toMatchObject({
        dayNumber: String(FIRST_DAY + BigInt(place)),
        startsAt: timeOf(FIRST_DAY + BigInt(place)),
        rateWad: String(rate),
        growthWad: String(dailyGrowthWad(rate)),
        growthIndexE36: String(index),
        postedRateWad: String(RATES[place]),
        postedAt: timeOf(FIRST_DAY + BigInt(place) + 1n, 60n),
      });
      expect(line.corrections.map(({ oldRateWad, newRateWad }) => [oldRateWad, newRateWad])).toEqual(
        place === 2
          ? [
              [String(RATES[2]), String(CORRECTED[0])],
              [String(CORRECTED[0]), String(CORRECTED[1])],
            ]
          : [],
      );
    }
    expect(delegate?.rates).toHaveLength(RATES.length);
  });

  it("of a range are those of the days that begin in it, with the same index", async () => {
    const all = (await rates(whole)).delegates[0]?.rates ?? [];
    for (const [from, to, days] of [
      [timeOf(FIRST_DAY + 1n), timeOf(FIRST_DAY + 3n), all.slice(1, 3)],
      [timeOf(FIRST_DAY, 1n), timeOf(FIRST_DAY + 1n, 1n), all.slice(1, 2)],
      [timeOf(FIRST_DAY + 1n, 1n), timeOf(FIRST_DAY + 2n), []],
      [timeOf(FIRST_DAY - 20n), timeOf(FIRST_DAY), []],
      [timeOf(FIRST_DAY + 4n), timeOf(FIRST_DAY + 40n), all.slice(4)],
    ] as const) {
      expect((await rates({ from, to })).delegates[0]?.rates).toEqual(days);
    }
  });

  it("of a delegate are its own, and a delegate that is not yield-bearing or not registered has none", async () => {
    expect((await rates({ ...whole, delegate: DELEGATE })).delegates).toHaveLength(1);
    for (const other of ["plain delegate", "stranger"]) {
      expect((await rates({ ...whole, delegate: addressOf(other) })).delegates).toEqual([]);
    }
    expect((await rates({ ...whole, network: "evm-sepolia" })).delegates).toEqual([]);
  });

  it("with a missing day are a 500, because the index would be wrong", async () => {
    const table = `"${engine.schema}".daily_rate`;
    await engine.execute(`UPDATE ${table} SET day_number = day_number + 100 WHERE day_number = ${FIRST_DAY + 1n}`);
    const api = appOver(engine);
    const query = new URLSearchParams({ network: "evm-mainnet", ...whole });
    const { response } = await checkedRequest(api, `/v1/treasury/rates?${query}`);
    await engine.execute(`UPDATE ${table} SET day_number = day_number - 100 WHERE day_number = ${FIRST_DAY + 101n}`);
    expect(response.status).toBe(500);
    expect(String(api.errors[0])).toContain(`expected was ${FIRST_DAY + 1n}`);
  });
});

describe("accounts", () => {
  const PATH = `/v1/treasury/accounts/${WALLET}?network=evm-mainnet`;
  const failing = createPublicClient({
    transport: custom(
      { request: () => Promise.reject(new Error("http://node.example/key is down")) },
      { retryCount: 0 },
    ),
  });
  let blocks: unknown[] = [];
  const oneBlock = createPublicClient({
    transport: custom({
      request: async ({ params }) => {
        blocks.push(params[0]);
        return { number: params[0], hash: hashOf("block"), timestamp: "0x64", transactions: [] };
      },
    }),
  });
  afterEach(async () => {
    blocks = [];
    await engine.execute(
      `DELETE FROM "${engine.schema}"._ponder_checkpoint; DELETE FROM "${engine.schema}".chain_state`,
    );
  });

  it("are a 503 that hides the cause before anything is indexed and while the node does not answer", async () => {
    const api = appOver(engine, { nodeOf: () => failing });
    const early = await checkedRequest(api, PATH);
    expect(early.response.status).toBe(503);
    expect(early.body).toEqual({ error: "nothing of evm-mainnet is indexed yet", status: 503 });
    await setCheckpoint(engine, "mainnet", 105);
    const { response, body } = await checkedRequest(api, PATH);
    expect(response.status).toBe(503);
    expect(body).toEqual({
      error: "the accounts of evm-mainnet cannot be read at block 105: the node does not answer, try again later",
      status: 503,
    });
    expect(api.errors).toHaveLength(1);
  });

  it("are read at the newer of the last final block and the newest event's block, once per block", async () => {
    await engine.execute(`UPDATE "${engine.schema}".stablecoin SET yield_bearing = false`);
    const api = appOver(engine, { nodeOf: () => oneBlock });
    const get = async (path = PATH) => {
      const { response, body } = await checkedRequest(api, path);
      expect(response.status).toBe(200);
      return { block: treasuryAccountsAnswer.parse(body).block.blockNumber, etag: response.headers.get("etag") ?? "" };
    };
    await setCheckpoint(engine, "mainnet", 105);
    const first = await get();
    expect(first.block).toBe("105");
    expect(await get(PATH.replace(WALLET, `0x${WALLET.slice(2).toUpperCase()}`))).toEqual(first);
    expect(blocks).toEqual(["0x69"]);
    await get(PATH.replace(WALLET, addressOf("bob")));
    expect(blocks).toHaveLength(2);

    await insertRows(engine, "chain_state", [
      { chainId: 1, blockNumber: 110, blockHash: hashOf("block"), eventId: "7", seriesCount: 0 },
    ]);
    const second = await get();
    expect(second.block).toBe("110");
    expect(second.etag).not.toBe(first.etag);
    const conditional = { headers: { "If-None-Match": second.etag } };
    expect((await checkedRequest(api, PATH, conditional)).response.status).toBe(304);
    expect(blocks).toHaveLength(3);
    await engine.execute(
      `UPDATE "${engine.schema}".stablecoin SET yield_bearing = true WHERE stablecoin_id = '${hashOf("TREASURY")}'`,
    );
  });
});
