/** What PostgreSQL does for the answers of the shared index. */
import { expect, inject, test } from "vitest";
import { CHAIN_IDS } from "../../config/networks.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import type { Database } from "../../src/api/shared/database.ts";
import { volumeReader } from "../../src/api/shared/volume/query.ts";
import { NEWEST } from "../../src/api/transactions/cursor.ts";
import { type HistoryFilters, historyStatements } from "../../src/api/transactions/query.ts";
import { classesMatching } from "../../src/indexing/filterClass.ts";
import { droppedBy, Explainer, rowsOf } from "../support/explain.ts";
import { queryOnce, withClient } from "../support/postgres.ts";
import { consultOracle } from "./oracle/network.ts";

const shared = inject("sharedStack");
const databaseUrl = inject("sharedDatabaseUrl");
const NETWORKS = ["mainnet", "sepolia"] as const;

/** Filters that together read every table of the history in each way. */
const PAGES: readonly HistoryFilters[] = [
  {},
  { wallet: WALLETS.trader1.address.toLowerCase() },
  { wallet: WALLETS.trader1.address.toLowerCase(), outcome: "revert" },
  { activity: "allowlist", entrypoint: "addToWhitelist" },
  { transactionHash: `0x${"0".repeat(64)}` },
];
/** More rows than any table of the registry has. Those of the history have hundreds. */
const REGISTRY_ROWS = 20;
const PAGE_LIMITS = { before: NEWEST, limit: 50 };

/**
 * Checks that every statement has a plan that reads by primary keys alone. PostgreSQL prefers to scan tables as small
 * as these, so sequential scans are disabled: a scan that remains shows that no key fits. The benchmark shows the plans
 * at real sizes.
 */
async function expectKeyedPlans(name: (typeof NETWORKS)[number]): Promise<void> {
  const { coreSwap, treasury } = shared.networks[name].contracts;
  const network = { name, chainId: CHAIN_IDS[name], schema: "indexer", startBlock: 0n, coreSwap, treasury };
  await withClient(databaseUrl, async (client) => {
    const statements = PAGES.map((filters) => historyStatements(network)(filters, PAGE_LIMITS));
    const recording: Database = {
      async query(statement) {
        statements.push(statement);
        return (await client.query(statement.text, [...statement.values])).rows;
      },
    };
    const { series } = await volumeReader(recording, network)({ from: 0n, to: 2n ** 40n }, undefined);
    expect(series.length).toBeGreaterThan(0);

    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indisprimary",
    );
    const primaryKeys = rows.map((row) => row.name);
    await client.query("SET enable_seqscan = off");
    const explainer = new Explainer(client);
    for (const statement of statements) {
      for (const mode of ["force_custom_plan", "force_generic_plan"] as const) {
        const { nodes } = await explainer.explain(statement, mode);
        const scans = nodes.filter((node) => node["Relation Name"] !== undefined);
        expect(scans.length).toBeGreaterThan(0);
        expect(scans.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
        for (const { "Index Name": index } of nodes) if (index !== undefined) expect(primaryKeys).toContain(index);
        // An unsuitable key that is read from end to end would drop most of its rows.
        for (const node of scans) expect(droppedBy(node)).toBeLessThanOrEqual(REGISTRY_ROWS);
        for (const { "Node Type": type, Plans: [input] = [] } of nodes) {
          if (!type.includes("Sort") || input === undefined) continue;
          expect(rowsOf(input)).toBeLessThanOrEqual(classesMatching({}).length * (PAGE_LIMITS.limit + 1));
        }
      }
    }
  });
}

test("on PostgreSQL, the answers hold every row and are read by key", async () => {
  for (const network of NETWORKS) {
    const [row] = await queryOnce(
      databaseUrl,
      `SELECT count(*)::int AS count FROM indexer.transaction WHERE chain_id = ${CHAIN_IDS[network]}`,
    );
    expect(row?.count).toBe((await consultOracle(shared.networks[network])).transactions.length);
    await expectKeyedPlans(network);
  }
});
