/** Fetches and verifies blocks in the background until they are taken or no longer needed. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Hash, numberToHex } from "viem";
import type { NodeProblem } from "../../nodeReports.ts";
import { type BlockAnswer, readHeaderOrNull } from "../answers.ts";
import { NodeFailure } from "../failures.ts";
import type { IndexedData } from "../indexedData.ts";
import { backoffMs } from "../pace.ts";
import { Disagreement, failureOfBlock } from "../verifyBlock.ts";
import type { Header } from "./headerChain.ts";
import type { Nodes } from "./nodes.ts";
import { type PreparedBlock, prepareBlock } from "./preparedBlock.ts";

/** Number of requests to one node for a block before the next node is tried. */
const TRIES_PER_NODE = 3;
const PAUSE_MS = 250;

/** Longest delay before a new attempt for a block that no node could return, or that no node returned correctly. */
const LONGEST_WAIT_MS = { unreachable: 5_000, damaged: 30_000 } as const;

export type Problem = Pick<NodeProblem, "kind" | "message">;

/** A block that is needed, with its answer if it was already fetched. */
export interface NeededBlock {
  readonly header: Header;
  readonly block?: BlockAnswer;
}

interface Preparation {
  prepared: PreparedBlock | null;
  /**
   * Why the last round over all nodes failed. Null before that, and after the block turned out not to be on the chain.
   */
  problem: Problem | null;
  rounds: number;
  running: Promise<void> | null;
  /** A time of `performance.now()`. */
  nextRoundAt: number;
}

interface Preparations {
  /** Prepares these blocks and forgets all others. Settles when no round is running. */
  prepare(blocks: readonly NeededBlock[]): Promise<void>;
  prepared(hash: Hash): PreparedBlock | null;
  problem(hash: Hash): Problem | null;
}

export function createPreparations({
  nodes,
  indexed,
  retryMs,
  warn,
}: {
  readonly nodes: Nodes;
  readonly indexed: IndexedData;
  /** Delay before the second round. It doubles with each round. */
  readonly retryMs: number;
  /** Called with a node whose answers disagree while those of another node agree. */
  readonly warn: (message: string) => void;
}): Preparations {
  let preparations = new Map<Hash, Preparation>();

  /** Requests the block from every node. Never throws because of a node. */
  async function round(preparation: Preparation, { header, block }: NeededBlock): Promise<void> {
    const { prepared, problem } = await tryNodes(header, preparation.rounds === 0 ? block : undefined);
    preparation.prepared = prepared;
    if (prepared !== null) {
      preparation.problem = null;
      if (problem?.kind === "damaged") warn(`${problem.message}; another node returned it complete`);
      return;
    }
    preparation.rounds += 1;
    const longestMs = LONGEST_WAIT_MS[problem?.kind === "damaged" ? "damaged" : "unreachable"];
    preparation.nextRoundAt = performance.now() + backoffMs(preparation.rounds, retryMs, longestMs);
    // If no node can return a block, the chain may have dropped it.
    preparation.problem = (await isStillOfTheChain(header)) ? problem : null;
  }

  async function tryNodes(
    header: Header,
    fetched: BlockAnswer | undefined,
  ): Promise<{ prepared: PreparedBlock | null; problem: Problem | null }> {
    let problem: Problem | null = null;
    let block = fetched;
    for (const node of nodes.inOrder()) {
      for (let tries = 0; tries < TRIES_PER_NODE; tries += 1) {
        if (tries > 0) await sleep(tries * PAUSE_MS);
        try {
          return { prepared: await prepareBlock(node, header.hash, indexed, block), problem };
        } catch (error) {
          const { kind, message } = failureOfBlock(error);
          const found = { kind, message: `block ${header.number}: ${message} (${node.label})` };
          problem = kind === "damaged" ? found : (problem ?? found);
          // A node that gives no answer, or one that cannot be read, is tried again in the next round.
          if (!(error instanceof Disagreement)) break;
        } finally {
          block = undefined;
        }
      }
    }
    return { prepared: null, problem };
  }

  async function isStillOfTheChain({ hash, number }: Header): Promise<boolean> {
    try {
      const params = [numberToHex(number), false];
      return (await nodes.request("eth_getBlockByNumber", params, readHeaderOrNull))?.hash === hash;
    } catch (error) {
      if (error instanceof NodeFailure) return true;
      throw error;
    }
  }

  return {
    async prepare(blocks) {
      preparations = new Map(
        blocks.map(({ header: { hash } }) => [
          hash,
          preparations.get(hash) ?? { prepared: null, problem: null, rounds: 0, running: null, nextRoundAt: 0 },
        ]),
      );
      await Promise.all(
        blocks.map(async (needed) => {
          const preparation = preparations.get(needed.header.hash);
          if (!preparation || preparation.prepared) return;
          if (!preparation.running && performance.now() >= preparation.nextRoundAt) {
            preparation.running = round(preparation, needed).finally(() => {
              preparation.running = null;
            });
          }
          await preparation.running;
        }),
      );
    },
    prepared: (hash) => preparations.get(hash)?.prepared ?? null,
    problem: (hash) => preparations.get(hash)?.problem ?? null,
  };
}
