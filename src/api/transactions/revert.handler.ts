import type { RouteHandler } from "@hono/zod-openapi";
import { questionOf } from "../http/answer.ts";
import { Unavailable } from "../http/errors.ts";
import { IndexDisagreement, withinDeadline } from "../http/indexedBlock.ts";
import { perNetwork } from "../http/perNetwork.ts";
import type { NodeOptions } from "../http/route.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { coverageOf, stateReader } from "../shared/state.ts";
import { NEWEST } from "./cursor.ts";
import { historyReader } from "./query.ts";
import type { revertRoute } from "./revert.route.ts";
import type { RevertAnswer, RevertReason } from "./revert.schema.ts";
import { readRevertReason } from "./revertReason.ts";
import type { HistoryTransaction } from "./schema.ts";

/** Answers `/v1/transactions/{transactionHash}/revert`. The node is read only for a transaction that failed. */
export function revertHandler(options: NodeOptions): RouteHandler<typeof revertRoute> {
  const { database, networks, answer } = options;
  const historyOf = perNetwork(networks, (network) => ({
    network,
    readState: stateReader(database, network),
    readPage: historyReader(database, network),
  }));
  return async (c) => {
    const { transactionHash } = c.req.valid("param");
    const query = c.req.valid("query");
    const { network, readState, readPage } = historyOf(query.network);
    return answer<RevertAnswer>(c, {
      text: questionOf(`/v1/transactions/${transactionHash}/revert`, query),
      network,
      readsNode: true,
      readState,
      read: async () => {
        const { state, transactions } = await readPage({ transactionHash }, { before: NEWEST, limit: 1 });
        const [transaction] = transactions;
        const outcome = transaction?.receipt.outcome ?? null;
        return {
          state,
          body: {
            network: query.network,
            chainId: network.chainId,
            transactionHash,
            outcome,
            revert:
              transaction === undefined || outcome !== "revert"
                ? null
                : await readReason(options, network, transaction),
            coverage: coverageOf(network, state),
          },
        };
      },
    });
  };
}

async function readReason(
  { nodeOf, logError }: NodeOptions,
  network: ApiNetwork,
  { transactionHash, inclusion }: HistoryTransaction,
): Promise<RevertReason> {
  try {
    const hash = transactionHash as `0x${string}`;
    return await withinDeadline(readRevertReason({ client: nodeOf(network), hash, blockHash: inclusion.blockHash }));
  } catch (error) {
    const failure = `the reason of ${transactionHash} cannot be read`;
    logError(failure, error);
    const cause =
      error instanceof IndexDisagreement ? "the node and the index disagree about it" : "the node does not answer";
    throw new Unavailable(`${failure}: ${cause}, try again later`);
  }
}
