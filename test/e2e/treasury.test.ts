/** Compares the rates and accounts of the treasury token with direct reads of the delegate and its storage. */

import type { Schemas } from "@coreswap/client";
import {
  type Address,
  decodeEventLog,
  encodeAbiParameters,
  hexToBigInt,
  keccak256,
  parseAbi,
  toEventSelector,
  toHex,
} from "viem";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { timeText } from "../support/time.ts";
import { ApiClient } from "./harness/api.ts";
import { chainClient, readChain } from "./oracle/chain.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const DAY_SECONDS = 86_400n;
const RANGE_DAYS = 365n;

const delegateAbi = parseAbi([
  "function firstRateDay() view returns (uint256)",
  "function lastRatePostingDay() view returns (uint256)",
  "function dailyRates(uint256 day) view returns (uint256)",
  "function credits(address user) view returns (uint256)",
  "function totalWithheldCredits(address user) view returns (uint256)",
  "function yieldMultiplier(address user) view returns (uint256)",
  "function lastAccrualDay(address user) view returns (uint256)",
  "function getYieldAmount(address user, uint256 value, bool stablecoinWithdrawal) view returns (uint256)",
  "struct Record { address token; uint256 credits; uint256 release; uint256 earningStart; bool isRWA; }",
  "function getWithheldCredits(address user) view returns (Record[])",
]);
const creditEvents = parseAbi([
  "event PendingCreditsAdded(address indexed user, uint256 amount, uint256 depositDay)",
  "event YieldClaimed(address indexed user, uint256 creditsRedeemed, uint256 yieldAmount, uint256 effectiveValue)",
  "event CreditsMoved(address indexed from, address indexed to, uint256 withheldCredits, uint256 mainCredits)",
]);
const tokenAbi = parseAbi(["function balanceOf(address) view returns (uint256)"]);

/** The ERC-7201 slot of `coreswap.storage.TreasuryDelegate`. Its second slot is the mapping of days. */
const NAMESPACE =
  (hexToBigInt(
    keccak256(
      encodeAbiParameters(
        [{ type: "uint256" }],
        [hexToBigInt(keccak256(toHex("coreswap.storage.TreasuryDelegate"))) - 1n],
      ),
    ),
  ) >>
    8n) <<
  8n;

/** A change of a wallet's credits, according to a receipt. */
interface CreditChange {
  readonly wallet: string;
  readonly timestamp: bigint;
  readonly deposited: bigint;
  readonly redeemed: bigint;
  readonly yieldClaimed: bigint;
  readonly creditsMovedIn: bigint;
  readonly creditsMovedOut: bigint;
}

const NO_CHANGE = { deposited: 0n, redeemed: 0n, yieldClaimed: 0n, creditsMovedIn: 0n, creditsMovedOut: 0n };
const FLOWS = Object.keys(NO_CHANGE) as (keyof typeof NO_CHANGE)[];

/** Every change of credits at a delegate, from the receipts of the whole chain. */
async function creditChanges(rpcUrl: string, delegate: string): Promise<CreditChange[]> {
  const selectors = creditEvents.map((event) => toEventSelector(event));
  const { transactions } = await readChain(rpcUrl);
  return transactions.flatMap(({ timestamp, logs }) =>
    logs
      .filter(({ address, topics }) => address === delegate && selectors.includes(topics[0] ?? "0x"))
      .flatMap(({ topics: [selector = "0x", ...rest], data }) => {
        const { eventName, args } = decodeEventLog({ abi: creditEvents, topics: [selector, ...rest], data });
        const change = (wallet: Address, flows: Partial<typeof NO_CHANGE>) => ({
          ...{ wallet: wallet.toLowerCase(), timestamp, ...NO_CHANGE },
          ...flows,
        });
        if (eventName === "PendingCreditsAdded") return [change(args.user, { deposited: args.amount })];
        if (eventName === "YieldClaimed") {
          return [change(args.user, { redeemed: args.creditsRedeemed, yieldClaimed: args.yieldAmount })];
        }
        const moved = args.withheldCredits + args.mainCredits;
        return [change(args.from, { creditsMovedOut: moved }), change(args.to, { creditsMovedIn: moved })];
      }),
  );
}

