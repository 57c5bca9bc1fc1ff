/**
 * Exports for analysts: DuckDB reads the files, and their content equals the API's answers. Also runs that are killed,
 * that fill the disk, or that find a damaged index.
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Manifest } from "../../exporter/src/manifest.ts";
import type { TreasuryRatesAnswer } from "../../src/api/treasury/schema.ts";
import { documentedArguments } from "../support/documented.ts";
import { timeText } from "../support/time.ts";
import { rowsOfHistory } from "./harness/exportedRows.ts";
import { directoryOf, Exporter, exportedRange, mounting, type Rows, SCHEMA } from "./harness/exporter.ts";

const shared = inject("sharedStack");
const DIRECTORY = directoryOf(shared);
const DATA_SETS = ["transactions", "swap_legs", "allowlist_changes", "daily_rates", "rate_corrections"];

let exporter: Exporter;
/** A complete export in each format. */
let manifests: Readonly<Record<"parquet" | "ndjson" | "csv", Manifest>>;

beforeAll(async () => {
  exporter = await Exporter.start(shared);
  const exportAll = async (format: string) => {
    const expected = { status: 0, output: expect.stringContaining(format) };
    // The page's command writes Parquet.
    const values = { "/srv/coreswap-export": format, parquet: format };
    const args = documentedArguments("docs/export.md", /pnpm@[\d.]+ export /, values);
    expect(await exporter.run(...args)).toEqual(expected);
    return exporter.manifestOf(format);
  };
  const [parquet, ndjson, csv] = await Promise.all([exportAll("parquet"), exportAll("ndjson"), exportAll("csv")]);
  manifests = { parquet, ndjson, csv };
});

afterAll(() => exporter?.stop());

test("all formats have the same rows, in files that the manifest describes", async () => {
  const { parquet, ndjson, csv } = manifests;
  const { months } = parquet;
  // Sixty days of the history are final, which can be the days from the end of one month to that of the next but one.
  expect(months.length).toBeGreaterThanOrEqual(2);
  expect(months.map(({ complete }) => complete)).toEqual(months.map((_, index) => index < months.length - 1));
  const digests = ({ months: exported }: Manifest) =>
    exported.flatMap(({ files }) => files.map(({ rowsSha256 }) => rowsSha256));
  expect(digests(ndjson)).toEqual(digests(parquet));
  expect(digests(csv)).toEqual(digests(parquet));
  for (const dataSet of DATA_SETS) {
    const rows = await exporter.rowsOf("parquet", dataSet);
    const files = months.flatMap((month) => month.files.filter((file) => file.dataSet === dataSet));
    expect(rows.length, dataSet).toBe(files.reduce((sum, file) => sum + file.rows, 0));
    expect(rows.length, dataSet).toBeGreaterThan(0);
    expect(await exporter.rowsOf("ndjson", dataSet), dataSet).toEqual(rows);
    expect(await exporter.rowsOf("csv", dataSet), dataSet).toEqual(rows);
    for (const [column, sum] of Object.entries(files[0]?.sums ?? {})) {
      const total = files.reduce((value, file) => value + BigInt(file.sums[column] ?? 0), 0n);
      expect(
        rows.reduce((value, row) => value + BigInt(row[column] ?? 0), 0n),
        `${column} ${sum}`,
      ).toBe(total);
    }
  }
  const types = await exporter.query(
    `SELECT column_name, column_type FROM (DESCRIBE FROM '${DIRECTORY}/parquet/evm-mainnet/swap_legs/*.parquet')`,
  );
  const typeOf = new Map(types.map(({ column_name, column_type }) => [column_name, column_type]));
  expect(["block_number", "block_time", "amount_in", "value_amount"].map((column) => typeOf.get(column))).toEqual([
    "BIGINT",
    "TIMESTAMP",
    "VARCHAR",
    "VARCHAR",
  ]);
});

