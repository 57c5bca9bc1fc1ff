import { readdirSync, readFileSync } from "node:fs";
import { type AbiEvent, type Hex, toEventSelector } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "../../abis/index.ts";
import { bloomOfLogs, EMPTY_BLOOM, isInBloom } from "../../config/rpc/bloom.ts";
import { indexedDataOf, searchedEvents } from "../../config/rpc/indexedData.ts";
import { type LogChain, PROXIES, STRANGER, startLogChain, topic } from "./support/logChain.ts";

let chain: LogChain;

beforeAll(async () => {
  chain = await startLogChain("bloom");
  await chain.client.setAutomine(false);
  // Blocks with up to forty logs of several contracts and transactions, and one without any.
  for (const count of [0, 1, 2, 40]) {
    for (let index = 0; index < count; index += 1) {
      const contract = [PROXIES.coreSwap, PROXIES.treasury, STRANGER][index % 3] ?? STRANGER;
      await chain.emit(contract, [topic(count * 100 + index)]);
    }
    await chain.client.mine({ blocks: 1 });
  }
});
afterAll(() => chain?.stop());

/** All blocks of the chain with their logs. */
async function readBlocks() {
  const newest = await chain.client.getBlockNumber();
  return Promise.all(
    Array.from({ length: Number(newest) + 1 }, async (_, number) => {
      const block = await chain.client.getBlock({ blockNumber: BigInt(number) });
      return { block, logs: await chain.client.getLogs({ blockHash: block.hash }) };
    }),
  );
}

describe("the bloom of a block", () => {
  it("is that of all its logs on a real chain, and not of fewer", async () => {
    const blocks = await readBlocks();
    expect(blocks.map(({ logs }) => logs.length)).toEqual(expect.arrayContaining([0, 1, 2, 40]));
    for (const { block, logs } of blocks) {
      expect(bloomOfLogs(logs)).toBe(block.logsBloom);
      if (logs.length > 0) expect(bloomOfLogs(logs.slice(1))).not.toBe(block.logsBloom);
    }
    expect(bloomOfLogs([])).toBe(EMPTY_BLOOM);
  });

  it("admits every address and topic of its logs", async () => {
    for (const { block, logs } of await readBlocks()) {
      for (const { address, topics } of logs) {
        for (const item of [address, ...topics]) expect(isInBloom(block.logsBloom, item)).toBe(true);
      }
    }
    expect(isInBloom(EMPTY_BLOOM, PROXIES.coreSwap)).toBe(false);
  });
});

describe("the indexed data", () => {
  const indexed = indexedDataOf(PROXIES);
  const topicsOfAny = [
    "IssuerAdminAdded(address)",
    "IssuerAdminRemoved(address)",
    "FirstRatePosted(uint256)",
    "DailyRatePosted(uint256,uint256,address)",
    "DailyRateCorrected(uint256,uint256,uint256,address)",
    "PendingCreditsAdded(address,uint256,uint256)",
    "YieldClaimed(address,uint256,uint256,uint256)",
    "CreditsMoved(address,address,uint256,uint256)",
    "NavPosted(uint256,address)",
  ].map((signature) => toEventSelector(signature));

  it("is every log of the proxies, in any letter case of the address", () => {
    expect(indexed.hasLog({ address: PROXIES.coreSwap, topics: [topic(1)] })).toBe(true);
    expect(indexed.hasLog({ address: `0x${"7E".repeat(20)}`, topics: [] })).toBe(true);
    expect(indexed.hasLog({ address: STRANGER, topics: [topic(1)] })).toBe(false);
  });

  it("is such an event of any contract", () => {
    for (const selector of topicsOfAny) expect(indexed.hasLog({ address: STRANGER, topics: [selector] })).toBe(true);
    expect(indexed.hasLog({ address: STRANGER, topics: [topic(1), ...topicsOfAny] })).toBe(false);
  });

  it("is every event of any contract that has a handler", () => {
    const handlers = readdirSync("src/handlers").map((file) => readFileSync(`src/handlers/${file}`, "utf8"));
    const handled = handlers.join().matchAll(/\bon\("(?!CoreSwap:|Treasury:)\w+:(\w+)"/g);
    const selectors = [...handled].map(([, eventName]) => {
      const event = [...stablecoinDelegateAbi, ...treasuryDelegateAbi, ...navPriceAdapterAbi].find(
        (item) => item.type === "event" && item.name === eventName,
      );
      return toEventSelector(event as AbiEvent);
    });
    expect(new Set(selectors)).toEqual(new Set(topicsOfAny));
  });

  it("is searched in blooms for every event of CoreSwap that has a handler, but not for transfers of the treasury token", () => {
    const [ofCoreSwap, ofTreasury] = searchedEvents(PROXIES);
    const selectorOf = (abi: typeof coreSwapAbi | typeof treasuryAbi, name: string) =>
      toEventSelector([...abi].find((item) => item.type === "event" && item.name === name) as AbiEvent);
    const handlers = readdirSync("src/handlers").map((file) => readFileSync(`src/handlers/${file}`, "utf8"));
    for (const [, eventName = ""] of handlers.join().matchAll(/\bon\("CoreSwap:(\w+)"/g)) {
      expect(ofCoreSwap?.topics, eventName).toContain(selectorOf(coreSwapAbi, eventName));
    }
    expect(ofTreasury?.topics).toContain(selectorOf(treasuryAbi, "AddedToWhitelist"));
    expect(ofTreasury?.topics).not.toContain(selectorOf(treasuryAbi, "Transfer"));
  });

  it("is every call of a proxy, but not the creation of a contract", () => {
    expect(indexed.hasCall({ to: PROXIES.treasury })).toBe(true);
    expect(indexed.hasCall({ to: STRANGER })).toBe(false);
    expect(indexed.hasCall({ to: null })).toBe(false);
  });

  it("matches the blooms of the blocks that contain it", () => {
    const bloom = (address: Hex, topics: readonly Hex[]) => bloomOfLogs([{ address, topics }]);
    expect(indexed.mayBeIn(bloom(PROXIES.coreSwap, [topic(1)]))).toBe(true);
    expect(indexed.mayBeIn(bloom(STRANGER, topicsOfAny.slice(0, 1)))).toBe(true);
    expect(indexed.mayBeIn(bloom(STRANGER, [topic(1)]))).toBe(false);
    expect(indexed.mayBeIn(EMPTY_BLOOM)).toBe(false);
  });
});
