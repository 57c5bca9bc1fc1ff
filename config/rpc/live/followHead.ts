/**
 * Follows the head of a chain for Ponder, and passes it one block after another, each with all its data fetched and
 * verified. Whatever the nodes do, it never throws: it waits, reports why, and continues.
 *
 * - A head that Ponder has, or one at or below the newest final block, changes nothing, because the node is behind.
 * - A different block at a height that Ponder has replaces Ponder's block only when its parents lead to one of Ponder's
 *   blocks.
 * - Without a new block for a minute, a URL that has one and the newest final block is preferred for ten minutes: the
 *   URL in use may have stopped, or serve another chain. A URL that lies can thereby delay blocks, but not change them.
 * - A block that no node can return, or whose parts disagree, is not passed to Ponder, and neither are the blocks after
 *   it. Such a block does not delay other branches, because the head is requested again at every interval.
 */
import type { Hash, Hex } from "viem";
import { hexToNumber } from "viem";
import { sleep, within } from "../../deadline.ts";
import type { NodeProblem } from "../../nodeReports.ts";
import type { BlockAnswer } from "../answers.ts";
import { NodeFailure } from "../failures.ts";
import type { IndexedData } from "../indexedData.ts";
import { backoffMs } from "../pace.ts";
import { createBranchFinder, Forked } from "./branch.ts";
import { type Header, HeaderChain } from "./headerChain.ts";
import type { Nodes } from "./nodes.ts";
import { createPreparations, type Problem } from "./preparations.ts";
import type { PreparedBlock } from "./preparedBlock.ts";

/** Number of blocks that are fetched ahead and kept in memory. Ponder uses the same number. */
const BLOCKS_AHEAD = 50;

/** Time to wait for the blocks of a step while the chain is far ahead. The head is not requested meanwhile. */
const CATCH_UP_DEADLINE_MS = 10_000;

/** Longest time between two requests for the head while they fail. */
const LONGEST_PAUSE_MS = 5_000;

/** Both networks have a block every twelve seconds, and miss a few. */
const LONGEST_WITHOUT_BLOCK_MS = 60_000;

/** What Ponder passes when it starts to follow a chain. */
export interface FollowRequest {
  readonly finalizedBlock: { readonly hash: Hash; readonly parentHash: Hash; readonly number: Hex };
  readonly finalityBlockCount: number;
  readonly pollingIntervalMs: number;
  /** Ends the follower. */
  readonly signal: AbortSignal;
  /**
   * Makes Ponder take a block. Returns false when Ponder did not, for example because the block caused a
   * reorganization.
   */
  readonly onBlock: (block: BlockAnswer) => Promise<boolean>;
  /** Writes a line to Ponder's log. */
  readonly warn: (message: string) => void;
}

/** Sources of the follower's blocks, and the receivers of its reports. */
interface FollowSources {
  /** Name of the network, for messages. */
  readonly network: string;
  readonly nodes: Nodes;
  readonly indexed: IndexedData;
  /** Stores the data from which Ponder's requests about its next block are answered. */
  readonly hold: (prepared: PreparedBlock | null) => void;
  /** Waits before the next request for the head: so many milliseconds, or less where a node announces blocks. */
  readonly wait?: ((durationMs: number) => Promise<void>) | undefined;
  /**
   * Called after each check of the head with the current problem, with the number of reorganizations passed to Ponder so
   * far, and with the newest final block.
   */
  readonly publish: (problem: NodeProblem | null, reorganizations: number, finalized: Header) => void;
}

