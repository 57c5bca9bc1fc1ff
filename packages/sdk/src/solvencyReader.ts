/** Reads the inputs of solvency from the contracts, at one block. */
import { coreSwapAbi, iPriceAdapterAbi, stablecoinDelegateAbi, treasuryDelegateAbi } from "@coreswap/abi";
import {
  type Address,
  ContractFunctionExecutionError,
  erc20Abi,
  getAbiItem,
  type Hash,
  type Hex,
  type MulticallReturnType,
  type PublicClient,
  zeroAddress,
} from "viem";
import { type AtBlock, multicallAt, readAtBlock } from "./atBlock.ts";
import { blockRanges } from "./blockRanges.ts";
import type { CreditedAccount, ReserveAccount, ReserveAsset, SolvencyInputs } from "./solvency.ts";
import { isPrice } from "./value.ts";

/** The events of a yield-bearing delegate that together name every account that ever received credits. */
const CREDIT_EVENTS = [
  /* @__PURE__ */ getAbiItem({ abi: treasuryDelegateAbi, name: "PendingCreditsAdded" }),
  /* @__PURE__ */ getAbiItem({ abi: treasuryDelegateAbi, name: "CreditsMoved" }),
] as const;

/** An asset of CoreSwap's registry. */
export interface AssetReference {
  readonly id: Hex;
  readonly kind: "rwa" | "stablecoin";
}

