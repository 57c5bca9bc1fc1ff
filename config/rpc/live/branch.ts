/** Finds the path from the blocks that Ponder has to a head of the nodes' chain. */
import { type Hash, hexToNumber, numberToHex } from "viem";
import { type BlockAnswer, readBlock, readHeader, readHeaderOrNull } from "../answers.ts";
import { NodeFailure } from "../failures.ts";
import type { Header, HeaderChain } from "./headerChain.ts";
import type { Node, Nodes } from "./nodes.ts";
import type { NeededBlock } from "./preparations.ts";

/**
 * More blocks than there can be above the newest final block. Nodes of another chain would return parents without end.
 */
const PARENTS_KEPT = 1_000;

/** The chain of the nodes differs below the newest final block. */
export class Forked extends Error {
  override readonly name = "Forked";
}

interface BranchFinder {
  /**
   * Requests the newest header.
   * @throws NodeFailure
   */
  latest(): Promise<Header>;
  /**
   * Returns the blocks above Ponder's newest block by number, each the parent of the next, and at least one. Returns
   * only one if it does not follow Ponder's newest block.
   * @throws NodeFailure when the first block does not arrive
   */
  blocksAbove(newest: Header, last: number): Promise<[NeededBlock, ...NeededBlock[]]>;
  /**
   * Returns the given blocks, preceded by their parents, down to a child of a block in the chain. Parents that arrived
   * are remembered, so a search that was abandoned continues where it stopped.
   * @returns null when a node does not know a parent
   * @throws NodeFailure when a parent does not arrive
   * @throws Forked when the parents lead below the newest final block
   */
  connect(blocks: readonly [NeededBlock, ...NeededBlock[]], chain: HeaderChain): Promise<NeededBlock[] | null>;
  /** Whether a node has the newest final block, and blocks after Ponder's newest one. */
  isAhead(node: Node, chain: HeaderChain): Promise<boolean>;
  /** Forgets the parents that arrived. */
  forget(): void;
}

export function createBranchFinder(nodes: Nodes): BranchFinder {
  const parents = new Map<Hash, Promise<Header | null>>();

  function parentOf({ parentHash, number }: Header): Promise<Header | null> {
    const known = parents.get(parentHash);
    if (known) return known;
    const parent = nodes.request("eth_getBlockByHash", [parentHash, false], (answer) => {
      const found = readHeaderOrNull(answer);
      if (found === null) return null;
      const header = headerOf(found);
      if (header.hash !== parentHash || header.number !== number - 1) {
        throw new NodeFailure("damaged", "eth_getBlockByHash returned a different block");
      }
      return header;
    });
    if (parents.size >= PARENTS_KEPT) parents.clear();
    parents.set(parentHash, parent);
    const forget = () => parents.delete(parentHash);
    parent.then((found) => found ?? forget(), forget);
    return parent;
  }

  async function blockAt(number: number): Promise<NeededBlock> {
    const block = await nodes.request("eth_getBlockByNumber", [numberToHex(number), true], readBlock);
    const header = headerOf(block);
    if (header.number !== number) throw new NodeFailure("damaged", "eth_getBlockByNumber returned a different block");
    return { header, block };
  }

  return {
    latest: async () => headerOf(await nodes.request("eth_getBlockByNumber", ["latest", false], readHeader)),
    async blocksAbove(newest, last) {
      const first = await blockAt(newest.number + 1);
      const blocks: [NeededBlock, ...NeededBlock[]] = [first];
      if (first.header.parentHash !== newest.hash) return blocks;
      const numbers = Array.from({ length: last - newest.number - 1 }, (_, index) => newest.number + 2 + index);
      let parent = first;
      for (const answer of await Promise.allSettled(numbers.map(blockAt))) {
        if (answer.status === "rejected") {
          if (answer.reason instanceof NodeFailure) break;
          throw answer.reason;
        }
        if (answer.value.header.parentHash !== parent.header.hash) break;
        parent = answer.value;
        blocks.push(parent);
      }
      return blocks;
    },
    async connect(blocks, chain) {
      const branch = [...blocks];
      let [{ header: lowest }] = blocks;
      while (!chain.fits(lowest)) {
        if (lowest.number - 1 <= chain.finalized.number) {
          throw new Forked(`the nodes' block ${chain.finalized.number} differs from the one that was indexed as final`);
        }
        const parent = await parentOf(lowest);
        if (parent === null) return null;
        branch.unshift({ header: parent });
        lowest = parent;
      }
      return branch;
    },
    async isAhead(node, { newest, finalized }) {
      const headerAt = async (block: string) =>
        headerOf(readHeader(await node.request("eth_getBlockByNumber", [block, false])));
      try {
        if ((await headerAt("latest")).number <= newest.number) return false;
        return (await headerAt(numberToHex(finalized.number))).hash === finalized.hash;
      } catch (error) {
        // A node's refusal of this method counts as a failure, too.
        if (error instanceof NodeFailure) return false;
        throw error;
      }
    },
    forget: () => parents.clear(),
  };
}

function headerOf({ hash, parentHash, number }: Pick<BlockAnswer, "hash" | "parentHash" | "number">): Header {
  return { hash, parentHash, number: hexToNumber(number) };
}