test("the files hold exactly the final part of the history, with each value as the API shows it", async () => {
  const history = await exporter.api.wholeHistory("evm-mainnet");
  const through = BigInt(manifests.parquet.toBlock.number);
  const final = history.filter(({ inclusion }) => BigInt(inclusion.blockNumber) <= through).reverse();
  expect(final.length).toBeLessThan(history.length);
  const { coverage } = await exporter.api.history("evm-mainnet", { limit: 1 });
  expect(coverage.historicalBackfill.indexedThroughBlock).toBe(through.toString());

  const transactions = await exporter.rowsOf("parquet", "transactions");
  const expected = rowsOfHistory(final);
  expect(
    transactions.map(({ direct_call, ...row }) => ({ ...row, direct_call: JSON.parse(direct_call ?? "null") })),
  ).toEqual(expected.transactions);
  const exportedLegs = await exporter.rowsOf("parquet", "swap_legs");
  expect(exportedLegs).toHaveLength(expected.legs.length);
  for (const [index, leg] of expected.legs.entries()) expect(exportedLegs[index]).toMatchObject(leg);
  expect([...new Set(exportedLegs.map(({ type }) => type))].sort()).toEqual(["deposit", "redemption", "swap"]);
  expect(await exporter.rowsOf("parquet", "allowlist_changes")).toEqual(expected.allowlistChanges);
});

test("volume by LP and fees, added up by DuckDB, equal those of the API to the last digit", async () => {
  const answer = await exporter.api.volume("evm-mainnet", exportedRange(manifests.parquet));
  const priceOf = new Map(answer.usedPrices.map(({ assetId, priceUsdWad }) => [assetId as string, priceUsdWad]));
  const sums = await exporter.query(`
    SELECT lp_address, value_asset_id, value_decimals::VARCHAR AS decimals, count(*)::VARCHAR AS legs,
      sum(value_amount::BIGNUM)::VARCHAR AS amount, sum(issuer_fee_wad::BIGNUM)::VARCHAR AS issuer,
      sum(spread_fee_wad::BIGNUM)::VARCHAR AS spread, sum(lp_fee_wad::BIGNUM)::VARCHAR AS lp
    FROM '${DIRECTORY}/parquet/evm-mainnet/swap_legs/*.parquet'
    GROUP BY ALL ORDER BY ALL`);
  expect(sums.some(({ value_asset_id }) => value_asset_id !== null)).toBe(true);
  const lps = [...new Set(sums.map(({ lp_address }) => lp_address))];
  const total = (rows: Rows, column: string) => rows.reduce((sum, row) => sum + BigInt(row[column] ?? 0), 0n);
  const counted = lps.map((lpAddress) => {
    const own = sums.filter((row) => row.lp_address === lpAddress);
    // Units of 10^-36 US dollars: amounts have up to 18 decimals, and prices have 18.
    const usdE36 = own.reduce((sum, row) => {
      const price = BigInt(row.value_asset_id === null ? 10n ** 18n : (priceOf.get(row.value_asset_id ?? "") ?? 0));
      return sum + BigInt(row.amount ?? 0) * price * 10n ** BigInt(18 - Number(row.decimals));
    }, 0n);
    return {
      lpAddress,
      microUsd: usdE36 / 10n ** 30n,
      totalLegCount: Number(total(own, "legs")),
      issuerFeeWad: total(own, "issuer").toString(),
      spreadFeeWad: total(own, "spread").toString(),
      lpFeeWad: total(own, "lp").toString(),
    };
  });
  const usd = (microUsd: bigint) => `${microUsd / 1_000_000n}.${(microUsd % 1_000_000n).toString().padStart(6, "0")}`;
  expect(answer.lpVolumes.length).toBeGreaterThan(1);
  expect(answer.lpVolumes).toEqual(
    counted.map(({ microUsd, ...figures }) =>
      expect.objectContaining({ ...figures, pricedVolumeUsd: usd(microUsd), pricingComplete: true }),
    ),
  );
  expect(answer.pricedVolumeUsd).toBe(usd(counted.reduce((sum, { microUsd }) => sum + microUsd, 0n)));
  const { prices, ...figures } = manifests.parquet.volume ?? { prices: null };
  expect(answer).toMatchObject(figures);
  expect(prices).toEqual(answer.usedPrices);
});

