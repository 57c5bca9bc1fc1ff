/** JSON-RPC to a local node, with single calls and batches of reads. */
import type { Hex } from "viem";

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Hex;
}

type RpcAnswer = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: RpcError };

/** The number of reads that fit into one request without stalling the node. */
const BATCH_SIZE = 500;

export class Rpc {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Sends one request.
   * @throws Error when the node refuses
   */
  async send<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const answer = (await this.#post({ jsonrpc: "2.0", id: 0, method, params })) as RpcAnswer;
    if ("error" in answer) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as T;
  }

  /** Sends reads that do not depend on each other. The answers are in the order of the requests. */
  async batch(requests: readonly RpcRequest[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    for (let start = 0; start < requests.length; start += BATCH_SIZE) {
      const body = requests
        .slice(start, start + BATCH_SIZE)
        .map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
      const part = (await this.#post(body)) as RpcAnswer[];
      answers.push(...part.sort((left, right) => left.id - right.id));
    }
    return answers;
  }

  async #post(body: unknown): Promise<unknown> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  }
}

export function hexNumber(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}
