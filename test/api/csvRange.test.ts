/** Files of a range of time, compared with a filter over the whole history. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../localnet/random.ts";
import { formatTime } from "../../src/api/shared/time.ts";
import { type CursorScope, encodeCursor } from "../../src/api/transactions/cursor.ts";
import { firstBlockFinder } from "../../src/api/transactions/firstBlock.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { parseCsv } from "../support/csv.ts";
import { rollBack } from "./support/changes.ts";
import { checkedRequest } from "./support/checked.ts";
import { expectRows } from "./support/csvRows.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { addressOf, appOver, insertHistory, networkOf, walletsOf } from "./support/world.ts";

const RUNS = 150;
const START = 1_790_000_000n;

/** Blocks with gaps between them. Some have the second of the block before, and others come much later. */
function spread(history: HistoryTransaction[], seed: bigint): HistoryTransaction[] {
  const random = new Random(seed);
  const places = new Map<string, { blockNumber: string; timestamp: string }>();
  let [block, second] = [100n, START];
  for (const { inclusion } of history.toReversed()) {
    if (places.has(inclusion.blockNumber)) continue;
    places.set(inclusion.blockNumber, { blockNumber: block.toString(), timestamp: second.toString() });
    block += random.pick([1n, 1n, 2n, 1_000n]);
    second += random.pick([0n, 0n, 1n, 12n, 86_400n]);
  }
  return history.map((item) => ({
    ...item,
    inclusion: { ...item.inclusion, ...places.get(item.inclusion.blockNumber) },
  }));
}

const HISTORY = {
  "evm-mainnet": spread(madeHistory(700), 1n),
  "evm-sepolia": spread(madeHistory(400, "sepolia "), 2n),
};
type Network = keyof typeof HISTORY;
const NETWORKS = Object.keys(HISTORY) as Network[];

const secondOf = ({ inclusion }: HistoryTransaction) => BigInt(inclusion.timestamp);
const blockOf = ({ inclusion }: HistoryTransaction) => BigInt(inclusion.blockNumber);

/** The newest final block is one whose second the next block has, too. */
function finalOf(network: Network) {
  const ascending = HISTORY[network].toReversed().slice(300);
  const last = ascending.find((item, index) =>
    ascending.slice(index).some((other) => blockOf(other) > blockOf(item) && secondOf(other) === secondOf(item)),
  );
  if (last === undefined) throw new Error(`no two blocks of ${network} have the same second`);
  return { block: blockOf(last), second: secondOf(last) };
}
const FINAL = { "evm-mainnet": finalOf("evm-mainnet"), "evm-sepolia": finalOf("evm-sepolia") };

/** A transaction amid the final ones, of a block that is newer than the start. */
const MIDDLE = HISTORY["evm-mainnet"][400] as HistoryTransaction;

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("csv_range_test");
  await insertHistory(engine, 1, HISTORY["evm-mainnet"]);
  await insertHistory(engine, 11155111, HISTORY["evm-sepolia"]);
  for (const name of ["mainnet", "sepolia"] as const) {
    const { block, second } = FINAL[`evm-${name}`];
    await setCheckpoint(engine, name, Number(block), second);
  }
  api = appOver(engine);
});
afterAll(() => engine.close());

interface Bounds {
  readonly from?: bigint;
  readonly to?: bigint;
}

function pathOf(network: string, { from, to }: Bounds, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ network, ...more });
  if (from !== undefined) query.set("from", formatTime(from));
  if (to !== undefined) query.set("to", formatTime(to));
  return `/v1/transactions.csv?${query}`;
}

async function file(network: Network, bounds: Bounds, more: Record<string, string> = {}) {
  const { response, body } = await checkedRequest(api, pathOf(network, bounds, more));
  expect(api.errors).toEqual([]);
  expect(response.status, String(body)).toBe(200);
  return { headers: response.headers, ...parseCsv(body as string) };
}

/** The final transactions of a range, newest first. */
function within(network: Network, { from, to }: Bounds): HistoryTransaction[] {
  return HISTORY[network].filter((item) => {
    const second = secondOf(item);
    return (
      blockOf(item) <= FINAL[network].block &&
      (from === undefined || second >= from) &&
      (to === undefined || second < to)
    );
  });
}

/** Seconds at and beside those of blocks, before the first and after the last. */
const seconds = (network: Network) => {
  const known = [...new Set(HISTORY[network].map(secondOf))];
  return fc
    .tuple(fc.constantFrom(0n, START - 86_400n, ...known, START + 400n * 86_400n), fc.constantFrom(-1n, 0n, 1n))
    .map(([second, distance]) => (second + distance < 0n ? 0n : second + distance));
};

