/** The scope of a cursor, and the start of the page that it requests. */
import type { FileBounds } from "../http/csv.ts";
import { BadRequest } from "../http/errors.ts";
import { type CursorScope, decodeCursor, NEWEST, type Position } from "./cursor.ts";
import type { HistoryFilters } from "./query.ts";

/**
 * Returns the position at which the page of a cursor starts. Without a cursor, it is before the newest transaction.
 * @throws BadRequest unless the cursor belongs to the scope
 */
export function startOf(scope: CursorScope, cursor: string | undefined): Position {
  const start = cursor === undefined ? NEWEST : decodeCursor(scope, cursor);
  if (start !== null) return start;
  throw new BadRequest("cursor: accepts nextCursor of the previous page, with the same network and filters");
}

/** Returns the scope of a request: its network and filters, and the bounds of a file. */
export function scopeOf(network: string, filters: HistoryFilters & FileBounds): CursorScope {
  const { wallet, outcome, activity, entrypoint, transactionHash, from, to } = filters;
  return Object.entries({ network, wallet, outcome, activity, entrypoint, transactionHash, from, to }).flatMap(
    ([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]),
  );
}