test("posted rates and corrections equal those of the API", async () => {
  const { delegates } = await exporter.api.json<TreasuryRatesAnswer>(
    `/v1/treasury/rates?${new URLSearchParams({ network: "evm-mainnet", ...exportedRange(manifests.parquet) })}`,
  );
  const end = manifests.parquet.toBlock.time;
  const days = delegates.flatMap(({ delegateAddress, rates }) =>
    rates
      .filter(({ postedAt }) => postedAt <= end)
      .map((rate) => ({ chain_id: "1", delegate_address: delegateAddress, day_number: rate.dayNumber, rate })),
  );
  expect(days.length).toBeGreaterThan(30);
  const byDay = (a: object, b: object) => (dayOf(a) < dayOf(b) ? -1 : 1);
  const dayOf = (row: object) =>
    `${Reflect.get(row, "delegate_address")} ${Reflect.get(row, "day_number").padStart(9, "0")}`;
  const withoutBlock = ({ block_number, log_index, ...row }: Rows[number]) => row;
  expect([...(await exporter.rowsOf("csv", "daily_rates"))].map(withoutBlock).sort(byDay)).toEqual(
    days.map(({ rate, ...day }) => ({
      ...day,
      block_time: rate.postedAt,
      transaction_hash: rate.transactionHash,
      rate_wad: rate.postedRateWad,
      poster: rate.poster,
    })),
  );
  const corrections = days.flatMap(({ rate, ...day }) =>
    rate.corrections.map((correction) => ({
      ...day,
      block_time: correction.correctedAt,
      transaction_hash: correction.transactionHash,
      old_rate_wad: correction.oldRateWad,
      new_rate_wad: correction.newRateWad,
      corrector: correction.corrector,
    })),
  );
  expect([...(await exporter.rowsOf("csv", "rate_corrections"))].map(withoutBlock).sort(byDay)).toEqual(
    corrections.filter(({ block_time }) => block_time <= end),
  );
});

test("an export that is killed and run again equals an undisturbed one", async () => {
  let manifest: Manifest | undefined;
  // On a busy machine, the export may have ended before the signal arrives.
  for (let attempt = 0; manifest?.finished !== false; attempt += 1) {
    expect(attempt).toBeLessThan(10);
    rmSync(join(DIRECTORY, "killed"), { recursive: true, force: true });
    const { child, ended } = exporter.start(["--format", "parquet", "--to", "killed"]);
    child.stdout?.once("data", () => child.kill("SIGKILL"));
    await ended;
    manifest = exporter.manifestOf("killed");
  }
  const before = manifest.months.length;
  expect(before).toBeLessThan(manifests.parquet.months.length);
  const partial = join(DIRECTORY, "killed/evm-mainnet/swap_legs/2000-01.parquet.partial");
  writeFileSync(partial, "half");

  const { status, output } = await exporter.run("--format", "parquet", "--to", "killed");
  expect(status).toBe(0);
  expect(output.trim().split("\n")).toHaveLength(manifests.parquet.months.length - before + 1);
  expect(exporter.manifestOf("killed")).toEqual(manifests.parquet);
  for (const dataSet of DATA_SETS) {
    const names = (folder: string) => readdirSync(join(DIRECTORY, folder, "evm-mainnet", dataSet)).sort();
    expect(names("killed")).toEqual(names("parquet"));
  }
});

const NOT_STARTED: Readonly<Record<string, readonly [options: readonly string[], message: string, env?: object]>> = {
  "an unknown network": [
    ["--network", "goerli", "--format", "csv", "--to", "none"],
    `--network is "goerli", expected mainnet or sepolia\n`,
  ],
  "an unknown format": [["--format", "xml", "--to", "none"], `--format is "xml", expected parquet, ndjson, csv\n`],
  "no folder": [["--format", "csv"], "--to: name the folder of the export\n"],
  "a schema without an index": [
    ["--format", "csv", "--to", "none"],
    "Schema nobody has no index",
    { DATABASE_SCHEMA: "nobody" },
  ],
  "a database that does not answer": [
    ["--format", "csv", "--to", "none"],
    "The database of DATABASE_URL cannot be used: ",
    { DATABASE_URL: "postgresql://user:secret@127.0.0.1:1/none" },
  ],
  "another format than before": [
    ["--format", "csv", "--to", "parquet"],
    "holds an export with format parquet, not csv. Choose another folder.\n",
  ],
  "a file in place of the folder": [["--format", "csv", "--to", "parquet/evm-mainnet/manifest.json"], "Cannot write "],
  // Less than the rows of any month, so that it is not DuckDB which finds it full.
  "a disk that is full": [
    ["--format", "parquet", "--to", "disk"],
    "no space left on device",
    { prefix: mounting(DIRECTORY, "size=4k") },
  ],
  "a disk that can only be read": [
    ["--format", "ndjson", "--to", "disk"],
    "read-only file system",
    { prefix: mounting(DIRECTORY, "ro") },
  ],
};

