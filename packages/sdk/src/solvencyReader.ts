/** Reads the inputs of solvency from the contracts, at one block. */
import {
  type Address,
  ContractFunctionExecutionError,
  erc20Abi,
  type Hash,
  type Hex,
  type MulticallReturnType,
  type PublicClient,
  zeroAddress,
} from "viem";
import { coreSwapViews, creditEvents, delegateViews, priceAdapterViews, yieldDelegateViews } from "./abi.ts";
import type { CreditedAccount, ReserveAccount, ReserveAsset, SolvencyInputs } from "./solvency.ts";
import { isPrice } from "./value.ts";

/**
 * Most bytes of calls in one request. With their encoding and the code that makes the calls, a request stays below the
 * 49,152 bytes of creation code that nodes accept.
 */
const REQUEST_BYTES = 4_096;

/** An asset of CoreSwap's registry. */
export interface AssetReference {
  readonly id: Hex;
  readonly kind: "rwa" | "stablecoin";
}

interface SolvencyRequest {
  readonly client: PublicClient;
  readonly blockNumber: bigint;
  readonly coreSwap: Address;
  /** The yield-bearing delegate. */
  readonly delegateAddress: Address;
  /** All assets that CoreSwap has registered; those that the delegate does not list are left out. */
  readonly assets: readonly AssetReference[];
  /** The delegates of the other stablecoins, which mark accounts as shared. */
  readonly otherDelegates: readonly Address[];
  /** Every account that can have credits: see `findCreditedAccounts`. */
  readonly accounts: readonly Address[];
}

/** The inputs, and the block at which they were read. */
export interface SolvencyReading {
  readonly block: { readonly number: bigint; readonly hash: Hash; readonly timestamp: bigint };
  readonly stablecoinId: Hex;
  readonly tokenAddress: Address;
  /** Supply of the delegate's token on this chain, in token units. */
  readonly supply: bigint;
  /** Credits that are not merged, as stored, in token units. */
  readonly withheldCredits: bigint;
  readonly inputs: SolvencyInputs;
}

/** The block was replaced while contracts were read. */
export class ReplacedBlockError extends Error {
  override readonly name = "ReplacedBlockError";

  constructor(blockNumber: bigint) {
    super(`block ${blockNumber} was replaced while contracts were read at it`);
  }
}

/**
 * Reads the inputs of a delegate's solvency at a block.
 * @throws ReplacedBlockError when the chain replaces the block meanwhile; viem's errors when the node fails or a contract
 * other than a price adapter reverts
 */
export async function readSolvencyInputs(request: SolvencyRequest): Promise<SolvencyReading> {
  const { client, blockNumber, coreSwap, delegateAddress } = request;
  const block = await client.getBlock({ blockNumber });
  const stablecoinId = await client.readContract({
    address: delegateAddress,
    abi: delegateViews,
    functionName: "stablecoinID",
    blockNumber,
  });
  const [[, , decimals, , tokenAddress], usdPerTokenWad] = await client.multicall({
    ...atBlock(request),
    contracts: [
      { abi: coreSwapViews, address: coreSwap, functionName: "stablecoinInfo", args: [stablecoinId] },
      { abi: coreSwapViews, address: coreSwap, functionName: "stablecoinUSDValue", args: [stablecoinId] },
    ],
  });
  const [supply, credited, reserveAccounts, listed] = await Promise.all([
    client.readContract({ address: tokenAddress, abi: erc20Abi, functionName: "totalSupply", blockNumber }),
    readCredits(request),
    readReserveAccounts(request),
    readListedAssets(request, tokenAddress),
  ]);
  const assets = await readBalances(request, listed, reserveAccounts);
  if ((await client.getBlock({ blockNumber })).hash !== block.hash) throw new ReplacedBlockError(blockNumber);
  return {
    block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
    stablecoinId,
    tokenAddress,
    supply,
    withheldCredits: credited.reduce((total, { withheld }) => total + withheld, 0n),
    inputs: {
      token: { decimals, usdPerTokenWad },
      creditedAccounts: credited.map(({ account, credits, value }) => ({ account, credits, value })),
      reserveAccounts,
      assets,
    },
  };
}