describe.each(NETWORKS)("a file of %s", (network) => {
  const newest = secondOf(HISTORY[network][0] as HistoryTransaction);

  it("has exactly the final transactions of any range, and of each filter in it", async () => {
    const wallet = addressOf("alice");
    const filters: [Record<string, string>, (item: HistoryTransaction) => boolean][] = [
      [{}, () => true],
      [{ wallet }, (item) => walletsOf(item).includes(wallet)],
      [{ outcome: "revert" }, ({ receipt }) => receipt.outcome === "revert"],
      [{ activity: "allowlist" }, ({ activities }) => activities.some(({ type }) => type === "allowlist")],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.option(seconds(network), { nil: undefined }),
        fc.option(seconds(network), { nil: undefined }),
        fc.constantFrom(...filters),
        async (one, other, [query, keep]) => {
          const isReversed = one !== undefined && other !== undefined && one > other;
          const [from, to] = isReversed ? [other, one] : [one, other];
          fc.pre(from === undefined || to === undefined || from < to);
          const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
          expectRows((await file(network, bounds, query)).rows, within(network, bounds).filter(keep));
        },
      ),
      { numRuns: RUNS },
    );
  }, 300_000);

  it("has the transactions of every single second with blocks, and none of the second before or after", async () => {
    const shared = HISTORY[network].filter(
      (item) =>
        HISTORY[network].filter((other) => secondOf(other) === secondOf(item) && blockOf(other) !== blockOf(item))
          .length > 0,
    );
    const second = secondOf(shared.find((item) => blockOf(item) < FINAL[network].block) as HistoryTransaction);
    const { rows } = await file(network, { from: second, to: second + 1n });
    expectRows(rows, within(network, { from: second, to: second + 1n }));
    expect(new Set(rows.map(({ blockNumber }) => blockNumber)).size).toBeGreaterThan(1);
    expect(new Set(rows.map(({ timestamp }) => timestamp))).toEqual(new Set([second.toString()]));
  });

  it.each<[string, Bounds]>([
    ["before the first row", { from: START - 86_400n, to: START }],
    ["before the first row, without a lower bound", { to: START }],
    ["after the last row", { from: newest + 1n, to: newest + 2n }],
    ["after the last row, without an upper bound", { from: newest + 1n }],
    ["that begins after the newest final block", { from: FINAL[network].second + 1n }],
  ])("is empty for a range %s", async (_title, bounds) => {
    expect((await file(network, bounds)).rows).toEqual([]);
  });

  it("has everything for a range of all times, with the header of any file", async () => {
    const whole = await file(network, {});
    const { rows, headers } = await file(network, { from: 0n, to: 253_402_300_799n });
    expect(rows).toEqual(whole.rows);
    expect(headers.get("indexed-through-block")).toBe(FINAL[network].block.toString());
  });
});

