/** Answer of `/v1/assets/{rwaId}/navs`. */
import { z } from "@hono/zod-openapi";
import { address, bytes32, chainId, coverage, integerText, networkName, time } from "../shared/fields.ts";

const navChange = z
  .strictObject({
    kind: z.enum(["post", "adapter"]).openapi({
      description:
        "`post`: the price adapter in force posted a NAV. `adapter`: the RWA got another price adapter, or none",
    }),
    at: time("Time from which the change applies"),
    blockNumber: integerText("Block of the event", "21000000"),
    logIndex: integerText("Index of the event in its block", "7"),
    transactionHash: bytes32("Transaction of the event"),
    priceAdapter: address("Price adapter of the RWA since this change; null if there is none").nullable(),
    navWad: integerText(
      "Newest NAV that it has posted, in USD per whole token times 10^18; null if it has posted none, because it takes its " +
        "price from elsewhere",
      "1050000000000000000",
    ).nullable(),
    navPostedAt: time("When that NAV was posted", "; null if there is none").nullable(),
    poster: address("Account that posted it; null if there is none").nullable(),
  })
  .openapi("NavChange", { description: "A post of a NAV, or a change of the price adapter" });

/** Answer of `/v1/assets/{rwaId}/navs`. */
export const navsAnswer = z
  .strictObject({
    network: networkName,
    chainId,
    rwaId: bytes32("RWA of the request"),
    from: time("Lower bound, inclusive"),
    to: time("Upper bound, exclusive"),
    before: z.union([navChange, z.null()]).openapi({
      description: "Newest change before the range: what was in force at its beginning; null if there is none",
    }),
    changes: z.array(navChange).openapi({ description: "Changes in the range, newest first" }),
    hasMore: z.boolean().openapi({
      description:
        "Whether the range has older changes that are left out. Ask again with a `to` one second after the oldest one shown",
    }),
    coverage,
  })
  .openapi("NavHistory", { description: "The NAVs of an RWA over time" });

/** Answer of `/v1/assets/{rwaId}/navs`. */
export type NavsAnswer = z.output<typeof navsAnswer>;
