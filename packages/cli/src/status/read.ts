/** Reads the state of a deployment at one block. Amounts and rates are those of the contracts, without rounding. */
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  timelockControllerAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "@coreswap/abi";
import { type Address, erc20Abi } from "viem";
import { type NodeClient, readFailure } from "../chain/connect.ts";
import { namedContracts, roleId, rolesOf } from "../chain/contracts.ts";
import {
  type Deployment,
  hasOwnIntakeCap,
  type LiquidityProvider,
  liquidityProviders,
  type Rwa,
  type Stablecoin,
} from "../chain/deployment.ts";
import { readDelegate } from "../chain/registry.ts";
import { decodeRevert, isMissingFunction, revertData } from "../errors/revert.ts";
import { Failure } from "../failure.ts";

export type Status = Awaited<ReturnType<typeof readStatus>>;
export type LpStatus = Status["lps"][number];
export type RwaStatus = Status["rwas"][number];

/** A value, or the name of the error with which the contract refuses to return it. */
type Reading<Value> = { readonly value: Value } | { readonly error: string };

interface At {
  readonly client: NodeClient;
  readonly deployment: Deployment;
  readonly blockNumber: bigint;
}

/**
 * Reads everything at a block, by default the newest.
 * @throws Failure when the node fails, or a contract lacks a function that it must have
 */
export async function readStatus(
  deployment: Deployment,
  client: NodeClient,
  block?: { readonly number: bigint; readonly timestamp: bigint },
) {
  const { number: blockNumber, timestamp } = block ?? (await client.getBlock());
  const at: At = { client, deployment, blockNumber };
  try {
    const [roles, pauses, rwas, stablecoins, lps, rates, timelock] = await Promise.all([
      readRoles(at),
      readPauses(at),
      Promise.all(deployment.rwas.map((rwa) => readRwa(at, rwa))),
      Promise.all(liquidityProviders(deployment).map((stablecoin) => readStablecoin(at, stablecoin))),
      Promise.all(liquidityProviders(deployment).map((lp) => readLp(at, lp))),
      readRates(at),
      readTimelock(at),
    ]);
    const { network, chainId } = deployment;
    return { network, chainId, blockNumber, timestamp, timelock, roles, pauses, rwas, stablecoins, lps, rates };
  } catch (error) {
    throw new Failure(`the state cannot be read at block ${blockNumber}: ${readFailure(error)}`);
  }
}

/** Reads the roles of every contract that lists its holders. The timelock does not. */
async function readRoles({ client, deployment, blockNumber }: At) {
  const listing = namedContracts(deployment).filter(({ name }) => name !== "timelock");
  const rows = listing.flatMap(({ name, address, abi }) =>
    rolesOf(abi).map(async (role) => {
      const args = [roleId(role)] as const;
      const call = { address, abi: treasuryAbi, functionName: "getRoleMembers", args, blockNumber } as const;
      return { contract: name, role, holders: await client.readContract(call) };
    }),
  );
  return Promise.all(rows);
}

async function readPauses({ client, deployment, blockNumber }: At) {
  const { coreSwap, treasury } = deployment;
  const delegateAbi = stablecoinDelegateAbi;
  const whole = [
    { contract: "coreswap", address: coreSwap },
    { contract: "treasury", address: treasury },
  ].map(async ({ contract, address }) => ({
    contract,
    paused: await client.readContract({ address, abi: coreSwapAbi, functionName: "paused", blockNumber }),
    by: null,
  }));
  const lps = liquidityProviders(deployment).map(async ({ symbol, delegate: address }) => {
    const [guardian, issuer] = await Promise.all([
      client.readContract({ address, abi: delegateAbi, functionName: "emergencyPaused", blockNumber }),
      client.readContract({ address, abi: delegateAbi, functionName: "issuerPaused", blockNumber }),
    ]);
    return { contract: `lp:${symbol}`, paused: guardian || issuer, by: { guardian, issuer } };
  });
  return Promise.all([...whole, ...lps]);
}

