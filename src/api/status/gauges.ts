/** Gauges of the index, in indexers and replicas. Ages continue to grow while nothing new can be read. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { Gauge, type Registry } from "prom-client";
import { pricesSql } from "../shared/cachedPrices.ts";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { repeatInBackground } from "../shared/schedule.ts";
import type { NetworkStatus } from "./indexing.schema.ts";
import { INDEXING_STATES } from "./state.ts";

const READ_INTERVAL_MS = 5_000;

interface GaugeOptions {
  readonly database: Database;
  readonly networks: readonly ApiNetwork[];
  readonly readStatuses: () => Promise<readonly NetworkStatus[]>;
  /** Ponder's registry, from which `/metrics` is served. */
  readonly registry: Registry;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  readonly logWarning: (message: string, error?: unknown) => void;
}

/** Times in seconds since 1970, or null while there is none. */
interface Reading {
  readonly status: NetworkStatus;
  readonly oldestPriceAt: bigint | null;
  readonly newestPriceAt: bigint | null;
  /** Number of RWAs that need a price and have none. */
  readonly unpricedCount: number;
}

/**
 * Gauges of ages: seconds since the time in the reading that is furthest from now. A network without such a time has no
 * value.
 */
const AGES: Readonly<
  Record<string, { readonly help: string; readonly times: (reading: Reading) => readonly (bigint | null)[] }>
> = {
  coreswap_head_age_seconds: {
    help: "Seconds since the timestamp of the newest block of the indexer's node",
    times: ({ status }) => [secondsOf(status.head?.timestamp)],
  },
  coreswap_indexing_lag_seconds: {
    help: "Seconds since the timestamp of the newest indexed block",
    times: ({ status }) => [secondsOf(status.newestIndexedBlock?.timestamp)],
  },
  coreswap_status_age_seconds: {
    help: "Seconds since the indexer wrote the newest state that this process has read",
    times: ({ status }) => [secondsOf(status.writtenAt ?? undefined)],
  },
  coreswap_price_age_seconds: {
    help: "Age of the oldest price in use, in seconds; for a price dated in the future, how far in the future",
    times: ({ oldestPriceAt, newestPriceAt }) => [oldestPriceAt, newestPriceAt],
  },
  coreswap_audit_age_seconds: {
    help: "Seconds since the audit last finished a comparison, or since a part of it waits",
    times: ({ status }) => [secondsOf(status.audit?.finishedAt)],
  },
};

/** Starts the gauges, replacing those that an earlier call started. */
export function scheduleGauges(options: GaugeOptions) {
  const { database, networks, readStatuses, registry, now, logWarning } = options;
  const sources = networks.map((network) => ({ network, readPrices: pricesReader(database, network) }));
  const readings = new Map<string, Reading>();
  // After a reload of this module, the previous gauges still exist.
  const create = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void) => {
    registry.removeSingleMetric(name);
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        collect(this);
      },
    });
  };
  for (const [name, { help, times }] of Object.entries(AGES)) {
    create(name, help, ["chain"], (gauge) => {
      for (const [chain, reading] of readings) {
        // A time in the future, from a clock that is ahead, must not hide behind an age of zero.
        const ages = times(reading).flatMap((time) => (time === null ? [] : [Math.abs(Number(now() - time))]));
        if (ages.length > 0) gauge.set({ chain }, Math.max(...ages));
      }
    });
  }
  // prom-client's own gauge of it is left out where Ponder merges the metrics of its threads, as in an indexer.
  create("coreswap_start_time_seconds", "Time at which the process started, in seconds since 1970", [], (gauge) => {
    gauge.set(Math.floor(performance.timeOrigin / 1000));
  });
  create("coreswap_reorganizations", "Number of reorganizations since the indexer was started", ["chain"], (gauge) => {
    for (const [chain, { status }] of readings) gauge.set({ chain }, status.reorganizations);
  });
  create("coreswap_unpriced_rwas", "Number of RWAs whose price adapter has not been read", ["chain"], (gauge) => {
    for (const [chain, { unpricedCount }] of readings) gauge.set({ chain }, unpricedCount);
  });
  create("coreswap_indexing_state", "1 for the state that the network is in, else 0", ["chain", "state"], (gauge) => {
    for (const [chain, { status }] of readings) {
      for (const state of INDEXING_STATES) gauge.set({ chain, state }, state === status.state ? 1 : 0);
    }
  });

  return repeatInBackground("gauges", {
    cycles: [
      async () => {
        const statuses = await readStatuses();
        const outcomes = await Promise.allSettled(
          sources.map(async ({ network, readPrices }) => {
            const status = statuses.find(({ chainId }) => chainId === network.chainId);
            if (status !== undefined) readings.set(network.name, { status, ...(await readPrices()) });
          }),
        );
        const failed = outcomes.find((outcome) => outcome.status === "rejected");
        if (failed !== undefined) throw failed.reason;
        return READ_INTERVAL_MS;
      },
    ],
    delayAfterFailureMs: READ_INTERVAL_MS,
    onFailure: (error) => logWarning("the gauges of the index could not be read", error),
  });
}

const prices = z.object({
  oldestPriceAt: integerColumn.nullable(),
  newestPriceAt: integerColumn.nullable(),
  unpricedCount: z.number(),
});

/** Makes the reader of when the oldest and the newest price in use were read, and of how many adapters were not read. */
function pricesReader(database: Database, network: ApiNetwork) {
  const { schema, name, chainId } = network;
  const statement = prepared(
    `api_price_times_${name}`,
    `
WITH price AS (${pricesSql(network)})
SELECT
  (SELECT min(fetched_at)::text FROM price) AS "oldestPriceAt",
  (SELECT max(fetched_at)::text FROM price) AS "newestPriceAt",
  (
    SELECT count(*)::integer
    FROM ${escapeIdentifier(schema)}.rwa
    WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND price_adapter IS NOT NULL AND NOT EXISTS (
      SELECT FROM price WHERE price.rwa_id = rwa.rwa_id AND price.price_adapter = rwa.price_adapter
    )
  ) AS "unpricedCount"`,
  );
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return prices.parse(row);
  };
}

function secondsOf(time: string | undefined): bigint | null {
  return time === undefined ? null : BigInt(Date.parse(time)) / 1000n;
}
