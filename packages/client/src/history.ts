/** The transaction history, page after page, across reorganizations. */
import { ApiError, apiErrorOf, foreignAnswerError } from "./apiError.ts";
import { eventIdOf, transactionNamedBy } from "./eventId.ts";
import type { CoreSwapClient, Schemas } from "./index.ts";
import type { paths } from "./schema.ts";
import { delayMs, wait } from "./waiting.ts";

type Transaction = Schemas["Transaction"];
type Page = Schemas["TransactionHistory"];
type PageQuery = paths["/v1/transactions"]["get"]["parameters"]["query"];
type HistoryQuery = Omit<PageQuery, "cursor">;

/** How often the part that is not final is read before the reader gives up: two readings have to agree. */
const MAXIMUM_READINGS = 10;

/** How often a page is asked for before the reader gives up, while the API says when to ask again, or it is behind. */
const MAXIMUM_TRIES = 5;

/** The newest transactions changed during every reading, or every reading lacked what the caller has heard of. */
export class ChangingHistoryError extends Error {
  override readonly name = "ChangingHistoryError";

  constructor() {
    super(
      `the newest transactions changed during each of ${MAXIMUM_READINGS} readings, or servers behind the address were ` +
        "behind others: try again later",
    );
  }
}

/**
 * All transactions that satisfy the filters, newest first, page after page, as they were at one moment: none is
 * repeated or left out, even when a reorganization happens between two pages.
 *
 * A cursor is a position in the chain, so pages read before and after a reorganization do not fit together. Only blocks
 * above `coverage.historicalBackfill.indexedThroughBlock` can be replaced: their transactions are read before the first
 * one is returned, and read again, if they take more than one page, until two readings in a row agree. A cache could
 * answer both readings with the same old pages, so all these pages are read past caches. The servers behind one address
 * can be apart, so all pages of a reading must show the same newest block. Later pages count only if the index has the
 * block at which the page before ended.
 *
 * Too many requests (429), and a 503 that says when to ask again, are no failures: the page is asked for again after that
 * time, up to five times in all.
 *
 * A transaction that was returned can still be taken back later. To hear of that, open `followHistory` first, and read
 * with the `id` of its first `position`.
 * @param options `signal` ends the iteration, which then throws the signal's reason. `lastEventId` is an id of the event
 * stream: a reading that lacks its transaction is of a server that is behind, and is made again up to four times. The
 * query must not have a filter that leaves that transaction out
 * @throws ApiError when the API refuses the query or fails, or the server that answers stays behind the one before
 * @throws ChangingHistoryError when the newest transactions change all the time, or lack that of `lastEventId`
 */
export async function* allTransactions(
  client: CoreSwapClient,
  query: HistoryQuery,
  { signal, lastEventId }: ReadingOptions = {},
): AsyncGenerator<Transaction, void> {
  const pageAt: PageReader = (cursor, demandedBlock) =>
    patientPageOf(client, cursor === null ? query : { ...query, cursor }, { signal, demandedBlock });
  const newest = await newestTransactionsAfter(pageAt, lastEventId, signal);
  yield* newest.transactions;
  let oldest = newest.transactions.at(-1);
  for (let cursor = newest.nextCursor; cursor !== null; ) {
    let page = await pageAt(cursor);
    // A cache may have kept it since before its transactions were final, or the server may lack some of them.
    if (oldest !== undefined && isAbove(finalBlockOf(page), oldest)) {
      page = await pageAt(cursor, Number(oldest.inclusion.blockNumber));
    }
    yield* page.transactions;
    oldest = page.transactions.at(-1);
    cursor = page.nextCursor;
  }
}

interface ReadingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly lastEventId?: string | undefined;
}

/** The start of the history, from the newest transaction to the first page that ends with a final one. */
interface Newest extends Pick<Page, "transactions" | "nextCursor"> {
  readonly finalBlock: bigint;
}

/** Reads the page at a cursor. When a block is demanded (`Min-Indexed-Block`), no cache answers. */
type PageReader = (cursor: string | null, demandedBlock?: number) => Promise<Page>;

