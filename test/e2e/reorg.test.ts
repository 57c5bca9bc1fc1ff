import { allTransactions, createClient, eventIdOf, followHistory, type HistoryEvent } from "@coreswap/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomOf } from "../../localnet/plan.ts";
import { sendOne } from "../../localnet/sendOne.ts";
import { type EventClient, followEvents } from "../support/eventClient.ts";
import { timeText } from "../support/time.ts";
import type { ApiClient, HistoryAnswer, VolumeAnswer } from "./harness/api.ts";
import { assertSame, describeDifference, firstDifference } from "./harness/compare.ts";
import { verifyNetwork, waitForHistory, waitUntilCaughtUp } from "./harness/converge.ts";
import { waitUntil } from "./harness/poll.ts";
import { reorganize } from "./harness/reorganize.ts";
import { type RunningIndexer, Stack } from "./harness/stack.ts";
import { probingRanges } from "./harness/verify.ts";
import type { NetworkOracle } from "./oracle/network.ts";

let stack: Stack;
let indexer: RunningIndexer;

beforeAll(async () => {
  stack = await Stack.build({ name: "reorg", seed: 3, transactionCount: 120, emptyBlocks: 45 });
  indexer = await stack.startIndexer({ name: "indexer", database: "pglite" });
  await indexer.process.ready();
  for (const network of ["mainnet", "sepolia"] as const) {
    await waitUntilCaughtUp(indexer.api, network, stack.source(network));
  }
});

afterAll(() => stack?.stop());

test.each([1, 5, 20])("after a reorganization of %i blocks, the answers equal the new chain", async (depth) => {
  const { api } = indexer;
  const deployed = stack.deployed("mainnet");
  const random = randomOf(depth, deployed.chainId);
  const follower = await followEvents(`${indexer.process.baseUrl}/v1/events?network=evm-mainnet`);
  for (let count = 0; count < depth; count += 1) await sendOne({ deployed, random });
  const before = await waitForHistory(api, "mainnet", stack.source("mainnet"));
  const streamAsFar = () =>
    waitUntil("the stream is as far as the history", async () =>
      streamDifference(follower, await api.history("evm-mainnet", { limit: 100 })),
    );
  // A stream that has not sent the transactions yet does not take them back either.
  await streamAsFar();

  const watch = watchSepolia(api);
  const { removed, added } = await reorganize(deployed.rpcUrl, depth);
  const oracle = await waitForHistory(api, "mainnet", stack.source("mainnet"));
  // The block at which a price was read may have been replaced.
  await verifyNetwork(api, "mainnet", oracle, { pricesAt: "head" });
  const { polls, difference } = await watch.stop();

  expect(oracle.chain.blockHashes.length).toBe(before.chain.blockHashes.length);
  expect(economic(before, removed)).toBe(depth);
  expect(economic(oracle, added)).toBeGreaterThan(0);
  expect(economic(oracle, removed)).toBe(0);
  expect(difference, "the other network's answers changed").toBeNull();
  expect(polls).toBeGreaterThan(5);
  await streamAsFar();
  follower.stop();
  expect(follower.received.filter(({ event }) => event === "reset").length).toBeGreaterThan(0);
});

test("after these reorganizations, the answers equal those of an index built from scratch", async () => {
  const oracle = await waitForHistory(indexer.api, "mainnet", stack.source("mainnet"));
  const scratch = await stack.startIndexer({ name: "scratch", networks: ["mainnet"] });
  await scratch.process.ready();
  await waitUntilCaughtUp(scratch.api, "mainnet", stack.source("mainnet"));
  await assertSameAnswers(scratch.api, indexer.api, oracle);
  await scratch.process.stop();
});

