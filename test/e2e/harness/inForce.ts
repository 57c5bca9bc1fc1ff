/** Shared by the tests of the audit of rows in force: runs the audit in the test's own process, and changes rows. */
import { Pool } from "pg";
import type { Hex } from "viem";
import type { DeployedNetwork } from "../../../localnet/deployment.ts";
import { type AuditTarget, auditTarget } from "../../../src/api/audit/auditor.ts";
import type { AuditNode } from "../../../src/api/audit/chain.ts";
import { type CurrentTableName, currentTable } from "../../../src/api/audit/currentTables.ts";
import { auditNodes } from "../../../src/api/audit/start.ts";
import { databaseOf } from "../../../src/api/shared/database.ts";

interface AuditedMainnet {
  readonly deployed: DeployedNetwork;
  readonly databaseUrl: string;
  readonly schema: string;
}

/** Runs a task with everything that the indexer's own audit of mainnet reads, but without its pauses. */
export async function withAudit<T>(
  { deployed, databaseUrl, schema }: AuditedMainnet,
  task: (target: AuditTarget, client: AuditNode["client"]) => Promise<T>,
): Promise<T> {
  const pool = new Pool({ connectionString: databaseUrl });
  const network = {
    ...({ name: "mainnet", chainId: 1, schema, startBlock: BigInt(deployed.startBlock) } as const),
    coreSwap: deployed.coreSwap.toLowerCase() as Hex,
    treasury: deployed.treasury.toLowerCase() as Hex,
  };
  const nodes = auditNodes([deployed.rpcUrl], () => Promise.resolve());
  try {
    const [node] = nodes;
    if (node === undefined) throw new Error("there is no node");
    return await task(auditTarget({ database: databaseOf(pool), network, nodes }), node.client);
  } finally {
    await pool.end();
  }
}

/** SQL condition that selects one row of mainnet that answers show. */
export function shownRow(schema: string, table: CurrentTableName): string {
  const { key, isOfDelegate } = currentTable(table);
  const delegates = `SELECT delegate_address FROM ${schema}.stablecoin WHERE yield_bearing`;
  const shown = isOfDelegate ? `delegate_address IN (${delegates})` : "true";
  const order = key.at(-1) ?? "ctid";
  return `ctid = (SELECT ctid FROM ${schema}.${table}_1 WHERE ${shown} ORDER BY ${order} LIMIT 1)`;
}

/** SQL expression of a value of the given type that differs from the column's value. */
export function otherValue(type: string, column: string): string {
  if (type === "boolean") return `NOT coalesce(${column}, false)`;
  if (type !== "text") return `coalesce(${column}, 0) + 1`;
  const [one, other] = ["12", "34"].map((byte) => `'0x${byte.repeat(20)}'`);
  return `CASE WHEN ${column} = ${one} THEN ${other} ELSE ${one} END`;
}
