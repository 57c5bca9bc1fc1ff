/** Compares the history of a wallet's position with a plain recomputation from its entries. */
import { createPublicClient, custom, encodeAbiParameters, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { treasuryHistoryAnswer } from "../../src/api/treasury/position.schema.ts";
import { timeText } from "../support/time.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, NO_CREDITS, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

const DELEGATE = addressOf("delegate");
const DAY = 86_400;
const START = 20_400 * DAY;

interface Entry {
  readonly delegate: string;
  readonly wallet: string;
  readonly second: number;
  readonly logIndex: number;
  readonly kind: "deposit" | "redemption" | "movedIn" | "movedOut";
  readonly credits: bigint;
  readonly yieldAmount: bigint;
}

const HUGE = 2n ** 255n;
const entry = (
  wallet: string,
  [day, hour]: readonly [number, number],
  kind: Entry["kind"],
  credits: bigint,
  yieldAmount = 0n,
  logIndex = 0,
  delegate = "delegate",
): Entry => ({ delegate, wallet, second: START + day * DAY + hour * 3_600, logIndex, kind, credits, yieldAmount });

const ENTRIES: readonly Entry[] = [
  entry("alice", [0, 0], "deposit", 1_000n),
  // These entries are in one block.
  entry("alice", [1, 5], "deposit", 500n, 0n, 3),
  entry("alice", [1, 5], "redemption", 200n, 7n, 9),
  entry("alice", [1, 23], "movedIn", HUGE),
  entry("alice", [1, 23], "movedOut", HUGE, 0n, 4),
  entry("alice", [4, 12], "movedIn", 300n),
  entry("alice", [4, 13], "redemption", 1_600n, 90n),
  entry("bob", [1, 6], "deposit", 77n),
  // Any contract can emit these events.
  entry("alice", [2, 0], "deposit", 9_999n, 0n, 0, "stranger"),
];

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("treasury_history_test");
  await insertRows(engine, "stablecoin", [
    {
      ...{ chainId: 1, stablecoinId: hashOf("TREASURY"), tokenAddress: addressOf("TREASURY"), decimals: 6 },
      ...{ delegateAddress: DELEGATE, accepted: true, yieldBearing: true },
    },
  ]);
  const rows = ENTRIES.map(({ delegate, wallet, ...rest }, index) => ({
    ...{ chainId: 1, delegateAddress: addressOf(delegate), account: addressOf(wallet), ...rest },
    blockNumber: rest.second,
    ...totalsOf(ENTRIES.slice(0, index + 1).filter((own) => own.delegate === delegate && own.wallet === wallet)),
  }));
  await insertRows(engine, "credit_entry", rows);
  const [newest] = rows.filter(({ account }) => account === addressOf("bob"));
  await insertRows(engine, "credited_account", [newest ?? {}]);
});
afterAll(() => engine.close());

function sum(entries: readonly Entry[], kind: Entry["kind"]): bigint {
  return entries.reduce((total, own) => total + (own.kind === kind ? own.credits : 0n), 0n);
}

function totalsOf(entries: readonly Entry[]) {
  return {
    ...NO_CREDITS,
    depositedTotal: sum(entries, "deposit"),
    redeemedTotal: sum(entries, "redemption"),
    yieldClaimedTotal: entries.reduce((total, { yieldAmount }) => total + yieldAmount, 0n),
    movedInTotal: sum(entries, "movedIn"),
    movedOutTotal: sum(entries, "movedOut"),
  };
}

function flowsOf(entries: readonly Entry[]) {
  const totals = totalsOf(entries);
  return {
    deposited: String(totals.depositedTotal),
    redeemed: String(totals.redeemedTotal),
    yieldClaimed: String(totals.yieldClaimedTotal),
    creditsMovedIn: String(totals.movedInTotal),
    creditsMovedOut: String(totals.movedOutTotal),
  };
}

function positionOf(entries: readonly Entry[]) {
  const { depositedTotal, redeemedTotal, movedInTotal, movedOutTotal } = totalsOf(entries);
  return {
    ...flowsOf(entries),
    netDeposits: String(depositedTotal - redeemedTotal),
    credits: String(depositedTotal + movedInTotal - redeemedTotal - movedOutTotal),
  };
}

async function history(wallet: string, query: Record<string, string>) {
  const api = appOver(engine);
  const path = `/v1/treasury/accounts/${addressOf(wallet)}/history?${new URLSearchParams({ network: "evm-mainnet", ...query })}`;
  const { response, body } = await checkedRequest(api, path);
  expect(api.errors).toEqual([]);
  return { status: response.status, body };
}

