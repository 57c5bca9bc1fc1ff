/** Flags of `pnpm bench:index`. */
import { parseArgs } from "node:util";

export interface Options {
  /** Legs of the history that the contenders are compared over. */
  readonly legs: number;
  /** Runs of each contender. */
  readonly runs: number;
  /** Runs on PGlite. */
  readonly pgliteRuns: number;
  /** Sizes over which this project alone is measured to see how its cost grows, ascending. */
  readonly growth: readonly number[];
  /** Runs at each of these sizes. */
  readonly growthRuns: number;
  /** Blocks without transactions to measure the cost of a block over; none with 0. */
  readonly emptyBlocks: number;
  readonly transactionsPerBlock: number;
  /** Of the history that grows, at all its sizes. */
  readonly growthTransactionsPerBlock: number;
  readonly cacheBytes: number;
  readonly timeoutMs: number;
  /** Contenders besides this project. */
  readonly peers: readonly string[];
  /** Takes CPU profiles of all contenders into this directory, which slows them down. */
  readonly profile: string | undefined;
  /** Empty writes no file. */
  readonly output: string;
}

const HELP = `pnpm bench:index [flags]
  --legs 100000                  legs of the compared history
  --runs 5                       alternating runs of each contender
  --pglite-runs 1                runs of this project on PGlite
  --growth 10000,100000,1000000  sizes to measure the growth of cost over ("" for none), on a history of their own
  --growth-runs 3                runs at each of these sizes, the largest excepted, which is run once
  --empty-blocks 1000            blocks without transactions to measure the cost of a block over
  --transactions-per-block 5     batches in a block, of ten legs each: with more than some 4,000 blocks anvil forgets
                                 the state of the first, which the indexer asks for at its start
  --growth-transactions-per-block 50  the same of the history that grows, at all its sizes
  --cache-mib 256                PONDER_CACHE_BYTES of both Ponder apps
  --timeout-minutes 30           for one run
  --peers bare,subsquid          contenders besides this project
  --profile DIR                  take CPU profiles
  --output bench/results/index.json`;

/** @throws Error naming a flag that is unknown or malformed */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      legs: { type: "string", default: "100000" },
      runs: { type: "string", default: "5" },
      "pglite-runs": { type: "string", default: "1" },
      growth: { type: "string", default: "10000,100000,1000000" },
      "growth-runs": { type: "string", default: "3" },
      "empty-blocks": { type: "string", default: "1000" },
      "transactions-per-block": { type: "string", default: "5" },
      "growth-transactions-per-block": { type: "string", default: "50" },
      "cache-mib": { type: "string", default: "256" },
      "timeout-minutes": { type: "string", default: "30" },
      peers: { type: "string", default: "bare,subsquid" },
      profile: { type: "string" },
      output: { type: "string", default: "bench/results/index.json" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const growth = values.growth === "" ? [] : values.growth.split(",").map((size) => count("growth", size));
  if (growth.some((size, index) => size <= (growth[index - 1] ?? 0))) throw new Error("--growth must ascend");
  const peers = values.peers === "" ? [] : values.peers.split(",");
  for (const peer of peers) if (!["bare", "subsquid"].includes(peer)) throw new Error(`--peers: unknown "${peer}"`);
  return {
    legs: count("legs", values.legs),
    runs: count("runs", values.runs),
    pgliteRuns: count("pglite-runs", values["pglite-runs"], 0),
    growth,
    growthRuns: count("growth-runs", values["growth-runs"]),
    emptyBlocks: count("empty-blocks", values["empty-blocks"], 0),
    transactionsPerBlock: count("transactions-per-block", values["transactions-per-block"]),
    growthTransactionsPerBlock: count("growth-transactions-per-block", values["growth-transactions-per-block"]),
    cacheBytes: count("cache-mib", values["cache-mib"]) * 1_024 * 1_024,
    timeoutMs: count("timeout-minutes", values["timeout-minutes"]) * 60_000,
    peers,
    profile: values.profile,
    output: values.output,
  };
}

function count(flag: string, text: string, least = 1): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least)
    throw new Error(`--${flag} is "${text}", expected an integer from ${least}`);
  return value;
}
