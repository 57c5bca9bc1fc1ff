/**
 * A synthetic history, as the set-based SQL that writes it straight into the tables that Ponder created.
 *
 * Everything is a function of a number (of a transaction or a leg) and the seed, through PostgreSQL's own hash functions: the same
 * seed gives the same rows with the same server version. Sizes differ in density only: each history spans the same 400 days.
 */
import { createHash } from "node:crypto";
import type { Client } from "pg";
import { filterClassOf } from "../../src/indexing/filterClass.ts";

export const SCHEMA = "coreswap";
export const CHAIN_ID = 1;
const SEED = 7;

const FIRST_BLOCK = 1_000_000;
const BLOCK_COUNT = 2_880_000;
const BLOCK_SECONDS = 12;
/** 2026-01-01T00:00:00Z, when the history ends. */
export const END_SECOND = 1_767_225_600;
const FIRST_SECOND = END_SECOND - BLOCK_COUNT * BLOCK_SECONDS;

/** Decimals of each LP's stablecoin. */
const STABLECOIN_DECIMALS = [6, 18, 6, 18];
const RWA_DECIMALS = [6, 18, 18, 8, 6];
/** Series of each LP: one valued in stablecoin, and one for each RWA by whose price readers value a leg. */
export const SERIES_COUNT = STABLECOIN_DECIMALS.length * (1 + RWA_DECIMALS.length);
/** The last RWA has no price, so that some legs stay unpriced. */
const PRICED_RWA_COUNT = RWA_DECIMALS.length - 1;

/**
 * Ids of wallets. Three have half of all transactions, a thousand have a quarter, and the rest is spread over many
 * small ones.
 */
export const WALLET_IDS = { huge: 0, middling: 40, small: 1_234 } as const;

/** Kinds of transactions in the staging table, and how the history files them. */
const KINDS = {
  swapCall: { share: 0.71, legs: true, traits: { outcome: "success", entrypoint: "swap", swap: true, list: false } },
  swapNested: { share: 0.22, legs: true, traits: { outcome: "success", entrypoint: null, swap: true, list: false } },
  swapAndList: { share: 0.01, legs: true, traits: { outcome: "success", entrypoint: null, swap: true, list: true } },
  addCall: {
    share: 0.02,
    legs: false,
    traits: { outcome: "success", entrypoint: "addToWhitelist", swap: false, list: true },
  },
  removeCall: {
    share: 0.01,
    legs: false,
    traits: { outcome: "success", entrypoint: "removeFromWhitelist", swap: false, list: true },
  },
  listNested: { share: 0.01, legs: false, traits: { outcome: "success", entrypoint: null, swap: false, list: true } },
  swapReverted: {
    share: 0.016,
    legs: false,
    traits: { outcome: "revert", entrypoint: "swap", swap: false, list: false },
  },
  addReverted: {
    share: 0.003,
    legs: false,
    traits: { outcome: "revert", entrypoint: "addToWhitelist", swap: false, list: false },
  },
  removeReverted: {
    share: 0.001,
    legs: false,
    traits: { outcome: "revert", entrypoint: "removeFromWhitelist", swap: false, list: false },
  },
} as const;

const kinds = Object.values(KINDS);
const MEAN_LEGS_OF_SWAP = 1.59;
const MEAN_LEGS = MEAN_LEGS_OF_SWAP * kinds.filter(({ legs }) => legs).reduce((sum, { share }) => sum + share, 0);

/** Tables in which Ponder's rows are replaced by the synthetic ones. */
export const TABLES = [
  "transaction",
  "transaction_by_hash",
  "transaction_by_filter",
  "swap",
  "allowlist_change",
  "volume_series",
  "volume_total",
  "stablecoin",
  "rwa",
  "chain_state",
];

/** Distinguishes one data set from another. */
export function labelOf(legCount: number): string {
  return `legs ${legCount}, seed ${SEED}`;
}

