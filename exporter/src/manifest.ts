/** `manifest.json`: what an export holds, and what a later run needs to extend it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UsageError } from "../../tools/lib/runTool.ts";
import { DATA_SETS } from "./dataSets.ts";
import { naming, PARTIAL, publish } from "./files.ts";
import { FORMATS } from "./formats.ts";

/**
 * Version of the manifest and of what the files hold. Those of version 1 lack rates after a month's last transaction;
 * version 2 names an index by its schema only.
 */
export const MANIFEST_FORMAT = 3;

const digits = z.string().regex(/^[0-9]+$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.string();
/** `hash` is null where the rows name none: those of rates. */
const block = z.object({ number: digits, hash: z.string().nullable() });

const file = z.object({
  dataSet: z.enum(DATA_SETS.map(({ name }) => name)),
  /** Relative to the manifest. */
  path: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256,
  /** Of the rows as NDJSON, whatever the format. */
  rowsSha256: sha256,
  /** Blocks of the first and the last row; null without rows. */
  firstBlock: block.nullable(),
  lastBlock: block.nullable(),
  sums: z.record(z.string(), digits),
});

const fees = { issuerFeeWad: digits, spreadFeeWad: digits, lpFeeWad: digits };

/** Legs of one LP that are valued alike. Without `assetId`, the amount is nominal stablecoin units. */
const series = z.object({
  lpAddress: z.string(),
  assetId: z.string().nullable(),
  decimals: z.int(),
  legs: z.int(),
  amount: digits,
  ...fees,
});

const month = z.object({
  month: z.string(),
  /** Whether the whole month is final: its rows stay the same. */
  complete: z.boolean(),
  files: z.array(file),
  /** Sums of the legs, equal to the running totals from which the API answers. */
  series: z.array(series),
});

const figures = {
  pricedVolumeUsd: z.string(),
  totalLegCount: z.int(),
  pricedLegCount: z.int(),
  unpricedLegCount: z.int(),
  pricingComplete: z.boolean(),
  missingPriceAssetIds: z.array(z.string()),
  ...fees,
};

const manifest = z.object({
  manifestFormat: z.literal(MANIFEST_FORMAT),
  software: z.string(),
  network: z.string(),
  chainId: z.int(),
  coreSwap: z.string(),
  treasury: z.string(),
  format: z.enum(FORMATS),
  /** Schema of the index, and its random ID. */
  index: z.object({ schema: z.string(), id: z.uuid() }),
  fromBlock: digits,
  /** The newest final block of the index when the run began; the files hold everything up to it once `finished`. */
  toBlock: z.object({ number: digits, time }),
  finished: z.boolean(),
  months: z.array(month),
  /** What the API answers about the exported legs, at its prices of the moment; null until the run has finished. */
  volume: z
    .object({
      ...figures,
      lpVolumes: z.array(z.object({ lpAddress: z.string(), ...figures })),
      prices: z.array(
        z.object({
          assetId: z.string(),
          priceAdapter: z.string(),
          priceUsdWad: digits,
          fetchedAt: time,
          observation: z.object({ blockNumber: z.string(), blockHash: z.string() }),
        }),
      ),
    })
    .nullable(),
});

export type Manifest = z.output<typeof manifest>;
export type ExportedMonth = z.output<typeof month>;
export type ExportedFile = z.output<typeof file>;
export type ExportedSeries = z.output<typeof series>;

/** The manifest in a folder; null when there is none. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, "manifest.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${String(error)}. Export into an empty folder.`);
  }
  const parsed = manifest.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path} is not a manifest of this version: ${z.prettifyError(parsed.error)}`);
}

/** Replaces the manifest in a folder. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const path = join(folder, "manifest.json");
  const partial = path + PARTIAL;
  await naming(path, () => writeFile(partial, `${JSON.stringify(content, null, 2)}\n`, { flush: true }));
  await publish(partial, path);
}
