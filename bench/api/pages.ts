/** Plans of `/v1/transactions`: every combination of filters, on the first, a middle and the last page. */
import type { Client } from "pg";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import { NEWEST, type Position } from "../../src/api/transactions/cursor.ts";
import { type HistoryFilters, historyStatements, MAXIMUM_LIMIT } from "../../src/api/transactions/query.ts";
import { DEFAULT_LIMIT } from "../../src/api/transactions/route.ts";
import { classesMatching, ENTRYPOINTS } from "../../src/indexing/filterClass.ts";
import { type Explained, type Explainer, type PlanMode, rowsOf } from "../../test/support/explain.ts";
import { SCHEMA, WALLET_IDS, walletAddress } from "./dataset.ts";

/** Maximum number of classes that a set of filters can match. */
export const CLASS_COUNT = classesMatching({}).length;

/** Tables with one row per network, for which a full read is fastest. */
const ONE_ROW_TABLES = /^(_ponder_checkpoint|chain_state_\d+)$/;

interface PageCase {
  readonly title: string;
  readonly filters: HistoryFilters;
}

interface PlanSummary {
  readonly title: string;
  readonly page: string;
  readonly limit: number;
  readonly buffers: number;
  readonly executionMs: number;
}

export interface PagePlans {
  readonly plans: number;
  /** By limit. */
  readonly mostBuffers: Readonly<Record<number, PlanSummary>>;
  readonly sequentialScans: readonly string[];
  /** Most rows in one sort, as a multiple of (limit + 1). */
  readonly largestSort: number;
}

/** Every combination of wallet, outcome, activity, entrypoint and hash, including names that match nothing. */
async function pageCases(client: Client): Promise<PageCase[]> {
  const wallets: [string, string | undefined][] = [["any wallet", undefined]];
  for (const [name, id] of Object.entries(WALLET_IDS))
    wallets.push([`${name} wallet`, await walletAddress(client, id)]);
  wallets.push(["unknown wallet", `0x${"0".repeat(40)}`]);
  const { rows } = await client.query<{ hash: string }>(
    `SELECT hash FROM ${SCHEMA}.transaction WHERE wallets LIKE $1 || '%' ORDER BY block_number LIMIT 1`,
    [await walletAddress(client, WALLET_IDS.huge)],
  );
  const hashes: [string, string | undefined][] = [
    ["any hash", undefined],
    ["a hash", rows[0]?.hash],
  ];
  return wallets.flatMap(([walletName, wallet]) =>
    ([undefined, "success", "revert"] as const).flatMap((outcome) =>
      ([undefined, "swap", "allowlist"] as const).flatMap((activity) =>
        [undefined, ...ENTRYPOINTS, "pause"].flatMap((entrypoint) =>
          hashes.map(([hashName, transactionHash]) => ({
            title: [walletName, outcome, activity, entrypoint, hashName]
              .filter((part) => part !== undefined)
              .join(", "),
            filters: { wallet, outcome, activity, entrypoint, transactionHash },
          })),
        ),
      ),
    ),
  );
}

/** Explains every case on each page at the default and the largest limit, planned for its values and for any. */
export async function explainPages(client: Client, explainer: Explainer, network: ApiNetwork): Promise<PagePlans> {
  const cases = await pageCases(client);
  const middle = await middleOf(client);
  const statementOf = historyStatements(network);
  // Warm, because the first execution of a connection also reads the catalog.
  for (const { filters } of cases.slice(0, 2)) {
    const statement = statementOf(filters, { before: NEWEST, limit: 1 });
    await explainer.explain(statement, "force_custom_plan");
  }
  const mostBuffers: Record<number, PlanSummary> = {};
  const sequentialScans = new Set<string>();
  let plans = 0;
  let largestSort = 0;
  for (const { title, filters } of cases) {
    for (const limit of [DEFAULT_LIMIT, MAXIMUM_LIMIT]) {
      const pages = { first: NEWEST, middle, last: await startOfLastPage(client, filters, limit) };
      for (const [page, before] of Object.entries(pages)) {
        const statement = statementOf(filters, { before, limit });
        for (const mode of ["force_custom_plan", "force_generic_plan"] satisfies PlanMode[]) {
          const explained = await explainer.explain(statement, mode);
          plans++;
          const { buffers, executionMs } = explained;
          const most = mostBuffers[limit];
          if (most === undefined || buffers > most.buffers)
            mostBuffers[limit] = { title, page, limit, buffers, executionMs };
          for (const scan of sequentialScansOf(explained))
            sequentialScans.add(`${scan}: ${title}, ${page} page, ${mode}`);
          largestSort = Math.max(largestSort, largestSortOf(explained) / (limit + 1));
        }
      }
    }
  }
  return { plans, mostBuffers, sequentialScans: [...sequentialScans], largestSort };
}

function sequentialScansOf({ nodes }: Explained): string[] {
  return nodes.flatMap((node) => {
    const relation = node["Relation Name"] ?? "";
    return node["Node Type"] === "Seq Scan" && !ONE_ROW_TABLES.test(relation) ? [relation] : [];
  });
}

/** Rows that went into the largest sort. */
function largestSortOf({ nodes }: Explained): number {
  const sorts = nodes.filter((node) => /Sort/.test(node["Node Type"]));
  return Math.max(0, ...sorts.map(({ Plans: [input] = [] }) => (input === undefined ? 0 : rowsOf(input))));
}

/** Half of all blocks are older. */
async function middleOf(client: Client): Promise<Position> {
  const { rows } = await client.query<{ middle: string }>(
    `SELECT ((min(block_number) + max(block_number)) / 2)::text AS middle FROM ${SCHEMA}.transaction`,
  );
  return { blockNumber: BigInt(rows[0]?.middle ?? 0), transactionIndex: 0 };
}

/** Just after the `limit` oldest transactions that match. */
async function startOfLastPage(client: Client, filters: HistoryFilters, limit: number): Promise<Position> {
  const { rows } = await client.query<{ block_number: number; transaction_index: number }>(
    `SELECT oldest.block_number, oldest.transaction_index
    FROM unnest($2::integer[]) AS wanted (filter_class)
    CROSS JOIN LATERAL (
      SELECT block_number, transaction_index FROM ${SCHEMA}.transaction_by_filter
      WHERE chain_id = 1 AND wallet = $1 AND filter_class = wanted.filter_class
      ORDER BY block_number, transaction_index LIMIT $3
    ) AS oldest
    ORDER BY oldest.block_number, oldest.transaction_index OFFSET $3 - 1 LIMIT 1`,
    [filters.wallet ?? "", classesMatching(filters), limit],
  );
  const [row] = rows;
  if (row === undefined) return NEWEST;
  return { blockNumber: BigInt(row.block_number), transactionIndex: row.transaction_index + 1 };
}
