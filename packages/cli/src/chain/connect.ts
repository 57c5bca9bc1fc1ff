/** Connects to the node that a command uses. */
import { BaseError, createPublicClient, HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from "viem";
import { urlTransport } from "../../../../config/urlTransport.ts";
import { Failure } from "../failure.ts";
import type { Deployment } from "./deployment.ts";

const TIMEOUT_MS = 20_000;
/** An answer with the events of many blocks has a few megabytes. */
const MAX_ANSWER_BYTES = 10_485_760;

/**
 * A transport whose time-out covers the whole answer.
 * @param retryCount how often a request that failed is repeated
 */
export function httpTransport(url: string, timeoutMs: number, retryCount: number) {
  const limits = { headersTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs, maximumBytes: MAX_ANSWER_BYTES };
  return urlTransport(url, { ...limits, retryCount });
}

/** A client of one node. Calls made at the same time are combined, which needs no contract on the chain. */
export function createNodeClient(rpcUrl: string) {
  return createPublicClient({
    transport: httpTransport(rpcUrl, TIMEOUT_MS, 1),
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
 * @throws Failure when there is neither, or it is not a URL
 */
export function nodeUrl(option: string | undefined): string {
  const url = option ?? process.env.RPC_URL;
  if (!url) throw new Failure("no node: give --rpc-url, or set RPC_URL");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Failure("--rpc-url must be an http or https URL");
  return url;
}

/** Returns one line that says why a request failed, and whether it was answered at all. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error);
  const reason = error.details || error.shortMessage;
  return isSilence(error) ? `it did not answer (${reason})` : reason;
}

/** Returns one line that says why a read failed, and that it was the node if it was. */
export function readFailure(error: unknown): string {
  const isOfNode =
    error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof HttpRequestError ||
        cause instanceof TimeoutError ||
        cause instanceof ResponseBodyTooLargeError,
    ) !== null;
  return isOfNode ? `the node failed: ${reasonOf(error)}` : reasonOf(error);
}

/** Whether there was no answer. `fetch` throws a TypeError then; another cause is that of an answer. */
function isSilence(error: BaseError): boolean {
  const silence = error.walk(
    (cause) =>
      cause instanceof TimeoutError ||
      (cause instanceof HttpRequestError && cause.status === undefined && cause.cause instanceof TypeError),
  );
  return silence !== null;
}
