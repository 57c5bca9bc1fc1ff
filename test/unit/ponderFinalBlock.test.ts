/** Up to which block Ponder's backfill, with the patch, says that it is final. */
import { numberToHex } from "viem";
import { expect, it } from "vitest";
import { transportOver } from "./rpc/chain.ts";
import { internal } from "./support/ponderInternal.ts";

type Options = Readonly<Record<string, unknown>>;

interface Historical {
  getLocalEventGenerator(options: Options): AsyncGenerator<{ readonly checkpoint: string }>;
}

interface Checkpoints {
  readonly MAX_CHECKPOINT: Options;
  encodeCheckpoint(checkpoint: Options): string;
  decodeCheckpoint(checkpoint: string): { readonly blockNumber: bigint };
}

const FINAL = 1_000;
const FILTER = {
  type: "transaction",
  chainId: 1,
  sourceId: "CoreSwap",
  toAddress: `0x${"11".repeat(20)}`,
  fromBlock: 1,
  include: [],
};

it("the last block counts as final only once it is fetched, so that a kill before that does not lose it", async () => {
  const { getLocalEventGenerator } = await internal<Historical>("runtime/historical.js");
  const { createLogger } = await internal<{ createLogger(options: Options): unknown }>("internal/logger.js");
  const { MetricsService } = await internal<{ MetricsService: new () => unknown }>("internal/metrics.js");
  const { MAX_CHECKPOINT, encodeCheckpoint, decodeCheckpoint } = await internal<Checkpoints>("utils/checkpoint.js");
  const secondsOf = (number: number) => 12 * number;
  const checkpointOf = (number: number) =>
    encodeCheckpoint({
      ...MAX_CHECKPOINT,
      ...{ blockTimestamp: BigInt(secondsOf(number)), chainId: 1n, blockNumber: BigInt(number) },
    });
  const blockOf = (number: number) => ({
    ...{ number: numberToHex(number), timestamp: numberToHex(secondsOf(number)) },
    ...{ hash: "0x", parentHash: "0x" },
  });
  // The database has every block but the last one.
  const stored = [{ number: BigInt(FINAL - 1), timestamp: BigInt(secondsOf(FINAL - 1)), hash: "0x" }];
  const query: unknown = new Proxy(() => undefined, {
    get: (_, name) => (name === "then" ? undefined : query),
    apply: () => query,
  });
  const database = {
    raw: query,
    wrap: async ({ label }: { readonly label: string }) => (label === "select_blocks" ? stored : []),
    transaction: async (task: (own: unknown) => Promise<unknown>): Promise<unknown> => task(database),
  };
  let askNode = (): void => undefined;
  const nodeIsAsked = new Promise<void>((done) => {
    askNode = done;
  });
  const events = getLocalEventGenerator({
    common: {
      logger: createLogger({ level: "fatal", mode: "pretty" }),
      options: { command: "start", databaseMaxQueryParameters: 16_000 },
      metrics: new MetricsService(),
    },
    chain: { id: 1, name: "mainnet", rpc: transportOver([]).transport, finalityBlockCount: 65, disableCache: false },
    rpc: {
      // The node does not answer.
      request: () => {
        askNode();
        return new Promise(() => undefined);
      },
    },
    eventCallbacks: [{ filter: FILTER, chain: { id: 1 }, name: "CoreSwap", type: "transaction" }],
    childAddresses: new Map(),
    syncProgress: { start: blockOf(1), finalized: blockOf(FINAL), current: blockOf(FINAL - 1), end: undefined },
    cachedIntervals: new Map([[FILTER, [{ fragment: {}, intervals: [[1, FINAL - 1]] }]]]),
    ...{ from: checkpointOf(FINAL - 1), to: checkpointOf(FINAL), limit: 5_000 },
    database: { syncQB: database, userQB: database },
    isCatchup: false,
  });
  const { value } = await events.next();
  expect(decodeCheckpoint(value?.checkpoint ?? "").blockNumber).toBe(BigInt(FINAL - 1));
  await Promise.race([events.next(), nodeIsAsked]);
});
