/** Measures which source of calls is faster: traces, or all blocks. */
import { type Address, numberToHex } from "viem";
import { NodeFailure } from "../../failures.ts";
import { inParallel } from "../../inParallel.ts";
import { createPace } from "../../pace.ts";
import { blockProblem } from "../../verifyBlock.ts";
import type { RpcNetwork } from "../rpcNetwork.ts";
import { TracesRefused } from "./failures.ts";
import { createTraceReader } from "./traceReader.ts";

/** Number of blocks on which both sources are measured. */
export const MEASURED_BLOCKS = 200;

/** Ponder sends as many requests at once. */
const REQUESTS_AT_ONCE = 25;

/** Rounds over all URLs before a request counts as failed. One failure may be a limit of requests. */
const ROUNDS = 3;

/** Time after which traces of the measured blocks are given up. Blocks take less, also at four requests per second. */
const TRACES_DEADLINE_MS = 60_000;

interface Choice {
  readonly source: "blocks" | "traces";
  /** Both figures, or why there are none. */
  readonly reason: string;
}

/** A trace request was not sent, because too much time had passed. */
class TooSlow extends Error {
  override readonly name = "TooSlow";
}

/**
 * Measures both sources on the blocks in the middle of a range, which has at least `MEASURED_BLOCKS`, and returns the
 * faster one. Returns blocks if the node has no `trace_filter`, or if anything fails.
 *
 * Blocks are requested at the rate that the operator allows, as the backfill does. Logs and receipts are left out:
 * both sources need the same ones. Traces come first, so that what the node then has in memory favors blocks.
 * @throws CallsMissed when traces are found wrong
 */
export async function chooseSource(
  network: RpcNetwork,
  proxies: readonly Address[],
  [from, to]: readonly [number, number],
  tracesDeadlineMs = TRACES_DEADLINE_MS,
): Promise<Choice> {
  const first = from + Math.floor((to - from + 1 - MEASURED_BLOCKS) / 2);
  const last = first + MEASURED_BLOCKS - 1;
  try {
    const byTraces = await secondsOf(async () => {
      const reader = createTraceReader(untilDeadline(network, tracesDeadlineMs));
      await fetchBlocks(network, [...(await reader.callsTo(proxies, first, last)).keys()]);
    });
    const numbers = Array.from({ length: MEASURED_BLOCKS }, (_, index) => first + index);
    const byBlocks = await secondsOf(() => fetchBlocks(network, numbers));
    return {
      source: byTraces < byBlocks ? "traces" : "blocks",
      reason: `blocks ${first} to ${last} took ${byTraces.toFixed(2)} s by traces, ${byBlocks.toFixed(2)} s by blocks`,
    };
  } catch (error) {
    if (error instanceof TracesRefused) return { source: "blocks", reason: error.message };
    if (error instanceof NodeFailure || error instanceof TooSlow) {
      return { source: "blocks", reason: `the measurement failed: ${error.message}` };
    }
    throw error;
  }
}

async function secondsOf(task: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1_000;
}

/** Sends requests until a deadline, and gives up those that fail in every round. */
function untilDeadline(network: RpcNetwork, deadlineMs: number): Pick<RpcNetwork, "request"> {
  const deadline = performance.now() + deadlineMs;
  return {
    request: async (request) => {
      if (performance.now() > deadline) throw new TooSlow(`trace_filter took more than ${deadlineMs / 1_000} s`);
      return network.request(request, { rounds: ROUNDS });
    },
  };
}

function fetchBlocks(network: RpcNetwork, numbers: readonly number[]): Promise<void> {
  const waitForTurn = createPace();
  return inParallel(numbers, REQUESTS_AT_ONCE, async (number) => {
    await waitForTurn();
    await network.request(
      {
        method: "eth_getBlockByNumber",
        params: [numberToHex(number), true],
        problemOf: (answer) => blockProblem(BigInt(number), answer),
      },
      { rounds: ROUNDS },
    );
  });
}
