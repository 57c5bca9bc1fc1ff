/**
 * Traces as the source of calls in a backfill: finds the blocks with calls to the proxies, and verifies the traces.
 *
 * `trace_filter` is checked against blocks: random ones before it is used, the newest of each range, and every block
 * that is fetched because of an event. The first miss ends its use in this database for good.
 */
import { randomInt } from "node:crypto";
import { type Address, type Hex, hexToNumber } from "viem";
import type { CallsFrom } from "../../../callsFrom.ts";
import { logger } from "../../../ponderCommon.ts";
import { quantityProblem } from "../../answers.ts";
import { inParallel } from "../../inParallel.ts";
import type { ProvenBlock } from "../blockProof.ts";
import type { RpcNetwork } from "../rpcNetwork.ts";
import { CallsMissed, type TracesRefused } from "./failures.ts";
import { type LedgerDatabase, noteTraced, openLedger, refuteTraces } from "./ledger.ts";
import { chooseSource, MEASURED_BLOCKS } from "./measure.ts";
import { createTraceReader, type NamedCalls } from "./traceReader.ts";
import { type BlockWithCalls, sampleBlock, verifyCallsOf } from "./verifyCalls.ts";

/** Numbers of blocks that are sampled before traces are used: the first ones of the backfill, and random ones. */
const FIRST_SAMPLES = 20;
const RANDOM_SAMPLES = 200;
const SAMPLES_AT_ONCE = 4;

/** The newest block of every interval of this length is sampled, too. A shorter backfill has no further samples. */
const SAMPLE_INTERVAL = 10_000;

/**
 * A reorganization may replace this many newest blocks while they are sampled. The number exceeds the blocks that
 * Ponder treats as not final.
 */
const NOT_FINAL_BLOCKS = 100;

type Range = readonly [from: number, to: number];

interface CallSource {
  /**
   * Finds the calls of a range, samples blocks, and records the range. Does nothing once traces are no longer used.
   * @throws CallsMissed when traces are wrong
   * @throws TracesRefused when the nodes do not answer
   */
  find(range: Range, database: LedgerDatabase): Promise<void>;
  /** Forgets the calls that were found in a range. */
  forget(range: Range): void;
  /** Returns false when traces name no call in the block. */
  mayHaveCalls(blockNumber: number): boolean;
  /**
   * Compares the calls of a block with those that traces named.
   * @throws CallsMissed unless exactly the calls of the block were named
   */
  verify(block: BlockWithCalls): void;
  /** Uses blocks from now on. Calls that traces named before remain valid. */
  giveUp(reason: TracesRefused): void;
  /**
   * Records that traces were wrong, and uses blocks from now on.
   * @throws CallsMissed when traces were used before; the process then ends, and its next start is refused
   */
  refute(miss: CallsMissed, database: LedgerDatabase): Promise<void>;
}

interface CallSourceOptions {
  readonly chainId: number;
  readonly network: RpcNetwork;
  readonly callsFrom: Exclude<CallsFrom, "blocks">;
  /** Addresses of the proxies, in lower case. */
  readonly proxies: readonly Address[];
  /** Requests everything about a block until its parts prove each other. */
  readonly prove: (blockNumber: number) => Promise<ProvenBlock>;
}

export function createCallSource({ chainId, network, callsFrom, proxies, prove }: CallSourceOptions): CallSource {
  const reader = createTraceReader(network);
  const recipients: ReadonlySet<string> = new Set(proxies);
  const found = new Map<string, { readonly range: Range; readonly calls: NamedCalls }>();
  let isOff = false;
  let isUsed = false;
  let opening: Promise<void> | null = null;

  const callsAbout = (number: number) =>
    [...found.values()].find(({ range: [from, to] }) => from <= number && number <= to)?.calls;

  /** Reads, before the first range of this process, what the database has recorded, and samples blocks. */
  async function open([from, to]: Range, database: LedgerDatabase): Promise<void> {
    const entry = await openLedger(database, chainId);
    isOff ||= entry.isRefuted;
    if (isOff) return;
    const { answer } = await network.request({ method: "eth_blockNumber", problemOf: quantityProblem });
    const last = Math.max(to, hexToNumber(answer as Hex) - NOT_FINAL_BLOCKS);
    if (callsFrom === "auto" && !(await areTracesFaster(from, last))) {
      isOff = true;
      return;
    }
    if (entry.isUsed && last - from < SAMPLE_INTERVAL) return;
    await sample(samplesOf(from, last));
    logger().warn({
      msg: `Calls of chain ${chainId} are taken from traces (CALLS_FROM), after blocks from ${from} to ${last} agreed`,
    });
  }

  /** Measures, if enough blocks are left for a difference to matter, and logs the result. */
  async function areTracesFaster(from: number, last: number): Promise<boolean> {
    if (last - from + 1 < MEASURED_BLOCKS) return false;
    const { source, reason } = await chooseSource(network, proxies, [from, last]);
    logger().warn({ msg: `Calls of chain ${chainId} are taken from ${source} (CALLS_FROM=auto): ${reason}` });
    return source === "traces";
  }

  const sample = (numbers: readonly number[]) =>
    inParallel(numbers, SAMPLES_AT_ONCE, (number) => sampleBlock(reader, prove, number));

  return {
    async find(range, database) {
      if (isOff) return;
      opening ??= open(range, database).catch((error: unknown) => {
        opening = null;
        throw error;
      });
      await opening;
      if (isOff) return;
      const [from, to] = range;
      const calls = await reader.callsTo(proxies, from, to);
      await sample(newestOf(range));
      if (await noteTraced(database, chainId, range)) {
        isUsed = true;
        found.set(range.join(), { range, calls });
      } else if (isUsed) {
        throw new CallsMissed("another index of this database found traces wrong");
      } else {
        isOff = true;
      }
    },

    forget(range) {
      found.delete(range.join());
    },

    mayHaveCalls: (blockNumber) => callsAbout(blockNumber)?.has(blockNumber) ?? true,

    verify(block) {
      const number = hexToNumber(block.number);
      const calls = callsAbout(number);
      if (calls !== undefined) verifyCallsOf(block, recipients, calls.get(number));
    },

    giveUp({ message }) {
      if (!isOff) logger().warn({ msg: `Calls of chain ${chainId} are taken from blocks from now on: ${message}` });
      isOff = true;
    },

    async refute(miss, database) {
      isOff = true;
      const wasUsed = await refuteTraces(database, chainId, miss.message);
      logger().error({
        msg:
          `Traces of chain ${chainId} are wrong, and are not used any more in this database: ${miss.message}. ` +
          (wasUsed
            ? "The process ends: indexes of this chain have to be built again, each in a new schema"
            : "No block was indexed with them. Calls are taken from blocks"),
      });
      if (wasUsed) throw miss;
    },
  };
}

/** Returns the first blocks of a backfill and some random ones, each once. */
function samplesOf(from: number, last: number): number[] {
  const length = last - from + 1;
  const numbers = new Set(Array.from({ length: Math.min(FIRST_SAMPLES, length) }, (_, index) => from + index));
  while (numbers.size < Math.min(FIRST_SAMPLES + RANDOM_SAMPLES, length)) numbers.add(randomInt(from, last + 1));
  return [...numbers];
}

/** Returns the newest block of a range, and the newest block of each interval that ends in the range. */
function newestOf([from, to]: Range): number[] {
  const numbers = new Set([to]);
  for (let end = from - (from % SAMPLE_INTERVAL) + SAMPLE_INTERVAL - 1; end <= to; end += SAMPLE_INTERVAL)
    numbers.add(end);
  return [...numbers];
}
