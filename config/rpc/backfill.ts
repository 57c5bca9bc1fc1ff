/**
 * The checks of a backfill on the blocks that it fetched. Ponder's patch calls these functions, because in a backfill
 * only Ponder knows which logs and receipts belong together.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { BaseError, type Hash, type Hex, hexToNumber } from "viem";
import { type ProvenBlock, proveBlock } from "./blockProof.ts";
import { NodeFailure } from "./failures.ts";
import { type RpcLog, sameLogs } from "./logRange.ts";
import type { RpcNetwork } from "./rpcNetwork.ts";
import type { RpcNode } from "./rpcNode.ts";

/** Attempts to prove a block, or to fetch a range, before the network is reported as damaged. */
const QUICK_ATTEMPTS = 3;

/** Nodes gave answers that cannot all be right. */
export class Contradiction extends Error {
  override readonly name = "Contradiction";
}

/** The parts of a receipt that are compared. */
interface RpcReceipt {
  readonly transactionHash: Hash;
  readonly logs: readonly RpcLog[];
}

interface FetchedBlock {
  readonly block: { readonly number: Hex };
  /** Indexed logs of the block, as ranges returned them. */
  readonly logs: readonly RpcLog[];
  /** All receipts of the block, or those that are needed. */
  readonly receipts: readonly RpcReceipt[];
  /** Transactions whose receipts are needed. */
  readonly required: ReadonlySet<Hash>;
  /** Whether a log is indexed. */
  readonly isWanted: (log: RpcLog) => boolean;
}

interface BlockLink {
  readonly hash: Hash;
  readonly parentHash: Hash;
}

export interface Backfill {
  /** @throws Contradiction unless each receipt has exactly the logs of its transaction, and none is missing */
  verifyReceipts(fetched: FetchedBlock): void;
  /** Everything about a block whose answers so far contradict each other. Requested until it is proven. */
  prove(blockNumber: number, cause: unknown): Promise<ProvenBlock>;
  /**
   * Checks that the blocks of a range, ordered by number, are on one chain, which continues the previous range.
   * @throws Contradiction otherwise
   */
  confirmRange(links: ReadonlyMap<number, BlockLink>): Promise<void>;
  /** Repeats a task while nodes' answers make it fail; any other error is thrown. */
  untilDone<T>(range: readonly [number, number], task: (attempt: number) => Promise<T>): Promise<T>;
}

export function createBackfill(network: RpcNetwork): Backfill {
  const { report, patience } = network;
  let end: { readonly number: number; readonly hash: Hash } | null = null;
  const pauseAfter = (attempt: number) =>
    sleep(attempt < QUICK_ATTEMPTS ? attempt * patience.disagreementMs : patience.damagedMs);

  return {
    verifyReceipts,

    async prove(blockNumber, cause) {
      const key = `block ${blockNumber}`;
      for (let attempt = 1; ; attempt += 1) {
        const proven = await proveBlock(network, BigInt(blockNumber));
        if (typeof proven !== "string") {
          report.clear(key);
          return proven;
        }
        if (attempt >= QUICK_ATTEMPTS) {
          report.raise(key, "damaged", `block ${blockNumber}: ${proven} (asked because: ${messageOf(cause)})`);
        }
        await pauseAfter(attempt);
      }
    },

    async confirmRange(links) {
      const numbers = [...links.keys()].sort((a, b) => a - b);
      for (const number of numbers) {
        const before = links.get(number - 1)?.hash ?? (end?.number === number - 1 ? end.hash : undefined);
        if (before !== undefined && links.get(number)?.parentHash !== before) {
          throw new Contradiction(`block ${number} does not follow block ${number - 1}`);
        }
      }
      // The whole range may be from another chain.
      await Promise.all(network.nodes.filter((node) => node.hasAnswered).map(confirmChain));
      const number = numbers.at(-1);
      const last = number === undefined ? undefined : links.get(number);
      if (number !== undefined && last !== undefined) end = { number, hash: last.hash };
    },

    async untilDone([from, to], task) {
      const key = `blocks ${from} to ${to}`;
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await task(attempt);
          report.clear(key);
          return result;
        } catch (error) {
          if (!isOfNodes(error)) throw error;
          if (attempt >= QUICK_ATTEMPTS) report.raise(key, "damaged", `${key}: ${messageOf(error)}`);
          await pauseAfter(attempt);
        }
      }
    },
  };
}

/** A node that no longer answers does not invalidate its earlier answers. */
async function confirmChain(node: RpcNode): Promise<void> {
  await node.confirmChain().catch((error: unknown) => {
    if (!(error instanceof NodeFailure) || error.kind === "damaged") throw error;
  });
}

function verifyReceipts({ block, logs, receipts, required, isWanted }: FetchedBlock): void {
  const number = hexToNumber(block.number);
  const given = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  for (const hash of required) {
    if (!given.has(hash)) throw new Contradiction(`block ${number}: a receipt is missing`);
  }
  for (const [hash, receipt] of given) {
    const expected = logs
      .filter(({ transactionHash }) => transactionHash === hash)
      .toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex));
    const held = receipt.logs.filter(isWanted);
    if (!sameLogs(expected, held)) {
      throw new Contradiction(
        `block ${number}: a receipt has ${held.length} indexed logs, but eth_getLogs returned ${expected.length}`,
      );
    }
  }
}

/** Ponder's name for its own error about answers that contradict each other. */
function isOfNodes(error: unknown): boolean {
  return (
    error instanceof Contradiction ||
    error instanceof NodeFailure ||
    error instanceof BaseError ||
    (error instanceof Error && error.name === "RpcProviderError")
  );
}

/** Only the first line: viem's errors continue with the request and the versions of packages. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
