/** The `chain_state` row of a network: the newest indexed event. */
import { chainState } from "ponder:schema";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { BlockEvent, Context } from "./events.ts";

/** Networks that this process has seen live. A network never returns to backfilling. */
const liveNetworks = new Set<string>();

/** Whether events of a network are being streamed, not backfilled. Ponder offers no other way to determine this. */
async function isLive(network: string): Promise<boolean> {
  if (liveNetworks.has(network)) return true;
  const { values } = await globalThis.PONDER_COMMON.metrics.ponder_sync_is_realtime.get();
  if (!values.some(({ labels, value }) => labels.chain === network && value === 1)) return false;
  liveNetworks.add(network);
  return true;
}

/**
 * Records that an event was indexed, before its handler writes. One write per block is enough, because Ponder never
 * commits a part of a block.
 */
export async function touchChainState(context: Context, event: BlockEvent): Promise<void> {
  const { db, chain } = context;
  const blockHash = lowerCase(event.block.hash);
  const stored = await db.find(chainState, { chainId: chain.id });
  if (stored?.blockHash === blockHash) return;
  const observation = (await isLive(chain.name))
    ? { observedBlockNumber: event.block.number, observedBlockHash: blockHash }
    : {};
  const position = { blockNumber: event.block.number, blockHash, eventId: event.id, ...observation };
  await db
    .insert(chainState)
    .values({ chainId: chain.id, seriesCount: 0, ...position })
    .onConflictDoUpdate(position);
}

/** Takes the next free ID of a volume series. The row of the network exists because `touchChainState` created it. */
export async function nextSeriesId({ db, chain }: Context): Promise<number> {
  const { seriesCount } = await db
    .update(chainState, { chainId: chain.id })
    .set((state) => ({ seriesCount: state.seriesCount + 1 }));
  return seriesCount - 1;
}