/**
 * Finds every account that ever received credits of a delegate, from its events. The result is complete if `fromBlock`
 * is not after the block of the delegate's deployment. Use it if there is no index.
 * @param blocksPerRequest as many as the node accepts in one request
 * @throws viem's errors when the node fails
 */
export async function findCreditedAccounts(request: {
  readonly client: PublicClient;
  readonly delegateAddress: Address;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly blocksPerRequest: bigint;
}): Promise<readonly Address[]> {
  const { client, delegateAddress, toBlock, blocksPerRequest } = request;
  if (blocksPerRequest <= 0n) throw new RangeError(`blocksPerRequest is ${blocksPerRequest}, expected at least 1`);
  const accounts = new Set<Address>();
  for (let from = request.fromBlock; from <= toBlock; from += blocksPerRequest) {
    const last = from + blocksPerRequest - 1n;
    const logs = await client.getLogs({
      address: delegateAddress,
      events: creditEvents,
      fromBlock: from,
      toBlock: last < toBlock ? last : toBlock,
      strict: true,
    });
    for (const log of logs) {
      const account = log.eventName === "CreditsMoved" ? log.args.to : log.args.user;
      if (account !== zeroAddress) accounts.add(account);
    }
  }
  return [...accounts];
}

/**
 * Options for several views that must all succeed, read without a Multicall contract, because not every chain has
 * Multicall3.
 */
function atBlock({ blockNumber }: Pick<SolvencyRequest, "blockNumber">) {
  return { allowFailure: false, blockNumber, deployless: true, batchSize: REQUEST_BYTES } as const;
}

async function readCredits(request: SolvencyRequest): Promise<(CreditedAccount & { readonly withheld: bigint })[]> {
  const { client, delegateAddress: address, accounts } = request;
  const contract = { abi: yieldDelegateViews, address } as const;
  const amounts = await client.multicall({
    ...atBlock(request),
    contracts: accounts.flatMap((account) => [
      { ...contract, functionName: "credits" as const, args: [account] as const },
      { ...contract, functionName: "totalWithheldCredits" as const, args: [account] as const },
    ]),
  });
  const holders = accounts.flatMap((account, index) => {
    const [main, withheld] = [answerAt(amounts, 2 * index), answerAt(amounts, 2 * index + 1)];
    return main + withheld === 0n ? [] : [{ account, credits: main + withheld, withheld }];
  });
  const yields = await client.multicall({
    ...atBlock(request),
    contracts: holders.map(({ account, credits }) => ({
      ...contract,
      functionName: "getYieldAmount" as const,
      // The value as if paid in an RWA, without the part of a day, which depends on the second of the redemption.
      args: [account, credits, false] as const,
    })),
  });
  return holders.map((holder, index) => ({ ...holder, value: holder.credits + answerAt(yields, index) }));
}

async function readReserveAccounts(request: SolvencyRequest): Promise<ReserveAccount[]> {
  const [own = [], ...others] = await Promise.all(
    [request.delegateAddress, ...request.otherDelegates].map((delegate) => readCustody(request, delegate)),
  );
  const shared = new Set(others.flat().map((account) => account.toLowerCase()));
  return own.map((account) => ({ account, isShared: shared.has(account.toLowerCase()) }));
}

/** Custody and cold storage of a delegate, each account once. */
async function readCustody(request: SolvencyRequest, address: Address): Promise<Address[]> {
  const contract = { abi: delegateViews, address } as const;
  const [rwaCustody, stablecoinCustody, rwaColdStorage, stablecoinColdStorage] = await request.client.multicall({
    ...atBlock(request),
    contracts: [
      { ...contract, functionName: "balanceSheetCustodyAddress" },
      { ...contract, functionName: "stablecoinCustodyAddress" },
      { ...contract, functionName: "getRWAColdStorageAddresses" },
      { ...contract, functionName: "getStablecoinColdStorageAddresses" },
    ],
  });
  const accounts = [rwaCustody, stablecoinCustody, ...rwaColdStorage, ...stablecoinColdStorage];
  return [...new Set(accounts)].filter((account) => account !== zeroAddress);
}

