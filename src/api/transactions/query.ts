/** Reads one page of the transaction history. */
import { z } from "@hono/zod-openapi";
import { escapeIdentifier } from "pg";
import { classesMatching } from "../../indexing/filterClass.ts";
import { integerColumn } from "../shared/columns.ts";
import { type Database, prepared, type Statement } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { networkState, stateSql } from "../shared/state.ts";
import type { Position } from "./cursor.ts";
import type { HistoryTransaction } from "./schema.ts";

/** Largest page of the API. */
export const MAXIMUM_LIMIT = 100;

/**
 * Bytes of decoded calls after which a page ends. A reverted call of 128 KiB names hundreds of legs, and has a third of a
 * megabyte. A call that succeeds has at most 32 legs, so 100 of them never reach this.
 */
const MAXIMUM_CALL_BYTES = 4_194_304;

/** Filters in normal form (lower-case hex), joined by AND. An absent filter matches everything. */
export interface HistoryFilters {
  readonly wallet?: string | undefined;
  readonly outcome?: "success" | "revert" | undefined;
  readonly activity?: "swap" | "allowlist" | undefined;
  readonly entrypoint?: string | undefined;
  readonly transactionHash?: string | undefined;
}

/**
 * The transactions that a page may contain: at most `limit`, all older than `before`, and none in a block before
 * `fromBlock`. Long calls make it shorter.
 */
interface PageLimits {
  readonly before: Position;
  /** By default 0. */
  readonly fromBlock?: bigint;
  /** At most `MAXIMUM_LIMIT`. */
  readonly limit: number;
}

const pageRow = z.object({
  state: networkState,
  /** Newest first. The tests check the statement against the schema, so pages are not checked. */
  transactions: z.custom<HistoryTransaction[]>(Array.isArray),
  /** A place without a transaction that satisfies the filters, although an access path says that there is one. */
  contradiction: z.string().nullable(),
  /** Where the next page starts, or null when no older transaction matches. */
  next: z.object({ blockNumber: integerColumn, transactionIndex: z.int() }).nullable(),
});

/** A page with the state of the network, in one snapshot. */
export type HistoryPage = Omit<z.output<typeof pageRow>, "contradiction">;

/**
 * Makes the reader of pages: the newest transactions that satisfy all filters, within limits. A page throws if a row of
 * `transaction_by_filter` or `transaction_by_hash` leads to a transaction that does not satisfy the filters. The audit
 * does not look for such rows.
 */
export function historyReader(database: Database, network: ApiNetwork) {
  const statementOf = historyStatements(network);
  return async (filters: HistoryFilters, limits: PageLimits): Promise<HistoryPage> => {
    const [row] = await database.query(statementOf(filters, limits));
    const { contradiction, ...page } = pageRow.parse(row);
    if (contradiction !== null) {
      throw new Error(
        `${network.name}: the index contradicts itself: ${contradiction} is listed under ${JSON.stringify(filters)}, which its transaction does not satisfy`,
      );
    }
    return page;
  };
}

/**
 * Makes the statements of pages. Whatever the filters, at most (number of classes) * (`limit` + 1) keys are read and
 * sorted, and each table is reached by its primary key.
 */
export function historyStatements(network: ApiNetwork): (filters: HistoryFilters, limits: PageLimits) => Statement {
  const byHash = prepared(
    `api_transactions_by_hash_${network.name}`,
    pageSql(network, keyByHashSql(network), "hash = $7::text"),
  );
  const byFilter = prepared(`api_transactions_by_filter_${network.name}`, pageSql(network, keysByFilterSql(network)));
  return ({ transactionHash, wallet, ...conditions }, { before, fromBlock = 0n, limit }) => {
    const values = [
      wallet ?? "",
      classesMatching(conditions),
      before.blockNumber.toString(),
      before.transactionIndex,
      limit,
      fromBlock.toString(),
    ];
    return transactionHash === undefined
      ? { ...byFilter, values }
      : { ...byHash, values: [...values, transactionHash] };
  };
}

