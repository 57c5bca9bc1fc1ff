/** Calls that post a NAV or a rate, for the commands and the keeper. */
import { navPriceAdapterAbi, treasuryDelegateAbi } from "@coreswap/abi";
import { type Address, encodeFunctionData } from "viem";
import type { Call } from "./plan.ts";

export interface DayRate {
  /** Number of the day since 1970, in UTC. */
  readonly dayNumber: bigint;
  /** Gross APY as a WAD fraction. */
  readonly grossRateWad: bigint;
}

/**
 * The call that posts a NAV.
 * @param navWad USD per whole token
 */
export function navPostCall(adapter: Address, navWad: bigint): Call {
  return {
    to: adapter,
    data: encodeFunctionData({ abi: navPriceAdapterAbi, functionName: "postNav", args: [navWad] }),
  };
}

export function ratePostCall(delegate: Address, { dayNumber, grossRateWad }: DayRate): Call {
  const args = [dayNumber, grossRateWad] as const;
  return { to: delegate, data: encodeFunctionData({ abi: treasuryDelegateAbi, functionName: "postDailyRate", args }) };
}

/** Finished days after the last one that has a rate, in the order in which they must be posted. */
export function daysWithoutRate(lastDay: bigint, today: bigint): bigint[] {
  return Array.from({ length: Math.max(0, Number(today - lastDay - 1n)) }, (_, index) => lastDay + 1n + BigInt(index));
}

/** The call that accrues accounts completely, and merges what may merge. */
export function accrualCall(delegate: Address, accounts: readonly Address[]): Call {
  const args = [accounts] as const;
  return {
    to: delegate,
    data: encodeFunctionData({ abi: treasuryDelegateAbi, functionName: "batchAccrueInterest", args }),
  };
}
