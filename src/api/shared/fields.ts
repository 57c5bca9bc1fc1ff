/** Building blocks of the answers' schemas. */
import { z } from "@hono/zod-openapi";
import { API_NETWORKS } from "./networks.ts";

const pattern = (expression: RegExp, description: string, example: string) =>
  z.string().regex(expression).openapi({ description, example });

/** A whole number as a decimal string, so that no client loses digits. */
export const integerText = (description: string, example = "1000000") =>
  pattern(/^(0|[1-9][0-9]*)$/, description, example);

/** A whole number as a decimal string, which can be negative. */
export const signedIntegerText = (description: string, example: string) =>
  pattern(/^(0|-?[1-9][0-9]*)$/, description, example);

/** 20 bytes as lower-case hex. */
export const address = (description: string) =>
  pattern(/^0x[0-9a-f]{40}$/, description, "0x52908400098527886e0f7030069857d2e4169ee7");

/** 32 bytes as lower-case hex. */
export const bytes32 = (description: string) => pattern(/^0x[0-9a-f]{64}$/, description, `0x${"5a".repeat(32)}`);

/** 4 bytes as lower-case hex. */
export const selector = (description: string) => pattern(/^0x[0-9a-f]{8}$/, description, "0x9d8e2177");

/** USD with six fractional digits. */
export const usd = (description: string) =>
  pattern(/^(0|[1-9][0-9]*)\.[0-9]{6}$/, `${description}, in USD`, "1234567.890123");

/**
 * A whole second in UTC, `YYYY-MM-DDTHH:MM:SSZ`.
 * @param rest what follows the unit in the description
 */
export const time = (description: string, rest = "") =>
  pattern(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/,
    `${description}, in UTC${rest}`,
    "2026-01-31T00:00:00Z",
  );

/** A count of items. */
export const count = (description: string) => z.int().nonnegative().openapi({ description, example: 12 });

/** Decimals of a token. */
export const decimals = z.int().min(0).max(255).openapi({ description: "Decimals of the token", example: 6 });

/** The network that a request named. */
export const networkName = z.enum(API_NETWORKS).openapi({ description: "Network of the request" });

/** Chain ID of a network. */
export const chainId = z.int().openapi({ description: "EVM chain ID", example: 1 });

/** A block in answers. */
export const blockReference = z
  .strictObject({ blockNumber: integerText("Block number", "21000000"), blockHash: bytes32("Block hash") })
  .openapi("BlockReference", { description: "A block" });

/** The block at which an answer was read from the contracts. */
export const readBlock = z
  .strictObject({
    ...blockReference.shape,
    timestamp: integerText("Block timestamp, seconds since 1970", "1767225600"),
  })
  .openapi({ description: "Block at which the contracts were read" });

/** How much of a network is indexed. */
export const coverage = z
  .strictObject({
    historicalBackfill: z
      .strictObject({
        startBlock: integerText("First block in the configured range", "20000000"),
        nextBlock: integerText("First block that is not indexed as final yet", "21000001"),
        indexedThroughBlock: integerText(
          "Last block up to which everything is indexed and final; null before the first",
          "21000000",
        ).nullable(),
      })
      .openapi({ description: "Progress of the contiguous index" }),
    // Zod's own `nullable` would make the document's BlockReference nullable wherever it is used.
    lastMatchingStreamObservation: z.union([blockReference, z.null()]).openapi({
      description: "Newest live block with a relevant event; earlier blocks may still be missing",
    }),
  })
  .openapi("Coverage", { description: "How much of the network is indexed" });

/** How much of a network is indexed. */
export type Coverage = z.output<typeof coverage>;