interface SolvencyRequest {
  readonly client: PublicClient;
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

/** What solvency is computed from, apart from the block at which it was read. */
type BlockInputs = Omit<SolvencyReading, "block">;

/** A request whose reads all see one block. */
interface PinnedRequest extends SolvencyRequest {
  readonly at: AtBlock;
}

/**
 * Reads the inputs of a delegate's solvency at the block that the node has of a number.
 * @throws ReplacedBlockError when the chain replaces the block meanwhile; viem's errors when the node fails, does not
 * read contracts at the hash of a block (EIP-1898), or a contract other than a price adapter reverts
 */
export async function readSolvencyInputs({
  blockNumber,
  ...request
}: SolvencyRequest & { readonly blockNumber: bigint }): Promise<SolvencyReading> {
  const { client } = request;
  const { number, hash, timestamp } = await client.getBlock({ blockNumber });
  const inputs = await readAtBlock(client, { number, hash }, (at) => readSolvencyInputsAt({ ...request, at }));
  return { block: { number, hash, timestamp }, ...inputs };
}

/**
 * Reads the inputs of a delegate's solvency inside `readAtBlock`, as one of several readings.
 * @throws viem's errors as in `readSolvencyInputs`
 */
export async function readSolvencyInputsAt(request: PinnedRequest): Promise<BlockInputs> {
  const { client, coreSwap, delegateAddress, at } = request;
  const stablecoinId = await client.readContract({
    address: delegateAddress,
    abi: stablecoinDelegateAbi,
    functionName: "stablecoinID",
    ...at,
  });
  const [[, , decimals, , tokenAddress], usdPerTokenWad] = await client.multicall({
    ...multicallAt(request.at),
    contracts: [
      { abi: coreSwapAbi, address: coreSwap, functionName: "stablecoinInfo", args: [stablecoinId] },
      { abi: coreSwapAbi, address: coreSwap, functionName: "stablecoinUSDValue", args: [stablecoinId] },
    ],
  });
  const [supply, credited, reserveAccounts, listed] = await Promise.all([
    client.readContract({ address: tokenAddress, abi: erc20Abi, functionName: "totalSupply", ...at }),
    readCredits(request),
    readReserveAccounts(request),
    readListedAssets(request, tokenAddress),
  ]);
  const assets = await readBalances(request, listed, reserveAccounts);
  return {
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
  const { client, delegateAddress } = request;
  const accounts = new Set<Address>();
  for (const range of blockRanges(request, request.blocksPerRequest)) {
    const logs = await client.getLogs({ address: delegateAddress, events: CREDIT_EVENTS, ...range, strict: true });
    for (const log of logs) {
      const account = log.eventName === "CreditsMoved" ? log.args.to : log.args.user;
      if (account !== zeroAddress) accounts.add(account);
    }
  }
  return [...accounts];
}

async function readCredits(request: PinnedRequest): Promise<(CreditedAccount & { readonly withheld: bigint })[]> {
  const { client, delegateAddress: address, accounts } = request;
  const contract = { abi: treasuryDelegateAbi, address } as const;
  const amounts = await client.multicall({
    ...multicallAt(request.at),
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
    ...multicallAt(request.at),
    contracts: holders.map(({ account, credits }) => ({
      ...contract,
      functionName: "getYieldAmount" as const,
      // The value as if paid in an RWA, without the part of a day, which depends on the second of the redemption.
      args: [account, credits, false] as const,
    })),
  });
  return holders.map((holder, index) => ({ ...holder, value: holder.credits + answerAt(yields, index) }));
}

async function readReserveAccounts(request: PinnedRequest): Promise<ReserveAccount[]> {
  const [own = [], ...others] = await Promise.all(
    [request.delegateAddress, ...request.otherDelegates].map((delegate) => readCustody(request, delegate)),
  );
  const shared = new Set(others.flat().map((account) => account.toLowerCase()));
  return own.map((account) => ({ account, isShared: shared.has(account.toLowerCase()) }));
}

/** Custody and cold storage of a delegate, each account once. */
async function readCustody(request: PinnedRequest, address: Address): Promise<Address[]> {
  const contract = { abi: stablecoinDelegateAbi, address } as const;
  const [rwaCustody, stablecoinCustody, rwaColdStorage, stablecoinColdStorage] = await request.client.multicall({
    ...multicallAt(request.at),
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
async function readListedAssets(request: PinnedRequest, ownToken: Address): Promise<ListedAsset[]> {
  const { client, coreSwap, delegateAddress, assets } = request;
  const records = await client.multicall({
    ...multicallAt(request.at),
    contracts: assets.map(({ id, kind }) => ({
      abi: coreSwapAbi,
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
    ...multicallAt(request.at),
    contracts: registered.map(({ kind, tokenAddress }) => ({
      abi: stablecoinDelegateAbi,
      address: delegateAddress,
      functionName: kind === "rwa" ? ("rwaWhitelist" as const) : ("stablecoinWhitelist" as const),
      args: [tokenAddress] as const,
    })),
  });
  const listed = registered.filter((_, index) => answerAt(lists, index));
  return Promise.all(listed.map(async (asset) => ({ ...asset, usdPerTokenWad: await readPrice(request, asset) })));
}

/** CoreSwap's price of an asset; null if CoreSwap would refuse to swap it for lack of a price. */
async function readPrice(request: PinnedRequest, { id, kind }: AssetReference): Promise<bigint | null> {
  const { client, coreSwap: address, at } = request;
  const contract = { abi: coreSwapAbi, address, args: [id], ...at } as const;
  if (kind === "stablecoin") {
    const usdPerTokenWad = await client.readContract({ ...contract, functionName: "stablecoinUSDValue" });
    return isPrice(usdPerTokenWad) ? usdPerTokenWad : null;
  }
  const adapter = await client.readContract({ ...contract, functionName: "rwaPriceAdapters" });
  if (adapter === zeroAddress) return null;
  const [answer] = await client.multicall({
    ...multicallAt(request.at),
    allowFailure: true,
    contracts: [{ abi: iPriceAdapterAbi, address: adapter, functionName: "getPrice" }],
  });
  return priceOf(answer);
}

/** If an adapter reverts, there is no price. A failure of the node is an error. */
function priceOf(answer: MulticallReturnType<[{ abi: typeof iPriceAdapterAbi; functionName: "getPrice" }]>[0]) {
  if (answer.status === "success") return isPrice(answer.result) ? answer.result : null;
  const isRefusal = answer.error instanceof ContractFunctionExecutionError && answer.error.functionName === "getPrice";
  if (!isRefusal) throw answer.error;
  return null;
}

async function readBalances(
  request: PinnedRequest,
  assets: readonly ListedAsset[],
  accounts: readonly ReserveAccount[],
): Promise<ReserveAsset[]> {
  const amounts = await request.client.multicall({
    ...multicallAt(request.at),
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