/** The address of a wallet, as rows hold it. */
export async function walletAddress(client: Client, id: number): Promise<string> {
  const { rows } = await client.query("SELECT bench.address('wallet', $1::bigint) AS address", [id]);
  return rows[0].address;
}

/** The element of a constant list that an SQL expression numbers from 0. */
function elementSql(values: readonly (number | string)[], index: string): string {
  const literals = values.map((value) => (typeof value === "number" ? value : `'${value}'`));
  return `(ARRAY[${literals.join(", ")}])[${index} + 1]`;
}

/** Like the SQL functions `bench.hash` and `bench.address`, for small numbers of values. */
function hashOf(what: string, n: number): string {
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  return `0x${md5(`${SEED}${what}${n}`)}${md5(`${n}${what}`)}`;
}
const addressOf = (what: string, n: number) => hashOf(what, n).slice(0, 42);

const stablecoinId = (lp: string) =>
  elementSql(
    STABLECOIN_DECIMALS.map((_, n) => hashOf("stablecoin", n)),
    lp,
  );
const lpAddress = (lp: string) =>
  elementSql(
    STABLECOIN_DECIMALS.map((_, n) => addressOf("lp", n)),
    lp,
  );
const stablecoinDecimals = (lp: string) => elementSql(STABLECOIN_DECIMALS, lp);
const rwaId = (asset: string) =>
  elementSql(
    RWA_DECIMALS.map((_, n) => hashOf("rwa", n)),
    asset,
  );
const rwaDecimals = (asset: string) => elementSql(RWA_DECIMALS, asset);

/** An expression for each direction of a leg: 0 stablecoin to RWA, 1 RWA to stablecoin, 2 RWA to RWA. */
const byDirection = (...expressions: [string, string, string]) =>
  `CASE direction ${expressions.map((expression, direction) => `WHEN ${direction} THEN ${expression}`).join(" ")} END`;
const IN_ID = byDirection(stablecoinId("lp"), rwaId("rwa"), rwaId("rwa"));
const OUT_ID = byDirection(rwaId("rwa"), stablecoinId("lp"), rwaId("other_rwa"));
const IN_DECIMALS = byDirection(stablecoinDecimals("lp"), rwaDecimals("rwa"), rwaDecimals("rwa"));
const OUT_DECIMALS = byDirection(rwaDecimals("rwa"), stablecoinDecimals("lp"), rwaDecimals("other_rwa"));

/** The draws for the legs of a transaction. `OFFSET 0` prevents a draw from being repeated at each use. */
const drawnLegs = (legs: string) => `(
  SELECT
    l,
    floor(${STABLECOIN_DECIMALS.length} * power(bench.unit(l, 20), 1.5))::integer AS lp,
    rwa,
    (rwa + 1 + floor(${RWA_DECIMALS.length - 1} * bench.unit(l, 22))::integer) % ${RWA_DECIMALS.length} AS other_rwa,
    CASE WHEN way < 0.45 THEN 0 WHEN way < 0.90 THEN 1 ELSE 2 END AS direction
  FROM (
    SELECT l, floor(${RWA_DECIMALS.length} * power(bench.unit(l, 21), 1.5))::integer AS rwa, bench.unit(l, 23) AS way
    FROM generate_series(first_leg, first_leg + ${legs} - 1) AS l
    OFFSET 0
  ) AS first_draws
  OFFSET 0
)`;

