/**
 * Problems with a network's nodes, found by the thread that indexes it and sent to the thread that serves the API.
 *
 * On PostgreSQL, each network is indexed in a worker thread, while the API and the indexer's status run in the main
 * thread. A `BroadcastChannel` reaches every thread of the process, including the sender's own.
 */
import { BroadcastChannel } from "node:worker_threads";
import type { Hash } from "viem";

const CHANNEL = "coreswap.node-reports";
const REPEAT_INTERVAL_MS = 2_000;

/**
 * The kind of problem that prevents a network from being indexed: its nodes do not answer, contradict themselves, or
 * are on another chain.
 */
export type NodeProblemKind = "unreachable" | "damaged" | "forked";

export interface NodeProblem {
  readonly kind: NodeProblemKind;
  /** Says what was requested and how the answers failed. Never contains an RPC URL. */
  readonly message: string;
  /** The time when the problem was first seen, in milliseconds since 1970. */
  readonly since: number;
}

/** A final block of the chain that is indexed. A node that has another block of this number is on another chain. */
export interface ConfirmedBlock {
  readonly number: number;
  readonly hash: Hash;
}

/** The state of one network's nodes, as its indexing thread sees it. */
export interface NodeReport {
  readonly chainId: number;
  /** Null while the nodes answer and agree. */
  readonly problem: NodeProblem | null;
  /** Number of reorganizations that this process has followed. */
  readonly reorganizations: number;
  /** The newest final block that this process has linked to the blocks before it. Null before the first. */
  readonly confirmed: ConfirmedBlock | null;
}

/**
 * Sends reports to every listener of the process. The newest report of a network is repeated, because a listener that
 * starts later would otherwise miss it.
 */
export function createNodeReporter() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  const newest = new Map<number, NodeReport>();
  const timer = setInterval(() => {
    for (const report of newest.values()) channel.postMessage(report);
  }, REPEAT_INTERVAL_MS).unref();
  return {
    publish(report: NodeReport): void {
      newest.set(report.chainId, report);
      channel.postMessage(report);
    },
    close(): void {
      clearInterval(timer);
      channel.close();
    },
  };
}

/** Sends the reports of one thread. */
export type NodeReporter = ReturnType<typeof createNodeReporter>;

/**
 * Receives the reports of every thread of the process.
 * @returns a function that stops listening
 */
export function onNodeReport(listener: (report: NodeReport) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event: { data: unknown }) => listener(event.data as NodeReport);
  channel.unref();
  return () => channel.close();
}
