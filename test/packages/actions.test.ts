/** Tests the actions of `@coreswap/sdk` on a real deployment. */
import {
  type AssetToken,
  approvalsOf,
  ContractRevertError,
  coreSwapActions,
  type LegQuote,
  NoContractError,
  PermitDomainError,
  PermitSignatureError,
  realizedLegs,
  type StablecoinToken,
} from "@coreswap/sdk";
import {
  type Address,
  createClient,
  createPublicClient,
  createWalletClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  hashTypedData,
  http,
  maxUint256,
  zeroAddress,
} from "viem";
import { mainnet } from "viem/chains";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { balanceSheetDelegateAbi, treasuryDelegateAbi } from "../../abis/index.ts";
import { testTokenAbi } from "../../localnet/abis.ts";
import type { LegAsset } from "../../localnet/assets.ts";
import { wholeTokens } from "../../localnet/assets.ts";
import { Sender } from "../../localnet/sender.ts";
import { RESERVE_CUSTODY, WALLETS, type WalletName } from "../../localnet/wallets.ts";
import { call, create, safeArtifact } from "../cli/support/deployed.ts";

const deployed = inject("packages");
const { coreSwap, rpcUrl } = deployed;
const transport = http(rpcUrl);
const node = createPublicClient({ chain: mainnet, transport, pollingInterval: 50, cacheTime: 0 });
const reader = createClient({ transport }).extend(coreSwapActions({ coreSwap }));
const as = (name: WalletName) =>
  createWalletClient({ account: WALLETS[name], chain: mainnet, transport }).extend(coreSwapActions({ coreSwap }));
const sender = new Sender({ chainId: 1, rpcUrl });

let assets: Record<LegAsset, AssetToken>;
let usdc: StablecoinToken;
let dai: StablecoinToken;
let treasury: StablecoinToken;

function stablecoin(asset: AssetToken): StablecoinToken {
  if (asset.kind !== "stablecoin") throw new Error(`${asset.id} is an RWA`);
  return asset;
}

beforeAll(async () => {
  const symbols = Object.keys(deployed.assets) as LegAsset[];
  const read = await reader.getSwapAssets({ ids: symbols.map((symbol) => deployed.assets[symbol].id) });
  assets = Object.fromEntries(read.map((asset, index) => [symbols[index], asset])) as typeof assets;
  [usdc, dai, treasury] = [stablecoin(assets.USDC), stablecoin(assets.DAI), stablecoin(assets.TRSY)];
});

/** Returns the legs of a mined swap, without those that CoreSwap derived. */
async function settled(hash: Hash) {
  const receipt = await node.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe("success");
  return realizedLegs({ coreSwap, logs: receipt.logs }).filter(({ isDerived }) => !isDerived);
}

/** Runs a request that must revert, and returns the error. */
async function revertOf(request: Promise<unknown>): Promise<ContractRevertError> {
  const error = await request.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ContractRevertError)) throw new Error(`no revert of a contract, but ${error}`);
  return error;
}

const amountsOf = ({ amountIn, amountOut, issuerFee, spreadFee, lpFee }: LegQuote) => ({
  amountIn,
  amountOut,
  issuerFee,
  spreadFee,
  lpFee,
});

async function mint(symbol: Exclude<LegAsset, "TRSY">, to: Address, count: bigint): Promise<void> {
  const args = [to, wholeTokens(symbol, count)] as const;
  await call(
    sender,
    "deployer",
    assets[symbol].tokenAddress,
    encodeFunctionData({ abi: testTokenAbi, functionName: "mint", args }),
  );
}

describe("assets", () => {
  test("equal those in the registry", async () => {
    expect(assets.TBILL).toMatchObject({ kind: "rwa", decimals: 6, isAccepted: true });
    expect(assets.USDC).toMatchObject({
      kind: "stablecoin",
      isYieldBearing: false,
      delegateAddress: deployed.delegates.USDC,
    });
    expect(assets.TRSY).toMatchObject({ isYieldBearing: true, delegateAddress: deployed.treasuryDelegate });
    expect(assets.TRSY.tokenAddress).toBe(deployed.treasury);
  });

  test("that are not registered are named in the error", async () => {
    const id: Hex = `0x${"ab".repeat(32)}`;
    await expect(reader.getSwapAssets({ ids: [usdc.id, id] })).rejects.toThrow(`no asset with the ID ${id}`);
  });
});

