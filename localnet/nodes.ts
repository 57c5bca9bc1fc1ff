/** Local chains: one anvil process each. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { foundryBinary } from "../tools/lib/foundry.ts";
import { createChainClient } from "./chain.ts";
import { freePort, HOST } from "./ports.ts";
import { describeEnd, startProcess } from "./processes.ts";
import { ACCOUNT_COUNT, MNEMONIC } from "./wallets.ts";

/** On a busy machine, a process takes twenty seconds to start. */
const START_TIMEOUT_MS = 120_000;

export interface ChainNode {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly port: number;
  /** Settles when the process has ended, with a description that contains the end of its log. */
  readonly ended: Promise<string>;
  /** Ends the process; settles when it has ended. */
  stop(): Promise<void>;
}

interface NodeOptions {
  readonly chainId: number;
  /** A free port when absent or 0. */
  readonly port?: number;
  /** Time of the genesis block in seconds since 1970, from which the chain's clock continues. */
  readonly timestamp?: number;
  /** Gas limit of a block: 60 million by default, because a block of batches needs more than the usual 30 million. */
  readonly gasLimit?: bigint;
  /** Default `.demo/node-<chainId>.log`. */
  readonly logFile?: string;
}

/**
 * Starts a chain on 127.0.0.1 and waits until it answers. All accounts of `wallets.ts` are funded and unlocked;
 * transactions of a block keep the order in which they were sent.
 * @throws Error with the end of its log when it does not start
 */
export async function startNode({
  chainId,
  port: wantedPort,
  timestamp,
  gasLimit = 60_000_000n,
  logFile = join(".demo", `node-${chainId}.log`),
}: NodeOptions): Promise<ChainNode> {
  const port = wantedPort || (await freePort());
  const rpcUrl = `http://${HOST}:${port}`;
  const child = await startProcess({
    name: `anvil (chain ${chainId})`,
    // Runs the platform binary, because ending the launcher of the npm package would leave the node running.
    command: foundryBinary("anvil"),
    args: [
      ...["--host", HOST, "--port", String(port), "--chain-id", String(chainId)],
      ...["--mnemonic", MNEMONIC, "--accounts", String(ACCOUNT_COUNT), "--order", "fifo", "--silent"],
      ...["--gas-limit", String(gasLimit)],
      ...(timestamp === undefined ? [] : ["--timestamp", String(timestamp)]),
    ],
    logFile,
  });
  const client = createChainClient(rpcUrl);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    child.requireRunning();
    try {
      await client.getChainId();
      break;
    } catch (cause) {
      if (Date.now() > deadline) {
        await child.stop();
        throw new Error(`${child.name} does not answer on ${rpcUrl} after ${START_TIMEOUT_MS / 1000} s`, { cause });
      }
      await sleep(50);
    }
  }
  return {
    chainId,
    rpcUrl,
    port,
    ended: child.ended.then((end) => describeEnd(child, end)),
    stop: () => child.stop(),
  };
}
