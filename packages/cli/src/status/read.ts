/** Reads the state of a deployment at one block. Amounts and rates are those of the contracts, without rounding. */
import {
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  timelockControllerAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "@coreswap/abi";
import { type Address, ContractFunctionExecutionError, erc20Abi, type Hex } from "viem";
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
/** An LP whose holdings could be read. */
export type LpHoldings = Exclude<LpStatus, Refusal>;
export type RwaStatus = Status["rwas"][number];

/** Why a contract does not return a value: the error that it names, or that it has no such function. */
interface Refusal {
  readonly error: string;
}

type Reading<Value> = { readonly value: Value } | Refusal;

interface At {
  readonly client: NodeClient;
  readonly deployment: Deployment;
  readonly blockNumber: bigint;
}

/**
 * Reads everything at a block, by default the newest. What one contract refuses is an error in its place, so that a token
 * or a delegate that reverts does not hide the rest.
 * @throws Failure when the node fails, or CoreSwap, the treasury token or the timelock refuses
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
      orRefusal(readRates(at)),
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
      const holders = client.readContract(call).then((accounts) => ({ holders: accounts }));
      return { contract: name, role, ...(await orRefusal(holders)) };
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
    const flags = Promise.all([
      client.readContract({ address, abi: delegateAbi, functionName: "emergencyPaused", blockNumber }),
      client.readContract({ address, abi: delegateAbi, functionName: "issuerPaused", blockNumber }),
    ]).then(([guardian, issuer]) => ({ paused: guardian || issuer, by: { guardian, issuer } }));
    return { contract: `lp:${symbol}`, ...(await orRefusal(flags)) };
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
  const { symbol, delegate, yieldBearing } = lp;
  const [delegateInForce, holdings] = await Promise.all([
    readDelegate(at.client, at.deployment, lp, at.blockNumber),
    orRefusal(readHoldings(at, lp)),
  ]);
  return { symbol, yieldBearing, delegate, delegateInForce, ...holdings };
}

/** Reads what the custody of an LP has, how much of it the delegate may take, and how much more it may take in. */
async function readHoldings(at: At, lp: LiquidityProvider) {
  const { client, deployment, blockNumber } = at;
  const delegate = { address: lp.delegate, abi: stablecoinDelegateAbi, blockNumber } as const;
  const [rwaCustody, stablecoinCustody] = await Promise.all([
    client.readContract({ ...delegate, functionName: "balanceSheetCustodyAddress" }),
    client.readContract({ ...delegate, functionName: "stablecoinCustodyAddress" }),
  ]);
  const foreign = [
    ...deployment.rwas.map((asset) => ({ asset, custody: rwaCustody, functionName: "rwaWhitelist" as const })),
    ...deployment.stablecoins
      .filter(({ id }) => id !== lp.id)
      .map((asset) => ({ asset, custody: stablecoinCustody, functionName: "stablecoinWhitelist" as const })),
  ];
  const readForeign = async ({ asset, custody, functionName }: (typeof foreign)[number]) => {
    const isListed = await client.readContract({ ...delegate, functionName, args: [asset.token] });
    if (!isListed) return null;
    const [[cap, available], held] = await Promise.all([
      client.readContract({ ...delegate, functionName: "intakeCap", args: [asset.token] }),
      readHolding(at, asset, custody, lp.delegate),
    ]);
    return { ...held, intake: { cap, used: cap - available } };
  };
  const [reserve, ...rows] = await Promise.all([
    readReserve(at, lp, stablecoinCustody),
    ofAsset(lp, readOwn(at, { ...lp, rwaCustody, stablecoinCustody })),
    ...foreign.map((each) => ofAsset(each.asset, readForeign(each))),
  ]);
  const listed = rows.filter((row) => row !== null);
  return {
    rwaCustody,
    stablecoinCustody,
    assets: listed.flatMap((row) => ("error" in row ? [] : [row])),
    reserve: reserve !== null && "error" in reserve ? null : reserve,
    /** The assets of which a figure cannot be read. The others are in `assets` and `reserve`. */
    unknown: [...listed, reserve].filter((row) => row !== null && "error" in row),
  };
}

/** Reads what concerns an asset. The token, or the delegate for this asset, may refuse that. */
async function ofAsset<Values extends object>(
  { symbol }: { readonly symbol: string },
  reading: Promise<Values | null>,
): Promise<Values | (Refusal & { readonly symbol: string }) | null> {
  const read = await orRefusal(reading);
  return read !== null && "error" in read ? { symbol, ...read } : read;
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
  return ofAsset(reserve, readHolding(at, reserve, custody, reserve.delegate));
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
  return { ...held, intake: hasOwnIntakeCap(lp) ? { cap, used: cap - available } : null };
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

/** Reads a value of a price adapter, of which another kind does not have every function. */
async function attempt<Value>(reading: Promise<Value>): Promise<Reading<Value>> {
  try {
    return { value: await reading };
  } catch (error) {
    const data = refusalData(error);
    return { error: data === "0x" ? "not offered by the adapter" : decodeRevert(data).text };
  }
}

/** Reads values of contracts that must have them. The error names the call. */
export async function orRefusal<Values>(reading: Promise<Values>): Promise<Values | Refusal> {
  try {
    return await reading;
  } catch (error) {
    const { text } = decodeRevert(refusalData(error));
    if (!(error instanceof ContractFunctionExecutionError)) return { error: text };
    return { error: `${error.functionName}() of ${error.contractAddress}: ${text}` };
  }
}

/**
 * Returns the data with which a contract reverted; none of a contract that does not have the function.
 * @throws the error itself if it is one of the node
 */
function refusalData(error: unknown): Hex {
  const data = revertData(error);
  if (data !== null) return data;
  if (isMissingFunction(error)) return "0x";
  throw error;
}