describe("the actions of a client", () => {
  test("take only the address of a deployment, which can be a whole file of it", async () => {
    const file = { coreSwap, ids: [], blockNumber: 0n, user: zeroAddress, amountIn: 0n };
    const { getSwapAssets, quoteLeg } = createClient({ transport }).extend(coreSwapActions(file));
    expect(await getSwapAssets({ ids: [usdc.id] })).toHaveLength(1);
    const amountIn = wholeTokens("USDC", 100n);
    const leg = { user: WALLETS.trader1.address, assetIn: usdc, assetOut: assets.TBILL, amountIn };
    expect(await quoteLeg(leg)).toMatchObject({ amountIn });
  });

  test("answer a client that batches reads, also where there is no Multicall3", async () => {
    const batching = createClient({ chain: mainnet, transport, batch: { multicall: true } }).extend(
      coreSwapActions({ coreSwap }),
    );
    expect(await node.getCode({ address: mainnet.contracts.multicall3.address })).toBeUndefined();
    const user = WALLETS.depositor2.address;
    const pair = { user, assetIn: usdc, assetOut: assets.TBILL, amountIn: wholeTokens("USDC", 100n) };
    const quotes = [await batching.quoteLeg(pair)];
    expect(await batching.getSwapAssets({ ids: [usdc.id] })).toEqual([usdc]);
    expect(await batching.getSwapApprovals({ user, quotes, slippageBps: 0n })).toHaveLength(1);
    expect(await batching.getTreasuryPosition({ treasury, user })).toMatchObject({
      delegateAddress: deployed.treasuryDelegate,
    });
    const parties = { user, operator: WALLETS.outsider.address, assetInId: usdc.id };
    expect(await batching.getSwapInputAllowance(parties)).toBe(0n);
  });

  test("reject what they refuse, as a promise does, instead of throwing it at once", async () => {
    const user = WALLETS.trader1.address;
    const pair = { user, treasury: usdc, asset: assets.TBILL, amountIn: 1n };
    const spender = deployed.delegates.USDC;
    const requests = [
      () => reader.quoteDeposit(pair),
      () => reader.quoteRedemption(pair),
      () => reader.simulateSwap({ legs: [] }),
      () => as("trader1").approveSwap({ tokenAddress: usdc.tokenAddress, spender, amount: -1n }),
    ];
    const refusals = requests.map((request) => {
      try {
        return request().then(
          () => "succeeded",
          () => "rejected",
        );
      } catch {
        return "threw";
      }
    });
    expect(await Promise.all(refusals)).toEqual(requests.map(() => "rejected"));
  });
});