test.concurrent.for(Object.entries(NOT_STARTED))(
  "%s ends the export with one clear message",
  async ([, [options, message, env]], { expect }) => {
    mkdirSync(join(DIRECTORY, "disk"), { recursive: true });
    const { status, output } = await exporter.start(options, { ...env }).ended;
    expect(output).toContain(message);
    expect(output).not.toContain("secret");
    expect(output.trim().split("\n").length).toBeLessThanOrEqual(2);
    expect(status).toBe(1);
  },
);

test("a disk with space for the rows, but not for the file that DuckDB writes, ends the export", async () => {
  const bytes = manifests.ndjson.months[0]?.files[0]?.bytes ?? 0;
  const pages = Math.ceil(bytes / 4_096) + 1;
  expect(manifests.parquet.months[0]?.files[0]?.bytes).toBeGreaterThan(4_096);
  const prefix = mounting(DIRECTORY, `size=${pages * 4}k`);
  const { status, output } = await exporter.start(["--format", "parquet", "--to", "disk"], { prefix }).ended;
  expect(output).toMatch(/^Cannot write .*parquet\.partial: .*No space left on device/);
  expect(status).toBe(1);
});

test("a later export adds the rows that have become final, and does not touch complete months", async () => {
  const { rows } = await exporter.owner.query<{ number: string; second: string; checkpoint: string }>(
    `SELECT block_number::text AS number, timestamp::text AS second,
      (SELECT safe_checkpoint FROM ${SCHEMA}._ponder_checkpoint WHERE chain_id = 1) AS checkpoint
     FROM ${SCHEMA}.transaction ORDER BY block_number OFFSET (SELECT count(*) / 2 FROM ${SCHEMA}.transaction) LIMIT 1`,
  );
  const { number = "", second = "", checkpoint = "" } = rows[0] ?? {};
  await exporter.indexer.stop();
  const finalBlock = (text: string) =>
    exporter.owner.query(`UPDATE ${SCHEMA}._ponder_checkpoint SET safe_checkpoint = $1 WHERE chain_id = 1`, [text]);
  await finalBlock(second.padStart(10, "0") + "1".padStart(16, "0") + number.padStart(16, "0") + "9".repeat(33));
  expect(await exporter.run("--format", "ndjson", "--to", "extended")).toMatchObject({ status: 0 });
  const before = exporter.manifestOf("extended");
  expect(before.toBlock.number).toBe(number);
  const newest = before.months.at(-1)?.files[0]?.lastBlock?.number;
  expect(newest).toBe(number);

  const behind = await exporter.run("--format", "ndjson", "--to", "ndjson");
  expect(behind).toEqual({ status: 1, output: expect.stringContaining(`only ${number} is final in the index now`) });

  await finalBlock(checkpoint);
  const { status, output } = await exporter.run("--format", "ndjson", "--to", "extended");
  expect(status).toBe(0);
  const [oldest] = before.months;
  expect(before.months.length).toBeGreaterThan(1);
  expect(output).not.toContain(oldest?.month);
  expect(exporter.manifestOf("extended")).toEqual(manifests.ndjson);
});