async function readRwa({ client, deployment, blockNumber }: At, { symbol, id }: Rwa) {
  const { coreSwap } = deployment;
  // The adapter in force may differ from the deployed one.
  const [adapter, [accepted]] = await Promise.all([
    client.readContract({
      address: coreSwap,
      abi: coreSwapAbi,
      functionName: "rwaPriceAdapters",
      args: [id],
      blockNumber,
    }),
    client.readContract({ address: coreSwap, abi: coreSwapAbi, functionName: "rwaInfo", args: [id], blockNumber }),
  ]);
  const nav = { address: adapter, abi: navPriceAdapterAbi, blockNumber } as const;
  const [priceWad, postedAt, maxAgeSeconds, maxMovePerPostWad, availableMoveWad] = await Promise.all([
    attempt(client.readContract({ ...nav, functionName: "getPrice" })),
    attempt(client.readContract({ ...nav, functionName: "postedAt" })),
    attempt(client.readContract({ ...nav, functionName: "maxAgeSeconds" })),
    attempt(client.readContract({ ...nav, functionName: "maxMovePerPostWad" })),
    attempt(client.readContract({ ...nav, functionName: "availableMoveWad" })),
  ]);
  return { symbol, accepted, adapter, priceWad, postedAt, maxAgeSeconds, maxMovePerPostWad, availableMoveWad };
}

async function readStablecoin({ client, deployment, blockNumber }: At, { symbol, id }: Stablecoin) {
  const coreSwap = { address: deployment.coreSwap, abi: coreSwapAbi, args: [id], blockNumber } as const;
  const [[accepted], usdValueWad, issuerPaidProtocolFeeRateWad, guardrailEnabled, guardrailBandWad] = await Promise.all(
    [
      client.readContract({ ...coreSwap, functionName: "stablecoinInfo" }),
      client.readContract({ ...coreSwap, functionName: "stablecoinUSDValue" }),
      client.readContract({ ...coreSwap, functionName: "issuerPaidProtocolFeeRates" }),
      client.readContract({ ...coreSwap, functionName: "stablecoinGuardrailEnabled" }),
      client.readContract({ ...coreSwap, functionName: "stablecoinGuardrailBands" }),
    ],
  );
  return { symbol, accepted, usdValueWad, issuerPaidProtocolFeeRateWad, guardrailEnabled, guardrailBandWad };
}

async function readLp(at: At, lp: LiquidityProvider) {
  const { client, deployment, blockNumber } = at;
  const delegate = { address: lp.delegate, abi: stablecoinDelegateAbi, blockNumber } as const;
  const [rwaCustody, stablecoinCustody, delegateInForce] = await Promise.all([
    client.readContract({ ...delegate, functionName: "balanceSheetCustodyAddress" }),
    client.readContract({ ...delegate, functionName: "stablecoinCustodyAddress" }),
    readDelegate(client, deployment, lp, blockNumber),
  ]);
  const foreign = [
    ...deployment.rwas.map((asset) => ({ asset, custody: rwaCustody, functionName: "rwaWhitelist" as const })),
    ...deployment.stablecoins
      .filter(({ id }) => id !== lp.id)
      .map((asset) => ({ asset, custody: stablecoinCustody, functionName: "stablecoinWhitelist" as const })),
  ];
  const rows = foreign.map(async ({ asset, custody, functionName }) => {
    const isListed = await client.readContract({ ...delegate, functionName, args: [asset.token] });
    if (!isListed) return [];
    const [[cap, available], held] = await Promise.all([
      client.readContract({ ...delegate, functionName: "intakeCap", args: [asset.token] }),
      readHolding(at, asset, custody, lp.delegate),
    ]);
    return [{ ...held, intake: { cap, used: cap - available } }];
  });
  const own = readOwn(at, { ...lp, rwaCustody, stablecoinCustody });
  const [reserve, ...listed] = await Promise.all([readReserve(at, lp, stablecoinCustody), own, ...rows]);
  const assets = listed.flat();
  const { symbol, delegate: address, yieldBearing } = lp;
  return { symbol, yieldBearing, delegate: address, delegateInForce, rwaCustody, stablecoinCustody, assets, reserve };
}

