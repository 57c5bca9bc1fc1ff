/** Reads from a node's `trace_filter` which transactions have given recipients. */
import { type Address, BaseError, numberToHex } from "viem";
import { z } from "zod";
import { firstLineOf } from "../../../errorText.ts";
import type { RpcNetwork } from "../rpcNetwork.ts";
import { CallsMissed, TracesRefused } from "./failures.ts";

/**
 * Maximum number of blocks per request. Nodes that allow fewer refuse the request, and then receive requests for half
 * of them.
 */
const MOST_BLOCKS = 10_000;

/** The factor by which a range grows again after a refusal. Ponder uses the same factor for `eth_getLogs`. */
const GROWTH = 1.05;

const hexOf = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-f]{${digits}}$`, "i"))
    .toLowerCase();

/** The parts of a trace that are read. Traces of block rewards belong to no transaction. */
const traceSchema = z.object({
  type: z.string(),
  action: z.object({ to: hexOf(40).nullish(), callType: z.string().nullish() }),
  traceAddress: z.array(z.int()),
  blockNumber: z.int(),
  blockHash: hexOf(64),
  transactionHash: hexOf(64).nullish(),
});

/** The transactions of a block to the recipients; none if only other contracts call them. */
export interface CallsOfBlock {
  readonly blockHash: string;
  readonly transactions: ReadonlySet<string>;
}

/** Calls by block number. All hashes are in lower case. */
export type NamedCalls = ReadonlyMap<number, CallsOfBlock>;

export interface TraceReader {
  /**
   * Returns the transactions in a range of blocks, both ends inclusive, whose recipient is one of these addresses.
   * Reverted transactions are included. A block in which only other contracts call the recipients has no transactions,
   * but is named, because its logs are compared with its bloom when it is fetched.
   *
   * Each part of the range is requested as a whole and in two parts, because an answer that was cut short differs from
   * them.
   * @throws CallsMissed when the two answers differ, or contradict themselves
   * @throws TracesRefused when a single block is refused, or the answer is not a list of traces
   */
  callsTo(recipients: readonly Address[], from: number, to: number): Promise<NamedCalls>;
}

export function createTraceReader(network: Pick<RpcNetwork, "request">): TraceReader {
  let span = MOST_BLOCKS;

  async function requestCalls(recipients: readonly Address[], from: number, to: number): Promise<NamedCalls> {
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to), toAddress: recipients };
    const { answer } = await network.request({
      method: "trace_filter",
      params: [range],
      block: BigInt(to),
      confirmsChain: true,
    });
    return readCalls(answer, recipients, from, to);
  }

  async function requestTwice(recipients: readonly Address[], from: number, to: number): Promise<NamedCalls> {
    const whole = await requestCalls(recipients, from, to);
    if (from === to) return whole;
    const cut = from + Math.floor(((to - from) * 3) / 8);
    const parts = new Map([
      ...(await requestCalls(recipients, from, cut)),
      ...(await requestCalls(recipients, cut + 1, to)),
    ]);
    for (const number of new Set([...whole.keys(), ...parts.keys()])) {
      if (!areSameCalls(whole.get(number), parts.get(number))) {
        throw new CallsMissed(`two answers of trace_filter about blocks ${from} to ${to} differ in block ${number}`);
      }
    }
    return whole;
  }

  return {
    async callsTo(recipients, from, to) {
      const calls = new Map<number, CallsOfBlock>();
      for (let start = from; start <= to; ) {
        const end = Math.min(to, start + span - 1);
        try {
          for (const [number, found] of await requestTwice(recipients, start, end)) calls.set(number, found);
          start = end + 1;
          span = Math.min(MOST_BLOCKS, Math.ceil(span * GROWTH));
        } catch (error) {
          // A refusal of a node is an error of viem. Any other error does not depend on the size of the range.
          if (!(error instanceof BaseError)) throw error;
          if (start === end)
            throw new TracesRefused(`trace_filter for block ${start} is refused: ${firstLineOf(error)}`);
          span = Math.floor((end - start + 1) / 2);
        }
      }
      return calls;
    },
  };
}

function readCalls(answer: unknown, recipients: readonly Address[], from: number, to: number): NamedCalls {
  const { success, data: traces } = z.array(traceSchema).safeParse(answer);
  if (!success) throw new TracesRefused("an answer of trace_filter is not a list of traces");
  const wanted = new Set<string>(recipients.map((address) => address.toLowerCase()));
  const calls = new Map<number, { blockHash: string; transactions: Set<string> }>();
  for (const { type, action, traceAddress, blockNumber, blockHash, transactionHash } of traces) {
    if (blockNumber < from || blockNumber > to) {
      throw new CallsMissed(`trace_filter names block ${blockNumber} for a request about blocks ${from} to ${to}`);
    }
    if (type !== "call" || !transactionHash || !wanted.has(action.to ?? "")) continue;
    const isNested = traceAddress.length > 0;
    // Other kinds of calls run the code of the recipient without its storage, or change nothing.
    if (isNested && action.callType !== "call") continue;
    const block = calls.get(blockNumber) ?? { blockHash, transactions: new Set() };
    if (block.blockHash !== blockHash) throw new CallsMissed(`trace_filter names two blocks ${blockNumber}`);
    if (!isNested) block.transactions.add(transactionHash);
    calls.set(blockNumber, block);
  }
  return calls;
}

function areSameCalls(one: CallsOfBlock | undefined, other: CallsOfBlock | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.blockHash === other.blockHash &&
    one.transactions.size === other.transactions.size &&
    [...one.transactions].every((transaction) => other.transactions.has(transaction))
  );
}