test("a month has the rates that were posted and corrected in it after its last transaction", async () => {
  const [oldest] = manifests.csv.months;
  const block = Number(oldest?.files[0]?.lastBlock?.number) + 1;
  const [year = 0, month = 0] = oldest?.month.split("-").map(Number) ?? [];
  const lastSecond = Date.UTC(year, month) / 1000 - 1;
  const delegate = `0x${"de".repeat(20)}`;
  const place = `${lastSecond}, ${block}, '0x${"ab".repeat(32)}'`;
  await exporter.owner.query(`
    INSERT INTO ${SCHEMA}.daily_rate
      (chain_id, delegate_address, day_number, rate_wad, poster, posted_at, block_number, transaction_hash)
      VALUES (1, '${delegate}', 1, 5, '${delegate}', ${place});
    INSERT INTO ${SCHEMA}.daily_rate_correction
      (chain_id, delegate_address, day_number, old_rate_wad, new_rate_wad, log_index, corrector, corrected_at,
        block_number, transaction_hash)
      VALUES (1, '${delegate}', 1, 5, 6, 0, '${delegate}', ${place})`);
  try {
    expect(await exporter.run("--format", "csv", "--to", "late")).toMatchObject({ status: 0 });
    for (const dataSet of ["daily_rates", "rate_corrections"]) {
      const rows = await exporter.rowsOf("csv", dataSet, "late");
      expect(rows.filter(({ delegate_address }) => delegate_address === delegate)).toMatchObject([
        { block_number: String(block), block_time: timeText(lastSecond) },
      ]);
    }
  } finally {
    for (const table of ["daily_rate", "daily_rate_correction"]) {
      await exporter.owner.query(`DELETE FROM ${SCHEMA}.${table} WHERE delegate_address = '${delegate}'`);
    }
  }
});

test("a run that ends between two files of a month leaves a manifest that is not finished", async () => {
  const newest = manifests.csv.months.at(-1);
  const path = join(DIRECTORY, "csv/evm-mainnet", newest?.files[1]?.path ?? "");
  rmSync(path);
  mkdirSync(path);
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 1 });
  const { finished, months, volume } = exporter.manifestOf("csv");
  expect({ finished, volume }).toEqual({ finished: false, volume: null });
  expect(months).toEqual(manifests.csv.months.slice(0, -1));
  rmSync(path, { recursive: true });
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 0 });
  expect(exporter.manifestOf("csv")).toEqual(manifests.csv);
});

test("an index that lacks an exported block, or has other legs, ends the export, and no file changes", async () => {
  const refused = async (change: string, undo: string, message: string) => {
    await exporter.owner.query(change);
    const before = exporter.manifestOf("csv");
    const { status, output } = await exporter.run("--format", "csv", "--to", "csv");
    expect(output).toContain(message);
    expect(status).toBe(1);
    expect(exporter.manifestOf("csv")).toEqual(before);
    await exporter.owner.query(undo);
  };
  const file = manifests.csv.months[0]?.files[0];
  const { number, hash } = file?.lastBlock ?? {};
  const setHash = (value: string) =>
    `UPDATE ${SCHEMA}.transaction SET block_hash = '${value}' WHERE block_number = ${number}`;
  const other = `0x${"ab".repeat(32)}`;
  await refused(
    setHash(other),
    setHash(hash ?? ""),
    `${file?.path} has rows of block ${number} ${hash}, and the index has ${other} there.`,
  );
  // The incomplete month is read again.
  const addToLeg = (amount: number) =>
    `UPDATE ${SCHEMA}.swap SET lp_fee = lp_fee + ${amount} WHERE (block_number, transaction_index, log_index) =
     (SELECT block_number, transaction_index, log_index FROM ${SCHEMA}.swap
      WHERE block_number <= ${manifests.csv.toBlock.number} ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1)`;
  await refused(addToLeg(1), addToLeg(-1), "the legs do not add up to the running totals of the index");
  // A complete month is compared by its totals.
  const [first, second] = manifests.csv.months;
  const addToTotal = (amount: number) =>
    `UPDATE ${SCHEMA}.volume_total SET lp_fee_total_wad = lp_fee_total_wad + ${amount}
     WHERE to_timestamp(second) < '${second?.month}-01T00:00:00Z'`;
  await refused(addToTotal(1), addToTotal(-1), `${first?.month}: the legs do not add up`);
});

test("an index that is damaged or forked ends the export, and one in another state or without one does not", async () => {
  const setState = (state: string) =>
    exporter.owner.query(
      "UPDATE core_offchain.indexing_status SET state = $1, reason = 'swap 7/0/1 is missing' WHERE schema_name = $2",
      [state, SCHEMA],
    );
  for (const state of ["damaged", "forked"]) {
    expect((await setState(state)).rowCount).toBe(1);
    expect(await exporter.run("--format", "csv", "--to", "wrong")).toEqual({
      status: 1,
      output: expect.stringMatching(`^Schema ${SCHEMA} is ${state}, .*: swap 7/0/1 is missing\n$`),
    });
    expect(existsSync(join(DIRECTORY, "wrong/evm-mainnet/manifest.json"))).toBe(false);
  }
  await setState("unreachable");
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 0 });
  await exporter.owner.query("DELETE FROM core_offchain.indexing_status");
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 0 });
});

