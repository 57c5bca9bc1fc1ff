/**
 * Checks the blocks that a backfill has fetched. Ponder's patch calls these functions, because in a backfill only
 * Ponder knows which logs and receipts belong together.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, BaseError, type Hash, type Hex, hexToNumber } from "viem";
import type { CallsFrom } from "../../callsFrom.ts";
import { firstLineOf } from "../../errorText.ts";
import { type BlockAnswer, readLogs } from "../answers.ts";
import { NodeFailure } from "../failures.ts";
import { receiptsMismatch } from "../header/commitments.ts";
import { type EventsOf, mayHave } from "../indexedData.ts";
import { inChainOrder, type RpcLog, sameLogs } from "../logRange.ts";
import { blockLogsProblem, Disagreement } from "../verifyBlock.ts";
import { type ProvenBlock, proveBlock } from "./blockProof.ts";
import { createCallSource } from "./calls/callSource.ts";
import { CallsMissed, TracesRefused } from "./calls/failures.ts";
import { type LedgerDatabase, refuseTraced } from "./calls/ledger.ts";
import { collectRows, type RangeRows } from "./rangeRows.ts";
import type { RpcNetwork } from "./rpcNetwork.ts";
import type { RpcNode } from "./rpcNode.ts";

/** Attempts to prove a block, or to fetch a range, before the network is reported as damaged. */
const QUICK_ATTEMPTS = 3;

/** The parts of a receipt that are compared. */
interface RpcReceipt {
  readonly [field: string]: unknown;
  readonly transactionHash: Hash;
  readonly logs: readonly RpcLog[];
}

interface FetchedBlock {
  /** The block, with all its transactions. */
  readonly block: BlockAnswer;
  /** Indexed logs of the block, as requests for ranges returned them. */
  readonly logs: readonly RpcLog[];
  /** All receipts of the block, or those that are needed. */
  readonly receipts: readonly RpcReceipt[];
  /** Transactions whose receipts are needed. */
  readonly required: ReadonlySet<Hash>;
  /** Whether a log is indexed. */
  readonly isWanted: (log: RpcLog) => boolean;
}

/** The block from which the newest blocks will be followed. */
interface FinalizedBlock {
  readonly number: Hex;
  readonly hash: Hash;
}

interface BlockLink {
  readonly hash: Hash;
  readonly parentHash: Hash;
}

export interface Backfill {
  /** Whether a block must be fetched even if it has no indexed log. */
  mayHaveCalls(blockNumber: number): boolean;
  /**
   * Checks the logs and receipts of a block. If its bloom may have an event that was not returned, its logs are
   * requested once more, by its hash.
   * @throws Disagreement unless each log is in the receipt of its transaction, each receipt has exactly the logs of its
   * transaction, and the block's hash proves the receipts if they are all there
   * @throws CallsMissed when traces omitted one of its calls
   * @throws Error of viem when all nodes refuse its logs, which proving the block does not need
   */
  verifyBlock(fetched: FetchedBlock): Promise<void>;
  /** Requests everything about a block whose answers so far contradict each other, until it is proven. */
  prove(blockNumber: number, cause: unknown): Promise<ProvenBlock>;
  /**
   * Checks that the fetched blocks of a range follow each other and the previous range of this run and, if it is among
   * them, lead to the block from which the newest blocks will be followed.
   * @throws Disagreement otherwise
   */
  confirmRange(links: ReadonlyMap<number, BlockLink>, finalized: FinalizedBlock): Promise<void>;
  /**
   * Finds the calls of a range, if traces are their source, and runs a task with it. Repeats both while wrong or
   * missing answers of nodes make them fail. Throws any other error.
   * @throws CallsMissed when traces were found wrong after they had been used; the process must then be started again
   */
  untilDone<T>(range: readonly [number, number], task: () => Promise<T>, database: LedgerDatabase): Promise<T>;
  /** Collects the raw rows of a range, for one transaction. */
  collectRows(): RangeRows;
  /** Says, when an index starts, why it is refused if it was built on traces that were found wrong (`refuseTraced`). */
  refuseTraced: typeof refuseTraced;
}

interface BackfillOptions {
  readonly chainId: number;
  /** Events that the bloom of each fetched block is searched for. */
  readonly searched: readonly EventsOf[];
  readonly callsFrom: CallsFrom;
  /** Addresses of the proxies, in lower case. */
  readonly proxies: readonly Address[];
}