/** `what` selects an independent stream of numbers. SQL functions of one expression are inlined. */
export function functionsSql(): string {
  const define = (signature: string, body: string) =>
    `CREATE FUNCTION bench.${signature} LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ${body} $$;`;
  return `
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
${define(
  "unit(n bigint, what integer) RETURNS float8",
  `(hashint8extended(n, ${SEED}::bigint * 1000 + what) & 9007199254740991)::float8 / 9007199254740992`,
)}
${define("hash(what text, n bigint) RETURNS text", `'0x' || md5('${SEED}' || what || n) || md5(n || what)`)}
${define("address(what text, n bigint) RETURNS text", `'0x' || md5('${SEED}' || what || n) || left(md5(n || what), 8)`)}
${define(
  "wallet(n bigint, what integer, small_wallets bigint) RETURNS bigint",
  `CASE
    WHEN bench.unit(n, what) < 0.30 THEN 0
    WHEN bench.unit(n, what) < 0.42 THEN 1
    WHEN bench.unit(n, what) < 0.50 THEN 2
    WHEN bench.unit(n, what) < 0.75 THEN 3 + floor(997 * power(bench.unit(n, what + 1), 2))::bigint
    ELSE 1000 + floor(small_wallets * bench.unit(n, what + 1))::bigint
  END`,
)}
-- 100 to 1,000,000 dollars, to the last digit of the token
${define(
  "amount(l bigint, what integer, decimals integer) RETURNS numeric",
  `floor(power(10, 2 + 4 * bench.unit(l, 24)) * 100)::numeric * power(10, decimals - 2)::numeric + floor(bench.unit(l, what) * 10000)::numeric`,
)}`;
}

/** The staging table of transactions: kind, place, wallets and legs of each. */
export function transactionsSql(legCount: number): string {
  const drawn = Math.ceil((legCount / MEAN_LEGS) * 1.02) + 1_000;
  const smallWallets = Math.max(2_000, Math.floor(drawn / 20));
  let bound = 0;
  const kindCases = kinds.map(({ share }, kind) => {
    bound += share;
    return `WHEN bench.unit(k, 1) < ${bound.toFixed(3)} THEN ${kind}`;
  });
  const withLegs = kinds.flatMap(({ legs }, kind) => (legs ? [kind] : []));
  return `
CREATE UNLOGGED TABLE bench.draw AS
SELECT k, kind, legs, sum(legs) OVER (ORDER BY k) - legs + 1 AS first_leg
FROM (
  SELECT k, kind, CASE
    WHEN kind NOT IN (${withLegs.join(", ")}) THEN 0
    WHEN bench.unit(k, 2) < 0.70 THEN 1
    WHEN bench.unit(k, 2) < 0.85 THEN 2
    WHEN bench.unit(k, 2) < 0.94 THEN 3
    WHEN bench.unit(k, 2) < 0.98 THEN 4
    ELSE 8
  END AS legs
  FROM (
    SELECT k, CASE ${kindCases.join(" ")} ELSE 0 END AS kind FROM generate_series(0, ${drawn - 1}::bigint) AS k
  ) AS drawn_kind
) AS drawn_legs;

CREATE UNLOGGED TABLE bench.tx AS
WITH kept AS MATERIALIZED (
  SELECT k, kind, first_leg::bigint, least(legs, ${legCount} - first_leg + 1)::integer AS legs
  FROM bench.draw WHERE first_leg <= ${legCount}
),
size AS MATERIALIZED (SELECT count(*) AS transactions FROM kept),
placed AS (
  SELECT kept.*, transactions, k * ${BLOCK_COUNT} / transactions AS block_offset,
    bench.wallet(k, 3, ${smallWallets}) AS sender,
    CASE WHEN bench.unit(k, 5) < 0.8 THEN bench.wallet(k, 3, ${smallWallets}) ELSE bench.wallet(k, 6, ${smallWallets}) END AS "user",
    CASE WHEN bench.unit(k, 8) < 0.7 THEN bench.wallet(k, 3, ${smallWallets}) ELSE bench.wallet(k, 9, ${smallWallets}) END AS receiver
  FROM kept CROSS JOIN size
)
SELECT
  k, kind, legs, first_leg,
  ${FIRST_BLOCK} + block_offset AS block_number,
  -- Other transactions of the block lie between.
  ((k - (block_offset * transactions + ${BLOCK_COUNT - 1}) / ${BLOCK_COUNT}) * 7 + floor(bench.unit(k, 11) * 7))::integer AS transaction_index,
  ${FIRST_SECOND} + block_offset * ${BLOCK_SECONDS} AS second,
  bench.address('wallet', sender) AS sender,
  bench.address('wallet', "user") AS "user",
  bench.address('wallet', receiver) AS receiver,
  bench.hash('transaction', k) AS hash
FROM placed ORDER BY k;
DROP TABLE bench.draw;
ANALYZE bench.tx`;
}

