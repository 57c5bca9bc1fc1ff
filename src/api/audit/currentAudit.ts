/**
 * Audits the values in force at the newest final block: the rows of `currentTables.ts` that answers show.
 *
 * Rows are read as they are now. Rows that a later block has changed are not compared. All others are compared with the
 * contracts' views at the final block, by its hash. Facts that no view returns (who posted a rate, when a value was
 * set) are compared with the events of the block that the row names. A row that was verified there is not checked again
 * until it changes.
 */
import { NodeFailure } from "../../../config/rpc/failures.ts";
import { type AuditTarget, confirmed } from "./auditor.ts";
import { type AuditNode, readBlock, readHash, requireChain } from "./chain.ts";
import type { CurrentRow } from "./currentRows.ts";
import { currentTable, rowName } from "./currentTables.ts";
import { type Comparison, compareWithViews } from "./currentViews.ts";
import { columnDifferences, namedRows } from "./namedRows.ts";

/** Outcome of an audit of the values in force. */
type CurrentOutcome =
  | (Comparison & { readonly kind: "compared"; readonly blockNumber: bigint })
  /** Nothing could be compared: the node did not answer, or no block is final. */
  | { readonly kind: "unfinished"; readonly reason: string };

/**
 * Audits the values in force at the newest final block. As in the audit of a block, a difference counts unless the same
 * node or the next one refutes it.
 * @throws when the database fails
 */
export async function auditCurrent(target: AuditTarget): Promise<CurrentOutcome> {
  return confirmed(
    target,
    (node) => compareWith(target, node),
    (outcome) => outcome.kind === "compared" && outcome.differences.length > 0,
  );
}

async function compareWith(target: AuditTarget, node: AuditNode): Promise<CurrentOutcome> {
  const { network, readCurrentRows } = target;
  const { rows, finalNumber } = await readCurrentRows();
  if (finalNumber === null) return { kind: "unfinished", reason: "no block is final" };
  try {
    const blockHash = await readHash(node, finalNumber);
    const { notCompared, pending, ...views } = await compareWithViews(node, network, rows, blockHash);
    const comparison = { kind: "compared", blockNumber: finalNumber, pending } as const;
    const differences =
      views.differences.length > 0 ? views.differences : await proveEvents(target, node, rows, finalNumber);
    if (differences.length > 0) await requireChain(node, network);
    return { ...comparison, differences, notCompared };
  } catch (error) {
    if (error instanceof NodeFailure) return { kind: "unfinished", reason: error.message };
    throw error;
  }
}

/** Returns one sentence for each row that differs from the event that it names. */
async function proveEvents(
  { network, proven, proofsAtOnce }: AuditTarget,
  node: AuditNode,
  rows: readonly CurrentRow[],
  finalNumber: bigint,
): Promise<string[]> {
  const differences: string[] = [];
  let proofs = 0;
  for (const row of rows) {
    const { blockColumn } = currentTable(row.table);
    const block = blockColumn === undefined ? null : row.columns[blockColumn];
    if (row.isChanged || !block) continue;
    const identity = JSON.stringify(row);
    if (proven.has(identity)) continue;
    if (proofs >= proofsAtOnce) break;
    proofs += 1;
    const found = await differencesFromEvent(node, network, row, BigInt(block), finalNumber);
    differences.push(...found);
    if (found.length === 0) proven.add(identity);
  }
  return differences;
}

async function differencesFromEvent(
  node: AuditNode,
  network: AuditTarget["network"],
  { table, key, columns }: CurrentRow,
  block: bigint,
  finalNumber: bigint,
): Promise<string[]> {
  const name = rowName(table, key);
  const isPossible = block >= network.startBlock && block <= finalNumber;
  const expected = isPossible ? namedRows(await readBlock(node, block), network).get(name)?.columns : undefined;
  if (!expected) return [`${name} names block ${block}, which has no such event`];
  return columnDifferences(name, expected, columns);
}
