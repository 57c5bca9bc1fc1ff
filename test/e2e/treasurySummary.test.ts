/**
 * Compares the treasury's summary with direct reads of every contract at its block, and with the logs of the whole
 * chain.
 */
import type { Schemas } from "@coreswap/client";
import { findCreditedAccounts } from "@coreswap/sdk";
import { type Address, type Hex, parseAbi, parseAbiItem, zeroAddress } from "viem";
import { describe, expect, inject, test } from "vitest";
import { timeText } from "../support/time.ts";
import { ApiClient } from "./harness/api.ts";
import { chainClient } from "./oracle/chain.ts";
import { readDeploymentFromContracts } from "./oracle/deployment.ts";
import { consultOracle } from "./oracle/network.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const WAD = 10n ** 18n;
const DAY_SECONDS = 86_400n;

const delegateAbi = parseAbi([
  "function balanceSheetCustodyAddress() view returns (address)",
  "function stablecoinCustodyAddress() view returns (address)",
  "function getRWAColdStorageAddresses() view returns (address[])",
  "function getStablecoinColdStorageAddresses() view returns (address[])",
  "function rwaWhitelist(address) view returns (bool)",
  "function stablecoinWhitelist(address) view returns (bool)",
  "function credits(address) view returns (uint256)",
  "function totalWithheldCredits(address) view returns (uint256)",
  "function getYieldAmount(address, uint256, bool) view returns (uint256)",
  "function lastRatePostingDay() view returns (uint256)",
  "function dailyRates(uint256) view returns (uint256)",
]);
const otherAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function totalSupply() view returns (uint256)",
  "function getPrice() view returns (uint256)",
  "function stablecoinUSDValue(bytes32) view returns (uint256)",
]);
const pendingCreditsAdded = parseAbiItem(
  "event PendingCreditsAdded(address indexed user, uint256 amount, uint256 depositDay)",
);