export const LEGS_SQL = `
CREATE UNLOGGED TABLE bench.leg AS
SELECT
  block_number, transaction_index, second, "user", sender, receiver,
  -- The position of the first leg's log, and so on.
  (transaction_index * 4 + (l - first_leg) * 3)::integer AS log_index,
  lp, rwa, other_rwa, direction,
  bench.amount(l, 25, ${IN_DECIMALS}) AS amount_in,
  bench.amount(l, 26, ${OUT_DECIMALS}) AS amount_out,
  floor(bench.amount(l, 27, ${stablecoinDecimals("lp")}) / 2000) AS issuer_fee,
  floor(bench.amount(l, 27, ${stablecoinDecimals("lp")}) / 1000) AS spread_fee,
  floor(bench.amount(l, 27, ${stablecoinDecimals("lp")}) / 5000) AS lp_fee
FROM bench.tx CROSS JOIN LATERAL ${drawnLegs("legs")} AS drawn
WHERE legs > 0;
ANALYZE bench.leg`;

const columnOf = (pick: (kind: (typeof kinds)[number]) => string | number) =>
  `(ARRAY[${kinds.map((kind) => pick(kind)).join(", ")}])[kind + 1]`;
const FILTER_CLASS = columnOf(({ traits: { outcome, swap, list, entrypoint } }) =>
  filterClassOf({ outcome, hasSwap: swap, hasAllowlistChange: list, entrypoint }),
);
const OUTCOME = columnOf(({ traits }) => `'${traits.outcome}'`);
const ENTRYPOINT = columnOf(({ traits }) => (traits.entrypoint === null ? "NULL" : `'${traits.entrypoint}'`));

/** Distinct wallets of a transaction, the sender first. A reverted one has only its sender. */
const WALLETS = `CASE WHEN ${OUTCOME} = 'revert' THEN ARRAY[sender] ELSE
  ARRAY[sender]
  || CASE WHEN "user" <> sender THEN ARRAY["user"] ELSE '{}' END
  || CASE WHEN receiver NOT IN (sender, "user") THEN ARRAY[receiver] ELSE '{}' END
END`;

/** A subquery, because a function that holds one is not inlined. */
const SUBMITTED_LEGS = `(SELECT string_agg(
  '{"routeId":"' || (1 + direction) || '","assetInId":"' || ${IN_ID} || '","assetOutId":"' || ${OUT_ID}
  || '","stablecoinDelegateId":"' || ${stablecoinId("lp")}
  || '","assetInAmount":"' || bench.amount(l, 25, ${IN_DECIMALS}) || '","assetOutAmount":"0"}', ',')
FROM ${drawnLegs("greatest(legs, 1)")} AS drawn)`;

/** A reverted swap has no realized leg from which to derive the submitted one, so it gets a separate one. */
const DIRECT_CALL = `CASE ${ENTRYPOINT}
  WHEN 'swap' THEN '{"contract":"${addressOf("CoreSwap", 0)}","entrypoint":"swap","submittedSwapLegs":['
    || ${SUBMITTED_LEGS}
    || '],"user":"' || "user" || '","receiver":"' || receiver || '"}'
  WHEN 'addToWhitelist' THEN '{"contract":"${addressOf("Treasury", 0)}","entrypoint":"addToWhitelist","submittedSwapLegs":null,"wallet":"' || "user" || '"}'
  WHEN 'removeFromWhitelist' THEN '{"contract":"${addressOf("Treasury", 0)}","entrypoint":"removeFromWhitelist","submittedSwapLegs":null,"wallet":"' || "user" || '"}'
END`;

