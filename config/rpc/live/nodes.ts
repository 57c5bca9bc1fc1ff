/**
 * The nodes of a network, each of which can be queried separately.
 *
 * Code that compares nodes' answers must know which node gave which answer, and viem's `fallback` transport does not
 * report that. A backfill uses `RpcNode` instead: its time-outs are longer, it has no pace by default, it pauses a node
 * only after several failures in a row, and it requests the chain ID again and again.
 */
import { BaseError } from "viem";
import { rpcTransport } from "../../rpcTransport.ts";
import { failureOf, isAnswer, NodeFailure } from "../failures.ts";
import { createPace } from "../pace.ts";

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Time for which a node that failed is tried after the others, because a node that hangs costs a timeout on each
 * attempt.
 */
const FAILED_LAST_MS = 60_000;
/** Time for which a node is preferred, because the others may be of no use for long. */
const PREFERENCE_MS = 600_000;

/** One node of a network. */
export interface Node {
  /** The name in messages, where a URL must not appear, such as "RPC URL 1". */
  readonly label: string;
  /**
   * Sends a request.
   * @throws NodeFailure when there is no answer
   * @throws Error of viem that is the node's answer, such as an unknown method
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface Nodes {
  /**
   * The nodes in the order of requests: as configured, but with a preferred node first and nodes that failed recently at
   * the end.
   */
  inOrder(): Node[];
  /** Puts a node first for ten minutes, unless it fails. */
  prefer(node: Node): void;
  /**
   * Returns the first usable answer. A refusal does not count as an answer.
   * @param read extracts what it needs from an answer, and throws NodeFailure when it cannot
   * @throws NodeFailure of the last node when no answer is usable
   */
  request<T>(method: string, params: readonly unknown[], read: (answer: unknown) => T): Promise<T>;
}

/**
 * Creates the nodes of a network.
 * @param requestsPerSecond limit per node; `PONDER_RPC_REQUESTS_PER_SECOND` by default
 */
export function createNodes(urls: readonly string[], requestsPerSecond?: number): Nodes {
  const failedAt = new Map<Node, number>();
  let preferred: { readonly node: Node; readonly until: number } | null = null;
  const nodes = urls.map((url, index): Node => {
    const { request } = rpcTransport([url], ANSWER_TIMEOUT_MS)({ retryCount: 0 });
    const waitForTurn = createPace(requestsPerSecond);
    const node: Node = {
      label: `RPC URL ${index + 1}`,
      async request(method, params) {
        await waitForTurn();
        try {
          return await request({ method, params } as Parameters<typeof request>[0]);
        } catch (error) {
          if (isAnswer(error, method)) throw error;
          failedAt.set(node, performance.now());
          throw failureOf(error, method);
        }
      },
    };
    return node;
  });
  /** Requests go to nodes of a lower rank first. */
  function rankOf(node: Node): number {
    const now = performance.now();
    if (now - (failedAt.get(node) ?? -Infinity) < FAILED_LAST_MS) return 2;
    return preferred === null || preferred.node === node || now > preferred.until ? 0 : 1;
  }
  const inOrder = () => [...nodes].sort((left, right) => rankOf(left) - rankOf(right));
  return {
    inOrder,
    prefer(node) {
      preferred = { node, until: performance.now() + PREFERENCE_MS };
      failedAt.delete(node);
    },
    async request(method, params, read) {
      let failure = new NodeFailure("unreachable", `no node is configured for ${method}`);
      for (const node of inOrder()) {
        try {
          return read(await node.request(method, params));
        } catch (error) {
          if (error instanceof NodeFailure) failure = error;
          else if (error instanceof BaseError) failure = failureOf(error, method);
          else throw error;
        }
      }
      throw failure;
    },
  };
}
