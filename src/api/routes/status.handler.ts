import type { Context } from "hono";
import type { ApiDependencies } from "../dependencies.ts";
import { apiNameOf } from "../networks.ts";

/** Plain text: "ok" and the networks that are on. */
export function statusHandler({ networks }: ApiDependencies) {
  const text = ["ok", ...networks.map((network) => `${apiNameOf(network)} on`), ""].join("\n");
  return (c: Context) => c.text(text, 200);
}
