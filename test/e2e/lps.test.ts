/** Compares `/v1/lps/{address}` of every LP with direct reads of its contracts at the block that the answer names. */
import type { Schemas } from "@coreswap/client";
import { type Address, type Hex, parseAbi, zeroAddress, zeroHash } from "viem";
import { describe, expect, inject, test } from "vitest";
import { timeText } from "../support/time.ts";
import { ApiClient } from "./harness/api.ts";
import { chainClient } from "./oracle/chain.ts";
import { readDeploymentFromContracts } from "./oracle/deployment.ts";
import { consultOracle } from "./oracle/network.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);

const abi = parseAbi([
  "function balanceSheetCustodyAddress() view returns (address)",
  "function stablecoinCustodyAddress() view returns (address)",
  "function rwaWhitelist(address) view returns (bool)",
  "function stablecoinWhitelist(address) view returns (bool)",
  "function intakeCap(address) view returns (uint256 cap, uint256 available)",
  "function emergencyPaused() view returns (bool)",
  "function issuerPaused() view returns (bool)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function autoLiquidityStablecoinIDs(bytes32) view returns (bytes32)",
  "function swapInputAllowances(address, address, bytes32) view returns (uint256)",
]);

const lower = (account: Address) => account.toLowerCase();

describe.each([
  { network: "evm-mainnet", source: stack.networks.mainnet },
  { network: "evm-sepolia", source: stack.networks.sepolia },
] as const)("the LPs of $network", ({ network, source }) => {
  test("have the custody, approvals, intake and derived legs that their contracts state", async () => {
    const { chain } = await consultOracle(source);
    const deployment = await readDeploymentFromContracts(source.rpcUrl, chain, source.contracts);
    const client = chainClient(source.rpcUrl);
    const { coreSwap } = source.contracts;
    const assets = [
      ...deployment.stable_assets.map(({ stablecoin_id: id, ...asset }) => ({
        ...asset,
        id,
        kind: "stablecoin" as const,
      })),
      ...deployment.rwa_assets.map(({ rwa_id: id, ...asset }) => ({ ...asset, id, kind: "rwa" as const })),
    ].sort((a, b) => (a.id < b.id ? -1 : 1));
    let derived = 0;
    for (const lp of deployment.stablecoin_delegate_contracts) {
      const lpAddress = lp.delegate_address as Address;
      const { liquidity } = await api.json<Schemas["Lp"]>(`/v1/lps/${lpAddress}?network=${network}`);
      if (liquidity === null) throw new Error(`${lpAddress} has no liquidity`);
      const blockNumber = BigInt(liquidity.block.blockNumber);
      expect(liquidity.block.blockHash).toBe((await client.getBlock({ blockNumber })).hash);
      const of = (address: string) => ({ abi, address: address as Address, blockNumber }) as const;
      const [rwa, stablecoin] = await Promise.all([
        client.readContract({ ...of(lpAddress), functionName: "balanceSheetCustodyAddress" }),
        client.readContract({ ...of(lpAddress), functionName: "stablecoinCustodyAddress" }),
      ]);
      const custodies = { rwa, stablecoin };

      const holdings = [];
      for (const { id, kind, token_address, decimals } of assets) {
        const isOwn = id === lp.stablecoin_id;
        const token = token_address as Address;
        const functionName = kind === "rwa" ? "rwaWhitelist" : "stablecoinWhitelist";
        if (!isOwn && !(await client.readContract({ ...of(lpAddress), functionName, args: [token] }))) continue;
        const custody = custodies[kind];
        const [cap, available] = await client.readContract({
          ...of(lpAddress),
          functionName: "intakeCap",
          args: [token],
        });
        const args = [custody, lpAddress] as const;
        const holding = {
          assetId: id,
          kind,
          tokenAddress: token,
          decimals,
          custody: custody === zeroAddress ? null : lower(custody),
          balance: String(await client.readContract({ ...of(token), functionName: "balanceOf", args: [custody] })),
          approval:
            lower(custody) === lower(lpAddress)
              ? null
              : String(await client.readContract({ ...of(token), functionName: "allowance", args })),
          intakeCapPerDay: isOwn && lp.yield_bearing ? null : String(cap),
          intakeAvailable: isOwn && lp.yield_bearing ? null : String(available),
        };
        if (isOwn) holdings.unshift(holding);
        else holdings.push(holding);
      }
      expect(holdings.length).toBeGreaterThan(1);

      const reserveId = await client.readContract({
        ...of(coreSwap),
        functionName: "autoLiquidityStablecoinIDs",
        args: [lp.stablecoin_id as Hex],
      });
      const reserve = deployment.stablecoin_delegate_contracts.find(({ stablecoin_id: id }) => id === reserveId);
      const allowances = async (id: string, token: string, spender: string) => ({
        inputAllowance: String(
          await client.readContract({
            ...of(coreSwap),
            functionName: "swapInputAllowances",
            args: [stablecoin, coreSwap, id as Hex],
          }),
        ),
        approval: String(
          await client.readContract({
            ...of(token),
            functionName: "allowance",
            args: [stablecoin, spender as Address],
          }),
        ),
      });
      if (reserveId !== zeroHash) derived += 1;
      expect(liquidity).toEqual({
        block: liquidity.block,
        stablecoinId: lp.stablecoin_id,
        tokenAddress: lp.token_address,
        decimals: assets.find(({ id }) => id === lp.stablecoin_id)?.decimals,
        yieldBearing: lp.yield_bearing,
        accepted: lp.accepted,
        isPausedByGuardian: await client.readContract({ ...of(lpAddress), functionName: "emergencyPaused" }),
        isPausedByIssuer: await client.readContract({ ...of(lpAddress), functionName: "issuerPaused" }),
        holdings,
        derivedLegs: reserve
          ? {
              reserveStablecoinId: reserveId,
              sweep: await allowances(lp.stablecoin_id, lp.token_address, reserve.delegate_address),
              prefund: await allowances(reserveId, reserve.token_address, reserve.delegate_address),
            }
          : null,
      });
    }
    // The history has derived legs, so at least one LP allows them.
    expect(derived).toBeGreaterThan(0);
  });

  test("have the volume and the fees of all their legs", async () => {
    const end = Math.floor(Date.now() / 1000) + 86_400;
    const range = `from=${timeText(end - 365 * 86_400)}&to=${timeText(end)}`;
    const year = await api.json<Schemas["Volume"]>(`/v1/volume?network=${network}&${range}`);
    expect(year.lpVolumes.length).toBeGreaterThan(1);
    for (const { lpAddress, ...volume } of year.lpVolumes) {
      const lp = await api.json<Schemas["Lp"]>(`/v1/lps/${lpAddress}?network=${network}`);
      expect(lp.volume).toEqual(volume);
    }
  });
});