describe("a swap", () => {
  test.each<[string, LegAsset, LegAsset, "in" | "out"]>([
    ["1", "TBILL", "USDC", "in"],
    ["2", "CREDIT", "USDC", "out"],
    ["3", "USDC", "TBILL", "in"],
    ["4", "DAI", "MMF", "out"],
    ["5", "TBILL", "CREDIT", "in"],
    ["6", "MMF", "TBILL", "out"],
    ["7", "USDC", "DAI", "in"],
    ["8", "DAI", "USDC", "out"],
  ])("of route %s settles what was quoted", async (route, symbolIn, symbolOut, exact) => {
    const trader = as("trader1");
    const amount = wholeTokens(exact === "in" ? symbolIn : symbolOut, 100n);
    const quote = await trader.quoteLeg({
      user: trader.account.address,
      assetIn: assets[symbolIn],
      assetOut: assets[symbolOut],
      ...(Number(route) === 5 || Number(route) === 6 ? { settlement: usdc } : {}),
      ...(exact === "in" ? { amountIn: amount } : { amountOut: amount }),
    });
    const [leg] = await settled(await trader.swap({ quotes: [quote], slippageBps: 10n }));
    expect(leg).toMatchObject({ ...amountsOf(quote), routeId: BigInt(route), user: trader.account.address });
  });

  test("has enough gas for the deposit that follows into the reserve of the LP", async () => {
    const trader = as("trader4");
    const user = trader.account.address;
    const amountIn = wholeTokens("USDC", 10n);
    const quote = await trader.quoteLeg({ user, assetIn: usdc, assetOut: assets.MMF, amountIn });
    const hash = await trader.swap({ quotes: [quote], slippageBps: 10n });
    const { logs } = await node.waitForTransactionReceipt({ hash });
    const legs = realizedLegs({ coreSwap, logs });
    expect(legs.map(({ operator, isDerived }) => [operator, isDerived])).toEqual([
      [user, false],
      [coreSwap, true],
    ]);
  });

  test("is told from the leg before it that redeems what the LP lacks", async () => {
    const trader = as("trader4");
    const user = trader.account.address;
    const custody = WALLETS[RESERVE_CUSTODY].address;
    const args = [custody] as const;
    const available = await node.readContract({
      ...{ address: usdc.tokenAddress, abi: erc20Abi, functionName: "balanceOf" },
      args,
    });
    const lackingTokens = 100n;
    const amountOut = available + wholeTokens("USDC", lackingTokens);
    const quote = await trader.quoteLeg({ user, assetIn: assets.TBILL, assetOut: usdc, amountOut });
    const hash = await trader.swap({ quotes: [quote], slippageBps: 10n });
    const { logs } = await node.waitForTransactionReceipt({ hash });
    const legs = realizedLegs({ coreSwap, logs });
    expect(legs).toMatchObject([
      { isDerived: true, operator: coreSwap, receiver: custody },
      { isDerived: false, operator: user, receiver: user, ...amountsOf(quote) },
    ]);
    // Gives the LP back what the other tests expect it to have.
    await mint("USDC", custody, available / wholeTokens("USDC", 1n));
  });

  test("of two legs settles both, and needs one approval for both", async () => {
    const user = as("client4");
    const address = user.account.address;
    await mint("USDC", address, 3_000n);
    const common = { user: address, assetIn: usdc, settlement: usdc };
    const quotes = [
      await user.quoteLeg({ ...common, assetOut: assets.TBILL, amountIn: wholeTokens("USDC", 1_000n) }),
      await user.quoteLeg({ ...common, assetOut: assets.CREDIT, amountOut: wholeTokens("CREDIT", 5n) }),
    ];
    const batch = { quotes, slippageBps: 100n };
    const [approval, ...others] = await user.getSwapApprovals({ user: address, ...batch });
    if (approval === undefined) throw new Error("nothing to approve");
    expect(others).toEqual([]);
    const [first, second] = quotes as [LegQuote, LegQuote];
    const secondIn = second.amountIn;
    expect(approval).toEqual({
      tokenAddress: usdc.tokenAddress,
      spender: deployed.delegates.USDC,
      // The amount in of the exact amount out can grow by the slippage; the other one cannot.
      amount: wholeTokens("USDC", 1_000n) + secondIn + secondIn / 100n,
      allowance: 0n,
      balance: wholeTokens("USDC", 3_000n),
      isApproved: false,
    });
    const refused = await revertOf(user.swap(batch));
    expect(refused).toMatchObject({
      errorName: "ERC20InsufficientAllowance",
      // A separate transfer moves the protocol's fees to the vault.
      args: [deployed.delegates.USDC, 0n, first.amountIn - first.issuerFee - first.spreadFee],
    });
    expect(refused.message).toContain("Users and custody approve the delegate of the LP.");

    await node.waitForTransactionReceipt({ hash: await user.approveSwap(approval) });
    expect(await user.getSwapApprovals({ user: address, ...batch })).toMatchObject([{ isApproved: true }]);
    await user.simulateSwap(batch);
    const receiver = WALLETS.beneficiary.address;
    const legs = await settled(await user.swap({ ...batch, receiver }));
    expect(legs).toMatchObject(quotes.map((quote) => ({ ...amountsOf(quote), receiver })));
    // The part of the slippage that was not needed remains.
    expect(await user.getSwapApprovals({ user: address, ...batch })).toMatchObject([{ allowance: secondIn / 100n }]);
  });

  test("that misses its bound fails by name before anything is sent", async () => {
    const trader = as("trader2");
    const { address } = trader.account;
    const leg = { user: address, assetIn: assets.TBILL, assetOut: usdc };
    const quote = await trader.quoteLeg({ ...leg, amountIn: wholeTokens("TBILL", 10n) });
    const nonce = await node.getTransactionCount({ address });
    const better = { ...quote, amountOut: quote.amountOut + 1n };
    const error = await revertOf(trader.swap({ quotes: [better], slippageBps: 0n }));
    expect(error).toMatchObject({ errorName: "InsufficientStablecoinOutput", args: [] });
    expect(error.advice).toMatch(/quote again/);
    expect(await node.getTransactionCount({ address })).toBe(nonce);
  });

  test("at an address without a contract is not sent, because it would succeed without an effect", async () => {
    const wrong = createWalletClient({ account: WALLETS.trader1, chain: mainnet, transport }).extend(
      coreSwapActions({ coreSwap: WALLETS.beneficiary.address }),
    );
    await expect(wrong.swap({ legs: [] })).rejects.toThrow(NoContractError);
  });

  test("without legs, or to an invalid receiver, is refused by name", async () => {
    expect(await revertOf(as("trader1").swap({ legs: [] }))).toMatchObject({ errorName: "InvalidLegCount" });
    expect(await revertOf(as("trader1").swap({ legs: [], user: zeroAddress }))).toMatchObject({
      errorName: "InvalidLegCount",
    });
  });

  test("needs an account", async () => {
    await expect(reader.swap({ legs: [] })).rejects.toThrow("no account: pass `account`");
  });
});

