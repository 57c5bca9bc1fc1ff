import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HistoryAnswer, type HistoryTransaction, historyAnswer } from "../../src/api/transactions/schema.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { addressOf, appOver, classOf, hashOf, insertHistory, walletsOf } from "./support/world.ts";

const HISTORY = madeHistory(300);
const SEPOLIA_HISTORY = madeHistory(20, "sepolia ");

let engine: TestEngine;
let api: ReturnType<typeof appOver>;

beforeAll(async () => {
  engine = await openEngine("transactions_test");
  await insertHistory(engine, 1, HISTORY);
  await insertHistory(engine, 11155111, SEPOLIA_HISTORY);
  api = appOver(engine);
});
afterAll(() => engine.close());

async function get(query: Record<string, string>): Promise<HistoryAnswer> {
  const { response, body } = await checkedRequest(api, `/v1/transactions?${new URLSearchParams(query)}`);
  expect(api.errors).toEqual([]);
  expect(response.status).toBe(200);
  return historyAnswer.parse(body);
}

async function getAll(query: Record<string, string>, limit: number): Promise<HistoryTransaction[]> {
  const all: HistoryTransaction[] = [];
  let cursor: string | null = null;
  do {
    const page: HistoryAnswer = await get({
      network: "evm-mainnet",
      ...query,
      limit: String(limit),
      ...(cursor === null ? {} : { cursor }),
    });
    expect(page.transactions.length).toBeLessThanOrEqual(limit);
    if (page.nextCursor !== null) expect(page.transactions).toHaveLength(limit);
    all.push(...page.transactions);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

describe("pages", () => {
  it.each([1, 7, 50, 100])("give the whole history in order, once each, with limit %i", async (limit) => {
    expect(await getAll({}, limit)).toEqual(HISTORY);
  });

  it("of any sizes, which may differ, give any filtered history", async () => {
    const filters = fc.constantFrom<Record<string, string>>({}, { outcome: "revert" }, { wallet: addressOf("alice") });
    await fc.assert(
      fc.asyncProperty(filters, fc.infiniteStream(fc.integer({ min: 1, max: 100 })), async (filter, sizes) => {
        const all: HistoryTransaction[] = [];
        let cursor: string | null = null;
        do {
          const limit = String(sizes.next().value);
          const query: Record<string, string> = { network: "evm-mainnet", ...filter, limit };
          const page: HistoryAnswer = await get(cursor === null ? query : { ...query, cursor });
          all.push(...page.transactions);
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(all).toEqual(await getAll(filter, 100));
      }),
      { numRuns: 15, seed: 3 },
    );
  });

  it("are 50 long by default and keep networks apart", async () => {
    expect((await get({ network: "evm-mainnet" })).transactions).toEqual(HISTORY.slice(0, 50));
    const sepolia = await get({ network: "evm-sepolia" });
    expect(sepolia).toMatchObject({ chainId: 11155111, nextCursor: null, transactions: SEPOLIA_HISTORY });
  });

  it("end without a cursor when the last row fills the page", async () => {
    expect((await get({ network: "evm-sepolia", limit: "20" })).nextCursor).toBeNull();
    expect((await get({ network: "evm-sepolia", limit: "19" })).nextCursor).not.toBeNull();
  });
});

const [example] = HISTORY;
if (example === undefined) throw new Error("the history is empty");

const FILTERS: { name: string; value: string; keep: (item: HistoryTransaction) => boolean }[] = [
  { name: "wallet", value: addressOf("alice"), keep: (item) => walletsOf(item).includes(addressOf("alice")) },
  { name: "wallet", value: addressOf("unknown"), keep: () => false },
  { name: "outcome", value: "success", keep: (item) => item.receipt.outcome === "success" },
  { name: "outcome", value: "revert", keep: (item) => item.receipt.outcome === "revert" },
  { name: "activity", value: "swap", keep: (item) => item.activities.some(({ type }) => type === "swap") },
  { name: "activity", value: "allowlist", keep: (item) => item.activities.some(({ type }) => type === "allowlist") },
  { name: "entrypoint", value: "swap", keep: (item) => item.directCall?.entrypoint === "swap" },
  { name: "entrypoint", value: "addToWhitelist", keep: (item) => item.directCall?.entrypoint === "addToWhitelist" },
  { name: "entrypoint", value: "pause", keep: () => false },
  { name: "transactionHash", value: example.transactionHash, keep: (item) => item === example },
  { name: "transactionHash", value: `0x${"0".repeat(64)}`, keep: () => false },
];

describe("filters", () => {
  for (const first of FILTERS) {
    for (const second of FILTERS) {
      if (first.name > second.name || (first.name === second.name && first !== second)) continue;
      it(`${first.name}=${first.value}&${second.name}=${second.value} keeps what satisfies both`, async () => {
        const kept = await getAll({ [first.name]: first.value, [second.name]: second.value }, 9);
        expect(kept).toEqual(HISTORY.filter((item) => first.keep(item) && second.keep(item)));
      });
    }
  }

  it("in every combination give the same result as filtering the whole list", async () => {
    const byName = [...Map.groupBy(FILTERS, ({ name }) => name).values()];
    const combinations = byName.reduce<(typeof FILTERS)[]>(
      (sets, options) => sets.flatMap((set) => [set, ...options.map((option) => [...set, option])]),
      [[]],
    );
    expect(combinations.length).toBe(3 * 3 * 3 * 4 * 3);
    for (const set of combinations) {
      const query = Object.fromEntries(set.map(({ name, value }) => [name, value]));
      const { transactions } = await get({ network: "evm-mainnet", ...query, limit: "100" });
      const expected = HISTORY.filter((item) => set.every(({ keep }) => keep(item))).slice(0, 100);
      expect(transactions, JSON.stringify(query)).toEqual(expected);
    }
  });

  it("accept hex digits in any case", async () => {
    const wallet = `0x${addressOf("bob").slice(2).toUpperCase()}`;
    expect(await getAll({ wallet }, 100)).toEqual(HISTORY.filter((item) => walletsOf(item).includes(addressOf("bob"))));
  });
});

describe("a row too many in an access path", () => {
  const shown = HISTORY.find(({ receipt }) => receipt.outcome === "success") as HistoryTransaction;
  const { blockNumber, transactionIndex } = shown.inclusion;
  const reverted = HISTORY.filter(({ receipt }) => receipt.outcome === "revert");
  const byFilter = (wallet: string, filterClass: number, block = blockNumber) => ({
    table: "transaction_by_filter",
    values: `1, '${wallet}', ${filterClass}, ${block}, ${transactionIndex}`,
  });
  const revertedClass = classOf(reverted[0] as HistoryTransaction);

  // Each request is a different one, because an answer is kept while the state is the same.
  it.each<[string, { table: string; values: string }, Record<string, string>]>([
    ["of another wallet", byFilter(addressOf("a stranger"), classOf(shown)), { wallet: addressOf("a stranger") }],
    ["of another class", byFilter("", revertedClass), { outcome: "revert", limit: "99" }],
    ["without a transaction", byFilter("", revertedClass, "4000000"), { outcome: "revert", limit: "98" }],
    [
      "of another hash",
      { table: "transaction_by_hash", values: `1, '${hashOf("nothing")}', ${blockNumber}, ${transactionIndex}` },
      { transactionHash: hashOf("nothing") },
    ],
  ])("%s is refused instead of shown", async (_name, { table, values }, query) => {
    const path = `/v1/transactions?${new URLSearchParams({ network: "evm-mainnet", ...query })}`;
    const rows = `"${engine.schema}".${table}`;
    await engine.execute(`CREATE TABLE kept AS TABLE ${rows}; INSERT INTO ${rows} VALUES (${values})`);
    try {
      expect((await checkedRequest(api, path)).response.status).toBe(500);
      expect(String(api.errors.splice(0))).toContain("the index contradicts itself");
    } finally {
      await engine.execute(`DELETE FROM ${rows}; INSERT INTO ${rows} TABLE kept; DROP TABLE kept`);
    }
    const { transactions } = await get({ network: "evm-mainnet", ...query });
    expect(transactions).toEqual("outcome" in query ? reverted.slice(0, Number(query.limit)) : []);
  });
});
