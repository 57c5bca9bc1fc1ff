/** Keeps the price cache of one network fresh: finds the assets that need a price and reads those that are due. */
import type { Hex, PublicClient } from "viem";
import { DAY_SECONDS } from "../shared/time.ts";
import { type Observation, observePrices, type WantedPrice } from "./observe.ts";
import type { PriceRows, PriceStore, RwaPrice } from "./store.ts";
import type { WantedPrices } from "./wanted.ts";

const FULL_REFRESH_SECONDS = DAY_SECONDS;
const MINUTE_SECONDS = 60n;
const LONGEST_RETRY_MINUTES = 60n;

/** The sources and the store of one network's refresher. */
export interface RefresherOptions {
  readonly chainId: number;
  readonly client: PublicClient;
  readonly store: PriceStore;
  readonly readWanted: () => Promise<WantedPrices>;
  /** Returns the time in seconds since 1970. */
  readonly now: () => bigint;
  readonly logWarning: (message: string, error?: unknown) => void;
}

interface Retry {
  readonly priceAdapter: string;
  readonly failureCount: number;
  /** Second before which the price is not read again. */
  readonly dueAt: bigint;
}

/** Seconds until the next attempt after `failureCount` failures in a row, from 1: 1 minute, 2, 4 and so on up to 60. */
export function retryDelaySeconds(failureCount: number): bigint {
  const minutes = 2n ** BigInt(Math.min(failureCount, 7) - 1);
  return (minutes > LONGEST_RETRY_MINUTES ? LONGEST_RETRY_MINUTES : minutes) * MINUTE_SECONDS;
}

/** Creates the refresher of one network. The caller decides when to run a cycle. */
export function createRefresher(options: RefresherOptions) {
  const { chainId, client, store, readWanted, now, logWarning } = options;
  const startedAt = now();
  const retries = new Map<Hex, Retry>();

  /**
   * Whether a price is due: it is missing, from another adapter, a day old or from before this process, and its last
   * attempt did not just fail.
   */
  function isDue({ rwaId, priceAdapter }: WantedPrice, cached: RwaPrice | undefined): boolean {
    const retry = retries.get(rwaId);
    if (retry?.priceAdapter === priceAdapter && now() < retry.dueAt) return false;
    return (
      cached === undefined ||
      cached.priceAdapter !== priceAdapter ||
      cached.fetchedAt < startedAt ||
      now() - cached.fetchedAt >= FULL_REFRESH_SECONDS
    );
  }

  function postpone({ rwaId, priceAdapter }: WantedPrice): void {
    const former = retries.get(rwaId);
    const failureCount = (former?.priceAdapter === priceAdapter ? former.failureCount : 0) + 1;
    retries.set(rwaId, { priceAdapter, failureCount, dueAt: now() + retryDelaySeconds(failureCount) });
  }

  async function refresh(rows: PriceRows, wanted: readonly WantedPrice[]): Promise<void> {
    const cached = new Map((await rows.read(chainId)).map((price) => [price.rwaId, price]));
    const due = wanted.filter((asset) => isDue(asset, cached.get(asset.rwaId)));
    if (due.length === 0) return;

    let observation: Observation;
    try {
      observation = await observePrices(client, due);
    } catch (error) {
      for (const asset of due) postpone(asset);
      logWarning(`prices of chain ${chainId} could not be read`, error);
      return;
    }
    const { blockNumber, blockHash, prices, failures } = observation;
    const fetchedAt = now();
    await rows.write(prices.map((price) => ({ ...price, chainId, fetchedAt, blockNumber, blockHash })));
    for (const { rwaId } of prices) retries.delete(rwaId);
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
      const { wanted, isBackfilling } = await readWanted();
      if (wanted.length > 0) await store.exclusively(chainId, (rows) => refresh(rows, wanted));
      return { isBackfilling };
    },
  };
}

/** The refresher of one network. */
export type Refresher = ReturnType<typeof createRefresher>;