type ListedAsset = Omit<ReserveAsset, "balances">;

/** The registered assets on the delegate's lists, with CoreSwap's prices; never its own token. */
async function readListedAssets(request: SolvencyRequest, ownToken: Address): Promise<ListedAsset[]> {
  const { client, coreSwap, delegateAddress, assets } = request;
  const records = await client.multicall({
    ...atBlock(request),
    contracts: assets.map(({ id, kind }) => ({
      abi: coreSwapViews,
      address: coreSwap,
      functionName: kind === "rwa" ? ("rwaInfo" as const) : ("stablecoinInfo" as const),
      args: [id] as const,
    })),
  });
  const registered = assets.flatMap(({ id, kind }, index) => {
    const [, , decimals, , tokenAddress] = answerAt(records, index);
    const isForeign = tokenAddress !== zeroAddress && tokenAddress !== ownToken;
    return isForeign ? [{ id, kind, tokenAddress, decimals }] : [];
  });
  const lists = await client.multicall({
    ...atBlock(request),
    contracts: registered.map(({ kind, tokenAddress }) => ({
      abi: delegateViews,
      address: delegateAddress,
      functionName: kind === "rwa" ? ("rwaWhitelist" as const) : ("stablecoinWhitelist" as const),
      args: [tokenAddress] as const,
    })),
  });
  const listed = registered.filter((_, index) => answerAt(lists, index));
  return Promise.all(listed.map(async (asset) => ({ ...asset, usdPerTokenWad: await readPrice(request, asset) })));
}

/** CoreSwap's price of an asset; null if CoreSwap would refuse to swap it for lack of a price. */
async function readPrice(request: SolvencyRequest, { id, kind }: AssetReference): Promise<bigint | null> {
  const { client, coreSwap: address, blockNumber } = request;
  const contract = { abi: coreSwapViews, address, args: [id], blockNumber } as const;
  if (kind === "stablecoin") {
    const usdValueWad = await client.readContract({ ...contract, functionName: "stablecoinUSDValue" });
    return isPrice(usdValueWad) ? usdValueWad : null;
  }
  const adapter = await client.readContract({ ...contract, functionName: "rwaPriceAdapters" });
  if (adapter === zeroAddress) return null;
  const [answer] = await client.multicall({
    ...atBlock(request),
    allowFailure: true,
    contracts: [{ abi: priceAdapterViews, address: adapter, functionName: "getPrice" }],
  });
  return priceOf(answer);
}

/** If an adapter reverts, there is no price. A failure of the node is an error. */
function priceOf(answer: MulticallReturnType<[{ abi: typeof priceAdapterViews; functionName: "getPrice" }]>[0]) {
  if (answer.status === "success") return isPrice(answer.result) ? answer.result : null;
  const isRefusal = answer.error instanceof ContractFunctionExecutionError && answer.error.functionName === "getPrice";
  if (!isRefusal) throw answer.error;
  return null;
}

async function readBalances(
  request: SolvencyRequest,
  assets: readonly ListedAsset[],
  accounts: readonly ReserveAccount[],
): Promise<ReserveAsset[]> {
  const amounts = await request.client.multicall({
    ...atBlock(request),
    contracts: assets.flatMap(({ tokenAddress }) =>
      accounts.map(({ account }) => ({
        abi: erc20Abi,
        address: tokenAddress,
        functionName: "balanceOf" as const,
        args: [account] as const,
      })),
    ),
  });
  return assets.map((asset, row) => ({
    ...asset,
    balances: accounts.map(({ account }, column) => ({
      account,
      amount: answerAt(amounts, row * accounts.length + column),
    })),
  }));
}

/** Returns the answer of one of several calls. Missing answers are an error and are never read as zeros. */
function answerAt<Answer>(answers: readonly Answer[], index: number): Answer {
  const answer = answers[index];
  if (answer === undefined) throw new Error(`the node returned no answer for call ${index} of ${answers.length}`);
  return answer;
}