export const TRANSACTION_SQL = `
INSERT INTO ${SCHEMA}.transaction (
  chain_id, block_number, transaction_index, hash, block_hash, "timestamp", sender, recipient, nonce, value, selector,
  outcome, gas_used, effective_gas_price, direct_call, filter_class, wallets
)
SELECT
  ${CHAIN_ID}, block_number, transaction_index, hash, bench.hash('block', block_number), second, sender,
  CASE WHEN ${ENTRYPOINT} IS NULL THEN '${addressOf("router", 0)}' ELSE '${addressOf("CoreSwap", 0)}' END, k % 10000, 0, '0x9d8e2177',
  ${OUTCOME}, 180000 + 75000 * legs, 1000000000 + floor(bench.unit(k, 12) * 1000000000)::bigint,
  ${DIRECT_CALL}, ${FILTER_CLASS}, array_to_string(${WALLETS}, ',')
FROM bench.tx`;

export const TRANSACTION_BY_HASH_SQL = `
INSERT INTO ${SCHEMA}.transaction_by_hash (chain_id, hash, block_number, transaction_index)
SELECT ${CHAIN_ID}, hash, block_number, transaction_index FROM bench.tx`;

export const TRANSACTION_BY_FILTER_SQL = `
INSERT INTO ${SCHEMA}.transaction_by_filter (chain_id, wallet, filter_class, block_number, transaction_index)
SELECT ${CHAIN_ID}, wallet, ${FILTER_CLASS}, block_number, transaction_index
FROM bench.tx CROSS JOIN LATERAL unnest(ARRAY[''] || ${WALLETS}) AS wallet`;

export const SWAP_SQL = `
INSERT INTO ${SCHEMA}.swap (
  chain_id, block_number, transaction_index, log_index, contract, "user", operator, receiver, route_id, asset_in_id, asset_out_id,
  stablecoin_delegate_id, lp_address, amount_in, amount_out, issuer_fee, spread_fee, lp_fee
)
SELECT
  ${CHAIN_ID}, block_number, transaction_index, log_index, '${addressOf("CoreSwap", 0)}', "user", sender, receiver,
  1 + direction, ${IN_ID}, ${OUT_ID}, ${stablecoinId("lp")}, ${lpAddress("lp")},
  amount_in, amount_out, issuer_fee, spread_fee, lp_fee
FROM bench.leg`;

export const ALLOWLIST_SQL = `
INSERT INTO ${SCHEMA}.allowlist_change (chain_id, block_number, transaction_index, log_index, contract, action, wallet)
SELECT
  ${CHAIN_ID}, block_number, transaction_index, transaction_index * 4 + 3 * legs, '${addressOf("Treasury", 0)}',
  CASE ${ENTRYPOINT} WHEN 'removeFromWhitelist' THEN 'removed' ELSE 'added' END, "user"
FROM bench.tx WHERE ${columnOf(({ traits }) => `${traits.list}`)}`;

const SERIES_ID = `lp * ${1 + RWA_DECIMALS.length} + CASE direction WHEN 2 THEN 1 + rwa ELSE 0 END`;

/** The contribution of a leg to the totals, as in `src/indexing/legValue.ts`. */
const VALUE = byDirection(
  `amount_in * power(10, 18 - ${stablecoinDecimals("lp")})::numeric`,
  `(amount_out + issuer_fee + spread_fee + lp_fee) * power(10, 18 - ${stablecoinDecimals("lp")})::numeric`,
  "amount_in",
);

/** Factor that scales an amount of the settling stablecoin to 18 decimals. */
const LP_UNIT = `power(10, 18 - ${stablecoinDecimals("lp")})::numeric`;

