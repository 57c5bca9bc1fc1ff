/** Access to a local chain. */
import {
  createClient,
  type Hash,
  type Hex,
  http,
  type PublicRpcSchema,
  publicActions,
  type RpcTransactionReceipt,
  rpcSchema,
  testActions,
} from "viem";

type ExtraRpcSchema = [
  { Method: "eth_getBlockReceipts"; Parameters: [Hex]; ReturnType: RpcTransactionReceipt[] },
  {
    Method: "debug_traceTransaction";
    Parameters: [Hash, { tracer: "callTracer" }];
    ReturnType: { output?: Hex; error?: string };
  },
];

/** A client of one anvil node, without retries and caches. */
export function createChainClient(rpcUrl: string) {
  return createClient({
    transport: http(rpcUrl, { retryCount: 0, timeout: 120_000 }),
    rpcSchema: rpcSchema<[...PublicRpcSchema, ...ExtraRpcSchema]>(),
    cacheTime: 0,
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(testActions({ mode: "anvil" }));
}

export type ChainClient = ReturnType<typeof createChainClient>;
