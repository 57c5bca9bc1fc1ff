import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { type Network, statusQuery } from "../api/queries.ts";
import { knownUntil } from "./lateDays.ts";

/** Whether the index of a network is live; null while its state is not known. */
export function useIsLive(network: Network): boolean | null {
  const { data, error } = useQuery(statusQuery);
  const status = data?.networks.find((candidate) => candidate.network === network);
  return status === undefined || error !== null ? null : status.state === "live";
}

/** The time up to which a summary has every rate that was posted, in seconds; 0 without a summary. */
export function useKnownUntil(
  { data, dataUpdatedAt }: UseQueryResult<Schemas["TreasurySummary"]>,
  network: Network,
): number {
  const isLive = useIsLive(network) === true;
  return data === undefined ? 0 : knownUntil(data.block, Math.floor(dataUpdatedAt / 1000), isLive);
}
