/** Compares traces with the content of a block. */
import { hexToNumber } from "viem";
import { lowerCase } from "../../hex.ts";
import type { ProvenBlock } from "../blockProof.ts";
import { CallsMissed } from "./failures.ts";
import type { CallsOfBlock, TraceReader } from "./traceReader.ts";

/** The parts of a block that are compared. */
export interface BlockWithCalls {
  readonly hash: string;
  readonly number: `0x${string}`;
  readonly transactions: readonly { readonly hash: string; readonly to?: string | null | undefined }[];
}

/**
 * Compares the calls that traces named with the transactions of a block.
 * @param recipients in lower case
 * @throws CallsMissed unless exactly the block's transactions to these recipients were named
 */
export function verifyCallsOf(
  { hash, number, transactions }: BlockWithCalls,
  recipients: ReadonlySet<string>,
  named: CallsOfBlock | undefined,
): void {
  const block = `block ${hexToNumber(number)}`;
  const found = named?.transactions ?? new Set<string>();
  const made = new Set(
    transactions.filter(({ to }) => to && recipients.has(to.toLowerCase())).map((call) => call.hash.toLowerCase()),
  );
  if (named !== undefined && named.blockHash !== hash.toLowerCase()) {
    throw new CallsMissed(`trace_filter is about another ${block}`);
  }
  for (const call of made) {
    if (!found.has(call)) throw new CallsMissed(`trace_filter leaves out transaction ${call} of ${block}`);
  }
  for (const call of found) {
    if (!made.has(call)) throw new CallsMissed(`trace_filter names transaction ${call}, which ${block} does not have`);
  }
}

/**
 * Requests traces for all transactions of a block by their recipients. The block is proven by its own receipts and
 * logs, so none of its transactions is missing.
 * @throws CallsMissed unless trace_filter names exactly the transactions that have a recipient
 */
export async function sampleBlock(
  reader: TraceReader,
  prove: (blockNumber: number) => Promise<ProvenBlock>,
  blockNumber: number,
): Promise<void> {
  const { block } = await prove(blockNumber);
  const recipients = new Set(block.transactions.flatMap(({ to }) => (to ? [lowerCase(to)] : [])));
  if (recipients.size === 0) return;
  const named = await reader.callsTo([...recipients], blockNumber, blockNumber);
  verifyCallsOf(block, recipients, named.get(blockNumber));
}
