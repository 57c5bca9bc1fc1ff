/** Replaces the newest blocks of a local chain by others with different transactions. */
import { createClient, decodeFunctionData, encodeFunctionData, type Hex, http, numberToHex, rpcSchema } from "viem";
import { type ChainTransaction, readChain } from "../oracle/chain.ts";
import { coreSwapCalls } from "../publishedAbi.ts";

type ReorgSchema = [
  {
    Method: "anvil_reorg";
    /** Depth, and for each transaction the index of its block among the new ones. */
    Parameters: [number, [{ from: Hex; to?: Hex; data: Hex; value: Hex; gas: Hex }, number][]];
    ReturnType: null;
  },
];

const UNLIMITED = 2n ** 256n - 1n;
const GAS = 5_000_000n;

export interface Reorganization {
  /** Hashes of the transactions in the blocks that were replaced. */
  readonly removed: readonly Hex[];
  /** Hashes of the transactions in the blocks that took their place. */
  readonly added: readonly Hex[];
}

/**
 * Replaces the last `depth` blocks. Most swaps come back with two thirds of their amount and without a bound, in blocks of
 * the reverse order; of more than two transactions every third is dropped. The chain keeps its length.
 */
export async function reorganize(rpcUrl: string, depth: number): Promise<Reorganization> {
  const before = await readChain(rpcUrl);
  const firstReplaced = BigInt(before.blockHashes.length - depth);
  const removed = before.transactions.filter(({ blockNumber }) => blockNumber >= firstReplaced);
  const pairs = removed
    .filter((_, index) => removed.length < 3 || index % 3 !== 2)
    .map((transaction): ReorgSchema[0]["Parameters"][1][number] => [
      {
        from: transaction.from,
        ...(transaction.to ? { to: transaction.to } : {}),
        data: alteredCalldata(transaction),
        value: numberToHex(transaction.value),
        gas: numberToHex(GAS),
      },
      depth - 1 - Number(transaction.blockNumber - firstReplaced),
    ]);
  const client = createClient({ transport: http(rpcUrl, { retryCount: 0 }), rpcSchema: rpcSchema<ReorgSchema>() });
  await client.request({ method: "anvil_reorg", params: [depth, pairs] });
  const after = await readChain(rpcUrl);
  return {
    removed: removed.map(({ hash }) => hash),
    added: after.transactions.filter(({ blockNumber }) => blockNumber >= firstReplaced).map(({ hash }) => hash),
  };
}

/** A swap of two thirds of each exact amount; any other call, and a signed swap, as it is. */
function alteredCalldata({ input }: ChainTransaction): Hex {
  let call: ReturnType<typeof decodeFunctionData<typeof coreSwapCalls>>;
  try {
    call = decodeFunctionData({ abi: coreSwapCalls, data: input });
  } catch {
    return input;
  }
  const [user, receiver, legs, permit] = call.args;
  // A signature covers the amounts.
  if (permit.signature !== "0x") return input;
  const altered = legs.map((leg) =>
    // Odd routes are exact in the input, even ones in the output.
    leg.routeId % 2n === 1n
      ? { ...leg, assetInAmt: (leg.assetInAmt * 2n) / 3n, assetOutAmt: 0n }
      : { ...leg, assetOutAmt: (leg.assetOutAmt * 2n) / 3n, assetInAmt: UNLIMITED },
  );
  return encodeFunctionData({ abi: coreSwapCalls, functionName: "swap", args: [user, receiver, altered, permit] });
}
