/** Indexes a range of blocks into PostgreSQL with Subsquid and ends. Configured by one JSON argument. */
import { Mapping } from "./mapping.ts";
import { createProcessor, type Source } from "./processor.ts";
import { PostgresDatabase } from "./store.ts";
import * as tables from "./tables.ts";

const [configuration] = process.argv.slice(2);
if (configuration === undefined) throw new Error("usage: node main.ts <JSON>");
const { databaseUrl, chainId, ...source } = JSON.parse(configuration) as Source & {
  readonly databaseUrl: string;
  readonly chainId: number;
};

const mapping = new Mapping(chainId);

createProcessor(source).run(new PostgresDatabase(databaseUrl, tables.TABLES), async ({ store, blocks }) => {
  for (const { header, transactions, logs } of blocks) mapping.addBlock(header, transactions, logs);
  const batch = mapping.takeBatch();
  await store.insert(tables.transaction, batch.transactions);
  await store.insert(tables.transactionByHash, batch.hashes);
  await store.insert(tables.transactionByFilter, batch.filters);
  await store.insert(tables.swap, batch.swaps);
  await store.insert(tables.allowlistChange, batch.allowlistChanges);
  await store.insert(tables.volumeSeries, [...batch.series.values()], true);
  await store.insert(tables.volumeTotal, [...batch.totals.values()], true);
  await store.insert(tables.stablecoin, [...batch.stablecoins.values()], true);
  await store.insert(tables.rwa, [...batch.rwas.values()], true);
  await store.insert(tables.issuerAdmin, [...batch.issuerAdmins.values()], true);
});
