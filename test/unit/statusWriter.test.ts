/** Tests when the status row is written, and what it reports while something hangs. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NodeReport } from "../../config/nodeReports.ts";
import type { DeepFork, LastAudit } from "../../src/api/shared/health.ts";
import type { ChainHead } from "../../src/api/status/head.ts";
import type { IndexedProgress } from "../../src/api/status/progress.ts";
import type { StatusRecord } from "../../src/api/status/table.ts";
import { createStatusWriter } from "../../src/api/status/writer.ts";

const HASH = `0x${"5a".repeat(32)}` as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A network whose head and index advance together, one block a second. */
function writerOf() {
  const written: StatusRecord[] = [];
  const stalls: number[] = [];
  const world = {
    second: 0,
    isIndexing: true,
    isAnswering: true,
    /** The newest block of the node, where it is of another chain than the index. */
    foreignHead: null as ChainHead | null,
    read: (progress: IndexedProgress) => Promise.resolve(progress),
    report: null as NodeReport | null,
    audit: null as LastAudit | null,
    fork: null as DeepFork | null,
    indexed: 0n,
  };
  const writer = createStatusWriter({
    readHead: async (isForeign) => {
      const own = { blockNumber: BigInt(world.second), blockHash: HASH, timestamp: BigInt(world.second) };
      const head = world.foreignHead ?? own;
      return world.isAnswering && !isForeign(head) ? head : null;
    },
    readProgress: () =>
      world.read({
        indexed: { blockNumber: world.indexed, timestamp: world.indexed },
        final: { blockNumber: world.indexed - 5n, timestamp: world.indexed - 5n },
        isBackfilling: false,
        mark: String(world.indexed),
      }),
    nodeReport: () => world.report,
    fork: () => world.fork,
    audit: () => world.audit,
    write: async (record) => void written.push(record),
    stalledAfterSeconds: 30,
    onStall: (idleSeconds) => stalls.push(idleSeconds),
    now: () => BigInt(world.second),
    clock: () => world.second * 1_000,
  });
  const pass = async (seconds: number) => {
    for (let count = 0; count < seconds; count += 1) {
      world.second += 1;
      if (world.isIndexing) world.indexed = BigInt(world.second);
      if (world.second % 5 === 0) await writer.refreshHead();
      await writer.check();
    }
  };
  return { world, written, stalls, pass, writer };
}

it("is written every second", async () => {
  const { pass, written, writer } = writerOf();
  await writer.refreshHead();
  await pass(21);
  expect(written.map(({ state }) => state)).toEqual(Array(21).fill("live"));
  expect(written.at(-1)).toMatchObject({ indexed: { blockNumber: 21n }, head: { askedAt: 20n }, stateSince: 1n });
});

it("is written at once when the state changes, with the reason", async () => {
  const { pass, written, world, writer } = writerOf();
  await writer.refreshHead();
  await pass(2);
  const confirmed = { number: 1, hash: `0x${"1".repeat(64)}` } as const;
  const problem = { kind: "damaged", message: "logs differ", since: 0 } as const;
  world.report = { chainId: 1, problem, reorganizations: 3, confirmed };
  await pass(1);
  expect(written.at(-1)).toMatchObject({ state: "damaged", reason: "logs differ", stateSince: 3n, reorganizations: 3 });
  expect(written.at(-1)?.confirmed).toEqual(confirmed);
  world.report = { chainId: 1, problem: null, reorganizations: 3, confirmed };
  world.audit = { fromBlock: 7n, toBlock: 7n, finishedAt: 3n, result: "failed", difference: "swap 7/0/1 is missing" };
  await pass(6);
  expect(written.at(-1)).toMatchObject({ state: "damaged", reason: "swap 7/0/1 is missing" });
  world.audit = { ...world.audit, result: "passed", difference: null };
  await pass(1);
  expect(written.at(-1)).toMatchObject({ state: "live", reason: null, stateSince: 10n });
});

it("reports a node that no longer answers after 15 seconds, with the last known head", async () => {
  const { pass, written, world, writer } = writerOf();
  await writer.refreshHead();
  await pass(10);
  world.isAnswering = false;
  await pass(15);
  expect(written.at(-1)).toMatchObject({ state: "live" });
  await pass(1);
  expect(written.at(-1)).toMatchObject({ state: "unreachable", head: { blockNumber: 10n, askedAt: 10n } });
});

it("reports a node that shows a shorter chain as unreachable, and not one that is behind", async () => {
  const { pass, written, world, writer } = writerOf();
  await writer.refreshHead();
  await pass(50);
  world.isIndexing = false;
  // A node that still synchronizes.
  world.foreignHead = { blockNumber: 30n, blockHash: HASH, timestamp: 30n };
  await pass(20);
  expect(written.at(-1)).toMatchObject({ state: "live", head: { blockNumber: 30n } });
  world.foreignHead = { blockNumber: 30n, blockHash: HASH, timestamp: 70n };
  await pass(20);
  const reason = "the newest block that the node returns is of another chain";
  expect(written.at(-1)).toMatchObject({ state: "unreachable", reason, head: { blockNumber: 30n, timestamp: 30n } });
  world.isAnswering = false;
  await pass(5);
  expect(written.at(-1)).toMatchObject({ reason: "the node does not return its newest block" });
});

it("reports a stall, also when the reading itself hangs, but never while the node is unreachable", async () => {
  const { pass, written, world, writer, stalls } = writerOf();
  await writer.refreshHead();
  await pass(10);
  world.isIndexing = false;
  await pass(40);
  expect(written.at(-1)).toMatchObject({ state: "stalled", reason: "the chain advances, but nothing is indexed" });
  expect(stalls.at(-1)).toBeGreaterThanOrEqual(30);

  // A reading that waits for a transaction without an end does not count as progress.
  world.read = () => new Promise(() => {});
  const count = stalls.length;
  world.second += 5;
  await writer.refreshHead();
  const checking = writer.check();
  await vi.advanceTimersByTimeAsync(10_000);
  await checking;
  expect(stalls.length).toBe(count + 1);

  const problem = { kind: "unreachable", message: "no node", since: 0 } as const;
  world.report = { chainId: 1, problem, reorganizations: 0, confirmed: null };
  const again = writer.check();
  await vi.advanceTimersByTimeAsync(10_000);
  await again;
  expect(stalls.length).toBe(count + 1);
  expect(written.at(-1)).toMatchObject({ state: "unreachable", reason: "no node" });
});

it("says forked while a fork is known, because its rows fail the audit, too", async () => {
  const { pass, written, world, writer } = writerOf();
  await writer.refreshHead();
  world.audit = { fromBlock: 7n, toBlock: 7n, finishedAt: 3n, result: "failed", difference: "swap 7/0/1 is missing" };
  world.fork = { blockNumber: 7n, blockHash: HASH, nodeBlockHash: `0x${"6b".repeat(32)}` };
  await pass(1);
  expect(written.at(-1)).toMatchObject({ state: "forked", reason: expect.stringContaining(HASH) });
  world.fork = null;
  await pass(1);
  expect(written.at(-1)).toMatchObject({ state: "damaged", reason: "swap 7/0/1 is missing" });
});
