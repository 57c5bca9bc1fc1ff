/** Combines the RPC URLs of a network into one endpoint that sends requests until a URL answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { NodeFailure } from "../failures.ts";
import type { NetworkReport } from "../networkReport.ts";
import { backoffMs } from "../pace.ts";
import type { RpcNode, RpcRequest } from "./rpcNode.ts";

/** Delays in milliseconds. Tests use shorter ones. */
export interface RetryDelays {
  /** Delay before a failed request is repeated. It doubles each time. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** Time without any answer after which the network counts as unreachable. */
  readonly unreachableAfterMs: number;
  /** Delay between two comparisons of answers that contradicted each other. */
  readonly disagreementMs: number;
  /** The same delay while the network is reported as damaged. */
  readonly damagedMs: number;
}

export const RETRY_DELAYS: RetryDelays = {
  firstRetryMs: 250,
  longestRetryMs: 15_000,
  unreachableAfterMs: 5_000,
  disagreementMs: 500,
  damagedMs: 30_000,
};

export interface RequestOptions {
  /** Number of rounds over all URLs before the last failure is thrown. Unlimited by default. */
  readonly rounds?: number;
  /** A URL that is used only if no other URL answers. */
  readonly avoid?: RpcNode | undefined;
  /**
   * Rates an answer. Further URLs are asked until one has an infinite worth; otherwise the first answer with the highest
   * worth is returned. By default any answer is good enough.
   */
  readonly worthOf?: (answer: unknown) => number;
}

export interface RpcAnswer {
  readonly answer: unknown;
  readonly node: RpcNode;
}

const UNREACHABLE = "unreachable";

export class RpcNetwork {
  readonly nodes: readonly RpcNode[];
  readonly retryDelays: RetryDelays;
  readonly report: NetworkReport;
  #failingSince: number | null = null;

  constructor(nodes: readonly RpcNode[], report: NetworkReport, retryDelays: RetryDelays) {
    this.nodes = nodes;
    this.report = report;
    this.retryDelays = retryDelays;
  }

  /**
   * Sends a request to the first URL, and to the next when it fails or refuses, until one answers. Failures are
   * reported after some seconds without any answer, and the first answer to any request clears the report.
   * @throws Error of viem that is a node's answer, when no other node answers the request
   * @throws NodeFailure after the given number of rounds
   */
  async request(
    request: RpcRequest,
    { rounds = Number.POSITIVE_INFINITY, avoid, worthOf = () => Number.POSITIVE_INFINITY }: RequestOptions = {},
  ): Promise<RpcAnswer> {
    for (let round = 1; ; round += 1) {
      let refusal: unknown;
      let failure: NodeFailure | null = null;
      let best: (RpcAnswer & { readonly worth: number }) | null = null;
      for (const node of this.inOrder(avoid)) {
        try {
          const answer = await node.request(request);
          this.#answered();
          const worth = worthOf(answer);
          if (best === null || worth > best.worth) best = { answer, node, worth };
          if (worth === Number.POSITIVE_INFINITY) break;
        } catch (error) {
          if (error instanceof NodeFailure) failure = error;
          else refusal = error;
        }
      }
      if (best !== null) return best;
      if (refusal !== undefined) {
        this.#answered();
        throw refusal;
      }
      if (failure === null) throw new Error("the network has no RPC URL");
      this.#failed(failure);
      if (round >= rounds) throw failure;
      await sleep(backoffMs(round, this.retryDelays.firstRetryMs, this.retryDelays.longestRetryMs));
    }
  }

  /**
   * Returns the URLs in the configured order, but with those last that are failing or to be avoided. URLs that answered
   * wrongly are skipped while there is another one, even if that one fails: a late answer is better than a wrong one.
   */
  inOrder(avoid?: RpcNode): RpcNode[] {
    const trusted = this.nodes.filter((node) => !node.isDistrusted);
    const rank = (node: RpcNode) => (node.isPaused ? 2 : 0) + (node === avoid ? 1 : 0);
    return (trusted.length > 0 ? trusted : [...this.nodes]).sort((a, b) => rank(a) - rank(b));
  }

  #answered(): void {
    if (this.#failingSince === null) return;
    this.#failingSince = null;
    this.report.clear(UNREACHABLE);
  }

  #failed({ kind, message }: NodeFailure): void {
    this.#failingSince ??= performance.now();
    if (performance.now() - this.#failingSince >= this.retryDelays.unreachableAfterMs) {
      this.report.raise(UNREACHABLE, kind, message);
    }
  }
}