/**
 * Reads one key more than the limit, `$5`, to determine whether an older transaction matches. The page ends with the
 * transaction that exceeds the bytes of calls, so it has at least one. PostgreSQL knows the length of a long text
 * without reading it. The limit inside makes the join a look-up that follows the key.
 * @param condition what a transaction must satisfy beside the class and the wallet of its key
 */
function pageSql(network: ApiNetwork, keysSql: string, condition = "true"): string {
  return `
WITH key_and_next AS MATERIALIZED (${keysSql}),
entry AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT
      key.*,
      found.*,
      sum(octet_length(found.direct_call)) OVER (
        ORDER BY key.block_number DESC, key.transaction_index DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS call_bytes_before
    FROM (SELECT * FROM key_and_next ORDER BY block_number DESC, transaction_index DESC LIMIT $5::integer) AS key
    LEFT JOIN LATERAL (
      SELECT hash, block_hash, timestamp, sender, recipient, nonce, value, selector,
        outcome, gas_used, effective_gas_price, direct_call
      FROM ${escapeIdentifier(network.schema)}.transaction
      WHERE chain_id = ${network.chainId}
        AND block_number = key.block_number
        AND transaction_index = key.transaction_index
        AND filter_class = key.filter_class
        AND ($1::text = '' OR $1::text = ANY (string_to_array(wallets, ',')))
        AND ${condition}
      LIMIT 1
    ) AS found ON true
  ) AS measured
  WHERE coalesce(call_bytes_before, 0) < ${MAXIMUM_CALL_BYTES}
),
page AS MATERIALIZED (SELECT block_number, transaction_index, (${transactionSql(network)}) AS item FROM entry)
SELECT
  ${stateSql(network)} AS state,
  coalesce((
    SELECT json_agg(item ORDER BY block_number DESC, transaction_index DESC) FROM page
  ), '[]'::json) AS transactions,
  (SELECT block_number || '/' || transaction_index FROM page WHERE item IS NULL LIMIT 1) AS contradiction,
  (
    SELECT json_build_object('blockNumber', block_number::text, 'transactionIndex', transaction_index)
    FROM entry
    WHERE (SELECT count(*) FROM key_and_next) > (SELECT count(*) FROM entry)
    ORDER BY block_number, transaction_index
    LIMIT 1
  ) AS next`;
}

/**
 * One backward range scan per class, merged. The constant limit inside does not change the result. The planner does not
 * know `$5`. The constant tells it that few rows are needed, while execution still stops at `$5`.
 */
function keysByFilterSql({ schema, chainId }: ApiNetwork): string {
  return `
  SELECT wanted.filter_class, matching.block_number, matching.transaction_index
  FROM unnest($2::integer[]) AS wanted (filter_class)
  CROSS JOIN LATERAL (
    SELECT block_number, transaction_index
    FROM (
      SELECT block_number, transaction_index
      FROM ${escapeIdentifier(schema)}.transaction_by_filter
      WHERE chain_id = ${chainId}
        AND wallet = $1::text
        AND filter_class = wanted.filter_class
        AND (block_number, transaction_index) < ($3::bigint, $4::integer)
        AND block_number >= $6::bigint
      ORDER BY block_number DESC, transaction_index DESC
      LIMIT ${MAXIMUM_LIMIT + 1}
    ) AS newest
    LIMIT $5::integer + 1
  ) AS matching
  ORDER BY matching.block_number DESC, matching.transaction_index DESC
  LIMIT $5::integer + 1
`;
}

/**
 * At most one key, checked against the filters by key. The limit inside makes the check a look-up that follows the
 * hash, because a plain join could be planned in the other order.
 */