test("the client returns and follows the new chain when it replaces blocks between two pages", async () => {
  const { api, process } = indexer;
  const deployed = stack.deployed("mainnet");
  const random = randomOf(99, deployed.chainId);
  for (let count = 0; count < 12; count += 1) await sendOne({ deployed, random });
  await waitForHistory(api, "mainnet", stack.source("mainnet"));
  const network = "evm-mainnet";
  const [newest] = (await api.history(network, { limit: 1 })).transactions;
  if (newest === undefined) throw new Error("there is no transaction");

  const ending = new AbortController();
  const received: HistoryEvent[] = [];
  const following = (async () => {
    const options = { network, lastEventId: eventIdOf(newest), signal: ending.signal } as const;
    for await (const event of followHistory(createClient(process.baseUrl), options)) received.push(event);
  })();

  let removed: readonly string[] | null = null;
  const client = createClient(process.baseUrl, {
    fetch: async (request) => {
      const page = await fetch(request);
      if (removed === null) {
        removed = (await reorganize(deployed.rpcUrl, 10)).removed;
        await waitForHistory(api, "mainnet", stack.source("mainnet"));
      }
      return page;
    },
  });
  const found: unknown[] = [];
  for await (const transaction of allTransactions(client, { network, limit: 5 })) found.push(transaction);
  expect(removed).not.toEqual([]);
  assertSame("pages", await api.wholeHistory(network), found);

  await waitUntil("the client is as far as the history", async () => {
    const resets = received.flatMap((event) => (event.type === "reset" ? [event.fromBlock] : []));
    // One reorganization may cause several resets. The lowest block stands for all of them.
    const [first = 2n ** 63n] = resets.sort((a, b) => Number(a - b));
    const { transactions } = await api.history(network, { limit: 100 });
    const expected = transactions.filter(({ inclusion }) => BigInt(inclusion.blockNumber) >= first);
    const hashes = received.flatMap((event) =>
      event.type === "transaction" ? [event.transaction.transactionHash] : [],
    );
    const missing = expected.filter(({ transactionHash }) => !hashes.includes(transactionHash));
    return expected.length > 0 && missing.length === 0 ? null : `${resets.length} resets, ${missing.length} missing`;
  });
  ending.abort();
  await expect(following).rejects.toThrow("aborted");
});

/** The difference between what a client of the event stream has and the history, or null when they agree. */
function streamDifference({ received }: EventClient, { transactions }: HistoryAnswer): string | null {
  let held: HistoryAnswer["transactions"][number][] = [];
  for (const { event, data } of received) {
    if (event === "reset") {
      const { fromBlock } = data as { fromBlock: string };
      held = held.filter(({ inclusion }) => BigInt(inclusion.blockNumber) < BigInt(fromBlock));
    } else held.push(data as (typeof held)[number]);
  }
  const newest = transactions.slice(0, held.length).reverse();
  if (held.length === 0) return "nothing came";
  return JSON.stringify(held) === JSON.stringify(newest)
    ? null
    : `${held.length} transactions, and not those of the history`;
}

/** Counts how many of the given transactions are in the history. */
function economic(oracle: NetworkOracle, hashes: readonly string[]): number {
  return oracle.transactions.filter(({ transactionHash }) => hashes.includes(transactionHash)).length;
}

/**
 * Checks that two indexes of the same chain give the same answers, except for the times of price reads and for their
 * progress.
 */
async function assertSameAnswers(scratch: ApiClient, api: ApiClient, oracle: NetworkOracle): Promise<void> {
  const network = "evm-mainnet";
  assertSame("history", await scratch.wholeHistory(network), await api.wholeHistory(network));
  for (const range of probingRanges(oracle, 22, 5)) {
    const parameters = { from: timeText(range.from), to: timeText(range.to) };
    const [expected, actual] = [await scratch.volume(network, parameters), await api.volume(network, parameters)];
    assertSame(`volume over ${JSON.stringify(parameters)}`, comparable(expected), comparable(actual));
  }
  const path = "/v1/info/evm?chain=mainnet";
  assertSame(path, await scratch.json(path), await api.json(path));
}

function comparable({ coverage: _coverage, usedPrices, ...figures }: VolumeAnswer) {
  return { ...figures, usedPrices: usedPrices.map(({ assetId, priceUsdWad }) => ({ assetId, priceUsdWad })) };
}

/** Polls the answers for sepolia, one after the other, until stopped. Nothing is sent to that chain. */
function watchSepolia(api: ApiClient) {
  const now = BigInt(Math.floor(Date.now() / 1000));
  let stopped = false;
  let polls = 0;
  const ask = async () => ({
    history: await api.history("evm-sepolia", { limit: 100 }),
    volume: await api.volume("evm-sepolia", { from: timeText(now - 100n * 86_400n), to: timeText(now) }),
    info: await api.json("/v1/info/evm?chain=sepolia"),
  });
  const watching = (async () => {
    const expected = await ask();
    if (expected.volume.totalLegCount === 0) return "there is nothing to watch";
    while (!stopped) {
      const difference = firstDifference(expected, await ask());
      polls += 1;
      if (difference) return describeDifference(difference);
    }
    return null;
  })();
  return {
    async stop() {
      stopped = true;
      return { polls, difference: await watching.catch((error: unknown) => String(error)) };
    },
  };
}
