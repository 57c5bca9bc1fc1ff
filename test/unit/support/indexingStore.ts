/** Ponder's own store, which keeps in memory what it has not yet written to PostgreSQL. */

import * as schema from "../../../ponder.schema.ts";
import type { Context } from "../../../src/indexing/events.ts";
import { internal } from "./ponderInternal.ts";

let lastChainId = 0;

/** The context of a handler, over an empty store of a separate network. */
export async function handlerContext(): Promise<Context> {
  lastChainId += 1;
  const chain = { id: lastChainId, name: `chain ${lastChainId}` };
  const { createIndexingCache } = await internal<{ createIndexingCache(options: object): { qb: unknown } }>(
    "indexing-store/cache.js",
  );
  const { createIndexingStore } = await internal<{
    createIndexingStore(options: object): { qb: unknown; db: Context["db"] };
  }>("indexing-store/index.js");
  const { MetricsService } = await internal<{ MetricsService: new () => unknown }>("internal/metrics.js");
  const common = { metrics: new MetricsService() };
  const indexingCache = createIndexingCache({ common, schemaBuild: { schema }, eventCount: {}, chainId: chain.id });
  const store = createIndexingStore({ common, schemaBuild: { schema }, indexingCache, chainId: chain.id });
  // A deletion also queries the database, which is empty.
  indexingCache.qb = store.qb = { $dialect: "postgres", wrap: async () => [] };
  return { chain, db: store.db } as unknown as Context;
}