describe("the range of transactions.csv", () => {
  const { second } = FINAL["evm-mainnet"];

  it("is final when no later block can belong to it", async () => {
    const at = async (bounds: Bounds) => (await file("evm-mainnet", bounds)).headers.get("range-final");
    expect(await at({ to: second })).toBe("true");
    expect(await at({ from: START, to: second - 1n })).toBe("true");
    // The next block has the second of the newest final one.
    expect(await at({ to: second + 1n })).toBe("false");
    expect(within("evm-mainnet", { from: second })).not.toEqual(
      HISTORY["evm-mainnet"].filter((item) => secondOf(item) >= second),
    );
    expect(await at({ from: second })).toBeNull();
    expect(await at({})).toBeNull();
  });

  it("is in the name of the file, with a mark if it is not final", async () => {
    const nameOf = async (bounds: Bounds) => (await file("evm-mainnet", bounds)).headers.get("content-disposition");
    const time = (at: bigint) => formatTime(at).replaceAll(/[-:]/g, "");
    expect(await nameOf({ from: START, to: second })).toBe(
      `attachment; filename="transactions-evm-mainnet-from-${time(START)}-to-${time(second)}.csv"`,
    );
    expect(await nameOf({ to: second + 1n })).toBe(
      `attachment; filename="transactions-evm-mainnet-to-${time(second + 1n)}-not-final.csv"`,
    );
    expect(await nameOf({ from: START })).toBe(
      `attachment; filename="transactions-evm-mainnet-from-${time(START)}.csv"`,
    );
  });

  it("is not final while nothing is", async () => {
    const empty = await openEngine("csv_range_empty_test");
    const { response, body } = await checkedRequest(appOver(empty), pathOf("evm-mainnet", { from: 0n, to: 1n }));
    expect(parseCsv(body as string).rows).toEqual([]);
    expect(response.headers.get("range-final")).toBe("false");
    expect(response.headers.get("indexed-through-block")).toBeNull();
    await empty.close();
  });

  it("is part of the tag, which other forms of the same times do not change", async () => {
    const path = pathOf("evm-mainnet", { from: START, to: second });
    const { response } = await checkedRequest(api, path);
    const tag = response.headers.get("etag") ?? "";
    const condition = { headers: { "If-None-Match": tag } };
    expect((await checkedRequest(api, path, condition)).response.status).toBe(304);
    expect((await checkedRequest(api, path.replaceAll("Z", ".000%2B00%3A00"), condition)).response.status).toBe(304);
    for (const bounds of [{}, { from: START }, { to: second }, { from: START + 1n, to: second }]) {
      expect((await checkedRequest(api, pathOf("evm-mainnet", bounds), condition)).response.status).toBe(200);
    }
  });

  it("is described by HEAD as by GET, without a search", async () => {
    const names: string[] = [];
    const database = {
      query: (statement: Parameters<TestEngine["database"]["query"]>[0]) => {
        names.push(statement.name);
        return engine.database.query(statement);
      },
    };
    const path = pathOf("evm-mainnet", { from: START, to: second });
    const { headers } = await api.app.request(path);
    const head = await appOver(engine, { database }).app.request(path, { method: "HEAD" });
    expect(await head.text()).toBe("");
    for (const name of ["etag", "content-disposition", "indexed-through-block", "range-final"]) {
      expect(head.headers.get(name)).toBe(headers.get(name));
    }
    expect(names).toEqual([expect.stringContaining("api_state")]);
  });

  it("binds a cursor, as filters do", async () => {
    const [position, inRange] = [
      { blockNumber: blockOf(MIDDLE), transactionIndex: 0 },
      { from: START + 1n, to: second },
    ];
    const cursorOf = (scope: CursorScope) => encodeCursor([["network", "evm-mainnet"], ...scope], position);
    const cursor = cursorOf([
      ["from", inRange.from.toString()],
      ["to", inRange.to.toString()],
    ]);
    const rest = within("evm-mainnet", inRange).filter((item) => blockOf(item) < position.blockNumber);
    expect(rest.length).toBeGreaterThan(100);
    expectRows((await file("evm-mainnet", inRange, { cursor })).rows, rest);

    const others = [{}, { from: inRange.from }, { to: second }, { ...inRange, to: second + 1n }];
    const refused = [...others.map((bounds) => [bounds, cursor] as const), [inRange, cursorOf([])] as const];
    for (const [bounds, given] of refused) {
      const { response, body } = await checkedRequest(api, pathOf("evm-mainnet", bounds, { cursor: given }));
      expect(response.status).toBe(400);
      expect(body).toHaveProperty(
        "error",
        "cursor: accepts nextCursor of the previous page, with the same network and filters",
      );
    }
  });

  it.each([
    [
      "from=2026-10-01T00:00:00Z&to=2026-10-01T00:00:00Z",
      "from: accepts a time earlier than to, which is 2026-10-01T00:00:00Z",
    ],
    [
      "from=2026-10-01T00:00:01Z&to=2026-10-01T00:00:00Z",
      "from: accepts a time earlier than to, which is 2026-10-01T00:00:00Z",
    ],
    [
      "from=2026-07-01",
      "from: not in that format, accepts a whole-second UTC time from 1970 to 9999, such as 2026-01-31T00:00:00Z (inclusive lower bound, by default there is none)",
    ],
    [
      "to=2026-07-01T00:00:00.5Z",
      "to: not a whole second, accepts a whole-second UTC time from 1970 to 9999, such as 2026-01-31T00:00:00Z (exclusive upper bound, by default there is none)",
    ],
  ])("refuses %s", async (query, error) => {
    const { response, body } = await checkedRequest(api, `/v1/transactions.csv?network=evm-mainnet&${query}`);
    expect(response.status).toBe(400);
    expect(body).toEqual({ error, status: 400 });
  });

  it("is a 500 when it is searched on a server that is behind the one that named the last final block", async () => {
    const other = await openEngine("csv_range_behind_test");
    const history = HISTORY["evm-mainnet"];
    const { block } = FINAL["evm-mainnet"];
    await insertHistory(other, 1, history);
    await setCheckpoint(other, "mainnet", Number(block), second);
    const behind = appOver(other, {
      database: {
        query: async (statement) => {
          if (statement.name.includes("first_block")) {
            await rollBack(other, Number(block) - 2);
            await setCheckpoint(other, "mainnet", Number(block) - 3);
          }
          return other.database.query(statement);
        },
      },
    });
    expect((await checkedRequest(behind, pathOf("evm-mainnet", { to: second }))).response.status).toBe(500);
    expect(behind.errors.map(String)).toEqual([expect.stringContaining("is behind the one")]);
    await other.close();
  });
});

it("the first block at a time separates the transactions before it from the others, below any end", async () => {
  const network = "evm-mainnet";
  const findFirstBlock = firstBlockFinder(engine.database, networkOf(engine, "mainnet"));
  const blocks = HISTORY[network].map(blockOf);
  const ends = fc.constantFrom(0n, 1n, 2n ** 31n, ...blocks, ...blocks.map((block) => block + 1n));
  await fc.assert(
    fc.asyncProperty(seconds(network), ends, async (second, end) => {
      const { block } = await findFirstBlock(second, end);
      expect(block).toBeLessThanOrEqual(end);
      for (const item of HISTORY[network].filter((item) => blockOf(item) < end)) {
        expect(blockOf(item) < block).toBe(secondOf(item) < second);
      }
    }),
    { numRuns: 2 * RUNS },
  );
}, 300_000);
