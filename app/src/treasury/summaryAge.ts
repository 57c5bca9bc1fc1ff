import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { type Network, statusQuery } from "../api/queries.ts";
import { secondsOf } from "../format/time.ts";
import { knownUntil } from "./lateDays.ts";

type SummaryResult = UseQueryResult<Schemas["TreasurySummary"]>;

/**
 * Whether the index of a network was live when it gave the summary; null while this is not known, and while there is no
 * summary since it is live: one from a backfill lacks what was indexed until its end.
 */
export function useIsLive({ dataUpdatedAt }: SummaryResult, network: Network): boolean | null {
  const { data, error } = useQuery(statusQuery);
  const status = data?.networks.find((candidate) => candidate.network === network);
  if (status === undefined || error !== null) return null;
  if (status.state !== "live") return false;
  return status.stateSince !== null && secondsOf(status.stateSince) * 1000 <= dataUpdatedAt ? true : null;
}

/** The time up to which a summary has every rate that was posted, in seconds; 0 without a summary. */
export function useKnownUntil(summary: SummaryResult, network: Network): number {
  const { data, dataUpdatedAt } = summary;
  const isLive = useIsLive(summary, network) === true;
  return data === undefined ? 0 : knownUntil(data.block, Math.floor(dataUpdatedAt / 1000), isLive);
}
