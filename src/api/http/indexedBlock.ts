/** Answers that are read from a node at the newest block of the index. */
import { type AtBlock, ReplacedBlockError, readAtBlock } from "@coreswap/sdk";
import { BaseError, type Hex, InvalidParamsRpcError, type PublicClient } from "viem";
import { within } from "../../../config/deadline.ts";
import { isContractRefusal } from "../shared/contractErrors.ts";
import { type ApiNetwork, apiNameOf } from "../shared/networks.ts";
import { type NetworkState, newestBlockOf } from "../shared/state.ts";
import { HttpError, Unavailable } from "./errors.ts";

/** How long a reading of several calls may take. Proxies wait for an answer for 30 to 60 seconds. */
const DEADLINE_MS = 25_000;
const LATE = Symbol("late");

/** A block, as the node returns it. */
interface NodeBlock {
  readonly number: bigint;
  readonly hash: Hex;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

/**
 * The node follows a different branch than the index, or the index lacks an event. Neither state may be shown to a
 * client.
 */
export class IndexDisagreement extends Error {}

interface IndexedBlockReading {
  readonly nodeOf: (network: ApiNetwork) => PublicClient;
  readonly network: ApiNetwork;
  readonly state: NetworkState;
  /** What is read, as named in messages, such as "the quote". */
  readonly what: string;
  readonly logError: (message: string, error: unknown) => void;
}

/** What a reading is made with: the node, the block, and the options with which each read of contracts is made at it. */
export interface BlockReading {
  readonly client: PublicClient;
  readonly block: NodeBlock;
  readonly at: AtBlock;
}

/**
 * Reads something from a node at the newest block that the index covers. Contracts are read by the hash of that block
 * (see `readAtBlock`), so an answer never mixes the forks of several URLs.
 * @throws Unavailable while nothing is indexed, or when the node fails, has a different block than the index, replaces the
 * block meanwhile, or does not read contracts at the hash of a block. The message tells the client which of these
 * happened. The cause is logged. Errors for the client pass through unchanged.
 */
export async function readAtIndexedBlock<Reading>(
  { nodeOf, network, state, what, logError }: IndexedBlockReading,
  read: (reading: BlockReading) => Promise<Reading>,
): Promise<Reading> {
  const blockNumber = newestBlockOf(network, state);
  if (blockNumber === null) throw new Unavailable(`nothing of ${apiNameOf(network)} is indexed yet`);
  const reading = async () => {
    const client = nodeOf(network);
    const block = await indexedBlock(client, state, blockNumber);
    return readAtBlock(client, block, (at) => read({ client, block, at }));
  };
  try {
    return await withinDeadline(reading());
  } catch (error) {
    if (error instanceof HttpError) throw error;
    const failure = `${what} of ${apiNameOf(network)} cannot be read at block ${blockNumber}`;
    logError(failure, error);
    throw new Unavailable(`${failure}: ${reasonForClient(error)}, try again later`);
  }
}

/**
 * Waits for a reading from a node.
 * @throws Error when the reading takes longer than a proxy waits for an answer
 */
export async function withinDeadline<Reading>(reading: Promise<Reading>): Promise<Reading> {
  const answer = await within(DEADLINE_MS, reading, LATE);
  if (answer === LATE) throw new Error(`the reading took longer than ${DEADLINE_MS} ms`);
  return answer;
}

/** The fields of an answer that name the block at which it was read. */
export function blockFieldsOf({ number, hash, timestamp }: NodeBlock) {
  return { blockNumber: number.toString(), blockHash: hash, timestamp: timestamp.toString() };
}

/**
 * Returns the node's block of a number, at or after the newest event of the index. The node's block of that event is
 * compared with the index, because a node of another chain or on a fork has blocks of the same numbers.
 * @throws IndexDisagreement when the index has that event in another block; viem's errors when the node fails or lacks a
 * block
 */
async function indexedBlock(client: PublicClient, { newest }: NetworkState, blockNumber: bigint): Promise<NodeBlock> {
  const reading = client.getBlock({ blockNumber });
  if (newest === null) return reading;
  const eventBlockNumber = BigInt(newest.blockNumber);
  const [block, eventBlock] = await Promise.all([
    reading,
    eventBlockNumber === blockNumber ? reading : client.getBlock({ blockNumber: eventBlockNumber }),
  ]);
  if (eventBlock.hash === newest.blockHash) return block;
  throw new IndexDisagreement(
    `the node's block ${eventBlockNumber} is ${eventBlock.hash}, the index has ${newest.blockHash}`,
  );
}

/** Describes why contracts could not be read, for the client. Omits the cause, which may name the node. */
function reasonForClient(error: unknown): string {
  if (error instanceof ReplacedBlockError) return "the node replaced the block meanwhile";
  if (error instanceof IndexDisagreement) return "the node and the index disagree about the block";
  if (error instanceof BaseError && error.walk((cause) => cause instanceof InvalidParamsRpcError) !== null) {
    return "the node does not read contracts at the hash of a block (EIP-1898)";
  }
  return isContractRefusal(error) ? "a contract reverts when it is read" : "the node does not answer";
}
