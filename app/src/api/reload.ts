/** Requests what a view shows anew. */
import type { Query, QueryClient } from "@tanstack/react-query";
import { isRefusal } from "./client.ts";

/**
 * Requests the chosen queries again. One that is under way goes on, because answers that take longer than the time
 * between two changes would otherwise never arrive. It may be from before the change, so it is followed by another one.
 */
export async function reload(queries: QueryClient, isChosen: (query: Query) => boolean): Promise<void> {
  const underWay = queries.getQueryCache().findAll({ predicate: isChosen, fetchStatus: "fetching" });
  await Promise.all([
    request(queries, isChosen),
    ...underWay.map(async (query) => {
      await query.promise?.catch(() => undefined);
      await request(queries, (each) => each === query);
    }),
  ]);
}

function request(queries: QueryClient, isChosen: (query: Query) => boolean): Promise<void> {
  const predicate = (query: Query) => isChosen(query) && !isRefusal(query.state.error);
  return queries.invalidateQueries({ predicate }, { cancelRefetch: false });
}
