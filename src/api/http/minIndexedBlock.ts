/** The request header `Min-Indexed-Block`, by which a client demands an answer from an index that has a block. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiNetwork } from "../shared/networks.ts";
import { type NetworkState, newestBlockOf } from "../shared/state.ts";
import { Unavailable } from "./errors.ts";

export const MIN_INDEXED_BLOCK = "Min-Indexed-Block";

/** The approximate time between two blocks of a fast chain. */
const RETRY_AFTER_SECONDS = 1;

const ACCEPTS = `accepts a block number, a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** The header, for routes that honor it. */
export const minIndexedBlockHeaders = z.object({
  [MIN_INDEXED_BLOCK]: z
    .string()
    .refine((text) => /^(0|[1-9][0-9]*)$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER, { error: ACCEPTS })
    .optional()
    .openapi({
      description:
        "Block number: the response is a 503 until the index has an event of this block or a later one, or the block " +
        "is final",
      example: "21000000",
    }),
});

/** Returns the block that a request demands, or null without the header, which the route has validated. */
export function demandedBlock(c: Context): bigint | null {
  const text = c.req.header(MIN_INDEXED_BLOCK);
  return text === undefined ? null : BigInt(text);
}

/**
 * Refuses to answer from an index that does not certainly have a block.
 * @throws Unavailable naming the newest block that the index certainly has
 */
export function requireBlock(demanded: bigint, network: ApiNetwork, state: NetworkState): void {
  const newest = newestBlockOf(network, state);
  if (newest !== null && newest >= demanded) return;
  throw new Unavailable(
    `${MIN_INDEXED_BLOCK}: block ${demanded} is not indexed yet, ` +
      `${newest === null ? "nothing is" : `the newest indexed block is ${newest}`}; try again later`,
    RETRY_AFTER_SECONDS,
  );
}
