/** The source from which a backfill learns of calls to the proxies: every block, or the node's traces. */
import { createPublicClient, numberToHex } from "viem";
import { firstLineOf } from "./errorText.ts";
import type { Network } from "./networks.ts";
import { rpcTransport } from "./rpcTransport.ts";

const SOURCES = ["auto", "blocks", "traces"] as const;

/**
 * - `blocks`: every block is fetched with its transactions.
 * - `traces`: `trace_filter` names the calls, and only blocks with indexed calls or events are fetched.
 * - `auto`: both are measured when a backfill starts, and the faster one is used.
 */
export type CallsFrom = (typeof SOURCES)[number];

/**
 * Reads the setting `CALLS_FROM`. It is `blocks` when the variable is unset or empty.
 * @throws Error for any other value
 */
export function callsFromSetting(env: NodeJS.ProcessEnv = process.env): CallsFrom {
  const value = env.CALLS_FROM || "blocks";
  const source = SOURCES.find((known) => known === value);
  if (source === undefined) throw new Error(`CALLS_FROM is "${value}", expected one of ${SOURCES.join(", ")}`);
  return source;
}

/**
 * Verifies that a node of the network answers `trace_filter` for its start block, the oldest block that is requested.
 * @throws Error naming the network and the settings to change
 */
export async function verifyTraces({ name, chainId, rpcUrls, deployment }: Network): Promise<void> {
  const { request } = createPublicClient({ transport: rpcTransport(rpcUrls) });
  const block = numberToHex(deployment.startBlock);
  const call = {
    method: "trace_filter",
    params: [{ fromBlock: block, toBlock: block, toAddress: [deployment.coreSwap] }],
  };
  try {
    // viem's signature knows only the methods of its schema.
    await request(call as never);
  } catch (cause) {
    throw new Error(
      `${name}: CALLS_FROM is "traces", but PONDER_RPC_URL_${chainId} does not answer trace_filter for start block ` +
        `${deployment.startBlock} (${firstLineOf(cause)}). Use a node that has it, or CALLS_FROM=blocks`,
      { cause },
    );
  }
}