/** Adds to the gas of the first transaction, of which the running totals say nothing. */
const addToGas = (amount: number) =>
  exporter.owner.query(`UPDATE ${SCHEMA}.transaction SET gas_used = gas_used + ${amount} WHERE block_number =
    (SELECT min(block_number) FROM ${SCHEMA}.transaction)`);

test("a file of a complete month that cannot be read ends the export, and the month stays", async () => {
  const path = join(DIRECTORY, "csv/evm-mainnet", manifests.csv.months[0]?.files[0]?.path ?? "");
  const content = readFileSync(path);
  rmSync(path);
  symlinkSync(path, path);
  expect(await exporter.run("--format", "csv", "--to", "csv")).toEqual({
    status: 1,
    output: expect.stringContaining(`Cannot read ${path}: ELOOP`),
  });
  expect(exporter.manifestOf("csv")).toEqual(manifests.csv);
  rmSync(path);
  writeFileSync(path, content);
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 0 });
});

test("a complete month is written again with the same rows only, also after a run that ended in between", async () => {
  const [oldest] = manifests.csv.months;
  const [first = "", second = ""] = oldest?.files.map(({ path }) => join(DIRECTORY, "csv/evm-mainnet", path)) ?? [];
  const refused = async () => {
    const before = exporter.manifestOf("csv");
    await addToGas(1);
    expect(await exporter.run("--format", "csv", "--to", "csv")).toEqual({
      status: 1,
      output: expect.stringContaining(`${oldest?.files[0]?.path}: the index has other rows of ${oldest?.month} now`),
    });
    await addToGas(-1);
    expect(exporter.manifestOf("csv")).toEqual(before);
  };
  rmSync(first);
  await refused();
  expect(existsSync(first)).toBe(false);

  // Ends the next run after it has replaced the first file.
  rmSync(second);
  mkdirSync(second);
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 1 });
  expect(existsSync(first)).toBe(true);
  rmSync(second, { recursive: true });
  await refused();

  const { status, output } = await exporter.run("--format", "csv", "--to", "csv");
  expect(output).toContain(`${oldest?.month}: ${oldest?.files[1]?.path} is not as it was written`);
  expect(status).toBe(0);
  expect(exporter.manifestOf("csv")).toEqual(manifests.csv);
});

test("another index of the same chain is accepted, unless it has other rows", async () => {
  const path = join(DIRECTORY, "csv/evm-mainnet/manifest.json");
  writeFileSync(path, JSON.stringify({ ...manifests.csv, index: { ...manifests.csv.index, id: randomUUID() } }));
  expect(await exporter.run("--format", "csv", "--to", "csv")).toMatchObject({ status: 0 });
  expect(exporter.manifestOf("csv")).toEqual(manifests.csv);

  writeFileSync(path, JSON.stringify({ ...manifests.csv, index: { ...manifests.csv.index, id: randomUUID() } }));
  await addToGas(1);
  const file = manifests.csv.months[0]?.files[0];
  expect(await exporter.run("--format", "csv", "--to", "csv")).toEqual({
    status: 1,
    output: expect.stringContaining(`${file?.path}: the index has other rows`),
  });
});

test("a folder into which another export is writing is not changed", async () => {
  const folder = join(DIRECTORY, "parquet/evm-mainnet");
  await exporter.owner.query("SELECT pg_advisory_lock(hashtext('coreswap_export'), hashtext($1))", [folder]);
  expect(await exporter.run("--format", "parquet", "--to", "parquet")).toEqual({
    status: 1,
    output: `Another export into ${folder} is running.\n`,
  });
  symlinkSync("parquet", join(DIRECTORY, "linked"));
  expect(await exporter.run("--format", "parquet", "--to", "linked")).toEqual({
    status: 1,
    output: `Another export into ${folder} is running.\n`,
  });
});
