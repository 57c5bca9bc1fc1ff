/**
 * Configures the data to fetch: the logs and calls that `ponder.config.ts` requests, with blocks, transactions and
 * receipts.
 */
import { type BlockHeader, EvmBatchProcessor, type Log, type Transaction } from "@subsquid/evm-processor";
import * as abi from "./abi.ts";

export interface Source {
  readonly rpcUrl: string;
  readonly coreSwap: string;
  readonly treasury: string;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly finalityBlocks: number;
}

const FIELDS = {
  block: { timestamp: true },
  transaction: {
    hash: true,
    from: true,
    to: true,
    input: true,
    nonce: true,
    value: true,
    status: true,
    gasUsed: true,
    effectiveGasPrice: true,
  },
  log: { address: true, topics: true, data: true },
} as const;

export type SourceBlock = BlockHeader<typeof FIELDS>;
export type SourceTransaction = Transaction<typeof FIELDS>;
export type SourceLog = Log<typeof FIELDS>;

export function createProcessor({ rpcUrl, coreSwap, treasury, fromBlock, toBlock, finalityBlocks }: Source) {
  return (
    new EvmBatchProcessor()
      .setRpcEndpoint({ url: rpcUrl, capacity: 50, maxBatchCallSize: 100 })
      .setFinalityConfirmation(finalityBlocks)
      .setBlockRange({ from: fromBlock, to: toBlock })
      .setFields(FIELDS)
      .addLog({
        address: [coreSwap],
        topic0: [
          abi.swapEvent.topic,
          abi.stablecoinAcceptanceSet.topic,
          abi.rwaAcceptanceSet.topic,
          abi.rwaPriceAdapterSet.topic,
        ],
        transaction: true,
      })
      .addLog({
        address: [treasury],
        topic0: [abi.addedToWhitelist.topic, abi.removedFromWhitelist.topic],
        transaction: true,
      })
      .addLog({ topic0: [abi.issuerAdminAdded.topic, abi.issuerAdminRemoved.topic] })
      // Reverted ones included.
      .addTransaction({ to: [coreSwap, treasury] })
  );
}
