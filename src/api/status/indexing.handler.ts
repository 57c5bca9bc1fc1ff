import type { RouteHandler } from "@hono/zod-openapi";
import { itself, questionOf } from "../http/answer.ts";
import { perNetwork } from "../http/perNetwork.ts";
import type { FeatureOptions } from "../http/route.ts";
import type { indexingRoute } from "./indexing.route.ts";
import type { IndexingAnswer } from "./indexing.schema.ts";
import { isSound, STOPPED_AFTER_SECONDS } from "./state.ts";
import { type AgedStatus, readAgedStatuses, type StatusSource } from "./statuses.ts";

/** Answers `/v1/status/indexing`. The tag is made from the whole answer, because the answer depends on the clock. */
export function indexingHandler(options: FeatureOptions & StatusSource): RouteHandler<typeof indexingRoute> {
  const { networks, answer } = options;
  const onlyOf = perNetwork(networks, (network) => [network]);
  return async (c) => {
    const query = c.req.valid("query");
    const asked = query.network === undefined ? networks : onlyOf(query.network);
    const read = await readAgedStatuses({ ...options, networks: asked });
    const body: IndexingAnswer = { networks: read.map(({ status }) => status) };
    const { maxLagSeconds, maxAgeSeconds } = query;
    const isBehind = maxLagSeconds !== undefined && !read.every((aged) => isWithin(aged, maxLagSeconds));
    const isOld = maxAgeSeconds !== undefined && !read.some((aged) => isFresh(aged, maxAgeSeconds));
    if (isBehind || isOld) {
      return c.json(body, 503, { "Cache-Control": "no-store" });
    }
    return answer(c, { text: questionOf("/v1/status/indexing", query), ...itself(body) });
  };
}

function isWithin({ status, blockAgeSeconds }: AgedStatus, maxLagSeconds: number): boolean {
  return isSound(status.state) && isAtMost(blockAgeSeconds, maxLagSeconds);
}

/** Whether a row is not older than an age. */
function isFresh({ ageSeconds }: AgedStatus, maxAgeSeconds: number): boolean {
  return isAtMost(ageSeconds && Math.floor(ageSeconds), maxAgeSeconds);
}

/** A time that is far in the future, because a clock is wrong, says nothing about an age. */
function isAtMost(ageSeconds: number | null, maximum: number): boolean {
  return ageSeconds !== null && ageSeconds <= maximum && ageSeconds >= -STOPPED_AFTER_SECONDS;
}
