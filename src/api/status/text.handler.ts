import type { Context } from "hono";
import { statesReader } from "../shared/state.ts";
import type { NetworkStatus } from "./indexing.schema.ts";
import { INDEXING_STATES, isSound } from "./state.ts";
import { readNetworkStatuses, type StatusSource } from "./statuses.ts";

/**
 * Answers `/v1/status` with plain text: "ok" while every network is live or in backfill, and otherwise the worst of
 * their states. A line for each enabled network follows, with its state unless that is live. Like the endpoints that
 * need the database, it answers 500 when the database does not answer. The text names no block, so it stays the same
 * while nothing is wrong.
 */
export function statusHandler(source: StatusSource) {
  const readStates = statesReader(source.database, source.networks);
  return async (c: Context) => {
    // The tables of the networks must be readable as well.
    const [statuses] = await Promise.all([readNetworkStatuses(source), readStates()]);
    const worst = INDEXING_STATES.find((state) => statuses.some((status) => status.state === state)) ?? "live";
    const lines = statuses.map((status) => `${status.network} on${noteOf(status)}`);
    // A monitor has to see the state of now.
    return c.text([isSound(worst) ? "ok" : worst, ...lines, ""].join("\n"), 200, { "Cache-Control": "no-store" });
  };
}

function noteOf({ state, reason }: NetworkStatus): string {
  if (state === "live") return "";
  return state === "forked" ? `, forked: ${reason}` : `, ${state}`;
}