export function createBackfill(network: RpcNetwork, options: BackfillOptions): Backfill {
  const { chainId, searched, callsFrom, proxies } = options;
  const { report, retryDelays } = network;
  /** The last blocks of the previous range and of this one. A range that could not be written is confirmed again. */
  const ends = new Map<number, Hash>();
  const pauseAfter = (attempt: number) =>
    sleep(attempt < QUICK_ATTEMPTS ? attempt * retryDelays.disagreementMs : retryDelays.damagedMs);

  async function prove(blockNumber: number, cause: unknown): Promise<ProvenBlock> {
    const key = `block ${blockNumber}`;
    for (let attempt = 1; ; attempt += 1) {
      const proven = await proveBlock(network, BigInt(blockNumber));
      if (typeof proven !== "string") {
        report.clear(key);
        return proven;
      }
      if (attempt >= QUICK_ATTEMPTS) {
        report.raise(key, "damaged", `block ${blockNumber}: ${proven} (requested because: ${firstLineOf(cause)})`);
      }
      await pauseAfter(attempt);
    }
  }

  const proveSample = (blockNumber: number) => prove(blockNumber, "it is compared with traces");
  const calls =
    callsFrom === "blocks" ? null : createCallSource({ chainId, network, callsFrom, proxies, prove: proveSample });

  return {
    prove,
    refuseTraced,
    collectRows: () => collectRows(chainId),
    mayHaveCalls: (blockNumber) => calls?.mayHaveCalls(blockNumber) ?? true,

    async verifyBlock(fetched) {
      verifyReceipts(fetched);
      calls?.verify(fetched.block);
      const { block, receipts } = fetched;
      // The receipts of all transactions have all logs.
      if (receipts.length === block.transactions.length) {
        const mismatch = receiptsMismatch(block, receipts);
        if (mismatch !== null) throw new Disagreement(`block ${hexToNumber(block.number)}: ${mismatch}`);
        return;
      }
      // A block of which such an event was returned is searched, too, because it can have another one.
      if (searched.some((events) => mayHave(events, block.logsBloom))) await searchBlock(network, fetched);
    },

    async confirmRange(links, finalized) {
      const numbers = [...links.keys()].sort((a, b) => a - b);
      for (const number of numbers) {
        const before = links.get(number - 1)?.hash ?? ends.get(number - 1);
        if (before !== undefined && links.get(number)?.parentHash !== before) {
          throw new Disagreement(`block ${number} does not follow block ${number - 1}`);
        }
      }
      const fetched = links.get(hexToNumber(finalized.number));
      if (fetched !== undefined && fetched.hash !== finalized.hash) {
        const number = hexToNumber(finalized.number);
        throw new Disagreement(`block ${number} is ${fetched.hash}, and was ${finalized.hash} before`);
      }
      // The whole range may be from another chain.
      await Promise.all(network.nodes.filter((node) => node.hasAnswered).map(confirmChain));
      const number = numbers.at(-1);
      const last = number === undefined ? undefined : links.get(number);
      if (number === undefined || last === undefined) return;
      for (const earlier of ends.keys()) if (earlier < (numbers[0] ?? 0) - 1) ends.delete(earlier);
      ends.set(number, last.hash);
      report.confirmed({ number, hash: last.hash });
    },

    async untilDone(range, task, database) {
      const key = `blocks ${range[0]} to ${range[1]}`;
      for (let attempt = 1; ; attempt += 1) {
        try {
          await calls?.find(range, database);
          const result = await task();
          calls?.forget(range);
          report.clear(key);
          return result;
        } catch (error) {
          if (error instanceof CallsMissed) await calls?.refute(error, database);
          else if (error instanceof TracesRefused) calls?.giveUp(error);
          else if (!isOfNodes(error)) throw error;
          if (attempt >= QUICK_ATTEMPTS) report.raise(key, "damaged", `${key}: ${firstLineOf(error)}`);
          await pauseAfter(attempt);
        }
      }
    },
  };
}

/** Confirms the chain of a node. A node that no longer answers does not invalidate its earlier answers. */
async function confirmChain(node: RpcNode): Promise<void> {
  await node.confirmChain().catch((error: unknown) => {
    if (!(error instanceof NodeFailure) || error.kind === "damaged") throw error;
  });
}

function verifyReceipts({ block, logs, receipts, required, isWanted }: FetchedBlock): void {
  const number = hexToNumber(block.number);
  const given = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  for (const hash of new Set([...required, ...logs.map(({ transactionHash }) => transactionHash)])) {
    if (!given.has(hash)) throw new Disagreement(`block ${number}: a receipt is missing`);
  }
  for (const [hash, receipt] of given) {
    const expected = logs
      .filter(({ transactionHash }) => transactionHash === hash)
      .toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex));
    const held = receipt.logs.filter(isWanted);
    if (!sameLogs(expected, held)) {
      throw new Disagreement(
        `block ${number}: a receipt has ${held.length} indexed logs, but eth_getLogs returned ${expected.length}`,
      );
    }
  }
}

/**
 * Compares the indexed logs of a block with all its logs, which its bloom confirms.
 * @throws Disagreement when they differ
 */
async function searchBlock(network: RpcNetwork, { block, logs, isWanted }: FetchedBlock): Promise<void> {
  const { answer } = await network.request({
    method: "eth_getLogs",
    params: [{ blockHash: block.hash }],
    problemOf: (found) => blockLogsProblem(block, found),
  });
  const held = readLogs(answer).filter(isWanted);
  if (!sameLogs(inChainOrder(logs), inChainOrder(held))) {
    const number = hexToNumber(block.number);
    throw new Disagreement(
      `block ${number} has ${held.length} indexed logs, but eth_getLogs for a range returned ${logs.length}`,
    );
  }
}

/** Recognizes Ponder's own error about answers that contradict each other, by its name. */
function isOfNodes(error: unknown): boolean {
  return (
    error instanceof Disagreement ||
    error instanceof NodeFailure ||
    error instanceof BaseError ||
    (error instanceof Error && error.name === "RpcProviderError")
  );
}
