/** Takes blocks from the follower of the head as Ponder does, and records what it received. */
import { hexToNumber } from "viem";
import type { NodeReport } from "../../../config/nodeReports.ts";
import type { BlockAnswer } from "../../../config/rpc/answers.ts";
import { indexedDataOf } from "../../../config/rpc/indexedData.ts";
import { type FollowRequest, followHead } from "../../../config/rpc/live/followHead.ts";
import { createNodes } from "../../../config/rpc/live/nodes.ts";
import type { PreparedBlock } from "../../../config/rpc/live/preparedBlock.ts";
import { PROXIES } from "./logChain.ts";

export const POLLING_MS = 100;

export interface Taker {
  /** The accepted blocks, oldest first, with what was available when each one arrived. */
  readonly taken: readonly PreparedBlock[];
  /** Number of the newest accepted block. */
  readonly newest: () => number;
  readonly reports: readonly NodeReport[];
  readonly report: () => NodeReport | undefined;
  stop(): Promise<void>;
}

export interface TakerOptions {
  readonly finalityBlockCount?: number;
  /** How often the first block is found unreadable. */
  readonly refusals?: number;
  readonly pollingMs?: number;
  /** Opens what announces blocks, and returns a wait that an announcement ends. */
  readonly announcements?: (signal: AbortSignal) => (durationMs: number) => Promise<void>;
}

/** Follows the chain from a final block on. */
export function startTaker(
  urls: readonly string[],
  finalizedBlock: FollowRequest["finalizedBlock"],
  { finalityBlockCount = 65, refusals = 0, pollingMs = POLLING_MS, announcements }: TakerOptions = {},
): Taker {
  const ending = new AbortController();
  const taken: PreparedBlock[] = [];
  const reports: NodeReport[] = [];
  let held: PreparedBlock | null = null;
  let refused = 0;
  const tip = () => taken.at(-1)?.block ?? finalizedBlock;

  /**
   * Ponder's rules: a block at or below the newest, or one that does not follow it, cuts the chain and is not accepted.
   */
  const onBlock = async (block: BlockAnswer): Promise<boolean> => {
    if (held?.block.hash !== block.hash) throw new Error("the data of the block is not at hand");
    if (refused < refusals) {
      refused += 1;
      throw new Error("the block is unreadable");
    }
    if (block.parentHash === tip().hash) {
      taken.push(held);
      return true;
    }
    const cut = taken.findIndex(({ block: { number } }) => hexToNumber(number) >= hexToNumber(block.number));
    if (cut === -1) throw new Error(`block ${hexToNumber(block.number)} leaves a gap`);
    taken.splice(cut);
    if (block.parentHash !== tip().hash) throw new Error("Ponder would ask the node for a parent");
    return false;
  };

  const following = followHead(
    {
      finalizedBlock,
      finalityBlockCount,
      pollingIntervalMs: pollingMs,
      signal: ending.signal,
      onBlock,
      warn: () => {},
    },
    {
      network: "mainnet",
      nodes: createNodes(urls, 1_000),
      indexed: indexedDataOf(PROXIES),
      hold: (prepared) => {
        held = prepared;
      },
      wait: announcements?.(ending.signal),
      publish: (problem, reorganizations, confirmed) =>
        reports.push({ chainId: 1, problem, reorganizations, confirmed }),
    },
  );
  return {
    taken,
    newest: () => hexToNumber(tip().number),
    reports,
    report: () => reports.at(-1),
    async stop() {
      ending.abort();
      await following;
    },
  };
}
