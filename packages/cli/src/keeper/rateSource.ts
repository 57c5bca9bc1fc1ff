/**
 * Reads the rate of a day from the T-bill rate adapter: the result of `getRate` at the last block of that day. The
 * adapter keeps no history, so past days are read from the state of past blocks, which requires an archive node.
 */
import { tBillRateAdapterAbi } from "@coreswap/abi";
import { DAY_SECONDS } from "@coreswap/sdk";
import type { Address } from "viem";
import { type NodeClient, reasonOf } from "../chain/connect.ts";
import { decodeRevert, isMissingFunction, revertData } from "../errors/revert.ts";
import { showDay } from "../text.ts";
import type { SourceProblem } from "./navSource.ts";

export interface SourceRate {
  /** Gross APY, WAD fraction. */
  readonly rateWad: bigint;
}

export class RateSource {
  readonly #client: NodeClient;
  readonly #adapter: Address;
  /** The last block of the final day that was asked for last. It cannot change any more. */
  #known: { readonly dayNumber: bigint; readonly lastBlock: bigint | null } | null = null;

  constructor(client: NodeClient, adapter: Address) {
    this.#client = client;
    this.#adapter = adapter;
  }

  /**
   * Returns the rate of a day.
   * @param dayNumber days since 1970, in UTC
   * @returns Null while the day's last block is not final, because another block can still replace it
   * @throws viem's errors if the node fails
   */
  async rateOf(dayNumber: bigint): Promise<SourceRate | SourceProblem | null> {
    const final = await this.#client.getBlock({ blockTag: "finalized" });
    if (final.timestamp < (dayNumber + 1n) * DAY_SECONDS) return null;
    if (this.#known?.dayNumber !== dayNumber) {
      this.#known = { dayNumber, lastBlock: await this.#lastBlockOf(dayNumber, final.number) };
    }
    const blockNumber = this.#known.lastBlock;
    const day = showDay(dayNumber);
    if (blockNumber === null) return { problem: `the chain has no block on ${day}`, isTransient: false };
    try {
      const call = { address: this.#adapter, abi: tBillRateAdapterAbi, functionName: "getRate" } as const;
      return { rateWad: await this.#client.readContract({ ...call, blockNumber }) };
    } catch (error) {
      const data = revertData(error);
      const where = `at block ${blockNumber}, the last of ${day}`;
      if (data !== null) {
        return { problem: `the adapter returned no rate ${where}: ${decodeRevert(data).text}`, isTransient: false };
      }
      if (isMissingFunction(error)) {
        return { problem: `there is no adapter at ${this.#adapter} ${where}`, isTransient: false };
      }
      // Days that are long past require an archive node.
      return { problem: `the node cannot read the adapter ${where}: ${reasonOf(error)}`, isTransient: true };
    }
  }

  /** Finds the last block before a day ends, by binary search; null if the day has no block. */
  async #lastBlockOf(dayNumber: bigint, finalBlock: bigint): Promise<bigint | null> {
    const timeOf = async (blockNumber: bigint) => (await this.#client.getBlock({ blockNumber })).timestamp;
    const end = (dayNumber + 1n) * DAY_SECONDS;
    let [before, after] = [0n, finalBlock];
    while (after - before > 1n) {
      const middle = (before + after) / 2n;
      if ((await timeOf(middle)) < end) before = middle;
      else after = middle;
    }
    const time = await timeOf(before);
    return time >= dayNumber * DAY_SECONDS && time < end ? before : null;
  }
}
