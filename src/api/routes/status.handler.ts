import type { Context } from "hono";
import type { ApiDependencies } from "../dependencies.ts";
import { apiNameOf } from "../networks.ts";

/** Plain text: "ok", or "forked" when a network's final rows are of another chain than its node's; and the networks that are on. */
export function statusHandler({ networks, forkOf }: ApiDependencies) {
  return (c: Context) => {
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
