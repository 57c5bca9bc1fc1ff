/**
 * Checks that the contenders wrote the same: counts and sums for all, and every row for those that write the same
 * tables.
 */
import { getAbiItem, toFunctionSelector } from "viem";
import { coreSwapAbi, treasuryAbi } from "../../abis/index.ts";
import { createChainClient } from "../../localnet/chain.ts";
import { TABLES } from "../peers/subsquid/tables.ts";
import { queryOne } from "./database.ts";
import type { History, HistoryCounts } from "./history.ts";

/** Figures that even a contender with one row per event has, as decimal strings. */
export interface Totals {
  readonly legs: string;
  readonly amountIn: string;
  readonly amountOut: string;
  readonly fees: string;
  readonly calls: string;
  readonly revertedCalls: string;
  readonly gasUsed: string;
  readonly allowlistChanges: string;
}

/** Number of rows and a sum of their digests, which does not depend on their order. */
export type Digests = Readonly<Record<string, string>>;

const DECODED_SELECTORS = [...coreSwapAbi, ...treasuryAbi]
  .filter((item) => item.type === "function")
  .filter(({ name }) => ["swap", "addToWhitelist", "removeFromWhitelist"].includes(name))
  .map((item) => `'${toFunctionSelector(item)}'`)
  .join(", ");

const swapEvent = getAbiItem({ abi: coreSwapAbi, name: "Swap" });
const allowlistEvents = [
  getAbiItem({ abi: treasuryAbi, name: "AddedToWhitelist" }),
  getAbiItem({ abi: treasuryAbi, name: "RemovedFromWhitelist" }),
] as const;
/** Of the growing history: 40 of its blocks have 14 MB of logs, and the client takes 10. */
const BLOCKS_PER_REQUEST = 10;

/** Totals of a database with this project's tables. */
export function totalsOf(url: string, schema: string): Promise<Totals> {
  return queryOne<Totals>(
    url,
    `SELECT s.*, t.*, a.* FROM (${swapTotals(schema)}) s,
       (SELECT count(*) AS calls, count(*) FILTER (WHERE outcome = 'revert') AS "revertedCalls",
               sum(gas_used) AS "gasUsed" FROM ${schema}.transaction WHERE direct_call IS NOT NULL) t,
       (SELECT count(*) AS "allowlistChanges" FROM ${schema}.allowlist_change) a`,
  );
}

/** The same of the bare Ponder app, which stores calls as they are. */
export function bareTotalsOf(url: string, schema: string): Promise<Totals> {
  return queryOne<Totals>(
    url,
    `SELECT s.*, t.*, a.* FROM (${swapTotals(schema)}) s,
       (SELECT count(*) AS calls, count(*) FILTER (WHERE outcome = 'reverted') AS "revertedCalls",
               sum(gas_used) AS "gasUsed" FROM ${schema}.call WHERE left(input, 10) IN (${DECODED_SELECTORS})) t,
       (SELECT count(*) AS "allowlistChanges" FROM ${schema}.notice
         WHERE name IN ('Treasury:AddedToWhitelist', 'Treasury:RemovedFromWhitelist')) a`,
  );
}

/** Digests of the tables that this project and the Subsquid peer both write, over the columns that both have. */
export function digestsOf(url: string, schema: string): Promise<Digests> {
  const columns = TABLES.map(({ name, columns }) => {
    const row = Object.keys(columns)
      .map((column) => `"${column}"`)
      .join(", ");
    const digest = `sum(('x' || left(md5(ROW(${row})::text), 15))::bit(60)::bigint)`;
    return `(SELECT count(*) || ' rows, digest ' || ${digest} FROM ${schema}.${name}) AS ${name}`;
  });
  return queryOne<Digests>(url, `SELECT ${columns.join(", ")}`);
}

/**
 * Compares with what another contender wrote.
 * @throws Error naming what differs
 */
export function assertSame<Row extends object>(who: string, found: Row, expected: Partial<Row>): void {
  for (const key of Object.keys(expected) as (keyof Row)[]) {
    if (found[key] !== expected[key]) {
      throw new Error(`${who}: ${String(key)} is ${String(found[key])}, expected ${String(expected[key])}`);
    }
  }
}

/**
 * The node's own figures: the events that its `eth_getLogs` returns, and the reverted calls that were sent. Calls that
 * succeeded and their gas are compared between the contenders.
 */
export async function chainTotals(history: History, counts: HistoryCounts): Promise<Partial<Totals>> {
  const { rpcUrl, coreSwap, treasury, startBlock } = history.deployed;
  const client = createChainClient(rpcUrl);
  const sums = { legs: 0n, amountIn: 0n, amountOut: 0n, fees: 0n, allowlistChanges: 0n };
  for (let from = startBlock; from <= counts.lastBlock; from += BLOCKS_PER_REQUEST) {
    const range = {
      fromBlock: BigInt(from),
      toBlock: BigInt(Math.min(from + BLOCKS_PER_REQUEST - 1, counts.lastBlock)),
    };
    for (const { args } of await client.getLogs({ ...range, address: coreSwap, event: swapEvent, strict: true })) {
      sums.legs += 1n;
      sums.amountIn += args.amountIn;
      sums.amountOut += args.amountOut;
      sums.fees += args.issuerFeeAmt + args.spreadFeeAmt + args.lpFeeAmt;
    }
    const changes = await client.getLogs({ ...range, address: treasury, events: allowlistEvents, strict: true });
    sums.allowlistChanges += BigInt(changes.length);
  }
  return {
    legs: String(sums.legs),
    amountIn: String(sums.amountIn),
    amountOut: String(sums.amountOut),
    fees: String(sums.fees),
    revertedCalls: String(counts.reverted),
    allowlistChanges: String(sums.allowlistChanges),
  };
}

function swapTotals(schema: string): string {
  return `SELECT count(*) AS legs, sum(amount_in) AS "amountIn", sum(amount_out) AS "amountOut",
                 sum(issuer_fee + spread_fee + lp_fee) AS fees FROM ${schema}.swap`;
}
