/** Waits until the API answers with everything that the demo put on the chains. */
import { setTimeout as sleep } from "node:timers/promises";
import { ask, getText } from "./request.ts";

const INTERVAL_MS = 250;

/** The economic history of a network. */
export interface ExpectedHistory {
  /** The API's name of the network. */
  readonly network: string;
  readonly newestHash: string;
  /** Last block of the chain. */
  readonly lastBlock: bigint;
}

interface CompletionOptions {
  readonly baseUrl: string;
  readonly histories: readonly ExpectedHistory[];
  /** Longest time without a change. */
  readonly stallTimeoutMs: number;
  /** Called at every change with the progress: "evm-mainnet: block 349 of 366". */
  readonly onProgress: (text: string) => void;
}

/**
 * Waits until the backfill is done, every history is served up to its newest transaction and every RWA has a price,
 * however long that takes: it fails only when nothing changes for a while.
 * @throws Error if an answer of the API is not 200, or if nothing has changed for too long. The message names what is
 * missing
 */
export async function waitUntilComplete(options: CompletionOptions): Promise<void> {
  const { baseUrl, histories, stallTimeoutMs, onProgress } = options;
  let known = "";
  let changedAt = performance.now();
  for (;;) {
    const missing = await missingOf(baseUrl, histories);
    if (missing === null) return;
    if (missing !== known) {
      known = missing;
      changedAt = performance.now();
      onProgress(missing);
    }
    if (performance.now() - changedAt > stallTimeoutMs) {
      throw new Error(`Nothing has changed for ${stallTimeoutMs / 1000} s. Still missing: ${missing}`);
    }
    await sleep(INTERVAL_MS);
  }
}

/** The parts that the answers still lack, with the progress; null when they are complete. */
async function missingOf(baseUrl: string, histories: readonly ExpectedHistory[]): Promise<string | null> {
  try {
    const parts = await Promise.all(histories.map((history) => missingOfNetwork(baseUrl, history)));
    const missing = parts.filter((part) => part !== null);
    if (missing.length > 0) return missing.join(", ");
    return (await ask(`${baseUrl}/ready`)).ok ? null : "the end of the backfill";
  } catch (error) {
    // Not listening yet, or busy with a range of blocks.
    if (isWithoutAnswer(error)) return "an answer from the API";
    throw error;
  }
}

async function missingOfNetwork(baseUrl: string, history: ExpectedHistory): Promise<string | null> {
  const { network, newestHash, lastBlock } = history;
  const page = await get<HistoryPage>(`${baseUrl}/v1/transactions?network=${network}&limit=1`);
  const [newest] = page.transactions;
  if (newest?.transactionHash !== newestHash) return `${network}: block ${newestBlockOf(page)} of ${lastBlock}`;
  const volume = await get<Volume>(`${baseUrl}/v1/volume?network=${network}`);
  return volume.pricingComplete ? null : `${network}: prices of ${volume.missingPriceAssetIds.join(" and ")}`;
}

/** The newest block in the answer, which is final, was streamed or has a transaction. */
function newestBlockOf({ transactions, coverage }: HistoryPage): number {
  return Math.max(
    Number(coverage.historicalBackfill.indexedThroughBlock ?? 0),
    Number(coverage.lastMatchingStreamObservation?.blockNumber ?? 0),
    ...transactions.map(({ inclusion }) => Number(inclusion.blockNumber)),
  );
}

interface HistoryPage {
  readonly transactions: readonly {
    readonly transactionHash: string;
    readonly inclusion: { readonly blockNumber: string };
  }[];
  readonly coverage: {
    readonly historicalBackfill: { readonly indexedThroughBlock: string | null };
    readonly lastMatchingStreamObservation: { readonly blockNumber: string } | null;
  };
}

interface Volume {
  readonly pricingComplete: boolean;
  readonly missingPriceAssetIds: readonly string[];
}

async function get<Answer>(url: string): Promise<Answer> {
  return JSON.parse(await getText(url)) as Answer;
}

/** How `fetch` reports that no connection was made, or no answer arrived in time. */
function isWithoutAnswer(error: unknown): boolean {
  return error instanceof Error && (error.message === "fetch failed" || error.name === "TimeoutError");
}
