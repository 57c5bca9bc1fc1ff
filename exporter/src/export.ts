/** An export: months of final rows as files, and the manifest that says what they hold. */
import { join } from "node:path";
import { shownPrice } from "../../src/api/shared/cachedPrices.ts";
import { type ApiNetwork, apiNameOf } from "../../src/api/shared/networks.ts";
import { formatTime, parseTime } from "../../src/api/shared/time.ts";
import type { SeriesVolume } from "../../src/api/shared/volume/query.ts";
import { pricesUsedBy, valueVolume } from "../../src/api/shared/volume/valuation.ts";
import { UsageError } from "../../tools/lib/runTool.ts";
import { DATA_SETS, type Slice } from "./dataSets.ts";
import { digestOf, naming, prepareFolder } from "./files.ts";
import { type ExportedMonth, MANIFEST_FORMAT, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { compareMonth, publishMonth, refuseOtherTotals, shownSeries, type Target, writeMonth } from "./month.ts";
import { type Month, monthsBetween } from "./months.ts";
import type { FinalBlock, IndexReader } from "./reader.ts";

interface ExportOptions extends Target {
  readonly network: ApiNetwork;
  readonly reader: IndexReader;
  /** Name and version of this software. */
  readonly software: string;
  readonly print: (line: string) => void;
}

/**
 * Writes, or extends, the export in a folder, up to the newest final block.
 * @throws UsageError when the folder holds another export, when the index lacks what was exported, or when a file cannot
 *   be read or written. Files of complete months are then as they were, or hold the same rows again.
 */
export async function exportNetwork(options: ExportOptions): Promise<void> {
  const { folder, format, network, reader, software, print } = options;
  const final = await reader.finalBlock();
  const before = await readManifest(folder);
  const kept = before === null ? [] : await keptMonths(options, before, final);
  for (const { name } of DATA_SETS) await prepareFolder(join(folder, name));

  const manifest: Manifest = {
    manifestFormat: MANIFEST_FORMAT,
    software,
    network: apiNameOf(network),
    chainId: network.chainId,
    coreSwap: network.coreSwap,
    treasury: network.treasury,
    format,
    index: { schema: final.index.schema, id: final.index.id },
    fromBlock: network.startBlock.toString(),
    toBlock: { number: final.number.toString(), time: formatTime(final.time) },
    finished: false,
    // Also those that are written again: until they are, a later run compares their rows.
    months: before === null ? [] : before.months.filter(({ complete }) => complete),
    volume: null,
  };
  const first = await reader.firstTime(final);
  if (first !== null && first > final.time) {
    throw new UsageError(`The final block ${final.number} is older (${formatTime(final.time)}) than the first row.`);
  }
  for (const month of first === null ? [] : monthsBetween(first, final.time)) {
    if (kept.includes(month.name)) continue;
    const slice = await sliceOf(reader, month, final);
    const content = await reader.inSnapshot(final, () => writeMonth(reader, month.name, slice, options));
    // From here on, files are not those of the manifest of before.
    await writeManifest(folder, manifest);
    await publishMonth(folder, content.files);
    manifest.months = [
      ...manifest.months.filter((other) => other.month !== month.name),
      { month: month.name, complete: month.to <= final.time, ...content },
    ].sort((a, b) => (a.month < b.month ? -1 : 1));
    await writeManifest(folder, manifest);
    print(`${month.name}: ${content.files.map(({ dataSet, rows }) => `${rows} ${dataSet}`).join(", ")}`);
  }
  manifest.volume = await reader.inSnapshot(final, () => volumeOf(reader, manifest.months));
  manifest.finished = true;
  await writeManifest(folder, manifest);
}

/**
 * The names of the complete months of an export whose files are as they were written.
 * @throws UsageError when it is another export, the index does not hold what it holds, or a file cannot be read
 */
async function keptMonths(options: ExportOptions, before: Manifest, final: FinalBlock): Promise<string[]> {
  const { folder, format, network, reader, print } = options;
  const wanted = {
    network: apiNameOf(network),
    format,
    coreSwap: network.coreSwap,
    treasury: network.treasury,
    fromBlock: network.startBlock.toString(),
  };
  for (const [name, value] of Object.entries(wanted)) {
    const exported = before[name as keyof typeof wanted];
    if (exported !== value) {
      throw new UsageError(`${folder} holds an export with ${name} ${exported}, not ${value}. Choose another folder.`);
    }
  }
  if (BigInt(before.toBlock.number) > final.number) {
    throw new UsageError(
      `The export in ${folder} goes to block ${before.toBlock.number}, and only ${final.number} is final in the index ` +
        "now. Wait until the index has caught up.",
    );
  }
  // Also months that are not complete: only what the index still has may be replaced.
  for (const month of before.months) await refuseLostBlocks(reader, month);

  const kept: string[] = [];
  for (const month of before.months.filter(({ complete }) => complete)) {
    const lost = await lostFile(folder, month);
    const slice = await sliceOf(reader, namedMonth(month.month), final);
    await reader.inSnapshot(final, async () => {
      refuseOtherTotals(month.month, month.series, (await reader.series(slice)).map(shownSeries));
      // Another index has the same rows, unless one of the two was wrong. A month that is written again has them, too.
      if (lost !== null || before.index.id !== final.index.id) await compareMonth(reader, month, slice);
    });
    if (lost === null) kept.push(month.month);
    else print(`${month.month}: ${lost} is not as it was written; the month is written again`);
  }
  return kept;
}

/** @throws UsageError when a block whose rows were exported is not in the index any more */
async function refuseLostBlocks(reader: IndexReader, { files }: ExportedMonth): Promise<void> {
  for (const { path, lastBlock } of files) {
    if (lastBlock === null || lastBlock.hash === null) continue;
    const hash = await reader.blockHash(BigInt(lastBlock.number));
    if (hash === lastBlock.hash) continue;
    throw new UsageError(
      `${path} has rows of block ${lastBlock.number} ${lastBlock.hash}, and the index has ` +
        `${hash === null ? "no row of that block" : `${hash} there`}. The exported rows are of an abandoned chain, or ` +
        "this is the index of another one: see /v1/status, and export into an empty folder.",
    );
  }
}

/**
 * The first file of a month that is missing or has other bytes; null when all are as they were written.
 * @throws UsageError when one cannot be read, which says nothing about its bytes
 */
async function lostFile(folder: string, { files }: ExportedMonth): Promise<string | null> {
  for (const { path, sha256 } of files) {
    const file = join(folder, path);
    const found = await naming(file, () => digestOf(file).catch(nullIfMissing), "read");
    if (found?.sha256 !== sha256) return path;
  }
  return null;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

function namedMonth(name: string): Month {
  const [month] = monthsBetween(parseTime(`${name}-01T00:00:00Z`), parseTime(`${name}-01T00:00:00Z`));
  if (month === undefined) throw new Error(`no month ${name}`);
  return month;
}

/** The final part of a month. */
async function sliceOf(reader: IndexReader, { from, to }: Month, final: FinalBlock): Promise<Slice> {
  const end = to <= final.time ? to : final.time + 1n;
  const [fromBlock, toBlock] = [await reader.blockAt(from, final), await reader.blockAt(end, final)];
  return { from, to: end, fromBlock, toBlock, finalBlock: final.number };
}

/** The API's figures for all exported legs. */
async function volumeOf(reader: IndexReader, months: readonly ExportedMonth[]): Promise<Manifest["volume"]> {
  const series = months.flatMap(({ series: own }) => own).map(readSeries);
  const prices = await reader.prices();
  return { ...valueVolume(series, prices), prices: pricesUsedBy(series, prices).map(shownPrice) };
}

function readSeries({
  assetId,
  amount,
  issuerFeeWad,
  spreadFeeWad,
  lpFeeWad,
  ...rest
}: ExportedMonth["series"][number]): SeriesVolume {
  return {
    ...rest,
    assetId: assetId ?? "",
    amount: BigInt(amount),
    issuerFeeWad: BigInt(issuerFeeWad),
    spreadFeeWad: BigInt(spreadFeeWad),
    lpFeeWad: BigInt(lpFeeWad),
  };
}