describe("a wallet's history", () => {
  it.each([
    ["day", START, START + 6 * DAY],
    ["hour", START + DAY, START + 2 * DAY],
    ["week", START - 20 * DAY, START + 4 * DAY + 12 * 3_600 + 1],
    ["month", START + 5 * 3_600 + DAY, START + 5 * 3_600 + DAY + 1],
    ["day", START + 5 * DAY, START + 90 * DAY],
  ])("by %s has the exact sums of its own entries", async (interval, from, to) => {
    for (const wallet of ["alice", "bob", "nobody"]) {
      const own = ENTRIES.filter((row) => row.delegate === "delegate" && row.wallet === wallet);
      const { status, body } = await history(wallet, { interval, from: timeText(from), to: timeText(to) });
      expect(status).toBe(200);
      const { accounts, ...rest } = treasuryHistoryAnswer.parse(body);
      expect(rest).toMatchObject({ wallet: addressOf(wallet), interval, from: timeText(from), to: timeText(to) });
      expect(accounts.map(({ delegateAddress }) => delegateAddress)).toEqual([DELEGATE]);
      const [{ atStart, buckets } = { atStart: null, buckets: [] }] = accounts;
      expect(atStart).toEqual(positionOf(own.filter(({ second }) => second < from)));
      expect([buckets.at(0)?.from, buckets.at(-1)?.to]).toEqual([timeText(from), timeText(to)]);
      for (const [index, bucket] of buckets.entries()) {
        const [low, high] = [Date.parse(bucket.from) / 1000, Date.parse(bucket.to) / 1000];
        if (index > 0) expect(bucket.from).toBe(buckets[index - 1]?.to);
        expect(bucket).toEqual({
          ...{ from: bucket.from, to: bucket.to },
          ...flowsOf(own.filter(({ second }) => second >= low && second < high)),
          atEnd: positionOf(own.filter(({ second }) => second < high)),
        });
      }
    }
  });

  it("shows net deposits below zero after credits that were moved in were redeemed", async () => {
    const { body } = await history("alice", {
      interval: "month",
      from: timeText(START),
      to: timeText(START + 9 * DAY),
    });
    const position = treasuryHistoryAnswer.parse(body).accounts[0]?.buckets.at(-1)?.atEnd;
    expect(position).toMatchObject({ netDeposits: "-300", credits: "0", yieldClaimed: "97" });
  });

  it("has no account on a network without a yield-bearing delegate", async () => {
    const { body } = await history("alice", { network: "evm-sepolia", interval: "day" });
    expect(treasuryHistoryAnswer.parse(body).accounts).toEqual([]);
  });

  it("refuses an interval that makes too many buckets", async () => {
    const { status, body } = await history("alice", {
      interval: "hour",
      from: timeText(START),
      to: timeText(START + 300 * DAY),
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: expect.stringContaining("hour makes 7200 buckets; at most 1000 are allowed") });
  });
});

describe("a wallet's account", () => {
  /**
   * The results of the views of an account: the given number for each, and an empty list for `getWithheldCredits` in
   * the fourth place.
   */
  function results(view: bigint): Hex {
    const word = encodeAbiParameters([{ type: "uint256" }], [view]);
    const list = encodeAbiParameters([{ type: "uint256[]" }], [[]]);
    const answers = [0, 1, 2, 3, 4, 5].map((place) => ({ success: true, returnData: place === 3 ? list : word }));
    const components = [
      { name: "success", type: "bool" },
      { name: "returnData", type: "bytes" },
    ];
    return encodeAbiParameters([{ type: "tuple[]", components }], [answers]);
  }

  it("is a 503 when the contract's credits differ from the sum of the indexed entries", async () => {
    await setCheckpoint(engine, "mainnet", 105);
    const node = createPublicClient({
      transport: custom({
        request: async ({ method, params }) => {
          if (method === "eth_call") return results(40n);
          return { number: params[0], hash: hashOf("block"), timestamp: "0x64", transactions: [] };
        },
      }),
    });
    const api = appOver(engine, { nodeOf: () => node });
    const path = `/v1/treasury/accounts/${addressOf("bob")}?network=evm-mainnet`;
    const { response, body } = await checkedRequest(api, path);
    expect(response.status).toBe(503);
    expect(body).toMatchObject({ error: expect.stringContaining("the node and the index disagree") });
    expect(String(api.errors[0])).toContain("has 80 credits");
    expect(String(api.errors[0])).toContain("add up to 77");
  });
});
