/**
 * The identity of the index in a schema, in a view `coreswap_index` next to its tables. `pnpm ops:switch` shows an
 * index under a second schema that contains only views, including the identity.
 */
import { randomUUID } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { escapeIdentifier, escapeLiteral } from "pg";
import { type Database, prepared } from "./database.ts";
import type { ApiNetwork } from "./networks.ts";

/** The view that names the index. */
export const IDENTITY_VIEW = "coreswap_index";

/**
 * Version of the indexed tables, as the API reads them. Raise it when the API of the previous commit cannot read a new
 * index, or reads it wrongly, and when this API cannot read an index of the previous commit: because of another column,
 * or of a column with another meaning. Replicas of both versions answer during an upgrade.
 */
export const INDEX_FORMAT = 3;

const DEPLOYMENT_MESSAGE = "the index is of other contracts than those in the deployment file of this process";
const FORMAT_MESSAGE = "the index has another format than this version of CoreSwap reads: see docs/operate/upgrade.md";

/** The identity of an index. */
export const indexIdentity = z.object({
  /** Its own schema, which differs from the schema through which it is read when that contains views. */
  schema: z.string(),
  format: z.literal(INDEX_FORMAT, FORMAT_MESSAGE),
  /** Random: an index that is built anew has another one, also in a schema of the same name. */
  id: z.uuid(),
  /** Rows of other contracts than those of this process would stand beside their addresses. */
  isOfDeployment: z.literal(true, DEPLOYMENT_MESSAGE),
});

export type IndexIdentity = z.output<typeof indexIdentity>;

type Deployment = Pick<ApiNetwork, "chainId" | "coreSwap" | "treasury">;

/** The contracts of a network, as one text. */
function contractsOf({ coreSwap, treasury }: Deployment): string {
  return `${coreSwap} ${treasury}`.toLowerCase();
}

/**
 * SQL expression of the identity as one JSON value. An index that was created before the view named the contracts counts
 * as one of this deployment.
 */
export function identitySql({ schema, ...deployment }: Deployment & Pick<ApiNetwork, "schema">): string {
  return `(
    SELECT json_build_object('schema', schema_name, 'format', format, 'id', id, 'isOfDeployment',
      coalesce(to_jsonb(identity) #>> '{contracts,${deployment.chainId}}' = '${contractsOf(deployment)}', true))
    FROM ${escapeIdentifier(schema)}.${IDENTITY_VIEW} AS identity
  )`;
}

/**
 * Creates the view when it is missing. The indexing process calls this function. It never replaces the view, which
 * would wait for every reader and make others wait. The view depends on a table, because `ponder dev` makes all tables
 * anew, and so drops it.
 */
export async function createIndexIdentity(
  database: Database,
  schema: string,
  networks: readonly Deployment[],
): Promise<void> {
  const contracts = Object.fromEntries(networks.map((network) => [network.chainId, contractsOf(network)]));
  const tables = escapeIdentifier(schema);
  const view = `${tables}.${IDENTITY_VIEW}`;
  const text = `
DO $create$
BEGIN
IF to_regclass(${escapeLiteral(view)}) IS NULL THEN
  CREATE VIEW ${view} AS
    SELECT ${escapeLiteral(schema)}::text AS schema_name, ${INDEX_FORMAT} AS format, '${randomUUID()}'::text AS id,
      '${JSON.stringify(contracts)}'::jsonb AS contracts
    FROM (SELECT) AS always LEFT JOIN ${tables}.chain_state ON false;
END IF;
END
$create$`;
  await database.query({ ...prepared("create_index_identity", text), values: [] });
}

const schemaRow = indexIdentity.pick({ schema: true });

/** Statements by schema. */
const statements = new Map<string, ReturnType<typeof prepared>>();

/** SQLSTATE of a statement that names a missing view. */
const UNDEFINED_TABLE = "42P01";

/**
 * Reads the schema in which a network is indexed, which a schema of views only shows. A network that has not been
 * indexed yet must not prevent another one from having a state, so its schema is treated as an index.
 */
export async function readIndexSchema(database: Database, { schema }: Pick<ApiNetwork, "schema">): Promise<string> {
  const statement =
    statements.get(schema) ??
    prepared("api_index_schema", `SELECT schema_name AS schema FROM ${escapeIdentifier(schema)}.${IDENTITY_VIEW}`);
  statements.set(schema, statement);
  try {
    const [row] = await database.query({ ...statement, values: [] });
    return schemaRow.parse(row).schema;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) return schema;
    throw error;
  }
}
