/** Plans of `/v1/volume`, and of the plain sum over the rows that gives the same figures. */
import type { Client } from "pg";
import type { Database, Statement } from "../../src/api/shared/database.ts";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import { type VolumeReading, volumeReader } from "../../src/api/shared/volume/query.ts";
import { CHAIN_ID, END_SECOND, SCHEMA } from "./dataset.ts";

const DAY_SECONDS = 86_400;

/** 365 days that begin and end within the history. */
export const RANGE = {
  from: BigInt(END_SECOND - 380 * DAY_SECONDS),
  to: BigInt(END_SECOND - 15 * DAY_SECONDS),
};

/** The statement that `/v1/volume` runs, as its query module sends it, and its result. */
export async function volumeStatement(
  client: Client,
  network: ApiNetwork,
): Promise<{ statement: Statement; reading: VolumeReading }> {
  const statements: Statement[] = [];
  const recording: Database = {
    async query(statement) {
      statements.push(statement);
      return (await client.query(statement.text, [...statement.values])).rows;
    },
  };
  const reading = await volumeReader(recording, network)(RANGE, undefined);
  const [statement] = statements;
  if (statement === undefined || statements.length !== 1)
    throw new Error(`volume took ${statements.length} statements`);
  return { statement, reading };
}

/** Blocks of the range: from the first, before the end. */
export async function blocksOfRange(client: Client): Promise<{ first: string; end: string }> {
  const { rows } = await client.query<{ first: string; end: string }>(
    `SELECT min(block_number) FILTER (WHERE "timestamp" >= $1)::text AS first, (max(block_number) + 1)::text AS end
    FROM ${SCHEMA}.transaction WHERE "timestamp" < $2`,
    [RANGE.from.toString(), RANGE.to.toString()],
  );
  const [blocks] = rows;
  if (blocks === undefined) throw new Error("the range holds no block");
  return blocks;
}

/**
 * The sums behind the figures, from the rows themselves. Two simplifications favor them: the range is given in blocks,
 * so no join with the transactions is needed for their times, and amounts stay in the units of their tokens.
 */
export function plainSumStatement({ first, end }: { first: string; end: string }): Pick<Statement, "text" | "values"> {
  return {
    text: `
SELECT lp_address, asset_in_id, asset_out_id, count(*) AS legs,
  sum(amount_in) AS amount_in, sum(amount_out + issuer_fee + spread_fee + lp_fee) AS amount_out_and_fees
FROM ${SCHEMA}.swap
WHERE chain_id = ${CHAIN_ID} AND block_number >= $1::bigint AND block_number < $2::bigint
GROUP BY lp_address, asset_in_id, asset_out_id`,
    values: [first, end],
  };
}
