/** Flags of `pnpm bench:index`. */
import { commandLine, refuse, wholeNumber } from "../../tools/lib/commandLine.ts";

const PEERS = ["bare", "subsquid"];

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

/** Reads the command line. Prints one line and ends the process when an option is unknown or malformed. */
export function readOptions(): Options {
  const number = (preset: string, help: string) =>
    ({ type: "string", default: preset, value: "<number>", help }) as const;
  const { values } = commandLine({
    usage: "pnpm bench:index",
    summary: "Measures the indexer beside a bare Ponder app and Subsquid, over one history on one PostgreSQL.",
    options: {
      legs: number("100000", "legs of the compared history"),
      runs: number("5", "alternating runs of each contender"),
      "pglite-runs": number("1", "runs of this project on PGlite"),
      growth: {
        type: "string",
        default: "10000,100000,1000000",
        value: "<list>",
        help: "sizes over which the growth of cost is measured, on a history of their own; empty for none",
      },
      "growth-runs": number("3", "runs at each of these sizes; the largest is run once"),
      "empty-blocks": number("1000", "blocks without transactions, to measure the cost of a block"),
      "transactions-per-block": number(
        "5",
        "batches of ten legs in a block; beyond some 4,000 blocks anvil forgets the state of the first, which the indexer needs",
      ),
      "growth-transactions-per-block": number("50", "the same for the history that grows"),
      "cache-mib": number("256", "PONDER_CACHE_BYTES of both Ponder apps, in MiB"),
      "timeout-minutes": number("30", "time-out of one run"),
      peers: { type: "string", default: "bare,subsquid", value: "<list>", help: "contenders besides this project" },
      profile: { type: "string", value: "<folder>", help: "take CPU profiles into the folder" },
      output: { type: "string", default: "bench/results/index.json", value: "<file>", help: "results; empty for none" },
    },
  });
  const growth = values.growth === "" ? [] : values.growth.split(",").map((size) => wholeNumber("growth", size));
  if (growth.some((size, index) => size <= (growth[index - 1] ?? 0))) refuse("--growth: expected ascending sizes");
  const peers = values.peers === "" ? [] : values.peers.split(",");
  for (const peer of peers) if (!PEERS.includes(peer)) refuse(`--peers: unknown "${peer}", expected any of ${PEERS}`);
  return {
    legs: wholeNumber("legs", values.legs),
    runs: wholeNumber("runs", values.runs),
    pgliteRuns: wholeNumber("pglite-runs", values["pglite-runs"], 0),
    growth,
    growthRuns: wholeNumber("growth-runs", values["growth-runs"]),
    emptyBlocks: wholeNumber("empty-blocks", values["empty-blocks"], 0),
    transactionsPerBlock: wholeNumber("transactions-per-block", values["transactions-per-block"]),
    growthTransactionsPerBlock: wholeNumber("growth-transactions-per-block", values["growth-transactions-per-block"]),
    cacheBytes: wholeNumber("cache-mib", values["cache-mib"]) * 1_024 * 1_024,
    timeoutMs: wholeNumber("timeout-minutes", values["timeout-minutes"]) * 60_000,
    peers,
    profile: values.profile,
    output: values.output,
  };
}
