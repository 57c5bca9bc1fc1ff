/** A real chain whose blocks hold logs of chosen contracts, without the protocol's own contracts. */
import { concatHex, type Hash, type Hex, numberToHex, padHex } from "viem";
import { sendTransaction } from "viem/actions";
import { type ChainClient, createChainClient } from "../../../localnet/chain.ts";
import { type ChainNode, startNode } from "../../../localnet/nodes.ts";
import { WALLETS } from "../../../localnet/wallets.ts";

/** Emits one log for each word of its calldata, which is the log's only topic. */
const EMITTER: Hex = "0x5f5b3681101560145780355f5fa16020016001565b00";

/** In lower case, as deployment files are read. */
export const PROXIES = { coreSwap: `0x${"c0".repeat(20)}`, treasury: `0x${"7e".repeat(20)}` } as const;
export const STRANGER: Hex = `0x${"5a".repeat(20)}`;

export interface LogChain {
  readonly node: ChainNode;
  readonly client: ChainClient;
  /**
   * Lets a contract emit logs with these topics in one transaction, which has its own block while mining is automatic.
   */
  emit(contract: Hex, topics: readonly Hex[]): Promise<Hash>;
  stop(): Promise<void>;
}

export function topic(value: number): Hex {
  return padHex(numberToHex(value), { size: 32 });
}

/** @param label names the log file of the node, below .demo */
export async function startLogChain(label: string): Promise<LogChain> {
  const node = await startNode({ chainId: 1, logFile: `.demo/unit-${label}.node.log` });
  const client = createChainClient(node.rpcUrl);
  for (const address of [PROXIES.coreSwap, PROXIES.treasury, STRANGER]) {
    await client.setCode({ address, bytecode: EMITTER });
  }
  await client.mine({ blocks: 1 });
  return {
    node,
    client,
    emit: (contract, topics) =>
      sendTransaction(client, {
        account: WALLETS.outsider.address,
        chain: null,
        to: contract,
        data: concatHex(topics),
        gas: 1_000_000n,
      }),
    stop: () => node.stop(),
  };
}
