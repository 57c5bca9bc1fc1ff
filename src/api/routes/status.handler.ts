import type { Context } from "hono";
import type { ApiDependencies } from "../dependencies.ts";
import { recent } from "../http/recent.ts";
import { apiNameOf } from "../networks.ts";
import { readStates } from "../queries/state.ts";

/**
 * Answers `/v1/status` with plain text: "ok", or "forked" when the final rows of a network are of another chain than
 * its node's; then a line for each network that is on. A 500 when the database does not answer, like the endpoints that
 * need it. It names no block, so that it stays the same while nothing is wrong.
 */
export function statusHandler({ database, networks, forkOf }: ApiDependencies) {
  const askDatabase = recent(() => readStates(database, networks));
  return async (c: Context) => {
    await askDatabase();
    const forks = networks.map((network) => forkOf(network));
    const lines = networks.map((network, index) => {
      const fork = forks[index];
      const note = fork
        ? `, forked: block ${fork.blockNumber} is ${fork.blockHash} here, ${fork.nodeBlockHash} there`
        : "";
      return `${apiNameOf(network)} on${note}`;
    });
    return c.text([forks.some(Boolean) ? "forked" : "ok", ...lines, ""].join("\n"), 200);
  };
}
