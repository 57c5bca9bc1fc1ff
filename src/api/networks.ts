/** The networks whose data the API serves. */
import type { Address } from "viem";
import type { NetworkName } from "../../config/networks.ts";
import { BadRequest } from "./http/errors.ts";

/** Network of a request, prefixed with its runtime. */
export const API_NETWORKS = ["evm-mainnet", "evm-sepolia"] as const;

export type ApiNetworkName = (typeof API_NETWORKS)[number];

export interface ApiNetwork {
  readonly name: NetworkName;
  readonly chainId: number;
  /** Database schema in which the network is indexed. */
  readonly schema: string;
  readonly startBlock: bigint;
  readonly coreSwap: Address;
  readonly treasury: Address;
}

export function apiNameOf(network: { readonly name: NetworkName }): ApiNetworkName {
  return `evm-${network.name}`;
}

/**
 * The network of a request.
 * @throws BadRequest when it is off, listing those that are on
 */
export function requireNetwork(networks: readonly ApiNetwork[], requested: ApiNetworkName): ApiNetwork {
  const network = networks.find((candidate) => apiNameOf(candidate) === requested);
  if (network) return network;
  throw new BadRequest(`network: ${requested} is off, on are ${networks.map(apiNameOf).join(", ")}`);
}
