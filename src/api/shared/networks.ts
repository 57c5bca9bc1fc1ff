/** The networks whose data the API serves. */
import type { Address } from "viem";
import type { Network, NetworkName } from "../../../config/networks.ts";

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

/**
 * The network of a deployment.
 * @param schema the schema in which it is indexed
 */
export function apiNetworkOf(
  name: NetworkName,
  { chainId, startBlock, coreSwap, treasury }: Network["deployment"],
  schema: string,
): ApiNetwork {
  return { name, chainId, schema, startBlock: BigInt(startBlock), coreSwap, treasury };
}

/** The name of a network in requests and answers. */
export function apiNameOf(network: { readonly name: NetworkName }): ApiNetworkName {
  return `evm-${network.name}`;
}
