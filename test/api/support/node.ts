/** Runs an anvil node with price adapters whose price is set by a storage write. */
import { type Address, createTestClient, type Hex, http, numberToHex, publicActions } from "viem";
import { startNode } from "../../../localnet/nodes.ts";

/** Bytecode that answers any call with the word in storage slot 0. */
const STORED_PRICE_CODE: Hex = "0x5f545f5260205ff3";
const REVERTING_CODE: Hex = "0x5f5ffd";

export async function startAdapterNode() {
  const { rpcUrl, stop } = await startNode({ chainId: 31_337, logFile: ".demo/api-adapters.node.log" });
  const client = createTestClient({
    mode: "anvil",
    transport: http(rpcUrl, { retryCount: 0 }),
  }).extend(publicActions);
  return {
    client,
    rpcUrl,
    setPrice: async (adapter: Address, price: bigint) => {
      await client.setCode({ address: adapter, bytecode: STORED_PRICE_CODE });
      await client.setStorageAt({ address: adapter, index: 0, value: numberToHex(price, { size: 32 }) });
      await client.mine({ blocks: 1 });
    },
    setReverting: async (adapter: Address) => {
      await client.setCode({ address: adapter, bytecode: REVERTING_CODE });
      await client.mine({ blocks: 1 });
    },
    stop,
  };
}
