/** Replaces the newest blocks of a local chain with blocks that have different transactions. */
import {
  createClient,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  http,
  maxUint256,
  numberToHex,
  rpcSchema,
} from "viem";
import { type ChainTransaction, readChain } from "../oracle/chain.ts";
import { coreSwapCalls } from "../publishedAbi.ts";

type ReorgSchema = [
  {
    Method: "anvil_reorg";
    /** The depth and, for each transaction, the index of its block among the new blocks. */
    Parameters: [number, [{ from: Hex; to?: Hex; data: Hex; value: Hex; gas: Hex }, number][]];
    ReturnType: null;
  },
];

const UNLIMITED = maxUint256;
const GAS = 5_000_000n;
/** The node runs the transactions of all new blocks before it answers, and must not be asked twice. */
const TIMEOUT_MS = 60_000;

/** A transaction for the new blocks. */
interface Replacement {
  readonly transaction: ChainTransaction;
  /** Index of its block among the new blocks, from 0. */
  readonly block: number;
  /** Whether a swap is sent again with two thirds of its amount. */
  readonly isAltered: boolean;
}

/**
 * Chooses the content of the new blocks from that of the old ones. `firstReplaced` is the number of the first replaced
 * block.
 */
export type ReplacementPlan = (
  removed: readonly ChainTransaction[],
  depth: number,
  firstReplaced: bigint,
) => readonly Replacement[];

export interface Reorganization {
  /** Hashes of the transactions in the blocks that were replaced. */
  readonly removed: readonly Hex[];
  /** Hashes of the transactions in the blocks that replaced them. */
  readonly added: readonly Hex[];
}

/**
 * Sends most swaps again with two thirds of their amount and without a bound, in blocks of the reverse order. Of more
 * than two transactions, every third is dropped.
 */
const reverseAndDrop: ReplacementPlan = (removed, depth, firstReplaced) =>
  removed
    .filter((_, index) => removed.length < 3 || index % 3 !== 2)
    .map((transaction) => ({
      transaction,
      block: depth - 1 - Number(transaction.blockNumber - firstReplaced),
      isAltered: true,
    }));

/** Replaces the last `depth` blocks. The length of the chain does not change. */
export async function reorganize(
  rpcUrl: string,
  depth: number,
  plan: ReplacementPlan = reverseAndDrop,
): Promise<Reorganization> {
  const before = await readChain(rpcUrl);
  const firstReplaced = BigInt(before.blockHashes.length - depth);
  const removed = before.transactions.filter(({ blockNumber }) => blockNumber >= firstReplaced);
  const pairs = plan(removed, depth, firstReplaced).map(
    ({ transaction, block, isAltered }): ReorgSchema[0]["Parameters"][1][number] => [
      {
        from: transaction.from,
        ...(transaction.to ? { to: transaction.to } : {}),
        data: isAltered ? alteredCalldata(transaction) : transaction.input,
        value: numberToHex(transaction.value),
        gas: numberToHex(GAS),
      },
      block,
    ],
  );
  const transport = http(rpcUrl, { retryCount: 0, timeout: TIMEOUT_MS });
  const client = createClient({ transport, rpcSchema: rpcSchema<ReorgSchema>() });
  await client.request({ method: "anvil_reorg", params: [depth, pairs] });
  const after = await readChain(rpcUrl);
  return {
    removed: removed.map(({ hash }) => hash),
    added: after.transactions.filter(({ blockNumber }) => blockNumber >= firstReplaced).map(({ hash }) => hash),
  };
}

/**
 * Returns the calldata of a swap with two thirds of each exact amount. Other calls and signed swaps are returned
 * unchanged.
 */
function alteredCalldata({ input }: ChainTransaction): Hex {
  let call: ReturnType<typeof decodeFunctionData<typeof coreSwapCalls>>;
  try {
    call = decodeFunctionData({ abi: coreSwapCalls, data: input });
  } catch {
    return input;
  }
  const [user, receiver, legs, permit] = call.args;
  // The signature covers the amounts.
  if (permit.signature !== "0x") return input;
  const altered = legs.map((leg) =>
    // Odd routes take an exact input, and even ones an exact output.
    leg.routeId % 2n === 1n
      ? { ...leg, assetInAmt: (leg.assetInAmt * 2n) / 3n, assetOutAmt: 0n }
      : { ...leg, assetOutAmt: (leg.assetOutAmt * 2n) / 3n, assetInAmt: UNLIMITED },
  );
  return encodeFunctionData({ abi: coreSwapCalls, functionName: "swap", args: [user, receiver, altered, permit] });
}
