/** Keeps the price cache of one network fresh: finds the assets that need a price and reads those that are due. */
import { DAY_SECONDS } from "@coreswap/sdk";
import type { Address, Hash, Hex, PublicClient } from "viem";
import { backoffMs } from "../../../config/rpc/pace.ts";
import { hashOf, type Observation, observePrices, requireBlock, type WantedPrice } from "./observe.ts";
import type { PriceRows, PriceStore, RwaPrice } from "./store.ts";
import type { IndexedBlock, WantedPrices } from "./wanted.ts";

const FULL_REFRESH_SECONDS = DAY_SECONDS;
/** Age from which the block of a price is taken to be final. Blocks become final after 13 minutes. */
const FINAL_AFTER_SECONDS = 3_600n;
const COMPARE_MS = 30_000;
const MINUTE_MS = 60_000;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;

/** The sources and the store of one network's refresher. */
interface RefresherOptions {
  readonly chainId: number;
  readonly client: PublicClient;
  readonly store: PriceStore;
  readonly readWanted: () => Promise<WantedPrices>;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  /** Returns the milliseconds of a monotonic clock. */
  readonly clock?: () => number;
  readonly logWarning: (message: string, error?: unknown) => void;
}

interface Retry {
  readonly priceAdapter: string;
  readonly failureCount: number;
  /** Time of the monotonic clock from which the price is read again. */
  readonly fromMs: number;
}

/** Whether a time is in the given number of seconds from a start, which is included. */
function isWithin(start: bigint, seconds: bigint, time: bigint): boolean {
  return start <= time && time < start + seconds;
}

/** Creates the refresher of one network. The caller decides when to run a cycle. */
export function createRefresher(options: RefresherOptions) {
  const { chainId, client, store, readWanted, now, logWarning } = options;
  const clock = options.clock ?? (() => performance.now());
  /** Prices from before this second are from before this process. */
  let startedAt = now();
  const retries = new Map<Hex, Retry>();
  /** The adapter of each price that this process wrote last. */
  const written = new Map<Hex, Address>();
  /** Time of the monotonic clock from which the blocks of prices are compared with those of the node again. */
  let compareFromMs = 0;

  /**
   * Whether the price of an adapter is due: it is missing, from before another adapter of the asset, from a block that
   * was replaced, a day old or from before this process, and its last attempt did not just fail. A time after now was
   * taken from a clock that was ahead, and says nothing about the age of a price.
   *
   * The indexes of a database share the cache. One that backfills does not read an adapter that may have been retired
   * long ago if another index has read the asset's price.
   */
  function isDue(
    { rwaId, priceAdapter }: WantedPrice,
    cached: readonly RwaPrice[],
    time: bigint,
    replaced: ReadonlySet<Hash>,
    isBackfilling: boolean,
  ): boolean {
    const ofAsset = cached.filter((price) => price.rwaId === rwaId);
    const price = ofAsset.find((each) => each.priceAdapter === priceAdapter);
    const former = written.get(rwaId);
    if (isBackfilling && price === undefined && former === undefined && ofAsset.length > 0) return false;
    const retry = retries.get(rwaId);
    if (retry?.priceAdapter === priceAdapter && clock() < retry.fromMs) return false;
    return (
      price === undefined ||
      (former !== undefined && former !== priceAdapter) ||
      replaced.has(price.blockHash) ||
      price.fetchedAt < startedAt ||
      !isWithin(price.fetchedAt, FULL_REFRESH_SECONDS, time)
    );
  }

  /**
   * Returns which blocks of young prices the node no longer has, if it is time to compare them. A price that was posted
   * in such a block may never have been in force.
   */
  async function replacedBlocks(
    prices: readonly RwaPrice[],
    time: bigint,
    indexed: IndexedBlock,
  ): Promise<ReadonlySet<Hash>> {
    const replaced = new Set<Hash>();
    if (clock() < compareFromMs) return replaced;
    compareFromMs = clock() + COMPARE_MS;
    const young = prices.filter(({ fetchedAt }) => isWithin(fetchedAt, FINAL_AFTER_SECONDS, time));
    if (young.length === 0) return replaced;
    try {
      await requireBlock(client, indexed);
      for (const [blockHash, blockNumber] of new Map(young.map((price) => [price.blockHash, price.blockNumber]))) {
        if ((await hashOf(client, blockNumber)) !== blockHash) replaced.add(blockHash);
      }
    } catch (error) {
      logWarning(`blocks of the prices of chain ${chainId} could not be compared, and will be again`, error);
    }
    return replaced;
  }

  function postpone({ rwaId, priceAdapter }: WantedPrice): void {
    const former = retries.get(rwaId);
    const failureCount = (former?.priceAdapter === priceAdapter ? former.failureCount : 0) + 1;
    const fromMs = clock() + backoffMs(failureCount, MINUTE_MS, LONGEST_RETRY_MS);
    retries.set(rwaId, { priceAdapter, failureCount, fromMs });
  }

  async function refresh(
    rows: PriceRows,
    wanted: readonly WantedPrice[],
    indexed: IndexedBlock,
    isBackfilling: boolean,
  ): Promise<void> {
    const cached = await rows.read(chainId);
    const time = now();
    // Otherwise every price would seem to be from before this process until the clock reaches its start again.
    if (time < startedAt) startedAt = time;
    const replaced = await replacedBlocks(cached, time, indexed);
    const due = wanted.filter((asset) => isDue(asset, cached, time, replaced, isBackfilling));
    if (due.length === 0) return;

    let observation: Observation;
    try {
      observation = await observePrices(client, due, indexed);
    } catch (error) {
      for (const asset of due) postpone(asset);
      logWarning(`prices of chain ${chainId} could not be read`, error);
      return;
    }
    const { blockNumber, blockHash, prices, failures } = observation;
    const fetchedAt = now();
    await rows.write(prices.map((price) => ({ ...price, chainId, fetchedAt, blockNumber, blockHash })));
    for (const { rwaId, priceAdapter } of prices) {
      retries.delete(rwaId);
      written.set(rwaId, priceAdapter);
    }
    for (const failure of failures) {
      postpone(failure);
      logWarning(
        `price adapter ${failure.priceAdapter} of RWA ${failure.rwaId} on chain ${chainId}: ${failure.reason}`,
      );
    }
  }

  return {
    /** Runs one cycle and returns whether the backfill may still add RWAs. */
    async refreshDue(): Promise<{ readonly isBackfilling: boolean }> {
      const { wanted, isBackfilling, newestBlock } = await readWanted();
      if (wanted.length > 0 && newestBlock !== null) {
        await store.exclusively(chainId, (rows) => refresh(rows, wanted, newestBlock, isBackfilling));
      }
      return { isBackfilling };
    },
  };
}

/** The refresher of one network. */
export type Refresher = ReturnType<typeof createRefresher>;
