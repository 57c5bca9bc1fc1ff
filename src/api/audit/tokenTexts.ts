/** The names and symbols of tokens, which a token may change after the index read them. */
import type { Address, Hex } from "viem";
import { readTokenText } from "../../indexing/tokenText.ts";
import { type AuditNode, NodeFailure } from "./chain.ts";
import type { CurrentRow } from "./currentRows.ts";
import { rowName } from "./currentTables.ts";

/**
 * One sentence for each name or symbol that the token does not answer at a block. It may be damage or a change by the
 * token, which no event announces. Those that agree are not asked for again while the row stays the same.
 * @throws NodeFailure
 */
export async function tokenTextNotes(
  { client, pace }: AuditNode,
  rows: readonly CurrentRow[],
  blockHash: Hex,
  proven: Set<string>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { table, key, columns, isChanged } of rows) {
    const token = columns.token_address;
    if (isChanged || !token || !("symbol" in columns)) continue;
    const identity = JSON.stringify([table, key, token, columns.name, columns.symbol]);
    if (proven.has(identity)) continue;
    let isSame = true;
    for (const field of ["name", "symbol"] as const) {
      await pace();
      const atBlock = { call: (request: { to: Address; data: Hex }) => client.call({ ...request, blockHash }) };
      const text = await readTokenText(atBlock, token as Address, field).catch((cause: unknown) => {
        throw new NodeFailure(`${field}() of ${token} could not be read`, { cause });
      });
      if (text === columns[field]) continue;
      isSame = false;
      notes.push(
        `${rowName(table, key)}: ${field} is ${JSON.stringify(columns[field])}, the token answers ${JSON.stringify(text)}`,
      );
    }
    if (isSame) proven.add(identity);
  }
  return notes;
}
