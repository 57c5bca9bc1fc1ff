/** Simulates calls in the state of a block. */
import { type Address, BaseError, type Hex } from "viem";
import { type NodeClient, readFailure } from "../chain/connect.ts";
import { decodeRevert, explainRevert, revertData } from "../errors/revert.ts";
import { Failure } from "../failure.ts";
import type { Call, Observation } from "./plan.ts";

interface Change {
  readonly label: string;
  readonly before: string;
  /** The value after the calls. Null when the node cannot simulate a sequence. */
  readonly after: string | null;
}

export interface Simulation {
  readonly changes: readonly Change[];
  /** Sum over all calls, or null when unknown. */
  readonly gasUsed: bigint | null;
  /** What the reader of the result must know. Null when all calls were simulated as one sequence. */
  readonly caveat: string | null;
}

interface Result {
  readonly status: "success" | "failure";
  readonly data: Hex;
  readonly gasUsed: bigint;
}

/** JSON-RPC codes for a method that the node does not have. */
const NO_SUCH_METHOD = [-32601, -32004];

/**
 * Simulates calls of one account, one after the other, in the state after a block, with `eth_simulateV1`. If the node
 * does not have it, each call is simulated separately (`eth_call`). Effects are then unknown, as is whether a call
 * succeeds that depends on an earlier one.
 * @throws Failure naming the error of the first call that reverts, with advice
 */
export async function simulate(
  client: NodeClient,
  from: Address,
  calls: readonly Call[],
  observations: readonly Observation[],
  blockNumber: bigint,
): Promise<Simulation> {
  const reads = observations.map(({ to, data }) => ({ to, data }));
  const sequence = [...reads, ...calls.map(({ to, data }) => ({ account: from, to, data })), ...reads];
  let results: readonly Result[];
  try {
    const [block] = await client.simulateBlocks({ blocks: [{ calls: sequence }], blockNumber });
    results = (block?.calls ?? []) as readonly Result[];
  } catch (error) {
    if (isMissingMethod(error)) return simulateEach(client, from, calls, observations, blockNumber);
    throw new Failure(`the simulation failed: ${readFailure(error)}`);
  }
  if (results.length !== sequence.length) throw new Failure("the node left out results of the simulation");
  const after = results.slice(reads.length + calls.length);
  let gasUsed = 0n;
  for (const [index, { status, data, gasUsed: used }] of results
    .slice(reads.length, reads.length + calls.length)
    .entries()) {
    if (status === "failure") throw wouldRevert(data, index, calls.length);
    gasUsed += used;
  }
  return {
    changes: observations.map(({ label, show }, index) => ({
      label,
      before: shown(show, results[index]),
      after: shown(show, after[index]),
    })),
    gasUsed,
    caveat: null,
  };
}

async function simulateEach(
  client: NodeClient,
  from: Address,
  calls: readonly Call[],
  observations: readonly Observation[],
  blockNumber: bigint,
): Promise<Simulation> {
  const open: string[] = [];
  for (const [index, call] of calls.entries()) {
    try {
      await client.call({ account: from, ...call, blockNumber });
    } catch (error) {
      const data = revertData(error);
      if (data === null) throw new Failure(`the simulation failed: ${readFailure(error)}`);
      if (index === 0) throw wouldRevert(data, index, calls.length);
      open.push(`call ${index + 1} alone reverts with ${decodeRevert(data).text}`);
    }
  }
  const changes = observations.map(async ({ label, to, data, show }) => {
    const { data: result } = await client.call({ to, data, blockNumber });
    return { label, before: show(result ?? "0x"), after: null };
  });
  return {
    changes: await Promise.all(changes),
    gasUsed: null,
    caveat: ["the node has no eth_simulateV1, so each call was simulated alone", ...open].join("; "),
  };
}

/** Turns a failed call into a message: the error, its arguments, and advice. */
function wouldRevert(data: Hex, index: number, count: number): Failure {
  const which = count > 1 ? `call ${index + 1} of ${count}` : "the call";
  return new Failure(`${which} would revert: ${explainRevert(data)} Nothing was sent.`);
}

function shown(show: (result: Hex) => string, result: Result | undefined): string {
  if (result === undefined) throw new Error("a result is missing");
  return result.status === "success" ? show(result.data) : decodeRevert(result.data).text;
}

function isMissingMethod(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const found = error.walk((cause) => NO_SUCH_METHOD.includes((cause as { code?: number }).code ?? 0));
  return found !== null;
}