function flowsOf(changes: readonly CreditChange[]) {
  const sums = FLOWS.map((flow) => [flow, String(changes.reduce((sum, change) => sum + change[flow], 0n))] as const);
  return Object.fromEntries(sums) as Record<(typeof FLOWS)[number], string>;
}

function positionOf(changes: readonly CreditChange[]) {
  const { deposited, redeemed, creditsMovedIn, creditsMovedOut, ...rest } = flowsOf(changes);
  const netDeposits = BigInt(deposited) - BigInt(redeemed);
  const credits = netDeposits + BigInt(creditsMovedIn) - BigInt(creditsMovedOut);
  return {
    ...{ deposited, redeemed, creditsMovedIn, creditsMovedOut, ...rest },
    ...{ netDeposits: String(netDeposits), credits: String(credits) },
  };
}

describe.each([
  { network: "evm-mainnet", source: stack.networks.mainnet },
  { network: "evm-sepolia", source: stack.networks.sepolia },
] as const)("treasury of $network", ({ network, source }) => {
  const client = chainClient(source.rpcUrl);
  let rates: Schemas["TreasuryDelegateRates"];
  let wallets: string[];
  let changes: readonly CreditChange[];

  beforeAll(async () => {
    const to = BigInt(Math.floor(Date.now() / 1000));
    const range = `from=${timeText(to - RANGE_DAYS * DAY_SECONDS)}&to=${timeText(to)}`;
    const answer = await api.json<Schemas["TreasuryRates"]>(`/v1/treasury/rates?network=${network}&${range}`);
    const [delegate] = answer.delegates;
    if (delegate === undefined) throw new Error("there is no yield-bearing delegate");
    rates = delegate;
    changes = await creditChanges(source.rpcUrl, delegate.delegateAddress);
    const history = await api.wholeHistory(network);
    wallets = [
      ...new Set(
        history.flatMap(({ sender, activities }) => [
          sender,
          ...activities.flatMap((activity) => ("receiver" in activity ? [activity.user, activity.receiver] : [])),
        ]),
      ),
    ];
  });

  /**
   * Reads what the delegate stores about a day in one slot. From the lowest bit: index 128 bits, net rate 64, growth
   * 64.
   */
  async function storedDay(day: bigint) {
    const slot = keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [day, NAMESPACE + 2n]));
    const word = hexToBigInt((await client.getStorageAt({ address: rates.delegateAddress as Address, slot })) ?? "0x0");
    const mask = (bits: bigint) => (1n << bits) - 1n;
    return { growthIndexE36: word & mask(128n), rateWad: (word >> 128n) & mask(64n), growthWad: word >> 192n };
  }

  test("every posted day is listed once, with the rate, growth and index that the delegate stores", async () => {
    const contract = { address: rates.delegateAddress as Address, abi: delegateAbi } as const;
    const [first, last] = await Promise.all([
      client.readContract({ ...contract, functionName: "firstRateDay" }),
      client.readContract({ ...contract, functionName: "lastRatePostingDay" }),
    ]);
    expect(rates.firstRateDay).toBe(String(first));
    expect(rates.rates.length).toBe(Number(last - first) + 1);
    expect(rates.rates.length).toBeGreaterThan(10);
    for (const [index, line] of rates.rates.entries()) {
      const day = first + BigInt(index);
      const { dayNumber, rateWad, growthWad, growthIndexE36 } = line;
      const stored = await storedDay(day);
      expect({ dayNumber, rateWad, growthWad, growthIndexE36 }).toEqual({
        dayNumber: String(day),
        rateWad: String(stored.rateWad),
        growthWad: String(stored.growthWad),
        growthIndexE36: String(stored.growthIndexE36),
      });
      expect(rateWad).toBe(String(await client.readContract({ ...contract, functionName: "dailyRates", args: [day] })));
      expect(line.corrections.at(-1)?.newRateWad ?? line.postedRateWad).toBe(rateWad);
    }
    expect(rates.rates.some(({ rateWad }) => rateWad !== "0")).toBe(true);
  });

  test("accounts equal direct reads at the block that the answer names", async () => {
    let withCredits = 0;
    for (const wallet of wallets) {
      const answer = await api.json<Schemas["TreasuryAccounts"]>(`/v1/treasury/accounts/${wallet}?network=${network}`);
      const blockNumber = BigInt(answer.block.blockNumber);
      expect(answer.block.blockHash).toBe((await client.getBlock({ blockNumber })).hash);
      const [account] = answer.accounts;
      if (account === undefined) throw new Error("there is no account");
      const contract = { address: account.delegateAddress as Address, abi: delegateAbi, blockNumber } as const;
      const args = [wallet as Address] as const;
      const balance = await client.readContract({
        address: account.tokenAddress as Address,
        abi: tokenAbi,
        functionName: "balanceOf",
        args,
        blockNumber,
      });
      const main = await client.readContract({ ...contract, functionName: "credits", args });
      const withheld = await client.readContract({ ...contract, functionName: "totalWithheldCredits", args });
      const redeemable = [balance, main + withheld].sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n;
      const value = async (inStablecoin: boolean) =>
        redeemable === 0n
          ? 0n
          : redeemable +
            (await client.readContract({
              ...contract,
              functionName: "getYieldAmount",
              args: [...args, redeemable, inStablecoin],
            }));
      const earned = async (inStablecoin: boolean) => {
        const own = changes.filter((change) => change.wallet === wallet);
        const claimed = own.reduce((sum, { yieldClaimed }) => sum + yieldClaimed, 0n);
        if (main + withheld === 0n) return claimed;
        const unclaimed = { functionName: "getYieldAmount", args: [...args, main + withheld, inStablecoin] } as const;
        return claimed + (await client.readContract({ ...contract, ...unclaimed }));
      };
      const queue = await client.readContract({ ...contract, functionName: "getWithheldCredits", args });
      expect(account).toEqual({
        delegateAddress: rates.delegateAddress,
        stablecoinId: rates.stablecoinId,
        tokenAddress: rates.tokenAddress,
        tokenBalance: String(balance),
        mainCredits: String(main),
        totalWithheldCredits: String(withheld),
        withheldCredits: queue.map((record) => ({
          tokenAddress: record.token.toLowerCase(),
          credits: String(record.credits),
          releaseTimestamp: String(record.release),
          earningStartTimestamp: String(record.earningStart),
          isRwa: record.isRWA,
        })),
        yieldMultiplierWad: String(await client.readContract({ ...contract, functionName: "yieldMultiplier", args })),
        lastAccrualDay: String(await client.readContract({ ...contract, functionName: "lastAccrualDay", args })),
        redeemableTokens: String(redeemable),
        redeemableValueInStablecoin: String(await value(true)),
        redeemableValueInRwa: String(await value(false)),
        position: positionOf(changes.filter((change) => change.wallet === wallet)),
        yieldEarnedInStablecoin: String(await earned(true)),
        yieldEarnedInRwa: String(await earned(false)),
      });
      expect(account.position.credits).toBe(String(main + withheld));
      if (redeemable > 0n) withCredits += 1;
    }
    expect(withCredits).toBeGreaterThan(0);
  });

  test.each(["day", "week", "month"])(
    "the history of each wallet by %s equals the receipts of the chain",
    async (interval) => {
      const to = (changes.at(-1)?.timestamp ?? 0n) + 1n;
      const secondOf = (text: string) => BigInt(Date.parse(text) / 1000);
      const query = `network=${network}&interval=${interval}&from=${timeText(to - 70n * DAY_SECONDS)}&to=${timeText(to)}`;
      const holders = [...new Set(changes.map(({ wallet }) => wallet))];
      expect(holders.length).toBeGreaterThan(2);
      for (const wallet of holders) {
        const path = `/v1/treasury/accounts/${wallet}/history?${query}`;
        const { accounts } = await api.json<Schemas["TreasuryHistory"]>(path);
        const [account] = accounts;
        if (account === undefined) throw new Error("there is no account");
        const own = changes.filter((change) => change.wallet === wallet);
        const before = (second: bigint) => own.filter(({ timestamp }) => timestamp < second);
        expect(account.atStart).toEqual(positionOf(before(to - 70n * DAY_SECONDS)));
        expect(account.buckets.length).toBeGreaterThan(2);
        for (const { from, to: end, atEnd, ...flows } of account.buckets) {
          const within = before(secondOf(end)).filter(({ timestamp }) => timestamp >= secondOf(from));
          expect(flows).toEqual(flowsOf(within));
          expect(atEnd).toEqual(positionOf(before(secondOf(end))));
        }
      }
      expect(changes.some(({ yieldClaimed }) => yieldClaimed > 0n)).toBe(true);
    },
  );
});