/** Follows the head until the signal, and then settles. */
export async function followHead(
  { finalizedBlock, finalityBlockCount, pollingIntervalMs, signal, onBlock, warn }: FollowRequest,
  { network, nodes, indexed, hold, publish, wait = (durationMs) => sleep(durationMs, signal) }: FollowSources,
): Promise<void> {
  const { hash, parentHash, number } = finalizedBlock;
  const chain = new HeaderChain({ hash, parentHash, number: hexToNumber(number) }, finalityBlockCount);
  const finder = createBranchFinder(nodes);
  const preparations = createPreparations({
    nodes,
    indexed,
    retryMs: pollingIntervalMs,
    warn: (message) => warn(`${network}: ${message}`),
  });
  let problem: NodeProblem | null = null;
  let reorganizations = 0;
  let newestSince = performance.now();

  function report(found: Problem | null): void {
    if (signal.aborted) return;
    const message = found && `${network}: ${found.message}`;
    if (found?.kind !== problem?.kind || message !== (problem?.message ?? null)) {
      const since = found?.kind === problem?.kind ? problem?.since : undefined;
      problem = found && { kind: found.kind, message: `${network}: ${found.message}`, since: since ?? Date.now() };
      warn(problem ? `The nodes are ${problem.kind}. ${problem.message}` : `${network}: the nodes answer and agree`);
    }
    publish(problem, reorganizations, chain.finalized);
  }

  /** Passes a block to Ponder, which throws when it cannot read the block. */
  async function pass({ block }: PreparedBlock): Promise<boolean> {
    try {
      // Ponder removes transactions from the block that it receives.
      return await onBlock({ ...block });
    } catch (error) {
      warn(`${network}: block ${hexToNumber(block.number)} cannot be read: ${String(error)}`);
      return false;
    }
  }

  /**
   * Makes Ponder take a block. Ponder takes a reorganization in one step, and the block that caused it in the next
   * step.
   */
  async function append(header: Header, prepared: PreparedBlock): Promise<boolean> {
    if (header.number <= chain.newest.number) reorganizations += 1;
    hold(prepared);
    try {
      const isTaken = (await pass(prepared)) || (await pass(prepared));
      if (isTaken) {
        chain.put(header);
        newestSince = performance.now();
      }
      // It is unknown whether Ponder took the reorganization. Ponder receives again those blocks that it still has.
      else chain.cutFrom(header.number);
      return isTaken;
    } finally {
      hold(null);
    }
  }

  /** Prefers the next node that is ahead of Ponder on its chain, if there is one. */
  async function preferNodeAhead(): Promise<void> {
    const [, ...others] = nodes.inOrder();
    for (const node of others) {
      if (await finder.isAhead(node, chain)) {
        nodes.prefer(node);
        return;
      }
    }
  }

  /** Checks the head once and takes the steps that follow. Returns whether there is more to do immediately. */
  async function step(): Promise<boolean> {
    const head = await finder.latest();
    if (chain.has(head) || head.number <= chain.finalized.number) {
      finder.forget();
      report(null);
      return false;
    }
    const isFarAhead = head.number > chain.newest.number + 1;
    const blocks = isFarAhead
      ? await finder.blocksAbove(chain.newest, Math.min(head.number, chain.newest.number + BLOCKS_AHEAD))
      : ([{ header: head }] as const);
    const deadline = performance.now() + (isFarAhead ? CATCH_UP_DEADLINE_MS : 2 * pollingIntervalMs);
    const connecting = finder.connect([...blocks], chain);
    if (!(await isSettledBy(deadline, connecting))) {
      throw new NodeFailure("unreachable", `the parents of block ${head.number} did not arrive in time`);
    }
    const branch = await connecting;
    if (branch === null) {
      report(null);
      return false;
    }
    const needed = branch.slice(0, BLOCKS_AHEAD);
    await isSettledBy(deadline, preparations.prepare(needed));
    let isProgress = false;
    for (const { header } of needed) {
      const prepared = preparations.prepared(header.hash);
      if (prepared === null) {
        report(preparations.problem(header.hash));
        return isProgress;
      }
      if (!(await append(header, prepared))) {
        report({ kind: "damaged", message: `block ${header.number} was refused, see the log` });
        // The data was not checked and may be wrong.
        await preparations.prepare([]);
        return false;
      }
      isProgress = true;
    }
    finder.forget();
    await preparations.prepare([]);
    report(null);
    return chain.newest.number < head.number;
  }

  report(null);
  let failures = 0;
  while (!signal.aborted) {
    const start = performance.now();
    let isMore = false;
    try {
      isMore = await step();
      failures = 0;
    } catch (error) {
      report(problemOf(error));
      failures += 1;
    }
    if (isMore) continue;
    if (performance.now() - newestSince > LONGEST_WITHOUT_BLOCK_MS) {
      await preferNodeAhead();
      newestSince = performance.now();
    }
    const pauseMs =
      failures === 0
        ? pollingIntervalMs
        : backoffMs(failures, pollingIntervalMs, Math.max(LONGEST_PAUSE_MS, pollingIntervalMs));
    const rest = pauseMs - (performance.now() - start);
    await (failures === 0 ? wait(rest) : sleep(rest, signal));
  }
}

/**
 * Converts a node's failure to a problem.
 * @throws the error itself when it is not a node's failure
 */
function problemOf(error: unknown): Problem {
  if (error instanceof NodeFailure) return { kind: error.kind, message: error.message };
  if (error instanceof Forked) return { kind: "forked", message: error.message };
  throw error;
}

/**
 * Returns whether the promise settles before a time of `performance.now()`. If not, its result is ignored.
 * @throws the reason if the promise is rejected by then
 */
function isSettledBy(deadline: number, promise: Promise<unknown>): Promise<boolean> {
  return within(
    deadline - performance.now(),
    promise.then(() => true),
    false,
  );
}
