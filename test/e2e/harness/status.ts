/** The indexing status of mainnet, as a process reports it. */
import type { IndexingAnswer, NetworkStatus } from "../../../src/api/status/indexing.schema.ts";
import { ApiClient } from "./api.ts";
import { waitUntil } from "./poll.ts";

type Process = Pick<ApiClient, "baseUrl">;

export const STATUS_PATH = "/v1/status/indexing";

export async function statusOf({ baseUrl }: Process): Promise<NetworkStatus> {
  const [mainnet] = (await new ApiClient(baseUrl).json<IndexingAnswer>(STATUS_PATH)).networks;
  if (mainnet === undefined) throw new Error("mainnet is disabled");
  return mainnet;
}

/**
 * Waits until a process reports a state of mainnet, and returns the status with that state.
 * @throws Error after the deadline, with the last state
 */
export async function waitForState(process: Process, wanted: string): Promise<NetworkStatus> {
  let found: NetworkStatus | undefined;
  await waitUntil(`${wanted} is reported`, async () => {
    const status = await statusOf(process);
    found = status;
    const { state, reason, audit } = status;
    return state === wanted ? null : `it is ${state}: ${reason}, ${JSON.stringify(audit)}`;
  });
  return found as NetworkStatus;
}