describe("a quote", () => {
  const amountIn = 10n ** 6n;
  test("between RWAs requires the settlement, and refuses pairs without a leg", async () => {
    const user = WALLETS.trader1.address;
    const pair = (assetIn: AssetToken, assetOut: AssetToken) => reader.quoteLeg({ user, assetIn, assetOut, amountIn });
    await expect(pair(assets.TBILL, assets.CREDIT)).rejects.toThrow("`settlement` is required");
    await expect(pair(usdc, usdc)).rejects.toThrow("no LP can settle a leg from");
  });

  test("names the contract's error", async () => {
    const user = WALLETS.trader1.address;
    const assetIn = { ...assets.TBILL, id: `0x${"ab".repeat(32)}` as const };
    expect(await revertOf(reader.quoteLeg({ user, assetIn, assetOut: usdc, amountIn }))).toMatchObject({
      errorName: "RWANotAccepted",
    });
    expect(
      await revertOf(reader.quoteLeg({ user, assetIn: assets.TBILL, assetOut: usdc, amountIn: 0n })),
    ).toMatchObject({ errorName: "InsufficientRWAInput" });
  });

  test("names the registered delegate, whatever the asset says", async () => {
    const stale = { ...usdc, delegateAddress: WALLETS.beneficiary.address };
    const leg = { user: WALLETS.trader1.address, assetIn: assets.TBILL, assetOut: stale };
    const quote = await reader.quoteLeg({ ...leg, amountIn });
    expect(approvalsOf([quote], 0n)).toMatchObject([{ spender: deployed.delegates.USDC }]);
  });

  test("or another read at an address without a contract says so", async () => {
    const address = WALLETS.beneficiary.address;
    const elsewhere = createClient({ transport }).extend(coreSwapActions({ coreSwap: address }));
    const user = WALLETS.trader1.address;
    const leg = { user, assetIn: assets.TBILL, assetOut: usdc, amountIn };
    const missing = new NoContractError(address);
    await expect(elsewhere.quoteLeg(leg)).rejects.toThrow(missing);
    await expect(elsewhere.getSwapAssets({ ids: [usdc.id] })).rejects.toThrow(missing);
    const allowance = { user, operator: user, assetInId: usdc.id };
    await expect(elsewhere.getSwapInputAllowance(allowance)).rejects.toThrow(missing);
    // A contract that answers each call with four bytes did not revert, and is there.
    await sender.client.setCode({ address, bytecode: "0x60046000f3" });
    try {
      await expect(elsewhere.getSwapInputAllowance(allowance)).rejects.toThrow("Data size of 4 bytes is too small");
      await expect(elsewhere.getSwapAssets({ ids: [usdc.id] })).rejects.toThrow("Data size of 4 bytes is too small");
    } finally {
      await sender.client.setCode({ address, bytecode: "0x" });
    }
  });

  test("passes on a failure of the node, which is not a revert", async () => {
    const broken = createClient({
      transport: custom({ request: () => Promise.reject(new Error("no route to host")) }, { retryCount: 0 }),
    }).extend(coreSwapActions({ coreSwap }));
    const leg = { user: WALLETS.trader1.address, assetIn: assets.TBILL, assetOut: usdc };
    const error = await broken.quoteLeg({ ...leg, amountIn }).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(ContractRevertError);
    expect(String(error)).toContain("no route to host");
  });
});

