import { beforeEach, expect, it, vi } from "vitest";
import { chainState } from "../../ponder.schema.ts";
import { touchChainState } from "../../src/indexing/chainState.ts";
import { handlerContext } from "./support/indexingStore.ts";

beforeEach(() => {
  const metrics = { ponder_sync_is_realtime: { get: async () => ({ values: [] }) } };
  vi.stubGlobal("PONDER_COMMON", { metrics });
});

it("names the newest block and the first of its events", async () => {
  const context = await handlerContext();
  const touch = async (hash: `0x${string}`, number: bigint, id: string) => {
    await touchChainState(context, { id, block: { number, hash, timestamp: 1n } });
    const row = await context.db.find(chainState, { chainId: context.chain.id });
    return [row?.blockNumber, row?.blockHash, row?.eventId];
  };
  expect(await touch("0xAA", 1n, "1")).toEqual([1n, "0xaa", "1"]);
  expect(await touch("0xAA", 1n, "2")).toEqual([1n, "0xaa", "1"]);
  expect(await touch("0xbb", 2n, "3")).toEqual([2n, "0xbb", "3"]);
  // A reorganization puts another block in its place.
  expect(await touch("0xcc", 2n, "3")).toEqual([2n, "0xcc", "3"]);
});
