/** How Ponder's backfill, with the patch, cuts ranges of logs that a node refuses. */
import { hexToNumber } from "viem";
import { beforeEach, expect, it } from "vitest";
import { RangeTooLargeError } from "../../config/rpcTransport.ts";
import { PROXIES } from "./support/logChain.ts";
import { internal } from "./support/ponderInternal.ts";

interface HistoricalSync {
  syncBlockRangeData(range: {
    readonly interval: readonly [number, number];
    readonly requiredIntervals: readonly { readonly filter: unknown; readonly interval: readonly [number, number] }[];
    readonly requiredFactoryIntervals: readonly never[];
    readonly syncStore: { insertChildAddresses(): Promise<void> };
  }): Promise<unknown[]>;
}

interface LogsRequest {
  readonly method: string;
  readonly params: readonly [{ readonly fromBlock: `0x${string}`; readonly toBlock: `0x${string}` }];
}

type Options = Readonly<Record<string, unknown>>;

const FILTER = { type: "log", chainId: 1, sourceId: "CoreSwap", address: PROXIES.coreSwap, include: [] };

/** Most blocks that the node accepts in one request. */
let granted: number;
/** Blocks of each accepted request. */
let answered: number[];
let sync: HistoricalSync;

beforeEach(async () => {
  const { createLogger } = await internal<{ createLogger(options: Options): unknown }>("internal/logger.js");
  const { createHistoricalSync } = await internal<{ createHistoricalSync(options: Options): HistoricalSync }>(
    "sync-historical/index.js",
  );
  granted = 1;
  answered = [];
  sync = createHistoricalSync({
    common: { logger: createLogger({ level: "fatal", mode: "pretty" }), options: {} },
    chain: { id: 1, name: "mainnet" },
    rpc: {
      request: async ({ params: [{ fromBlock, toBlock }] }: LogsRequest) => {
        const blocks = hexToNumber(toBlock) - hexToNumber(fromBlock) + 1;
        if (blocks > granted) throw new RangeTooLargeError("the node refuses");
        answered.push(blocks);
        return [];
      },
    },
    childAddresses: new Map(),
  });
});

const logsOf = (interval: readonly [number, number]) =>
  sync.syncBlockRangeData({
    interval,
    requiredIntervals: [{ filter: FILTER, interval }],
    requiredFactoryIntervals: [],
    syncStore: { insertChildAddresses: async () => undefined },
  });

it("a node that refuses two blocks is asked for single ones", async () => {
  expect(await logsOf([100, 131])).toEqual([]);
  expect(answered).toEqual(Array(32).fill(1));
});

it("ranges grow again once the node accepts larger ones", async () => {
  await logsOf([100, 131]);
  granted = 1_000;
  for (let start = 200; start < 20_000; start += 100) await logsOf([start, start + 99]);
  expect(answered.at(-1)).toBe(100);
});
