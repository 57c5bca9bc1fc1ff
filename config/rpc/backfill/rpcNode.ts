/** One RPC URL of a network, with what is known about it. */
import { type Hex, isHex, TimeoutError } from "viem";
import { isDivisible, RangeTooLargeError, rpcTransport } from "../../rpcTransport.ts";
import { quantityProblem } from "../answers.ts";
import { failureOf, isAnswer, NodeFailure } from "../failures.ts";
import { configuredRequestsPerSecond, createPace } from "../pace.ts";

/** After this many failures in a row, the other URLs are tried first for a while. */
const FAILURES_TO_PAUSE = 3;
const PAUSE_MS = 15_000;
/** Time for which a URL that answered wrongly is used only if no other is left. */
const DISTRUST_MS = 600_000;
/**
 * Time for which a URL's statements about its chain and blocks remain valid. It may serve another chain or lose blocks
 * at any time.
 */
const CHAIN_BELIEVED_MS = 15_000;
const HEAD_BELIEVED_MS = 10_000;

export interface RpcRequest {
  readonly method: string;
  readonly params?: readonly unknown[];
  /** Returns what cannot be right in an answer, or null if nothing is wrong. */
  readonly problemOf?: (answer: unknown) => string | null;
  /** A block that the node must have before its answer counts. */
  readonly block?: bigint;
  /** Whether to check after the answer that the node is still on the right chain. */
  readonly confirmsChain?: boolean;
}

/** viem's signature knows only the methods of its schema. */
type Request = (body: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>;

export class RpcNode {
  /** Name used in messages instead of the URL, such as "RPC URL 2 of chain 1". */
  readonly label: string;
  readonly #chainId: number;
  readonly #transportRequest: Request;
  /** Null unless the operator has set a rate: Ponder then begins with a low one, and raises it. */
  readonly #waitForTurn: (() => Promise<void>) | null;
  #failures = 0;
  #hasAnswered = false;
  #pausedUntil = 0;
  #distrustedUntil = 0;
  #chainKnownUntil = 0;
  #chainCheck: Promise<void> | null = null;
  #head = -1n;
  #headKnownUntil = 0;

  constructor(url: string, label: string, chainId: number) {
    this.label = label;
    this.#chainId = chainId;
    const { request } = rpcTransport([url])({ retryCount: 0 });
    this.#transportRequest = request as Request;
    this.#waitForTurn = configuredRequestsPerSecond() === null ? null : createPace();
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  get isDistrusted(): boolean {
    return performance.now() < this.#distrustedUntil;
  }

  /** Whether the URL has answered any request since its chain was last confirmed. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The newest block that the node is known to have, or -1 when it never reported one. */
  get newestBlock(): bigint {
    return this.#head;
  }

  distrust(): void {
    this.#distrustedUntil = performance.now() + DISTRUST_MS;
  }

  /**
   * Sends one request.
   * @throws NodeFailure when there is no answer, or it cannot be right
   * @throws Error of viem that is the node's answer, such as a range of logs refused
   */
  async request({ method, params, problemOf, block, confirmsChain }: RpcRequest): Promise<unknown> {
    await this.#verifyChain();
    if (block !== undefined) await this.#verifyHead(block);
    const answer = await this.#send(method, params).catch(async (error: unknown) => {
      const { cause } = error instanceof NodeFailure ? error : {};
      if (!(cause instanceof TimeoutError) || !isDivisible({ method, params })) throw error;
      // The node answers other requests but takes too long for this one, and will always do so.
      await this.confirmChain();
      throw new RangeTooLargeError(`${method} was not answered in time`);
    });
    this.#hasAnswered = true;
    const problem = problemOf?.(answer) ?? null;
    if (problem !== null) throw new NodeFailure("damaged", `${method} of ${this.label}: ${problem}`);
    if (confirmsChain) await this.confirmChain();
    return answer;
  }

  /**
   * Reads the chain of the node again, even if an earlier answer is known.
   * @throws NodeFailure when the node is on another chain or does not answer
   */
  async confirmChain(): Promise<void> {
    const hadAnswered = this.#hasAnswered;
    this.#hasAnswered = false;
    const chainId = await this.#send("eth_chainId");
    if (!isHex(chainId) || Number(chainId) !== this.#chainId) {
      this.#hasAnswered = hadAnswered;
      this.#chainKnownUntil = 0;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      const found = isHex(chainId) ? Number(chainId) : "unknown";
      throw new NodeFailure("damaged", `${this.label} is a node of chain ${found}, expected chain ${this.#chainId}`);
    }
    this.#chainKnownUntil = performance.now() + CHAIN_BELIEVED_MS;
  }

  /** One check serves all requests that wait for it. */
  async #verifyChain(): Promise<void> {
    if (performance.now() < this.#chainKnownUntil) return;
    this.#chainCheck ??= this.confirmChain().finally(() => {
      this.#chainCheck = null;
    });
    await this.#chainCheck;
  }

  async #verifyHead(block: bigint): Promise<void> {
    if (block <= this.#head && performance.now() < this.#headKnownUntil) return;
    const head = await this.#send("eth_blockNumber");
    const problem = quantityProblem(head);
    if (problem !== null) throw new NodeFailure("damaged", `eth_blockNumber of ${this.label}: ${problem}`);
    this.#head = BigInt(head as Hex);
    this.#headKnownUntil = performance.now() + HEAD_BELIEVED_MS;
    if (this.#head < block) {
      throw new NodeFailure("unreachable", `${this.label} is at block ${this.#head}, and does not have ${block} yet`);
    }
  }

  async #send(method: string, params?: readonly unknown[]): Promise<unknown> {
    await this.#waitForTurn?.();
    try {
      const answer = await this.#transportRequest(params ? { method, params } : { method });
      if (answer === undefined) throw new NodeFailure("unreachable", `${method}: no result and no error`);
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (isAnswer(error, method)) {
        this.#failures = 0;
        throw error;
      }
      // Another node may answer on this URL from now on.
      this.#chainKnownUntil = 0;
      this.#failures += 1;
      if (this.#failures >= FAILURES_TO_PAUSE) this.#pausedUntil = performance.now() + PAUSE_MS;
      throw error instanceof NodeFailure ? error : failureOf(error, method);
    }
  }
}