describe.each([
  { network: "evm-mainnet", source: stack.networks.mainnet },
  { network: "evm-sepolia", source: stack.networks.sepolia },
] as const)("the treasury summary of $network", ({ network, source }) => {
  const client = chainClient(source.rpcUrl);
  const read = () => api.json<Schemas["TreasurySummary"]>(`/v1/treasury/summary?network=${network}`);

  test("has the supply, credits, liabilities and reserve that the contracts state", async () => {
    const { chain } = await consultOracle(source);
    const deployment = await readDeploymentFromContracts(source.rpcUrl, chain, source.contracts);
    const summary = await read();
    const [delegate] = summary.delegates;
    if (delegate === undefined) throw new Error("there is no yield-bearing delegate");
    const blockNumber = BigInt(summary.block.blockNumber);
    const block = await client.getBlock({ blockNumber });
    expect(summary.block).toEqual({
      blockNumber: String(blockNumber),
      blockHash: block.hash,
      timestamp: String(block.timestamp),
    });
    const contract = { address: delegate.delegateAddress as Address, abi: delegateAbi, blockNumber } as const;
    const tokenAddress = delegate.tokenAddress as Address;

    // The logs of the whole chain say who has credits.
    const logs = await client.getLogs({
      address: contract.address,
      event: pendingCreditsAdded,
      fromBlock: 0n,
      toBlock: blockNumber,
      strict: true,
    });
    const accounts = [...new Set(logs.map(({ args }) => args.user))];
    const found = await findCreditedAccounts({
      client,
      delegateAddress: contract.address,
      fromBlock: 0n,
      toBlock: blockNumber,
      blocksPerRequest: 500n,
    });
    expect(found).toEqual(expect.arrayContaining(accounts));
    let [credits, withheld, liabilities, holders] = [0n, 0n, 0n, 0];
    for (const account of found) {
      const args = [account] as const;
      const main = await client.readContract({ ...contract, functionName: "credits", args });
      const pending = await client.readContract({ ...contract, functionName: "totalWithheldCredits", args });
      const all = main + pending;
      if (all === 0n) continue;
      const yieldArgs = [account, all, false] as const;
      liabilities +=
        all + (await client.readContract({ ...contract, functionName: "getYieldAmount", args: yieldArgs }));
      credits += all;
      withheld += pending;
      holders += 1;
    }
    expect(holders).toBeGreaterThan(1);
    expect(liabilities).toBeGreaterThan(credits);
    expect(delegate).toMatchObject({
      credits: String(credits),
      withheldCredits: String(withheld),
      creditedAccounts: holders,
      decimals: 18,
      supply: String(
        await client.readContract({ address: tokenAddress, abi: otherAbi, functionName: "totalSupply", blockNumber }),
      ),
    });

    // The reserve.
    const custodyOf = async (address: Address) => {
      const of = { ...contract, address };
      const [rwa, stablecoin] = await Promise.all([
        client.readContract({ ...of, functionName: "balanceSheetCustodyAddress" }),
        client.readContract({ ...of, functionName: "stablecoinCustodyAddress" }),
      ]);
      const cold = await Promise.all([
        client.readContract({ ...of, functionName: "getRWAColdStorageAddresses" }),
        client.readContract({ ...of, functionName: "getStablecoinColdStorageAddresses" }),
      ]);
      const all = [rwa, stablecoin, ...cold.flat()].filter((account) => account !== zeroAddress);
      return new Set(all.map((account) => account.toLowerCase()));
    };
    const own = await custodyOf(contract.address);
    const others = new Set<string>();
    for (const { delegate_address: other } of deployment.stablecoin_delegate_contracts) {
      if (other === delegate.delegateAddress) continue;
      for (const account of await custodyOf(other as Address)) others.add(account);
    }
    expect(new Map(delegate.reserveAccounts.map(({ account, isShared }) => [account, isShared]))).toEqual(
      new Map([...own].map((account) => [account, others.has(account)])),
    );
    expect(delegate.reserveAccounts).toHaveLength(own.size);

    const rwas = deployment.rwa_assets.map((asset) => ({ ...asset, kind: "rwa" as const, id: asset.rwa_id as Hex }));
    const stablecoins = deployment.stable_assets.map((asset) => ({
      ...asset,
      kind: "stablecoin" as const,
      id: asset.stablecoin_id as Hex,
      price_adapter: null,
    }));
    let total = 0n;
    const expected = [];
    for (const { id, kind, token_address: token, decimals, price_adapter: adapter } of [...rwas, ...stablecoins]) {
      if (token === delegate.tokenAddress) continue;
      const functionName = kind === "rwa" ? "rwaWhitelist" : "stablecoinWhitelist";
      if (!(await client.readContract({ ...contract, functionName, args: [token as Address] }))) continue;
      const price =
        kind === "rwa"
          ? await priceOf(adapter as Address | null)
          : await client.readContract({
              address: source.contracts.coreSwap,
              abi: otherAbi,
              functionName: "stablecoinUSDValue",
              args: [id],
              blockNumber,
            });
      let amount = 0n;
      for (const account of own) {
        amount += await client.readContract({
          address: token as Address,
          abi: otherAbi,
          functionName: "balanceOf",
          args: [account as Address],
          blockNumber,
        });
      }
      const value = price === null ? null : (amount * 10n ** BigInt(18 - decimals) * price) / WAD;
      total += value ?? 0n;
      expected.push({
        assetId: id,
        kind,
        amount: String(amount),
        priceUsdWad: price === null ? null : String(price),
        valueUsdWad: value === null ? (amount === 0n ? "0" : null) : String(value),
      });
    }
    expected.sort((a, b) => (a.assetId < b.assetId ? -1 : 1));
    expect(expected.length).toBeGreaterThan(1);
    expect(delegate.reserveAssets).toMatchObject(expected);
    expect(delegate.reserveAssets).toHaveLength(expected.length);

    const unpriced = expected.filter(({ valueUsdWad }) => valueUsdWad === null).map(({ assetId }) => assetId);
    expect(delegate.solvency).toMatchObject({
      // One whole treasury token is worth a dollar by definition.
      liabilities: String(liabilities),
      liabilitiesUsdWad: String(liabilities),
      assetsUsdWad: String(total),
      surplusUsdWad: String(total - liabilities),
      ratioWad: String((total * WAD) / liabilities),
      unpricedAssetIds: unpriced,
      isSolvent: total >= liabilities ? true : unpriced.length === 0 ? false : null,
    });

    /** Null when the adapter reverts. */
    async function priceOf(adapter: Address | null): Promise<bigint | null> {
      if (adapter === null) return null;
      return client
        .readContract({ address: adapter, abi: otherAbi, functionName: "getPrice", blockNumber })
        .catch((error: Error) => {
          if (error.message.includes("revert")) return null;
          throw error;
        });
    }
  });

  test("has the yield of the posted days, and says how late the next rate is", async () => {
    const summary = await read();
    const [delegate] = summary.delegates;
    if (delegate === undefined) throw new Error("there is no yield-bearing delegate");
    const contract = { address: delegate.delegateAddress as Address, abi: delegateAbi } as const;
    const blockNumber = BigInt(summary.block.blockNumber);
    const last = await client.readContract({ ...contract, functionName: "lastRatePostingDay", blockNumber });
    const rate = await client.readContract({ ...contract, functionName: "dailyRates", args: [last], blockNumber });
    const ended = BigInt(summary.block.timestamp) / DAY_SECONDS - 1n;
    const { yield: yields } = delegate;
    expect(yields).toMatchObject({
      currentApyWad: String(rate),
      lastPostedDay: String(last),
      nextDayEndsAt: timeText((last + 2n) * DAY_SECONDS),
      unpostedDays: ended > last ? Number(ended - last) : 0,
    });

    // Uses logarithms of the published growth, which are as exact as doubles.
    const from = timeText((last - 120n) * DAY_SECONDS);
    const to = timeText((last + 1n) * DAY_SECONDS);
    const path = `/v1/treasury/rates?network=${network}&from=${from}&to=${to}`;
    const answer = await api.json<Schemas["TreasuryRates"]>(path);
    const growth = answer.delegates[0]?.rates.map(({ growthWad }) => Number(growthWad) / 1e18) ?? [];
    for (const [days, apyWad] of [
      [7, yields.apy7DaysWad],
      [30, yields.apy30DaysWad],
      [90, yields.apy90DaysWad],
    ] as const) {
      if (growth.length < days) {
        expect(apyWad).toBeNull();
        continue;
      }
      const logarithm = growth.slice(-days).reduce((sum, day) => sum + Math.log1p(day), 0);
      expect(Number(apyWad) / 1e18).toBeCloseTo(Math.expm1((logarithm * 365) / days), 10);
    }
    expect(yields.apy7DaysWad).not.toBeNull();
  });
});
