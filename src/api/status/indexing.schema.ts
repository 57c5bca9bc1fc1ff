/** Answer of `/v1/status/indexing`. */
import { z } from "@hono/zod-openapi";
import { bytes32, chainId, count, integerText, time } from "../shared/fields.ts";
import { API_NETWORKS } from "../shared/networks.ts";
import { INDEXING_STATES } from "./state.ts";

const wholeSeconds = (description: string) => z.int().nonnegative().openapi({ description, example: 14 });

const state = z.enum(INDEXING_STATES).openapi({
  description:
    "The first of these that applies: damaged (rows differ from the chain, or the nodes contradict themselves), " +
    "forked (final rows are of a different chain than the node's), stopped (no indexer has written for 20 seconds, or the row is dated more than 20 seconds in the future), " +
    "unreachable (no node returns its newest block), stalled (the chain advances and the index does not), " +
    "backfill (the index has not reached the newest blocks yet), live",
});

const head = z
  .strictObject({
    blockNumber: integerText("Block number", "21000000"),
    blockHash: bytes32("Block hash"),
    timestamp: time("Block timestamp"),
    asOf: time("When the node was asked"),
  })
  .openapi({ description: "Newest block of the node that the indexer uses" });

const indexedBlock = z
  .strictObject({ blockNumber: integerText("Block number", "20999999"), timestamp: time("Block timestamp") })
  .openapi({ description: "Newest indexed block" });

const lagBlocks = z
  .strictObject({ blocks: integerText("Number of blocks", "1"), asOf: time("When the node was asked") })
  .openapi({ description: "Number of the node's blocks that are not indexed yet" });

const audit = z
  .strictObject({
    fromBlock: integerText("First block that was compared with the chain", "20990000"),
    toBlock: integerText("Last block that was compared with the chain", "20999935"),
    finishedAt: time(
      "When the last comparison ended, or since when a part of the audit waits for a node or the database",
    ),
    result: z.enum(["passed", "failed"]).openapi({ description: "failed if rows differ from the chain, else passed" }),
    difference: z.string().nullable().openapi({ description: "First difference; null if there is none" }),
  })
  .openapi({ description: "Last audit of final rows" });

const networkStatus = z
  .strictObject({
    network: z.enum(API_NETWORKS).openapi({ description: "Network" }),
    chainId,
    state,
    stateSince: time("When this state began", "; null if no indexer has written a state yet").nullable(),
    reason: z.string().nullable().openapi({ description: "Reason for a state other than backfill and live" }),
    head: head.nullable(),
    newestIndexedBlock: indexedBlock.nullable(),
    newestFinalBlock: integerText("Newest indexed block that is final", "20999935").nullable(),
    lagSeconds: wholeSeconds(
      "Time of the request minus the timestamp of the newest indexed block; null before the first block",
    ).nullable(),
    lagBlocks: lagBlocks.nullable(),
    reorganizations: count("Number of reorganizations since the indexer was started"),
    audit: audit.nullable(),
    writtenAt: time("When the indexer last wrote its state", "; null if it never has").nullable(),
  })
  .openapi("IndexingStatus", { description: "Progress and state of a network's index" });

/** The answer: one entry per requested network. */
export const indexingAnswer = z
  .strictObject({
    networks: z.array(networkStatus).openapi({ description: "The enabled networks, or the requested one" }),
  })
  .openapi("IndexingStatusAnswer", { description: "Progress and state of the index" });

/** Answer of `/v1/status/indexing`. */
export type IndexingAnswer = z.output<typeof indexingAnswer>;

/** A network in the answer. */
export type NetworkStatus = IndexingAnswer["networks"][number];
