import { type Address, ContractFunctionExecutionError } from "viem";
import { expect, inject, test } from "vitest";
import { navPriceAdapterAbi } from "../../abis/index.ts";
import { ApiClient } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { chainClient } from "./oracle/chain.ts";
import { readDeploymentFromContracts } from "./oracle/deployment.ts";
import { consultOracle } from "./oracle/network.ts";
import { coreSwapFunctions } from "./publishedAbi.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);

interface Assets {
  readonly stablecoins: readonly {
    readonly usdValueSetAt: string | null;
    readonly rwaRates: readonly { readonly rwaId: string }[];
    readonly stablecoinRates: readonly { readonly tokenAddress: string }[];
  }[];
  readonly rwas: readonly { readonly priceAdapter: string | null; readonly price: object | null }[];
  readonly coverage: object;
}

/** The terms that the views of CoreSwap return, for every pair of assets that has terms. */
async function expectedAssets(network: "mainnet" | "sepolia") {
  const source = stack.networks[network];
  const { chain } = await consultOracle(source);
  const deployment = await readDeploymentFromContracts(source.rpcUrl, chain, source.contracts);
  const client = chainClient(source.rpcUrl);
  const contract = { address: source.contracts.coreSwap, abi: coreSwapFunctions } as const;
  const { stable_assets: stableAssets, rwa_assets: rwaAssets } = deployment;

  const stablecoins = await Promise.all(
    stableAssets.map(async ({ stablecoin_id: id, token_address: tokenAddress, ...token }, index) => {
      const lp = deployment.stablecoin_delegate_contracts[index];
      if (lp === undefined) throw new Error(`no LP of ${id}`);
      const rwaRates = await Promise.all(
        rwaAssets.map(async ({ rwa_id: rwaId }) => ({
          rwaId,
          discountRateWad: String(
            await client.readContract({ ...contract, functionName: "discountRates", args: [id, rwaId] }),
          ),
          redemptionFeeWad: String(
            await client.readContract({ ...contract, functionName: "redemptionFees", args: [id, rwaId] }),
          ),
        })),
      );
      const stablecoinRates = await Promise.all(
        stableAssets.map(async ({ token_address: foreign }) => ({
          tokenAddress: foreign,
          acceptanceFeeWad: String(
            await client.readContract({ ...contract, functionName: "stablecoinAcceptanceFees", args: [id, foreign] }),
          ),
          redemptionFeeWad: String(
            await client.readContract({ ...contract, functionName: "stablecoinRedemptionFees", args: [id, foreign] }),
          ),
        })),
      );
      return {
        ...token,
        stablecoinId: id,
        tokenAddress,
        yieldBearing: lp.yield_bearing,
        lpAddress: lp.delegate_address,
        usdValueWad: String(await client.readContract({ ...contract, functionName: "stablecoinUSDValue", args: [id] })),
        issuerPaidProtocolFeeRateWad: String(
          await client.readContract({ ...contract, functionName: "issuerPaidProtocolFeeRates", args: [id] }),
        ),
        protocolFeeExempt: await client.readContract({ ...contract, functionName: "protocolFeeExempt", args: [id] }),
        guardrail: lp.guardrail && {
          priceAdapter: lp.guardrail.price_adapter,
          bandWad: lp.guardrail.band_wad,
          enabled: lp.guardrail.enabled,
        },
        rwaRates: rwaRates.filter(hasRate),
        stablecoinRates: stablecoinRates.filter(hasRate).sort((a, b) => (a.tokenAddress < b.tokenAddress ? -1 : 1)),
      };
    }),
  );
  return {
    network: `evm-${network}`,
    chainId: chain.chainId,
    paused: await client.readContract({ ...contract, functionName: "paused" }),
    spreadProtocolTakeRateWad: String(
      await client.readContract({ ...contract, functionName: "spreadProtocolTakeRate" }),
    ),
    stablecoins,
    rwas: await Promise.all(
      rwaAssets.map(async ({ rwa_id, token_address, price_adapter, delegate, whitelist_adapter, ...token }) => ({
        ...token,
        rwaId: rwa_id,
        tokenAddress: token_address,
        priceAdapter: price_adapter,
        nav: price_adapter && (await readNav(client, price_adapter)),
        riskDelegate: delegate,
        whitelistAdapter: whitelist_adapter,
      })),
    ),
  };
}

/** The NAV of an adapter, or null if its contract has none. */
async function readNav(client: ReturnType<typeof chainClient>, address: Address) {
  const abi = navPriceAdapterAbi;
  const [navWad, postedAt] = await Promise.all(
    (["navWad", "postedAt"] as const).map((functionName) =>
      client.readContract({ address, abi, functionName }).catch((error: unknown) => {
        if (error instanceof ContractFunctionExecutionError) return null;
        throw error;
      }),
    ),
  );
  if (navWad === null || postedAt === null) return null;
  return { navWad: String(navWad), postedAt: new Date(Number(postedAt) * 1_000).toISOString().replace(".000", "") };
}

/** A view returns zero for a pair that no event has named. */
function hasRate(rates: Readonly<Record<string, string>>): boolean {
  return Object.entries(rates).some(([name, value]) => name.endsWith("Wad") && value !== "0");
}

test.each(["mainnet", "sepolia"] as const)("values and rates on %s equal the views of CoreSwap", async (network) => {
  const path = `/v1/assets?network=evm-${network}`;
  const { stablecoins, rwas, coverage, ...settings } = await api.json<Assets>(path);
  const expected = await expectedAssets(network);
  assertSame(path, expected, {
    ...settings,
    stablecoins: stablecoins.map(({ usdValueSetAt, rwaRates, stablecoinRates, ...stablecoin }) => ({
      ...stablecoin,
      rwaRates: rwaRates.filter(hasRate),
      stablecoinRates: stablecoinRates.filter(hasRate),
    })),
    rwas: rwas.map(({ price, ...rwa }) => rwa),
  });
  expect(expected.stablecoins.flatMap(({ rwaRates }) => rwaRates).length).toBeGreaterThan(3);
  expect(expected.stablecoins.flatMap(({ stablecoinRates }) => stablecoinRates).length).toBeGreaterThan(1);
  expect(stablecoins.every(({ usdValueSetAt }) => usdValueSetAt !== null)).toBe(true);
  expect(rwas.some(({ price }) => price !== null)).toBe(true);
  expect(expected.rwas.some(({ nav }) => nav !== null)).toBe(true);
  expect(coverage).toHaveProperty("historicalBackfill");
});