function keyByHashSql({ schema, chainId }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  return `
  SELECT matching.filter_class, found.block_number, found.transaction_index
  FROM ${tables}.transaction_by_hash AS found
  CROSS JOIN LATERAL (
    SELECT filed.filter_class FROM ${tables}.transaction_by_filter AS filed
    WHERE filed.chain_id = ${chainId}
      AND filed.wallet = $1::text
      AND filed.filter_class = ANY ($2::integer[])
      AND filed.block_number = found.block_number
      AND filed.transaction_index = found.transaction_index
    LIMIT 1
  ) AS matching
  WHERE found.chain_id = ${chainId}
    AND found.hash = $7::text
    AND (found.block_number, found.transaction_index) < ($3::bigint, $4::integer)
    AND found.block_number >= $6::bigint
`;
}

/**
 * The API's transaction object of `entry`. Subqueries are correlated, because a join could be planned as a hash over
 * the whole table. Activities are read only where the class says that there are some, because most transactions lack
 * one of the two kinds. `row_to_json` of a row is faster than `json_build_object` with the same number of arguments.
 */
function transactionSql({ schema, chainId }: ApiNetwork): string {
  const tables = escapeIdentifier(schema);
  const isOfKey = (alias: string) => `${alias}.chain_id = ${chainId}
      AND ${alias}.block_number = entry.block_number
      AND ${alias}.transaction_index = entry.transaction_index`;
  const isOfClassIn = (classes: readonly number[]) => `entry.filter_class = ANY ('{${classes.join(",")}}')`;
  return `
  SELECT row_to_json(shown)
  FROM (
    SELECT
      entry.block_number::text AS "blockNumber",
      entry.block_hash AS "blockHash",
      entry.transaction_index::text AS "transactionIndex",
      entry.timestamp::text
  ) AS inclusion
  CROSS JOIN LATERAL (
    SELECT
      entry.outcome,
      entry.gas_used::text AS "gasUsed",
      entry.effective_gas_price::text AS "effectiveGasPrice"
  ) AS receipt
  CROSS JOIN LATERAL (
    SELECT
      entry.hash AS "transactionHash",
      inclusion,
      entry.sender,
      entry.recipient,
      entry.nonce::text,
      entry.value::text,
      entry.selector,
      receipt,
      entry.direct_call::json AS "directCall",
      (
        SELECT ('[' || coalesce(string_agg(activity.item::text, ',' ORDER BY activity.log_index), '') || ']')::json
        FROM (
          SELECT leg.log_index, row_to_json(shown_leg) AS item
          FROM ${tables}.swap AS leg
          CROSS JOIN LATERAL (
            SELECT
              'swap' AS type,
              leg.log_index::text AS "logIndex",
              leg.contract,
              leg."user",
              leg.operator,
              leg.receiver,
              leg.route_id::text AS "routeId",
              leg.asset_in_id AS "assetInId",
              leg.asset_out_id AS "assetOutId",
              leg.stablecoin_delegate_id AS "stablecoinDelegateId",
              leg.lp_address AS "lpAddress",
              leg.amount_in::text AS "amountIn",
              leg.amount_out::text AS "amountOut",
              leg.issuer_fee::text AS "issuerFee",
              leg.spread_fee::text AS "spreadFee",
              leg.lp_fee::text AS "lpFee"
          ) AS shown_leg
          WHERE ${isOfKey("leg")} AND ${isOfClassIn(classesMatching({ activity: "swap" }))}
          UNION ALL
          SELECT change.log_index, row_to_json(shown_change)
          FROM ${tables}.allowlist_change AS change
          CROSS JOIN LATERAL (
            SELECT
              'allowlist' AS type,
              change.log_index::text AS "logIndex",
              change.contract,
              change.action,
              change.wallet
          ) AS shown_change
          WHERE ${isOfKey("change")} AND ${isOfClassIn(classesMatching({ activity: "allowlist" }))}
        ) AS activity
      ) AS activities
  ) AS shown
  WHERE entry.hash IS NOT NULL
`;
}
