/** The indexing status of mainnet, as a process reports it. */
import type { IndexingAnswer, NetworkStatus } from "../../../src/api/status/indexing.schema.ts";
import { ApiClient } from "./api.ts";
import { PATIENCE_MS, waitUntil } from "./poll.ts";

type Process = Pick<ApiClient, "baseUrl">;

export const STATUS_PATH = "/v1/status/indexing";

export async function statusOf({ baseUrl }: Process): Promise<NetworkStatus> {
  const [mainnet] = (await new ApiClient(baseUrl).json<IndexingAnswer>(STATUS_PATH)).networks;
  if (mainnet === undefined) throw new Error("mainnet is disabled");
  return mainnet;
}

/**
 * Waits until a process reports a state of mainnet, and returns the status.
 * @throws Error after the deadline, with the last state
 */
export async function waitForState(process: Process, wanted: string, deadlineMs = PATIENCE_MS): Promise<NetworkStatus> {
  await waitUntil(
    `${wanted} is reported`,
    async () => {
      const { state, reason, audit } = await statusOf(process);
      return state === wanted ? null : `it is ${state}: ${reason}, ${JSON.stringify(audit)}`;
    },
    { deadlineMs },
  );
  return statusOf(process);
}