export const TOTALS_SQL = `
INSERT INTO ${SCHEMA}.volume_total (
  chain_id, series_id, second, leg_total, amount_total, issuer_fee_total_wad, spread_fee_total_wad, lp_fee_total_wad
)
SELECT
  ${CHAIN_ID}, series_id, second,
  sum(legs) OVER series, sum(amount) OVER series,
  sum(issuer_fee) OVER series, sum(spread_fee) OVER series, sum(lp_fee) OVER series
FROM (
  SELECT
    ${SERIES_ID} AS series_id, second, count(*) AS legs, sum(${VALUE}) AS amount,
    ${["issuer_fee", "spread_fee", "lp_fee"].map((fee) => `sum(${fee} * ${LP_UNIT}) AS ${fee}`).join(", ")}
  FROM bench.leg GROUP BY 1, 2
) AS gained
WINDOW series AS (PARTITION BY series_id ORDER BY second)
ORDER BY second, series_id`;

export const HEADS_SQL = `
INSERT INTO ${SCHEMA}.volume_series (chain_id, lp_address, asset_id, series_id, decimals, newest_second)
SELECT
  ${CHAIN_ID}, ${lpAddress(`series_id / ${1 + RWA_DECIMALS.length}`)},
  CASE asset WHEN -1 THEN '' ELSE ${rwaId("asset")} END,
  series_id, CASE asset WHEN -1 THEN 18 ELSE ${rwaDecimals("asset")} END, second
FROM (
  SELECT series_id, series_id % ${1 + RWA_DECIMALS.length} - 1 AS asset
  FROM generate_series(0, ${SERIES_COUNT - 1}) AS series_id
) AS series
CROSS JOIN LATERAL (
  SELECT second FROM ${SCHEMA}.volume_total
  WHERE chain_id = ${CHAIN_ID} AND volume_total.series_id = series.series_id
  ORDER BY second DESC LIMIT 1
) AS newest;

INSERT INTO ${SCHEMA}.chain_state (
  chain_id, block_number, block_hash, event_id, observed_block_number, observed_block_hash, series_count
)
SELECT ${CHAIN_ID}, block_number, bench.hash('block', block_number), k, block_number, bench.hash('block', block_number), ${SERIES_COUNT}
FROM bench.tx ORDER BY k DESC LIMIT 1;

UPDATE ${SCHEMA}._ponder_checkpoint
SET safe_checkpoint = repeat('0', 26) || lpad((${FIRST_BLOCK + BLOCK_COUNT - 65})::text, 16, '0') || repeat('9', 33)
WHERE chain_id = ${CHAIN_ID}`;

export const REGISTRY_SQL = `
INSERT INTO ${SCHEMA}.stablecoin (
  chain_id, stablecoin_id, token_address, decimals, name, symbol, delegate_address, accepted, yield_bearing
)
SELECT ${CHAIN_ID}, bench.hash('stablecoin', lp), bench.address('stablecoin', lp), ${stablecoinDecimals("lp")},
  'Stablecoin ' || lp, 'S' || lp, bench.address('lp', lp), true, false
FROM generate_series(0, ${STABLECOIN_DECIMALS.length - 1}) AS lp;

INSERT INTO ${SCHEMA}.rwa (chain_id, rwa_id, token_address, decimals, name, symbol, accepted, price_adapter)
SELECT ${CHAIN_ID}, bench.hash('rwa', asset), bench.address('rwa', asset), ${rwaDecimals("asset")},
  'Fund ' || asset, 'R' || asset, true, bench.address('adapter', asset)
FROM generate_series(0, ${RWA_DECIMALS.length - 1}) AS asset;

TRUNCATE core_offchain.rwa_price;
INSERT INTO core_offchain.rwa_price
SELECT ${CHAIN_ID}, bench.hash('rwa', asset), bench.address('adapter', asset), 1000000000000000000 + asset * 52300000000000000,
  ${END_SECOND}, ${FIRST_BLOCK + BLOCK_COUNT}, bench.hash('block', ${FIRST_BLOCK + BLOCK_COUNT})
FROM generate_series(0, ${PRICED_RWA_COUNT - 1}) AS asset`;