describe("an operator", () => {
  const [user, operator] = [as("client3"), as("outsider")];
  const parties = { user: user.account.address, operator: operator.account.address };
  let quote: LegQuote;

  beforeAll(async () => {
    await mint("USDC", parties.user, 10_000n);
    quote = await reader.quoteLeg({
      user: parties.user,
      assetIn: usdc,
      assetOut: assets.TBILL,
      amountIn: wholeTokens("USDC", 100n),
    });
    const approval = { tokenAddress: usdc.tokenAddress, spender: deployed.delegates.USDC, amount: maxUint256 };
    await node.waitForTransactionReceipt({ hash: await user.approveSwap(approval) });
  });

  test("swaps with a standing allowance, and not beyond it", async () => {
    const request = { user: parties.user, quotes: [quote], slippageBps: 0n };
    expect(await revertOf(operator.swap(request))).toMatchObject({ errorName: "InsufficientSwapAllowance" });
    const allowance = () => reader.getSwapInputAllowance({ ...parties, assetInId: usdc.id });
    const adjust = async (change: bigint) => {
      const hash = await user.adjustSwapInputAllowance({ operator: parties.operator, assetInId: usdc.id, change });
      await node.waitForTransactionReceipt({ hash });
    };
    await adjust(quote.amountIn + 7n);
    expect(await settled(await operator.swap(request))).toMatchObject([{ ...parties, receiver: parties.user }]);
    expect(await allowance()).toBe(7n);
    await adjust(-5n);
    expect(await allowance()).toBe(2n);
    expect(await revertOf(operator.swap(request))).toMatchObject({ errorName: "InsufficientSwapAllowance" });
  });

  test("swaps with a permit, once, and as it was signed", async () => {
    const deadline = (await node.getBlock()).timestamp + 3_600n;
    const request = { ...parties, receiver: WALLETS.beneficiary.address, quotes: [quote], slippageBps: 50n, deadline };
    const signed = await user.signSwapPermit(request);
    expect(await reader.verifySwapPermit(signed)).toBe(true);
    expect(await reader.verifySwapPermit({ ...signed, receiver: parties.user })).toBe(false);
    expect(await revertOf(operator.swap({ ...signed, receiver: parties.user }))).toMatchObject({
      errorName: "InvalidSignature",
    });
    expect(await settled(await operator.swap(signed))).toMatchObject([{ ...parties, receiver: request.receiver }]);
    expect(await reader.verifySwapPermit(signed)).toBe(false);
    const again = await revertOf(operator.swap(signed));
    expect(again).toMatchObject({ errorName: "InvalidSignature" });
    expect(again.advice).toMatch(/sign exactly this call/);
  });

  test("does not get a permit that CoreSwap would refuse", async () => {
    const deadline = (await node.getBlock()).timestamp + 3_600n;
    const request = { ...parties, quotes: [quote], slippageBps: 50n, deadline };
    await expect(operator.signSwapPermit(request)).rejects.toThrow(PermitSignatureError);
    // Some hardware wallets sign with a v of 0 or 1, which CoreSwap does not accept.
    const signTypedData = async (data: Parameters<typeof user.signTypedData>[0]) => {
      const signature = await user.signTypedData(data);
      return `${signature.slice(0, -2)}${signature.endsWith("1b") ? "00" : "01"}` as Hex;
    };
    await expect(user.signSwapPermit({ ...request, signTypedData })).rejects.toThrow(PermitSignatureError);
    const elsewhere = createClient({ transport }).extend(coreSwapActions({ coreSwap: deployed.treasury }));
    await expect(elsewhere.getSwapPermitTypedData(request)).rejects.toThrow(PermitDomainError);
  });

  test("does not take an empty signature for one, even if the wallet accepts it", async () => {
    // A wallet that accepts every signature: it returns the magic value of ERC-1271.
    const wallet = WALLETS.depositor3.address;
    const code = `0x7f1626ba7e${"0".repeat(56)}60005260206000f3` as const;
    await sender.client.setCode({ address: wallet, bytecode: code });
    const deadline = (await node.getBlock()).timestamp + 3_600n;
    const request = { ...parties, user: wallet, quotes: [quote], slippageBps: 50n };
    const signed = (signature: Hex) => ({ ...request, permit: { deadline, signature } });
    expect(await reader.verifySwapPermit(signed("0x01"))).toBe(true);
    expect(await reader.verifySwapPermit(signed("0x"))).toBe(false);
    expect(await revertOf(operator.swap(signed("0x")))).toMatchObject({ errorName: "InsufficientSwapAllowance" });
    await sender.client.setCode({ address: wallet, bytecode: "0x" });
  });

  const magic = `1626ba7e${"0".repeat(56)}`;

  // Code of wallets, as far as it makes the first word of the answer, and the length of the answer in bytes.
  test.each([
    ["answers CoreSwap alone", `7f${magic}73${coreSwap.slice(2)}331402`, 32, true],
    ["answers its owner alone", `7f${magic}73${parties.user.slice(2)}331402`, 32, false],
    ["answers more than a word", `7f${magic}`, 64, true],
    ["answers less than a word", `7f${magic}`, 31, false],
    ["sets other bytes of the word", `7f${magic.slice(0, -1)}1`, 32, false],
  ])("gets a permit of a wallet that %s checked as by CoreSwap", async (_wallet, word, bytes, isAccepted) => {
    const wallet = WALLETS.depositor3.address;
    await sender.client.setCode({ address: wallet, bytecode: `0x${word}60005260${bytes.toString(16)}6000f3` });
    try {
      const deadline = (await node.getBlock()).timestamp + 3_600n;
      const permit = { deadline, signature: "0x01" } as const;
      const signed = { ...parties, user: wallet, quotes: [quote], slippageBps: 50n, permit };
      expect(await reader.verifySwapPermit(signed)).toBe(isAccepted);
      const refusal = await operator.simulateSwap(signed).then(
        () => null,
        (error: unknown) => (error instanceof ContractRevertError ? error.errorName : error),
      );
      expect(refusal === "InvalidSignature").toBe(!isAccepted);
    } finally {
      await sender.client.setCode({ address: wallet, bytecode: "0x" });
    }
  });

  test("swaps with a permit of a Safe, by ERC-1271", async () => {
    const singleton = safeArtifact("Safe.sol/Safe.json");
    const proxy = safeArtifact("proxies/SafeProxy.sol/SafeProxy.json");
    const handler = safeArtifact("handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json");
    const [safe, fallback] = [
      await create(sender, proxy, [await create(sender, singleton, [])]),
      await create(sender, handler, []),
    ];
    const owner = WALLETS.client3;
    const setup = [[owner.address], 1n, zeroAddress, "0x", fallback, zeroAddress, 0n, zeroAddress];
    await call(
      sender,
      "beneficiary",
      safe,
      encodeFunctionData({ abi: singleton.abi, functionName: "setup", args: setup }),
    );
    await mint("USDC", safe, 1_000n);
    await sender.client.impersonateAccount({ address: safe });
    await sender.client.setBalance({ address: safe, value: 10n ** 18n });
    const approval = { tokenAddress: usdc.tokenAddress, spender: deployed.delegates.USDC, amount: maxUint256 };
    await node.waitForTransactionReceipt({ hash: await user.approveSwap({ ...approval, account: safe }) });

    const deadline = (await node.getBlock()).timestamp + 3_600n;
    const request = { user: safe, operator: parties.operator, quotes: [quote], slippageBps: 50n, deadline };
    // The owner's signature of the permit itself is not a signature of the Safe.
    await expect(user.signSwapPermit(request)).rejects.toThrow(PermitSignatureError);
    const signed = await user.signSwapPermit({
      ...request,
      signTypedData: (typedData) =>
        owner.signTypedData({
          domain: { chainId: 1, verifyingContract: safe },
          types: { SafeMessage: [{ name: "message", type: "bytes" }] },
          primaryType: "SafeMessage",
          message: { message: encodeAbiParameters([{ type: "bytes32" }], [hashTypedData(typedData)]) },
        }),
    });
    expect(await settled(await operator.swap(signed))).toMatchObject([{ user: safe, receiver: safe }]);
  });
});

