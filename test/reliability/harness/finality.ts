/** Making the history of local chains final. */
import { createChainClient } from "../../../localnet/chain.ts";
import { type ApiClient, apiNetwork } from "../../e2e/harness/api.ts";
import { PATIENCE_MS, waitUntil } from "../../e2e/harness/poll.ts";
import type { Stack } from "../../e2e/harness/stack.ts";
import { NETWORKS, type Oracles } from "./answers.ts";

/** Twice the number of blocks after which Ponder makes blocks final, plus some. */
const BLOCKS_TO_FINALITY = 140;

/** Chains, and the API of an index of them. */
interface Indexed {
  readonly world: { readonly stack: Stack };
  readonly api: ApiClient;
}

/**
 * Mines blocks until the whole history is final. A restarted indexer first rolls back rows that are not final; final rows
 * never leave the answers.
 */
export async function makeFinal({ world, api }: Indexed, oracles: Oracles, deadlineMs = PATIENCE_MS): Promise<void> {
  for (const network of NETWORKS) {
    await createChainClient(world.stack.deployed(network).rpcUrl).mine({ blocks: BLOCKS_TO_FINALITY, interval: 1 });
    const newest = oracles[network].chain.blockHashes.length - 1;
    await waitUntil(
      `block ${newest} of ${network} is final`,
      async () => {
        const { text } = await api.request(`/v1/status/indexing?network=${apiNetwork(network)}`);
        const { networks } = JSON.parse(text) as { networks: { newestFinalBlock: string | null }[] };
        const final = Number(networks[0]?.newestFinalBlock ?? -1);
        return final >= newest ? null : `the newest final block is ${final}`;
      },
      { deadlineMs },
    );
  }
}
