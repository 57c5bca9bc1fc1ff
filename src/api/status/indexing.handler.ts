import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { formatTime } from "../formats/time.ts";
import { answer } from "../http/conditional.ts";
import { recent } from "../http/recent.ts";
import { type ApiNetwork, apiNameOf, requireNetwork } from "../networks.ts";
import type { indexingRoute } from "./indexing.route.ts";
import type { IndexingAnswer, NetworkStatus } from "./indexing.schema.ts";
import { decideReadState, isSound } from "./state.ts";
import { readStatusRows, type StatusRow } from "./table.ts";

/** Answers `/v1/status/indexing`. The tag of an answer is made from all of it, since it depends on the clock. */
export function indexingHandler(dependencies: ApiDependencies): RouteHandler<typeof indexingRoute> {
  const { networks } = dependencies;
  const readAll = recent(() => readNetworkStatuses(dependencies));
  return async (c) => {
    const query = c.req.valid("query");
    const asked = query.network === undefined ? networks : [requireNetwork(networks, query.network)];
    const statuses = (await readAll()).filter(({ chainId }) => asked.some((network) => network.chainId === chainId));
    const body: IndexingAnswer = { networks: statuses };
    const { maxLagSeconds } = query;
    if (maxLagSeconds !== undefined && !statuses.every((status) => isWithin(status, maxLagSeconds))) {
      return c.json(body, 503, { "Cache-Control": "no-store" });
    }
    const key = ["/v1/status/indexing", query.network, maxLagSeconds];
    return answer(c, { key, readState: async () => body, read: async () => ({ state: body, body }) });
  };
}

function isWithin({ state, lagSeconds }: NetworkStatus, maxLagSeconds: number): boolean {
  return isSound(state) && lagSeconds !== null && lagSeconds <= maxLagSeconds;
}

/** The networks that are on, as their rows say. */
export async function readNetworkStatuses({
  database,
  networks,
  forkOf,
  now,
}: Pick<ApiDependencies, "database" | "networks" | "forkOf" | "now">): Promise<NetworkStatus[]> {
  const rows = await readStatusRows(database, networks);
  const at = now();
  return networks.map((network, index) => statusOf(network, rows[index] ?? null, forkOf(network) !== null, at));
}

function statusOf(network: ApiNetwork, row: StatusRow | null, isForked: boolean, now: bigint): NetworkStatus {
  const state = decideReadState(row?.state ?? null, { rowAgeSeconds: row?.ageSeconds ?? null, isForked });
  const identity = { network: apiNameOf(network), chainId: network.chainId, state };
  if (row === null) {
    return {
      ...identity,
      stateSince: null,
      reason: "no indexer has written a state for this database schema",
      head: null,
      newestIndexedBlock: null,
      newestFinalBlock: null,
      lagSeconds: null,
      lagBlocks: null,
      reorganizations: 0,
      audit: null,
      writtenAt: null,
    };
  }
  const { head, indexed, audit } = row;
  const asOf = head && formatTime(head.askedAt);
  const lagBlocks = head && indexed && notNegative(head.blockNumber - indexed.blockNumber);
  return {
    ...identity,
    stateSince: formatTime(state === row.state ? row.stateSince : row.writtenAt),
    reason: state === row.state ? row.reason : reasonOf(state),
    head: head && {
      blockNumber: head.blockNumber.toString(),
      blockHash: head.blockHash,
      timestamp: formatTime(head.timestamp),
      asOf: formatTime(head.askedAt),
    },
    newestIndexedBlock: indexed && {
      blockNumber: indexed.blockNumber.toString(),
      timestamp: formatTime(indexed.timestamp),
    },
    newestFinalBlock: row.finalNumber?.toString() ?? null,
    lagSeconds: indexed && Number(notNegative(now - indexed.timestamp)),
    lagBlocks: lagBlocks === null || asOf === null ? null : { blocks: lagBlocks.toString(), asOf },
    reorganizations: row.reorganizations,
    audit: audit && {
      fromBlock: audit.fromBlock.toString(),
      toBlock: audit.toBlock.toString(),
      finishedAt: formatTime(audit.finishedAt),
      result: audit.result,
      difference: audit.difference,
    },
    writtenAt: formatTime(row.writtenAt),
  };
}

/** Why a reader names another state than the row. */
function reasonOf(state: NetworkStatus["state"]): string {
  return state === "forked"
    ? "the newest final block is not that of this server's node"
    : "the indexer has not written since writtenAt";
}

/** The chain's clock may be ahead of this one's, and the index of a head asked a moment ago. */
function notNegative(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
