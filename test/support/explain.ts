/** Execution plans of the API's own statements, as PostgreSQL measured them. */
import type { Client } from "pg";
import type { Statement } from "../../src/api/shared/database.ts";

/** Part of `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)`. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

export interface Explained {
  readonly executionMs: number;
  /** Pages of 8 KiB, whether they were in the server's memory or not. */
  readonly buffers: number;
  /** Every node, starting with the root. */
  readonly nodes: readonly PlanNode[];
}

/** How the server plans a prepared statement: for the given values, for any values, or automatically. */
export type PlanMode = "force_custom_plan" | "force_generic_plan" | "auto";

interface ExplainRow {
  readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode; readonly "Execution Time": number }];
}

/** Prepares a statement as the driver does, and explains its executions one after another. */
export class Explainer {
  readonly #client: Client;
  #count = 0;
  readonly #names = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  async explain({ text, values }: Pick<Statement, "text" | "values">, mode: PlanMode): Promise<Explained> {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `explained_${this.#count++}`;
      await this.#client.query(`PREPARE ${name} AS ${text}`);
      this.#names.set(text, name);
    }
    await this.#client.query(`SET plan_cache_mode = ${mode}`);
    const execution = values.length === 0 ? name : `${name}(${values.map(literalOf).join(", ")})`;
    const { rows } = await this.#client.query<ExplainRow>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE ${execution}`,
    );
    const [explained] = rows[0]?.["QUERY PLAN"] ?? [];
    if (explained === undefined) throw new Error("EXPLAIN gave no plan");
    const { Plan: root } = explained;
    return {
      executionMs: explained["Execution Time"],
      buffers: root["Shared Hit Blocks"] + root["Shared Read Blocks"],
      nodes: flatten(root),
    };
  }
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** Rows that a node returned in all its executions. */
export function rowsOf(node: PlanNode): number {
  return Math.round(node["Actual Rows"] * node["Actual Loops"]);
}

/** Rows that a node read and discarded, in all its executions. */
export function droppedBy(node: PlanNode): number {
  return Math.round((node["Rows Removed by Filter"] ?? 0) * node["Actual Loops"]);
}

function literalOf(value: Statement["values"][number]): string {
  if (value === null) return "NULL";
  const text = Array.isArray(value) ? `{${value.join(",")}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}
