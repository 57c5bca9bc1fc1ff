/** Gauges of the index, in indexers and replicas. Ages continue to grow while nothing new can be read. */
import { z } from "@hono/zod-openapi";
import { Gauge, type Registry } from "prom-client";
import { PRICE_TABLE } from "../shared/cachedPrices.ts";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared, quoteIdentifier } from "../shared/database.ts";
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
}

/** Gauges of ages: seconds since a time in the reading. A network without that time has no value. */
const AGES: Readonly<Record<string, { readonly help: string; readonly since: (reading: Reading) => bigint | null }>> = {
  coreswap_head_age_seconds: {
    help: "Seconds since the timestamp of the newest block of the indexer's node",
    since: ({ status }) => secondsOf(status.head?.timestamp),
  },
  coreswap_indexing_lag_seconds: {
    help: "Seconds since the timestamp of the newest indexed block",
    since: ({ status }) => secondsOf(status.newestIndexedBlock?.timestamp),
  },
  coreswap_price_age_seconds: {
    help: "Seconds since the oldest price in use was read",
    since: ({ oldestPriceAt }) => oldestPriceAt,
  },
  coreswap_audit_age_seconds: {
    help: "Seconds since the audit last finished a comparison",
    since: ({ status }) => secondsOf(status.audit?.finishedAt),
  },
};

/** Starts the gauges, replacing those that an earlier call started. */
export function scheduleGauges(options: GaugeOptions) {
  const { database, networks, readStatuses, registry, now, logWarning } = options;
  const sources = networks.map((network) => ({ network, readOldestPrice: oldestPriceReader(database, network) }));
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
  for (const [name, { help, since }] of Object.entries(AGES)) {
    create(name, help, ["chain"], (gauge) => {
      for (const [chain, reading] of readings) {
        const time = since(reading);
        if (time !== null) gauge.set({ chain }, Math.max(0, Number(now() - time)));
      }
    });
  }
  create("coreswap_reorganizations", "Number of reorganizations since the indexer was started", ["chain"], (gauge) => {
    for (const [chain, { status }] of readings) gauge.set({ chain }, status.reorganizations);
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
        for (const { network, readOldestPrice } of sources) {
          const status = statuses.find(({ chainId }) => chainId === network.chainId);
          if (status === undefined) continue;
          readings.set(network.name, { status, oldestPriceAt: await readOldestPrice() });
        }
        return READ_INTERVAL_MS;
      },
    ],
    delayAfterFailureMs: READ_INTERVAL_MS,
    onFailure: (error) => logWarning("the gauges of the index could not be read", error),
  });
}

const priceRow = z.object({ oldest: integerColumn.nullable() });

/** Makes the reader of the age of the oldest price that answers use. Null when they use none. */
function oldestPriceReader(database: Database, { schema, name, chainId }: ApiNetwork): () => Promise<bigint | null> {
  const statement = prepared(
    `api_oldest_price_${name}`,
    `
SELECT min(price.fetched_at)::text AS oldest
FROM ${quoteIdentifier(schema)}.rwa
JOIN ${PRICE_TABLE} AS price
  ON price.chain_id = ${chainId} AND price.rwa_id = rwa.rwa_id AND price.price_adapter = rwa.price_adapter
WHERE rwa.chain_id = ${chainId}`,
  );
  return async () => {
    const [row] = await database.query({ ...statement, values: [] });
    return priceRow.parse(row).oldest;
  };
}

function secondsOf(time: string | undefined): bigint | null {
  return time === undefined ? null : BigInt(Date.parse(time)) / 1000n;
}
