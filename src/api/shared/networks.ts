/** The networks whose data the API serves. */
import type { Address } from "viem";
import type { NetworkName } from "../../../config/networks.ts";

/** Names of networks in requests and answers, prefixed with the runtime. */
export const API_NETWORKS = ["evm-mainnet", "evm-sepolia"] as const;

/** The name of a network in requests and answers. */
export type ApiNetworkName = (typeof API_NETWORKS)[number];

/** An enabled network: the schema of its data, and the contracts from which the data comes. */
export interface ApiNetwork {
  readonly name: NetworkName;
  readonly chainId: number;
  /** Database schema in which the network is indexed. */
  readonly schema: string;
  readonly startBlock: bigint;
  readonly coreSwap: Address;
  readonly treasury: Address;
}

/** The name of a network in requests and answers. */
export function apiNameOf(network: { readonly name: NetworkName }): ApiNetworkName {
  return `evm-${network.name}`;
}
