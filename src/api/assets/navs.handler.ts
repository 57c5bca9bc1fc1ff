import type { RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { perNetwork } from "../http/perNetwork.ts";
import { resolveRange } from "../http/range.ts";
import type { FeatureOptions } from "../http/route.ts";
import { coverageOf, stateReader } from "../shared/state.ts";
import { formatTime } from "../shared/time.ts";
import { type IndexedNavChange, navsReader } from "./navs.query.ts";
import { MAXIMUM_CHANGES, type navsRoute } from "./navs.route.ts";
import type { NavsAnswer } from "./navs.schema.ts";

/** Answers `/v1/assets/{rwaId}/navs` from the index. */
export function navsHandler({ database, networks, answer, now }: FeatureOptions): RouteHandler<typeof navsRoute> {
  const navsOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readNavs: navsReader(database, network),
  }));
  return async (c) => {
    const { rwaId } = c.req.valid("param");
    const query = c.req.valid("query");
    const { network, readState, readNavs } = navsOf(query.network);
    const { range, bounds } = resolveRange(query, now());
    return answer<NavsAnswer>(c, {
      text: questionOf(`/v1/assets/${rwaId}/navs`, { ...query, ...bounds }),
      network,
      readsNode: false,
      readState,
      read: async () => {
        const { state, before, changes } = await readNavs(rwaId, range, MAXIMUM_CHANGES + 1);
        return {
          state,
          body: {
            network: query.network,
            chainId: network.chainId,
            rwaId,
            ...bounds,
            before: before && shown(before),
            changes: changes.slice(0, MAXIMUM_CHANGES).map(shown),
            hasMore: changes.length > MAXIMUM_CHANGES,
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

function shown({ at, navPostedAt, ...change }: IndexedNavChange): NavsAnswer["changes"][number] {
  return { ...change, at: formatTime(at), navPostedAt: navPostedAt === null ? null : formatTime(navPostedAt) };
}
