/** A generated history, inserted as the handlers would write it, and the API over it. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Address, Hex } from "viem";
import type { ApiDependencies } from "../../../src/api/app.ts";
import { createApp } from "../../../src/api/app.ts";
import type { Database } from "../../../src/api/shared/database.ts";
import type { ApiNetwork } from "../../../src/api/shared/networks.ts";
import { type StatusRecord, writeStatusRow } from "../../../src/api/status/table.ts";
import { FILE_LIMITS } from "../../../src/api/transactions/csv.handler.ts";
import { eventStreams } from "../../../src/api/transactions/events.ts";
import type { HistoryTransaction } from "../../../src/api/transactions/schema.ts";
import { filterClassOf } from "../../../src/indexing/filterClass.ts";
import { insertRows, type TestEngine } from "./engine.ts";

export const NOW = 1_800_000_000n;

export function hashOf(text: string): Hex {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}

export function addressOf(text: string): Address {
  return hashOf(text).slice(0, 42) as Address;
}

export function networkOf(engine: TestEngine, name: "mainnet" | "sepolia"): ApiNetwork {
  return {
    name,
    chainId: name === "mainnet" ? 1 : 11155111,
    schema: engine.schema,
    startBlock: 100n,
    coreSwap: addressOf("CoreSwap"),
    treasury: addressOf("Treasury"),
  };
}

/** Creates the app over an engine. Callers check `errors` for internal errors. */
export function appOver(engine: TestEngine, overrides: Partial<ApiDependencies> = {}) {
  const errors: unknown[] = [];
  const networks = [networkOf(engine, "mainnet"), networkOf(engine, "sepolia")];
  const database = overrides.database ?? engine.database;
  const app = createApp({
    database,
    networks,
    svm: {},
    now: () => NOW,
    nodeOf: () => {
      throw new Error("this test has no node");
    },
    forkOf: () => null,
    dashboard: null,
    guide: null,
    files: FILE_LIMITS,
    events: eventStreams({ database, networks, onFailure: (error) => errors.push(error) }),
    limits: { requestsPerMinute: 0, nodeRequestsPerMinute: 0, clientOf: () => "client" },
    logError: (_message, error) => errors.push(error),
    ...overrides,
  });
  return { app, errors };
}

/** The status of a network that is live, whose newest block is indexed at the request time. */
export const LIVE: StatusRecord = {
  state: "live",
  stateSince: NOW - 3_600n,
  reason: null,
  head: { blockNumber: 4_000n, blockHash: hashOf("block 4000"), timestamp: NOW - 12n, askedAt: NOW - 2n },
  indexed: { blockNumber: 4_000n, timestamp: NOW },
  finalNumber: 3_935n,
  reorganizations: 2,
  audit: { fromBlock: 100n, toBlock: 3_935n, finishedAt: NOW - 1n, result: "passed", difference: null },
  confirmed: { number: 3_935, hash: hashOf("block 3935") },
};

/**
 * Writes a status row as an indexer writes it for its networks.
 * @param ageSeconds age of the row by the clock of the database
 */
export async function insertStatus(
  engine: TestEngine,
  records: Partial<Record<"mainnet" | "sepolia", StatusRecord>>,
  ageSeconds = 0,
) {
  for (const name of ["mainnet", "sepolia"] as const) {
    const record = records[name];
    if (record !== undefined) await writeStatusRow(engine.database, networkOf(engine, name), record);
  }
  await engine.execute(
    `UPDATE core_offchain.indexing_status SET written_at = now() - interval '1 second' * ${ageSeconds}`,
  );
}

/**
 * A database in which the status rows have a fixed age, however long a test takes.
 * @param ageOf age in seconds by chain ID; undefined leaves it as it is
 */
export function withStatusAge(database: Database, ageOf: (chainId: number) => number | undefined): Database {
  const aged = (found: unknown) => ({
    rows: (found as { rows: { chainId: number; ageSeconds: number }[] }).rows.map((row) => ({
      ...row,
      ageSeconds: ageOf(row.chainId) ?? row.ageSeconds,
    })),
  });
  return {
    async query(statement) {
      const rows = await database.query(statement);
      return statement.text.includes("'ageSeconds'") ? rows.map(aged) : rows;
    },
  };
}

/**
 * Renews the status rows every second, as running indexers do, except those that are older than 30 seconds.
 * @returns ends it
 */
export function renewStatuses(engine: TestEngine): () => Promise<void> {
  const ended = new AbortController();
  const renewal = (async () => {
    while (!ended.signal.aborted) {
      await engine.execute(
        "UPDATE core_offchain.indexing_status SET written_at = now() WHERE written_at > now() - interval '30 seconds'",
      );
      await delay(1_000, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return () => {
    ended.abort();
    return renewal;
  };
}

/** Inserts transactions given in the API's format, with all rows by which they are found. */
export async function insertHistory(engine: TestEngine, chainId: number, history: readonly HistoryTransaction[]) {
  const keyOf = ({ inclusion }: HistoryTransaction) => ({
    chainId,
    blockNumber: inclusion.blockNumber,
    transactionIndex: Number(inclusion.transactionIndex),
  });
  const activities = history.flatMap((item) =>
    item.activities.map((activity) => ({ ...keyOf(item), ...activity, logIndex: Number(activity.logIndex) })),
  );
  await insertRows(
    engine,
    "transaction",
    history.map((item) => ({
      ...keyOf(item),
      ...item,
      ...item.receipt,
      hash: item.transactionHash,
      blockHash: item.inclusion.blockHash,
      timestamp: item.inclusion.timestamp,
      directCall: item.directCall && JSON.stringify(item.directCall),
      filterClass: classOf(item),
      wallets: walletsOf(item).join(","),
    })),
  );
  await insertRows(
    engine,
    "transaction_by_hash",
    history.map((item) => ({ ...keyOf(item), hash: item.transactionHash })),
  );
  await insertRows(
    engine,
    "transaction_by_filter",
    history.flatMap((item) =>
      ["", ...walletsOf(item)].map((wallet) => ({ ...keyOf(item), wallet, filterClass: classOf(item) })),
    ),
  );
  await insertRows(
    engine,
    "swap",
    activities.filter(({ type }) => type === "swap"),
  );
  await insertRows(
    engine,
    "allowlist_change",
    activities.filter(({ type }) => type === "allowlist"),
  );
}

export function walletsOf({ sender, activities }: HistoryTransaction): string[] {
  const others = activities.flatMap((activity) =>
    activity.type === "swap" ? [activity.user, activity.operator, activity.receiver] : [activity.wallet],
  );
  return [...new Set([sender, ...others])];
}

export function classOf({ receipt, activities, directCall }: HistoryTransaction): number {
  return filterClassOf({
    outcome: receipt.outcome,
    hasSwap: activities.some(({ type }) => type === "swap"),
    hasAllowlistChange: activities.some(({ type }) => type === "allowlist"),
    entrypoint: directCall?.entrypoint ?? null,
  });
}