/** Reads again, as after a 503, what lacks the transaction that an id names. */
async function newestTransactionsAfter(
  pageAt: PageReader,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Newest> {
  const named = lastEventId === undefined ? null : transactionNamedBy(lastEventId);
  for (let failures = 0; ; failures += 1) {
    const newest = await newestTransactions(pageAt, Number(named?.blockNumber ?? 0));
    // No server lacks a final block up to the newest one that it knows.
    if (named === null || named.blockNumber <= newest.finalBlock) return newest;
    if (newest.transactions.some((transaction) => eventIdOf(transaction) === named.eventId)) return newest;
    const error = new ChangingHistoryError();
    if (failures + 1 === MAXIMUM_TRIES) throw error;
    await wait(delayMs(failures, error), signal);
  }
}

async function newestTransactions(pageAt: PageReader, demandedBlock: number): Promise<Newest> {
  // A cache could answer with a page of before the change of which the caller has heard.
  const first = await pageAt(null, demandedBlock);
  // Of the first reading, for all of them: later ones may know of more final blocks.
  const finalBlock = finalBlockOf(first);
  // One page is one statement of the database.
  if (first.nextCursor === null || !isAbove(finalBlock, first.transactions.at(-1))) return { ...first, finalBlock };
  let before = await throughFinalBlock(pageAt, first, finalBlock);
  for (let reading = 2; reading <= MAXIMUM_READINGS; reading += 1) {
    const again = await throughFinalBlock(pageAt, await pageAt(null, pastCaches(finalBlock)), finalBlock);
    if (before !== null && again !== null && endsWith(again.transactions, before.transactions, finalBlock)) {
      return before;
    }
    before = again;
  }
  throw new ChangingHistoryError();
}

/**
 * Reads pages until one ends with a final transaction. Returns null if one shows another newest block than the first. It
 * may be of another chain, from a server that is behind, which two readings in a row would not show.
 */
async function throughFinalBlock(pageAt: PageReader, first: Page, finalBlock: bigint): Promise<Newest | null> {
  const transactions = [...first.transactions];
  let cursor = first.nextCursor;
  while (cursor !== null && isAbove(finalBlock, transactions.at(-1))) {
    const page = await pageAt(cursor, pastCaches(finalBlock));
    if (newestHashOf(page) !== newestHashOf(first)) return null;
    transactions.push(...page.transactions);
    cursor = page.nextCursor;
  }
  return { transactions, nextCursor: cursor, finalBlock };
}

/** Whether the transactions that are not final are the same, apart from newer ones of the later reading. */
function endsWith(later: readonly Transaction[], earlier: readonly Transaction[], finalBlock: bigint): boolean {
  const keysOf = (transactions: readonly Transaction[]) =>
    transactions
      .filter((transaction) => isAbove(finalBlock, transaction))
      .map(({ transactionHash, inclusion }) => `${inclusion.blockHash} ${transactionHash}`);
  const expected = keysOf(earlier);
  const found = keysOf(later);
  const added = found.length - expected.length;
  return added >= 0 && expected.every((key, index) => found[added + index] === key);
}

function isAbove(block: bigint, transaction: Transaction | undefined): boolean {
  return transaction !== undefined && BigInt(transaction.inclusion.blockNumber) > block;
}

/** The newest final block; below every block when none is indexed as final yet. */
function finalBlockOf({ coverage }: Page): bigint {
  return BigInt(coverage.historicalBackfill.indexedThroughBlock ?? -1);
}

/** The hash of the block of the newest event that was streamed live. */
function newestHashOf({ coverage }: Page): string | undefined {
  return coverage.lastMatchingStreamObservation?.blockHash;
}

interface PageOptions {
  readonly signal?: AbortSignal | undefined;
  readonly demandedBlock?: number | undefined;
}

/**
 * A block to demand, so that no cache answers. The operator's proxy passes on every request that demands a block,
 * browsers obey `cache`, and other caches keep one answer for each demanded block, so it is chosen at random.
 * @param finalBlock a block up to which every index has all blocks
 */
function pastCaches(finalBlock: bigint): number {
  return Math.floor(Math.random() * (Number(finalBlock) + 1));
}

/** Asks for the same page again when the API says so. @throws as `pageOf` */
async function patientPageOf(client: CoreSwapClient, query: PageQuery, options: PageOptions): Promise<Page> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await pageOf(client, query, options);
    } catch (error) {
      if (failures + 1 === MAXIMUM_TRIES || !asksToWait(error)) throw error;
      await wait(delayMs(failures, error), options.signal);
    }
  }
}

function asksToWait(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (error.status === 503 && error.retryAfterSeconds !== null);
}

/** @throws ApiError when the API refuses the query or fails, or something else answers in its place; the signal's reason */
export async function pageOf(
  client: CoreSwapClient,
  query: PageQuery,
  { signal, demandedBlock }: PageOptions = {},
): Promise<Page> {
  const { data, error, response } = await client
    .GET("/v1/transactions", {
      params: { query, ...(demandedBlock !== undefined && { header: { "Min-Indexed-Block": String(demandedBlock) } }) },
      ...(demandedBlock !== undefined && { cache: "no-store" as const }),
      ...(signal && { signal }),
    })
    .catch((failure: unknown) => {
      throw failure instanceof SyntaxError ? foreignAnswerError("it is not JSON") : failure;
    });
  if (!response.ok) throw apiErrorOf(response, error);
  if (!Array.isArray(data?.transactions)) throw foreignAnswerError("it is not a page of the history");
  return data;
}
