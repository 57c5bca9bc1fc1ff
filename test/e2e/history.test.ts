import { getAddress, type Hex, isAddressEqual } from "viem";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { Random } from "../../localnet/random.ts";
import { ApiClient } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { verifyHistory } from "./harness/verify.ts";
import { FILTER_NAMES, type FilterName, type Filters, filterHistory, walletsOf } from "./oracle/filters.ts";
import type { HistoryTransaction, SwapActivity } from "./oracle/history.ts";
import { consultOracle, type NetworkOracle } from "./oracle/network.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
/** The ID of the treasury token: the bytes of "TRSY", padded with zeros. */
const TREASURY_ID = `0x54525359${"0".repeat(56)}`;
const UNKNOWN_WALLET = "0x00000000000000000000000000000000000000a1";
const UNKNOWN_HASH = `0x${"ab".repeat(32)}`;

describe.each([
  { network: "evm-mainnet", source: stack.networks.mainnet, seed: 11 },
  { network: "evm-sepolia", source: stack.networks.sepolia, seed: 12 },
] as const)("history of $network", ({ network, source, seed }) => {
  let oracle: NetworkOracle;
  let history: readonly HistoryTransaction[];

  beforeAll(async () => {
    oracle = await consultOracle(source);
    history = oracle.transactions;
  });

  test("the chain has every kind of transaction that the history must distinguish", () => {
    expect(oracle.chain.transactions.length).toBeGreaterThanOrEqual(600);
    expect(history.length).toBeGreaterThanOrEqual(500);
    expect(oracle.chain.blockHashes.length).toBeGreaterThan(65);
    const swaps = swapsOf(history);
    expect([...new Set(swaps.map(({ routeId }) => routeId))].sort()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
    const kinds: Record<string, (transaction: HistoryTransaction) => boolean> = {
      "reverted swap": ({ receipt, directCall }) => receipt.outcome === "revert" && directCall?.entrypoint === "swap",
      "reverted addition": ({ receipt, directCall }) =>
        receipt.outcome === "revert" && directCall?.entrypoint === "addToWhitelist",
      "nested swap": ({ directCall, activities }) => directCall === null && activities.some(isSwap),
      "batch of legs": ({ activities }) => activities.filter(isSwap).length > 1,
      "swap for someone else": (transaction) =>
        swapsOf([transaction]).some(
          ({ user, operator, receiver }) => user !== operator && user !== receiver && operator !== receiver,
        ),
      "deposit for treasury tokens": (transaction) =>
        swapsOf([transaction]).some(({ assetOutId }) => assetOutId === TREASURY_ID),
      "redemption for a stablecoin": (transaction) =>
        swapsOf([transaction]).some(({ assetInId, routeId }) => assetInId === TREASURY_ID && Number(routeId) >= 7),
      "redemption for an RWA": (transaction) =>
        swapsOf([transaction]).some(({ assetInId, routeId }) => assetInId === TREASURY_ID && Number(routeId) <= 4),
      "prefund before a leg": ({ activities }) =>
        activities.some((leg, index) => isDerived(leg) && leg.routeId === "8" && isRequested(activities[index + 1])),
      "sweep after a leg": ({ activities }) =>
        activities.some((leg, index) => isDerived(leg) && leg.routeId === "7" && isRequested(activities[index - 1])),
      "allowlist addition": ({ activities }) =>
        activities.some((activity) => activity.type === "allowlist" && activity.action === "added"),
      "allowlist removal": ({ activities }) =>
        activities.some((activity) => activity.type === "allowlist" && activity.action === "removed"),
    };
    for (const [kind, holds] of Object.entries(kinds)) expect(history.some(holds), kind).toBe(true);
    // Some transactions must have been left out, or the selection would be untested.
    expect(oracle.chain.transactions.length).toBeGreaterThan(history.length);
  });

  test("derived legs are activities of their transaction, and a filter by their parties finds the transaction", async () => {
    const withDerived = history.filter(({ activities }) => activities.some(isDerived));
    expect(withDerived.length).toBeGreaterThan(50);
    const custody = swapsOf(withDerived).find(isDerived)?.user;
    const found = await api.wholeHistory(network, { wallet: custody ?? "", activity: "swap" });
    const expected = filterHistory(history, { wallet: custody ?? "", activity: "swap" });
    assertSame("swaps that the custody took part in", expected, found);
    const byCoreSwap = await api.wholeHistory(network, { wallet: source.contracts.coreSwap });
    assertSame("swaps that CoreSwap operated", withDerived, byCoreSwap);
  });

  test("every transaction is listed exactly once, in order, and equals the chain field by field", async () => {
    await verifyHistory(api, network, oracle);
  });

  test.each([7, 100])("pages of %i transactions add up to the same list", async (limit) => {
    assertSame(`pages of ${limit}`, history, await api.wholeHistory(network, {}, limit));
  });

  test("pages of one transaction add up to the list of reverted calls", async () => {
    const reverted = filterHistory(history, { outcome: "revert" });
    expect(reverted.length).toBeGreaterThan(10);
    assertSame("pages of 1", reverted, await api.wholeHistory(network, { outcome: "revert" }, 1));
  });

  test("every filter value and every pair of filters gives the same result as filtering the whole list", async () => {
    const values = filterValues(history);
    const combinations: Filters[] = [];
    for (const [index, name] of FILTER_NAMES.entries()) {
      for (const value of values[name]) {
        combinations.push({ [name]: value });
        for (const other of FILTER_NAMES.slice(index + 1)) {
          for (const otherValue of values[other]) combinations.push({ [name]: value, [other]: otherValue });
        }
      }
    }
    const sizes = await verifyFilters(combinations);
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(combinations.length / 5);
  });

  test("the wallet filter finds every wallet of the history", async () => {
    const wallets = [...new Set(history.flatMap((transaction) => [...walletsOf(transaction)]))];
    await verifyFilters(wallets.map((wallet) => ({ wallet })));
  });

  test("every combination of filters that a transaction satisfies finds the transaction", async () => {
    const random = new Random(BigInt(seed));
    for (let round = 0; round < 60; round += 1) {
      const transaction = random.pick(history);
      const kept = Object.entries(traitsOf(transaction, random)).filter(() => random.chance(3, 4));
      const filters: Filters = Object.fromEntries(kept);
      const expected = filterHistory(history, filters);
      expect(expected).toContain(transaction);
      assertSame(JSON.stringify(filters), expected, await api.wholeHistory(network, filters, random.integer(5, 40)));
    }
  });

  test("hex parameters are accepted in upper and lower case", async () => {
    const checksummed = getAddress(history[0]?.sender ?? "0x");
    const shouted = `0x${history[0]?.transactionHash.slice(2).toUpperCase()}`;
    await verifyFilters([{ wallet: checksummed }, { transactionHash: shouted }]);
  });

  test("a cursor is valid only for its network and filters, with any other parameters", async () => {
    const wallet = history[0]?.sender ?? "";
    const { nextCursor } = await api.history(network, { limit: 7, outcome: "success" });
    if (nextCursor === null) throw new Error("the first page has no next one");
    const status = async (parameters: string) => (await api.request(`/v1/transactions?${parameters}`)).status;
    const other = network === "evm-mainnet" ? "evm-sepolia" : "evm-mainnet";
    expect(await status(`network=${network}&cursor=${nextCursor}`)).toBe(400);
    expect(await status(`network=${network}&outcome=revert&cursor=${nextCursor}`)).toBe(400);
    expect(await status(`network=${network}&outcome=success&wallet=${wallet}&cursor=${nextCursor}`)).toBe(400);
    expect(await status(`network=${other}&outcome=success&cursor=${nextCursor}`)).toBe(400);
    for (const changed of alterations(nextCursor)) {
      expect(await status(`network=${network}&outcome=success&cursor=${changed}`), changed).toBe(400);
    }
    const rest = await api.history(network, { outcome: "success", limit: 100, cursor: nextCursor });
    const expected = filterHistory(history, { outcome: "success" }).slice(7, 107);
    assertSame("the page after the cursor, at another limit", expected, rest.transactions);
  });

  /** Compares the answer for each filter set with the filtered list. Returns how many transactions each set admits. */
  async function verifyFilters(combinations: readonly Filters[]): Promise<number[]> {
    const sizes: number[] = [];
    for (const filters of combinations) {
      const expected = filterHistory(history, filters);
      assertSame(JSON.stringify(filters), expected, await api.wholeHistory(network, filters));
      sizes.push(expected.length);
    }
    return sizes;
  }
});

/** A value for each filter that the transaction satisfies. */
function traitsOf(transaction: HistoryTransaction, random: Random): Filters {
  const activity = transaction.activities.at(-1)?.type;
  const entrypoint = transaction.directCall?.entrypoint;
  return {
    wallet: random.pick([...walletsOf(transaction)]),
    outcome: transaction.receipt.outcome,
    ...(activity ? { activity } : {}),
    ...(entrypoint ? { entrypoint } : {}),
    ...(random.chance(1, 4) ? { transactionHash: transaction.transactionHash } : {}),
  };
}

/** Values worth testing: all values of the closed sets, and samples by role of the open sets, with unknown values. */
function filterValues(history: readonly HistoryTransaction[]): Record<FilterName, readonly string[]> {
  const senders = new Set(history.map(({ sender }) => sender));
  const swaps = swapsOf(history);
  const allowlisted = history.flatMap(({ activities }) =>
    activities.flatMap((activity) => (activity.type === "allowlist" ? [activity.wallet] : [])),
  );
  const reverted = history.find(({ receipt }) => receipt.outcome === "revert");
  const wallets: Record<string, string | undefined> = {
    "busiest sender": history[0]?.sender,
    "sender of a reverted call": reverted?.sender,
    "user who never sends": swaps.map(({ user }) => user).find((user) => !senders.has(user)),
    "receiver who is not the user": swaps.find(({ user, receiver }) => user !== receiver)?.receiver,
    "operator who is not the user": swaps.find(({ user, operator }) => !isAddressEqual(user, operator))?.operator,
    "allowlist wallet": allowlisted[0],
  };
  for (const [role, wallet] of Object.entries(wallets)) {
    if (wallet === undefined) throw new Error(`the history has no ${role}`);
  }
  const hashes = [
    history.find(({ activities }) => activities.some(isSwap))?.transactionHash,
    history.find(({ activities }) => activities.some(({ type }) => type === "allowlist"))?.transactionHash,
    reverted?.transactionHash,
  ].filter((hash): hash is Hex => hash !== undefined);
  return {
    wallet: [...new Set(Object.values(wallets).filter((wallet) => wallet !== undefined)), UNKNOWN_WALLET],
    outcome: ["success", "revert"],
    activity: ["swap", "allowlist"],
    entrypoint: ["swap", "addToWhitelist", "removeFromWhitelist", "mint"],
    transactionHash: [...hashes, UNKNOWN_HASH],
  };
}

/** Cursors that differ from a valid one in a character, in length or in padding. */
function alterations(cursor: string): string[] {
  const middle = Math.floor(cursor.length / 2);
  const flip = (index: number) =>
    `${cursor.slice(0, index)}${cursor[index] === "A" ? "B" : "A"}${cursor.slice(index + 1)}`;
  return [
    flip(0),
    flip(middle),
    flip(cursor.length - 3),
    cursor.slice(0, -1),
    `${cursor}A`,
    `${cursor}%3D`,
    "AAAA",
    "!",
  ];
}

function isSwap(activity: HistoryTransaction["activities"][number]): activity is SwapActivity {
  return activity.type === "swap";
}

/** Recognizes a prefund or sweep: CoreSwap is the operator, and a custody is the user and the receiver. */
function isDerived(activity: HistoryTransaction["activities"][number]): activity is SwapActivity {
  return isSwap(activity) && activity.operator === activity.contract && activity.user === activity.receiver;
}

function isRequested(activity: HistoryTransaction["activities"][number] | undefined): boolean {
  return activity !== undefined && isSwap(activity) && !isDerived(activity);
}

function swapsOf(history: readonly HistoryTransaction[]): SwapActivity[] {
  return history.flatMap(({ activities }) => activities.filter(isSwap));
}
