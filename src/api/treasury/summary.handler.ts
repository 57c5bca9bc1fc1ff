import { ReplacedBlockError, readSolvencyInputs } from "@coreswap/sdk";
import type { RouteHandler } from "@hono/zod-openapi";
import { BaseError, ContractFunctionRevertedError, type PublicClient } from "viem";
import { treasuryDelegateAbi } from "../../../abis/index.ts";
import { questionOf } from "../http/answer.ts";
import { Unavailable } from "../http/errors.ts";
import { perNetwork } from "../http/networks.ts";
import { newestIndexedBlock } from "../http/newestBlock.ts";
import { type ApiNetwork, apiNameOf } from "../shared/networks.ts";
import { coverageOf, type NetworkState, stateReader } from "../shared/state.ts";
import type { TreasuryOptions } from "./options.ts";
import type { treasurySummaryRoute } from "./summary.route.ts";
import type { TreasurySummaryAnswer } from "./summary.schema.ts";
import { summaryOf } from "./summary.ts";
import { type SummaryReading, summaryReader } from "./summaryQuery.ts";

/** The node is on another chain of blocks than the index, or the index lacks a post: none of the two can be shown. */
class Disagreement extends Error {}

/**
 * Answers `/v1/treasury/summary`: index and contracts, both as of the newest indexed block. A node that fails, replaces
 * the block or contradicts the index is a 503 that says which.
 */
export function summaryHandler({
  database,
  networks,
  answer,
  nodeOf,
  logError,
}: TreasuryOptions): RouteHandler<typeof treasurySummaryRoute> {
  const summaryFor = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readIndex: summaryReader(database, network),
  }));
  return async (c) => {
    const query = c.req.valid("query");
    const { network, readState, readIndex } = summaryFor(query.network);
    return answer<TreasurySummaryAnswer>(c, {
      text: questionOf("/v1/treasury/summary", query),
      readState,
      read: async () => {
        const index = await readIndex();
        const { state } = index;
        const blockNumber = newestIndexedBlock(network, state);
        const reading = await readDelegates(nodeOf(network), network, index, blockNumber).catch((error: unknown) => {
          const failure = `the treasury of ${query.network} cannot be read at block ${blockNumber}`;
          logError(failure, error);
          throw new Unavailable(`${failure}: ${reasonOf(error)}, try again later`);
        });
        return {
          state,
          body: {
            network: apiNameOf(network),
            chainId: network.chainId,
            block: reading.block,
            delegates: reading.delegates.map(({ indexed, read }) => summaryOf(indexed, read)),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

async function readDelegates(client: PublicClient, network: ApiNetwork, index: SummaryReading, blockNumber: bigint) {
  const block = await client.getBlock({ blockNumber });
  requireIndexedBlock(index.state, block);
  const delegates = await Promise.all(
    index.delegates.map(async (indexed) => {
      const { delegateAddress } = indexed;
      const lastPostedDay = await client.readContract({
        address: delegateAddress,
        abi: treasuryDelegateAbi,
        functionName: "lastRatePostingDay",
        blockNumber,
      });
      const lastIndexedDay = indexed.rates.at(-1)?.dayNumber ?? 0n;
      if (lastPostedDay !== lastIndexedDay) {
        throw new Disagreement(`the contract's newest posted day is ${lastPostedDay}, the index has ${lastIndexedDay}`);
      }
      const read = await readSolvencyInputs({
        client,
        blockNumber,
        coreSwap: network.coreSwap,
        delegateAddress,
        assets: index.assets,
        otherDelegates: index.allDelegates.filter((delegate) => delegate !== delegateAddress),
        accounts: indexed.accounts,
      });
      if (read.block.hash !== block.hash) throw new ReplacedBlockError(blockNumber);
      return { indexed, read };
    }),
  );
  return {
    block: {
      blockNumber: block.number.toString(),
      blockHash: block.hash,
      timestamp: block.timestamp.toString(),
    },
    delegates,
  };
}

/** @throws Disagreement when the index has an event of another block with that number */
function requireIndexedBlock(
  { newest }: NetworkState,
  block: { readonly number: bigint; readonly hash: string },
): void {
  if (newest === null || BigInt(newest.blockNumber) !== block.number || newest.blockHash === block.hash) return;
  throw new Disagreement(`the node's block ${block.number} is ${block.hash}, the index has ${newest.blockHash}`);
}

/** Why contracts could not be read, for the client: without the cause, which may name the node. */
function reasonOf(error: unknown): string {
  if (error instanceof ReplacedBlockError) return "the node replaced the block meanwhile";
  if (error instanceof Disagreement) return "the node and the index disagree about the block";
  const isRevert = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  return isRevert ? "a contract refuses to be read" : "the node does not answer";
}