describe("the treasury", () => {
  const depositor = as("depositor1");
  const user = depositor.account.address;

  test("takes a deposit, and pays a redemption with its yield", async () => {
    const amountIn = wholeTokens("USDC", 500n);
    const deposited = await depositor.quoteDeposit({ user, treasury, asset: usdc, amountIn });
    expect(await settled(await depositor.deposit({ quote: deposited, slippageBps: 10n }))).toMatchObject([
      amountsOf(deposited),
    ]);
    const before = await reader.getTreasuryPosition({ treasury, user });
    expect(before.redeemableTokens).toBe(before.mainCredits + before.withheldCredits);
    expect(before.redeemableValueInRwa).toBeGreaterThan(before.redeemableTokens);
    expect(before.withheldRecords.at(-1)).toMatchObject({
      tokenAddress: usdc.tokenAddress,
      isRwa: false,
      credits: deposited.amountOut,
    });
    const redemption = await depositor.quoteRedemption({
      user,
      treasury,
      asset: assets.TBILL,
      amountIn: before.redeemableTokens,
    });
    const [leg] = await settled(await depositor.redeem({ quote: redemption, slippageBps: 10n }));
    expect(leg).toMatchObject(amountsOf(redemption));
    expect(await reader.getTreasuryPosition({ treasury, user })).toMatchObject({
      redeemableTokens: 0n,
      withheldRecords: [],
    });
  });

  test("shows the position that its contracts have at a block", async () => {
    const { address } = WALLETS.depositor2;
    const position = await reader.getTreasuryPosition({ treasury, user: address });
    const delegate = {
      address: deployed.treasuryDelegate,
      abi: treasuryDelegateAbi,
      blockNumber: position.block.number,
    } as const;
    const token = { address: deployed.treasury, abi: erc20Abi, blockNumber: position.block.number } as const;
    expect(position).toMatchObject({
      delegateAddress: deployed.treasuryDelegate,
      tokenBalance: await node.readContract({ ...token, functionName: "balanceOf", args: [address] }),
      mainCredits: await node.readContract({ ...delegate, functionName: "credits", args: [address] }),
      withheldCredits: await node.readContract({ ...delegate, functionName: "totalWithheldCredits", args: [address] }),
    });
    const args = [address, position.redeemableTokens, true] as const;
    const earned = await node.readContract({ ...delegate, functionName: "getYieldAmount", args });
    expect(position.redeemableValueInStablecoin - position.redeemableTokens).toBe(earned);
  });

  test("refuses a leg that is neither deposit nor redemption, and a stablecoin without yield", async () => {
    const quote = await reader.quoteLeg({ user, assetIn: assets.TBILL, assetOut: usdc, amountIn: 10n ** 6n });
    await expect(depositor.deposit({ quote, slippageBps: 0n })).rejects.toThrow("is not yield-bearing");
    await expect(depositor.redeem({ quote, slippageBps: 0n })).rejects.toThrow("is not yield-bearing");
    await expect(reader.getTreasuryPosition({ treasury: dai, user })).rejects.toThrow("is not yield-bearing");
    const stranger = WALLETS.client4.address;
    const none = await reader.getTreasuryPosition({ treasury, user: stranger });
    expect(none).toMatchObject({ redeemableTokens: 0n, redeemableValueInStablecoin: 0n, withheldRecords: [] });
  });
});

test("a swap at a paused LP fails by name", async () => {
  // Uses the LP that the programs of the other file do not use, because both files share the chain.
  const set = (functionName: "pause" | "unpause") =>
    call(
      sender,
      "daiIssuerAdmin",
      dai.delegateAddress,
      encodeFunctionData({ abi: balanceSheetDelegateAbi, functionName }),
    );
  const trader = as("trader3");
  const leg = { user: trader.account.address, assetIn: assets.TBILL, assetOut: dai };
  const quote = await trader.quoteLeg({ ...leg, amountIn: wholeTokens("TBILL", 1n) });
  await set("pause");
  try {
    const error = await revertOf(trader.simulateSwap({ quotes: [quote], slippageBps: 0n }));
    expect(error).toMatchObject({ errorName: "EnforcedPause" });
    expect(error.message).toMatch(/^EnforcedPause\(.*\)\. The contract is paused/);
  } finally {
    await set("unpause");
  }
});
