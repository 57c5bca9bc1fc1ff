/** Compares the NAVs of an RWA over time with a plain recomputation from the events. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { navsAnswer } from "../../src/api/assets/navs.schema.ts";
import { timeText } from "../support/time.ts";
import { checkedRequest } from "./support/checked.ts";
import { insertRows, openEngine, type TestEngine } from "./support/engine.ts";
import { addressOf, appOver, hashOf } from "./support/world.ts";

const START = 1_790_000_000;
const RWA = hashOf("TBILL");

/** The adapter of the RWA from a second, and from a log index within its block. */
const TERMS: readonly (readonly [second: number, log: number, adapter: string | null])[] = [
  [100, 5, "first"],
  [200, 4, "second"],
  // These changes are in one block.
  [300, 1, null],
  [300, 3, "feed"],
  [400, 0, "first"],
];
const POSTS: readonly (readonly [second: number, log: number, adapter: string])[] = [
  [50, 0, "first"],
  [100, 4, "first"],
  [100, 6, "first"],
  [150, 0, "second"],
  [200, 3, "first"],
  [200, 5, "first"],
  [200, 6, "second"],
  [250, 0, "second"],
  [350, 0, "first"],
  [400, 1, "first"],
  [450, 0, "stranger"],
];
const navOf = (index: number) => 10n ** 18n + BigInt(index);

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("navs_test");
  await insertRows(
    engine,
    "price_adapter_change",
    TERMS.map(([second, logIndex, adapter]) => ({
      ...{ chainId: 1, rwaId: RWA, second: START + second, blockNumber: second, logIndex },
      adapterAddress: adapter === null ? null : addressOf(adapter),
      transactionHash: hashOf(`term ${second}`),
    })),
  );
  await insertRows(
    engine,
    "nav_post",
    POSTS.map(([second, logIndex, adapter], index) => ({
      ...{ chainId: 1, adapterAddress: addressOf(adapter), second: START + second, blockNumber: second, logIndex },
      ...{ navWad: navOf(index), poster: addressOf("poster"), transactionHash: hashOf(`post ${second}`) },
    })),
  );
});
afterAll(() => engine.close());

const timeOf = (second: number) => timeText(START + second);
const isBefore = (a: readonly [number, number], b: readonly [number, number]) =>
  a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

/** Every change in order, from a replay of the events. */
function replayed() {
  const events = [
    ...TERMS.map(([second, log, adapter]) => ({ kind: "adapter" as const, place: [second, log] as const, adapter })),
    ...POSTS.map(([second, log, adapter], index) => ({
      ...{ kind: "post" as const, place: [second, log] as const, adapter, index },
    })),
  ].sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
  const newest = new Map<string | null, { nav: string; at: string }>();
  let inForce: string | null = null;
  const changes: object[] = [];
  for (const event of events) {
    const [second, log] = event.place;
    if (event.kind === "post") newest.set(event.adapter, { nav: String(navOf(event.index)), at: timeOf(second) });
    else inForce = event.adapter;
    if (event.adapter !== inForce) continue;
    const last = newest.get(inForce);
    changes.push({
      kind: event.kind,
      at: timeOf(second),
      blockNumber: String(second),
      logIndex: String(log),
      transactionHash: hashOf(`${event.kind === "post" ? "post" : "term"} ${second}`),
      priceAdapter: inForce === null ? null : addressOf(inForce),
      navWad: last?.nav ?? null,
      navPostedAt: last?.at ?? null,
      poster: last === undefined ? null : addressOf("poster"),
    });
  }
  return changes as readonly { at: string }[];
}

async function navs(query: Record<string, string>, rwaId = RWA) {
  const api = appOver(engine);
  const parameters = new URLSearchParams({ network: "evm-mainnet", from: timeOf(0), to: timeOf(1_000), ...query });
  const { response, body } = await checkedRequest(api, `/v1/assets/${rwaId}/navs?${parameters}`);
  expect(api.errors).toEqual([]);
  expect(response.status).toBe(200);
  return navsAnswer.parse(body);
}

it("NAVs are the posts of the adapter in force and the changes of the adapter, in any range", async () => {
  const all = replayed();
  // Six of the posts are from an adapter that is not in force.
  expect(all).toHaveLength(TERMS.length + 5);
  for (const from of [0, 100, 101, 200, 201, 300, 401]) {
    for (const to of [from + 1, from + 100, 1_000]) {
      const { before, changes, hasMore } = await navs({ from: timeOf(from), to: timeOf(to) });
      const within = all.filter(({ at }) => at >= timeOf(from) && at < timeOf(to));
      expect(changes).toEqual(within.toReversed());
      expect(before).toEqual(all.filter(({ at }) => at < timeOf(from)).at(-1) ?? null);
      expect(hasMore).toBe(false);
    }
  }
});

it("an unknown RWA and another network have no NAVs", async () => {
  for (const none of [await navs({}, hashOf("unknown")), await navs({ network: "evm-sepolia" })]) {
    expect([none.before, none.changes, none.hasMore]).toEqual([null, [], false]);
  }
});

it("of more than a thousand NAVs, the answer has the newest ones and says that there are more", async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => index);
  const rwaId = hashOf("BUSY");
  const key = { chainId: 1, second: START, blockNumber: 1, logIndex: 0, transactionHash: hashOf("busy") };
  await insertRows(engine, "price_adapter_change", [{ ...key, rwaId, adapterAddress: addressOf("busy") }]);
  await insertRows(
    engine,
    "nav_post",
    many.map((index) => ({
      ...{ ...key, adapterAddress: addressOf("busy"), second: START + 1 + index, blockNumber: 2 + index },
      ...{ navWad: navOf(index), poster: addressOf("poster") },
    })),
  );
  const { changes, hasMore } = await navs({ from: timeOf(1), to: timeOf(2_000) }, rwaId);
  expect(changes.map(({ navWad }) => navWad)).toEqual(
    many
      .slice(1)
      .reverse()
      .map((index) => String(navOf(index))),
  );
  expect(hasMore).toBe(true);
  const whole = await navs({ from: timeOf(2), to: timeOf(2_000) }, rwaId);
  expect([whole.changes.length, whole.hasMore, whole.before?.navWad]).toEqual([1_000, false, String(navOf(0))]);
});