/**
 * Reads what the custody has of the stablecoin in which auto-liquidity keeps its reserve, and how much of it a prefund may
 * take. Null without auto-liquidity.
 */
async function readReserve(at: At, { id, yieldBearing }: LiquidityProvider, custody: Address) {
  const { client, deployment, blockNumber } = at;
  const view = { address: deployment.coreSwap, abi: coreSwapAbi, functionName: "autoLiquidityStablecoinIDs" } as const;
  const reserveId = await client.readContract({ ...view, args: [id], blockNumber });
  const reserve = liquidityProviders(deployment).find((each) => each.id === reserveId.toLowerCase());
  // The custody of a yield-bearing stablecoin has none, whatever is set.
  if (reserve === undefined || yieldBearing) return null;
  return readHolding(at, reserve, custody, reserve.delegate);
}

/** Reads what the custody has of the LP's own stablecoin, and the intake of it if that counts. */
async function readOwn(
  at: At,
  lp: LiquidityProvider & { readonly rwaCustody: Address; readonly stablecoinCustody: Address },
) {
  const { client, blockNumber } = at;
  const delegate = { address: lp.delegate, abi: stablecoinDelegateAbi, blockNumber } as const;
  const [held, [cap, available]] = await Promise.all([
    readHolding(at, lp, lp.stablecoinCustody, lp.delegate),
    client.readContract({ ...delegate, functionName: "intakeCap", args: [lp.token] }),
  ]);
  return [{ ...held, intake: hasOwnIntakeCap(lp) ? { cap, used: cap - available } : null }];
}

/**
 * Reads what a custody has of an asset, and how much of it the delegate may take. A delegate needs no approval from
 * itself.
 */
async function readHolding(
  { client, blockNumber }: At,
  { symbol, decimals, token }: { readonly symbol: string; readonly decimals: number; readonly token: Address },
  custody: Address,
  delegate: Address,
) {
  const erc20 = { address: token, abi: erc20Abi, blockNumber } as const;
  const [balance, allowance] = await Promise.all([
    client.readContract({ ...erc20, functionName: "balanceOf", args: [custody] }),
    client.readContract({ ...erc20, functionName: "allowance", args: [custody, delegate] }),
  ]);
  return { symbol, decimals, custody, balance, approved: custody === delegate ? null : allowance };
}

/** Reads the daily rates of the treasury token. Days are numbered from 1970, and 0 means none. */
async function readRates({ client, deployment, blockNumber }: At) {
  const delegate = { address: deployment.treasuryStablecoin.delegate, abi: treasuryDelegateAbi, blockNumber } as const;
  const [lastDay, currentDay, managementFeeWad, maxDailyRateWad] = await Promise.all([
    client.readContract({ ...delegate, functionName: "lastRatePostingDay" }),
    client.readContract({ ...delegate, functionName: "getCurrentDay" }),
    client.readContract({ ...delegate, functionName: "managementFee" }),
    client.readContract({ ...delegate, functionName: "maxDailyRate" }),
  ]);
  const [netRateWad] = await client.readContract({ ...delegate, functionName: "getDailyRate", args: [lastDay] });
  const missingDays = lastDay === 0n ? null : currentDay - lastDay - 1n;
  return { lastDay, currentDay, missingDays, netRateWad, managementFeeWad, maxDailyRateWad };
}

async function readTimelock({ client, deployment, blockNumber }: At) {
  const { timelock: address } = deployment;
  if (address === undefined) return null;
  const abi = timelockControllerAbi;
  return {
    address,
    delaySeconds: await client.readContract({ address, abi, functionName: "getMinDelay", blockNumber }),
  };
}

async function attempt<Value>(reading: Promise<Value>): Promise<Reading<Value>> {
  try {
    return { value: await reading };
  } catch (error) {
    const data = revertData(error);
    // Another kind of adapter does not have this function.
    if (data === null && !isMissingFunction(error)) throw error;
    return { error: data === null || data === "0x" ? "not offered by the adapter" : decodeRevert(data).text };
  }
}
