/** Connects to the node that a command uses. */
import { BaseError, createPublicClient, http } from "viem";
import { Failure } from "../failure.ts";
import type { Deployment } from "./deployment.ts";

const TIMEOUT_MS = 20_000;

/** A client of one node. Calls made at the same time are combined, which needs no contract on the chain. */
export function createNodeClient(rpcUrl: string) {
  return createPublicClient({
    transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1 }),
    batch: { multicall: { deployless: true } },
    cacheTime: 0,
  });
}

export type NodeClient = ReturnType<typeof createNodeClient>;

/**
 * Connects to the node of a deployment.
 * @param rpcUrl default: the variable RPC_URL
 * @throws Failure when there is no URL, the node does not respond, or it serves another chain
 */
export async function connect(deployment: Deployment, rpcUrl: string | undefined): Promise<NodeClient> {
  const client = createNodeClient(nodeUrl(rpcUrl));
  const chainId = await client.getChainId();
  if (chainId !== deployment.chainId) {
    throw new Failure(`the node serves chain ${chainId}, and the deployment file is for chain ${deployment.chainId}`);
  }
  const code = await client.getCode({ address: deployment.coreSwap });
  if (code === undefined) {
    throw new Failure(`the chain has no contract at ${deployment.coreSwap}, CoreSwap in the deployment file`);
  }
  return client;
}

/**
 * Returns the URL of the node from the option or the variable.
 * @throws Failure when there is neither, or it is no URL
 */
export function nodeUrl(option: string | undefined): string {
  const url = option ?? process.env.RPC_URL;
  if (!url) throw new Failure("no node: give --rpc-url, or set RPC_URL");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Failure("--rpc-url must be an http or https URL");
  return url;
}

/** Returns one line that says why a request failed, without the URL, which can contain a key. */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.details || error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}
