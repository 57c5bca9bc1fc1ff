/** A real chain with logs, and transports over it that wait less than in production. */
import { join } from "node:path";
import { type Hex, numberToHex, pad } from "viem";
import { vi } from "vitest";
import type { NodeReport } from "../../../config/nodeReports.ts";
import {
  type IndexingOptions,
  type IndexingTransport,
  indexingTransport,
} from "../../../config/rpc/backfill/indexingTransport.ts";
import { createNetworkReport } from "../../../config/rpc/networkReport.ts";
import { createChainClient } from "../../../localnet/chain.ts";
import { type ChainNode, startNode } from "../../../localnet/nodes.ts";
import { WALLETS } from "../../../localnet/wallets.ts";

export const CHAIN_ID = 31_337;
export const EMITTER: Hex = `0x${"e".repeat(40)}`;
/** Emits one log, whose only topic is the first word of the call. */
const EMITTER_CODE: Hex = "0x5f355f5fa100";

export interface ChainWithLogs {
  readonly node: ChainNode;
  readonly client: ReturnType<typeof createChainClient>;
  readonly head: number;
}

/**
 * Starts a chain whose blocks 2, 4, 6 … have the given number of logs each, one per transaction.
 * @param blocks blocks with logs
 */
export async function startChainWithLogs(blocks: number, logsPerBlock: number): Promise<ChainWithLogs> {
  const node = await startNode({ chainId: CHAIN_ID, logFile: join(".demo", "unit-rpc.node.log") });
  const client = createChainClient(node.rpcUrl);
  await client.setCode({ address: EMITTER, bytecode: EMITTER_CODE });
  await client.setAutomine(false);
  let topic = 0n;
  for (let block = 0; block < blocks; block += 1) {
    await client.mine({ blocks: 1 });
    for (let log = 0; log < logsPerBlock; log += 1) {
      topic += 1n;
      await client.sendUnsignedTransaction({
        from: WALLETS.operator.address,
        to: EMITTER,
        data: pad(numberToHex(topic)),
        gas: 100_000n,
      });
    }
    await client.mine({ blocks: 1 });
  }
  return { node, client, head: Number(await client.getBlockNumber()) };
}

/**
 * Stops the clock that tells how long a network has failed and a URL is paused, until mocks are restored: on a busy machine
 * any time passes between two answers.
 */
export function stopClock(): void {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
}

/** In milliseconds, at most a twentieth of the values in production. */
const QUICK = {
  firstRetryMs: 20,
  longestRetryMs: 200,
  unreachableAfterMs: 250,
  disagreementMs: 20,
  damagedMs: 300,
};

export interface Reported {
  readonly transport: IndexingTransport;
  readonly request: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  /** Newest last. */
  readonly reports: readonly NodeReport[];
}

export function transportOver(rpcUrls: readonly string[], options: Partial<IndexingOptions> = {}): Reported {
  const reports: NodeReport[] = [];
  const transport = indexingTransport({
    chainId: CHAIN_ID,
    rpcUrls,
    report: createNetworkReport(CHAIN_ID, () => ({ publish: (report) => void reports.push(report), close() {} })),
    retryDelays: QUICK,
    callsFrom: "blocks",
    proxies: [],
    ...options,
  });
  const { request } = transport({ retryCount: 0 });
  return {
    transport,
    reports,
    request: (method, params) => request((params ? { method, params } : { method }) as Parameters<typeof request>[0]),
  };
}
