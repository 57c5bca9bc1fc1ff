/**
 * The SDK with real contracts on a local chain, after a history that the model follows. Compares amounts of legs with
 * `quoteSwap`, and solvency with the model. Also tests the reader of solvency when the chain replaces its block, an
 * adapter reverts, or the node fails.
 */
import { join } from "node:path";
import {
  type Asset,
  amountsOfExactIn,
  amountsOfExactOut,
  findCreditedAccounts,
  LegAmountError,
  type LegAmounts,
  type LegAssets,
  type LegRates,
  ReplacedBlockError,
  readSolvencyInputs,
  routeIdOf,
  type Stablecoin,
  settlementsOf,
  solvencyOf,
  WAD,
} from "@coreswap/sdk";
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  custom,
  http,
  type PublicClient,
  parseAbi,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreSwapAbi } from "../../abis/index.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import type { Protocol } from "./contracts/protocol.ts";
import { Permits } from "./player/permits.ts";
import { Player } from "./player/player.ts";
import { hexNumber, Rpc } from "./player/rpc.ts";
import { Scenario } from "./player/scenario.ts";
import { ACTORS, assetId, RWAS, STABLECOINS, TREASURY, USERS } from "./player/terms.ts";
import { START, World } from "./player/world.ts";
import { Revert } from "./state.ts";

const quoteAbi = parseAbi([
  "struct SwapInputs { uint256 routeId; bytes32 assetInID; bytes32 assetOutID; bytes32 stablecoinDelegateID; uint256 assetInAmt; uint256 assetOutAmt; }",
  "struct SwapResolved { uint256 tokenInAmt; uint256 tokenOutAmt; uint256 issuerFeeAmt; uint256 spreadFeeAmt; uint256 lpFeeAmt; }",
  "function quoteSwap(address user, SwapInputs inputs) view returns (SwapResolved)",
  "error InsufficientRWAInput()",
  "error InsufficientRWAOutput()",
  "error InsufficientStablecoinInput()",
  "error InsufficientStablecoinOutput()",
]);

const CHAIN_ID = 31337;
const STEPS_PER_BLOCK = 100;
const BLOCK_GAS = 1_000_000_000_000n;
const BLOCKS = 40;
const SEED = 3n;

let node: ChainNode;
let world: World;
let protocol: Protocol;
let client: PublicClient;

beforeAll(async () => {
  const logFile = join(".demo", "model", "solvency.log");
  node = await startNode({ chainId: CHAIN_ID, timestamp: Number(START), logFile });
  client = createPublicClient({ transport: http(node.rpcUrl) });
  const rpc = new Rpc(node.rpcUrl);
  await rpc.send("evm_setAutomine", false);
  await rpc.send("anvil_autoImpersonateAccount", true);
  await rpc.send("evm_setBlockGasLimit", hexNumber(BLOCK_GAS));
  for (const account of [...Object.values(ACTORS), ...USERS.map(({ address }) => address)]) {
    await rpc.send("anvil_setBalance", account, hexNumber(10n ** 24n));
  }
  world = await World.deploy(rpc);
  const permits = new Permits(CHAIN_ID, world.address("core"));
  protocol = world.model(permits.verify);
  const player = new Player(rpc, world, protocol);
  const steps = world.setup();
  let now = START + 1_000n;
  for (let start = 0; start < steps.length; start += STEPS_PER_BLOCK) {
    now += 1n;
    await player.play(now, steps.slice(start, start + STEPS_PER_BLOCK));
  }
  await new Scenario({ seed: SEED, player, world, permits, now }, () => {}).play(BLOCKS);
});
afterAll(() => node?.stop());

/** Reads a list from the contracts, because lists and adapters are not views of the model. */
function isListed(kind: "rwa" | "stablecoin", token: Address): Promise<boolean> {
  return client.readContract({
    address: world.address(`${TREASURY} delegate`),
    abi: parseAbi([
      "function rwaWhitelist(address) view returns (bool)",
      "function stablecoinWhitelist(address) view returns (bool)",
    ]),
    functionName: kind === "rwa" ? "rwaWhitelist" : "stablecoinWhitelist",
    args: [token],
  });
}

function adapterOf(symbol: string): Promise<Address> {
  return client.readContract({
    address: world.address("core"),
    abi: parseAbi(["function rwaPriceAdapters(bytes32) view returns (address)"]),
    functionName: "rwaPriceAdapters",
    args: [assetId(symbol)],
  });
}

/** The result of a view, or null when the view reverts. */
function answerOf<Answer>(answer: unknown): Answer | null {
  return answer instanceof Revert ? null : (answer as Answer);
}

/** The arguments of the reader at the newest block, with the accounts that have credits according to the logs. */
async function requestOf(ofClient: PublicClient) {
  const blockNumber = await client.getBlockNumber();
  const delegateAddress = world.address(`${TREASURY} delegate`);
  return {
    client: ofClient,
    blockNumber,
    coreSwap: world.address("core"),
    delegateAddress,
    assets: [
      ...RWAS.map(({ symbol }) => ({ id: assetId(symbol), kind: "rwa" as const })),
      ...[...STABLECOINS.map(({ symbol }) => symbol), TREASURY].map((symbol) => ({
        id: assetId(symbol),
        kind: "stablecoin" as const,
      })),
    ],
    otherDelegates: STABLECOINS.map(({ symbol }) => world.address(`${symbol} delegate`)),
    accounts: await findCreditedAccounts({
      client,
      delegateAddress,
      fromBlock: 0n,
      toBlock: blockNumber,
      blocksPerRequest: 7n,
    }),
  };
}

test("the SDK's amounts of legs equal the contracts' quotes to the last unit", async () => {
  const blockNumber = await client.getBlockNumber();
  const coreSwap = { address: world.address("core"), abi: coreSwapAbi, blockNumber } as const;

  const assets: Asset[] = [];
  for (const symbol of [...STABLECOINS.map((asset) => asset.symbol), TREASURY]) {
    const id = assetId(symbol);
    const [info, usdPerTokenWad] = await Promise.all([
      client.readContract({ ...coreSwap, functionName: "stablecoinInfo", args: [id] }),
      client.readContract({ ...coreSwap, functionName: "stablecoinUSDValue", args: [id] }),
    ]);
    const [accepted, isYieldBearing, decimals, delegateAddress, tokenAddress] = info;
    if (!accepted || usdPerTokenWad === 0n) continue;
    assets.push({ kind: "stablecoin", id, tokenAddress, decimals, delegateAddress, isYieldBearing, usdPerTokenWad });
  }
  for (const { symbol } of RWAS) {
    const id = assetId(symbol);
    const [accepted, , decimals, , tokenAddress] = await client.readContract({
      ...coreSwap,
      functionName: "rwaInfo",
      args: [id],
    });
    const now = (await client.getBlock({ blockNumber })).timestamp;
    const price = { to: await adapterOf(symbol), functionName: "getPrice", args: [] };
    const usdPerTokenWad = answerOf<bigint>(protocol.view(now, price));
    if (accepted && usdPerTokenWad) assets.push({ kind: "rwa", id, tokenAddress, decimals, usdPerTokenWad });
  }
  const stablecoins = assets.filter((asset) => asset.kind === "stablecoin");

  let [compared, refused] = [0, 0];
  for (const assetIn of assets) {
    // Redemptions depend on a user's credits, which the unit tests compare with the model.
    if (assetIn.kind === "stablecoin" && assetIn.isYieldBearing) continue;
    for (const assetOut of assets) {
      for (const settlement of settlementsOf({ assetIn, assetOut }) ?? stablecoins.slice(0, 2)) {
        const leg = { assetIn, assetOut, settlement };
        const rates = await ratesOf(leg);
        for (const exact of ["in", "out"] as const) {
          const asset = exact === "in" ? assetIn : assetOut;
          for (const amount of [1n, 12_345_678_901n, 987_654n * 10n ** BigInt(asset.decimals) + 1n]) {
            const ofSdk = outcome(() =>
              exact === "in"
                ? amountsOfExactIn(amount, { ...leg, rates })
                : amountsOfExactOut(amount, { ...leg, rates }),
            );
            const quoted = await quote(leg, exact, amount);
            if (quoted === null) continue;
            expect(ofSdk, `${exact} ${amount} of ${assetIn.id} to ${assetOut.id}`).toEqual(quoted);
            if (typeof quoted === "string") refused += 1;
            else compared += 1;
          }
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(0);

  async function ratesOf({ assetIn, assetOut, settlement }: LegAssets): Promise<LegRates> {
    const c = settlement.id;
    const isExempt = await client.readContract({ ...coreSwap, functionName: "protocolFeeExempt", args: [c] });
    const redemption = async () =>
      client.readContract({ ...coreSwap, functionName: "redemptionFees", args: [c, assetOut.id] });
    let [firstRateWad, secondRateWad] = [0n, 0n];
    if (assetIn.kind === "rwa") {
      firstRateWad = await client.readContract({ ...coreSwap, functionName: "discountRates", args: [c, assetIn.id] });
      if (assetOut.kind === "rwa") secondRateWad = await redemption();
    } else if (assetOut.kind === "rwa") firstRateWad = await redemption();
    else {
      const isPaidOut = c === assetOut.id;
      firstRateWad = await client.readContract({
        ...coreSwap,
        functionName: isPaidOut ? "stablecoinAcceptanceFees" : "stablecoinRedemptionFees",
        args: [c, isPaidOut ? assetIn.tokenAddress : assetOut.tokenAddress],
      });
    }
    return {
      issuerRateWad: isExempt
        ? 0n
        : await client.readContract({ ...coreSwap, functionName: "issuerPaidProtocolFeeRates", args: [c] }),
      takeRateWad: isExempt ? 0n : await client.readContract({ ...coreSwap, functionName: "spreadProtocolTakeRate" }),
      firstRateWad,
      secondRateWad,
    };
  }

  /** A quote, the error of an amount, or null when CoreSwap refuses the leg for another reason, such as a guardrail. */
  async function quote(leg: LegAssets & { settlement: Stablecoin }, exact: "in" | "out", amount: bigint) {
    const inputs = {
      routeId: routeIdOf(leg, exact),
      assetInID: leg.assetIn.id,
      assetOutID: leg.assetOut.id,
      stablecoinDelegateID: leg.settlement.id,
      assetInAmt: exact === "in" ? amount : 0n,
      assetOutAmt: exact === "out" ? amount : 0n,
    };
    try {
      const answer = await client.readContract({
        address: world.address("core"),
        abi: quoteAbi,
        functionName: "quoteSwap",
        args: [zeroAddress, inputs],
        blockNumber,
      });
      const { tokenInAmt, tokenOutAmt, issuerFeeAmt, spreadFeeAmt, lpFeeAmt } = answer;
      return {
        amountIn: tokenInAmt,
        amountOut: tokenOutAmt,
        issuerFee: issuerFeeAmt,
        spreadFee: spreadFeeAmt,
        lpFee: lpFeeAmt,
      };
    } catch (error) {
      const revert =
        error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
      if (!(revert instanceof ContractFunctionRevertedError)) throw error;
      return revert.data?.errorName ?? null;
    }
  }
});

/** The amounts, or the name of the contract's error. */
function outcome(compute: () => LegAmounts): LegAmounts | string {
  try {
    return compute();
  } catch (error) {
    if (error instanceof LegAmountError) return error.contractError;
    throw error;
  }
}

test("the solvency that the SDK reads from the contracts equals the model's", async () => {
  const reading = await readSolvencyInputs(await requestOf(client));
  const solvency = solvencyOf(reading.inputs);
  const now = reading.block.timestamp;
  const view = <Answer>(name: string, functionName: string, ...args: readonly unknown[]) =>
    answerOf<Answer>(protocol.view(now, world.call(name, functionName, ...args)));
  const delegate = `${TREASURY} delegate`;

  // Liabilities of all accounts of the history.
  let [credits, liabilities, holders] = [0n, 0n, 0];
  for (const account of [...Object.values(ACTORS), ...USERS.map(({ address }) => address)]) {
    const withheld = view<bigint>(delegate, "totalWithheldCredits", account) ?? 0n;
    const all = withheld + (view<bigint>(delegate, "credits", account) ?? 0n);
    if (all === 0n) continue;
    holders += 1;
    credits += all;
    liabilities += all + (view<bigint>(delegate, "getYieldAmount", account, all, false) ?? 0n);
  }
  expect(holders).toBeGreaterThan(3);
  expect(liabilities).toBeGreaterThan(credits);
  expect(reading.inputs.creditedAccounts).toHaveLength(holders);
  expect(solvency).toMatchObject({ credits, liabilities, liabilitiesUsdWad: liabilities });
  expect(reading.supply).toBe(view(`${TREASURY} token`, "totalSupply"));

  // The reserve.
  const custodyOf = (name: string) =>
    [view<Address>(name, "balanceSheetCustodyAddress"), view<Address>(name, "stablecoinCustodyAddress")].filter(
      (account) => account !== zeroAddress,
    );
  const others = STABLECOINS.flatMap(({ symbol }) => custodyOf(`${symbol} delegate`));
  const own = [...new Set([...custodyOf(delegate), ...reading.inputs.reserveAccounts.map(({ account }) => account)])];
  for (const { account, isShared } of reading.inputs.reserveAccounts) expect(isShared).toBe(others.includes(account));
  expect(reading.inputs.reserveAccounts.map(({ account }) => account)).toEqual(
    expect.arrayContaining(custodyOf(delegate)),
  );
  let [total, listed] = [0n, 0];
  for (const { symbol, decimals, kind } of [
    ...RWAS.map((asset) => ({ ...asset, kind: "rwa" as const })),
    ...STABLECOINS.map((asset) => ({ ...asset, kind: "stablecoin" as const })),
  ]) {
    const token = world.address(`${symbol} token`);
    if (!(await isListed(kind, token))) continue;
    listed += 1;
    const asset = solvency.assets.find(({ id }) => id === assetId(symbol));
    const amount = own.reduce(
      (sum, account) => sum + (view<bigint>(`${symbol} token`, "balanceOf", account as Address) ?? 0n),
      0n,
    );
    const price =
      kind === "rwa"
        ? answerOf<bigint>(protocol.view(now, { to: await adapterOf(symbol), functionName: "getPrice", args: [] }))
        : view<bigint>("core", "stablecoinUSDValue", assetId(symbol));
    expect(asset).toMatchObject({ amount, usdPerTokenWad: price || null, decimals });
    total += price ? (amount * 10n ** BigInt(18 - decimals) * price) / WAD : 0n;
  }
  expect(listed).toBeGreaterThan(3);
  expect(solvency.assets).toHaveLength(listed);
  expect(total).toBeGreaterThan(0n);
  expect(solvency.assetsUsdWad).toBe(total);
});

/** A client that forwards every request to the node, except those of one method. */
function tampering(method: string, answer: (params: unknown, honest: () => Promise<unknown>) => Promise<unknown>) {
  const { request } = http(node.rpcUrl)({ retryCount: 0 });
  return createPublicClient({
    transport: custom(
      {
        request: async (asked: { method: string; params: unknown }) => {
          const honest = () => request(asked as Parameters<typeof request>[0]);
          return asked.method === method ? answer(asked.params, honest) : honest();
        },
      },
      { retryCount: 0 },
    ),
  });
}

test("a read at a block that is replaced meanwhile is an error", async () => {
  let blocks = 0;
  // The first answer is the block that the node had before.
  const replacing = tampering("eth_getBlockByNumber", async (_params, honest) => {
    blocks += 1;
    const block = (await honest()) as object;
    return blocks === 1 ? { ...block, hash: `0x${"11".repeat(32)}` } : block;
  });
  await expect(readSolvencyInputs(await requestOf(replacing))).rejects.toThrow(ReplacedBlockError);
  expect(blocks).toBe(2);
});

test("a node that fails during a read is an error, even while prices are read, where single calls may revert", async () => {
  const getPrice = "98d5fdca";
  let asked = 0;
  const failing = tampering("eth_call", async (params, honest) => {
    if (!JSON.stringify(params).includes(getPrice)) return honest();
    asked += 1;
    throw new Error("the node has gone");
  });
  await expect(readSolvencyInputs(await requestOf(failing))).rejects.toThrow("the node has gone");
  expect(asked).toBeGreaterThan(0);
});

test("an adapter that reverts leaves only its own asset without a price", async () => {
  const listed = await Promise.all(RWAS.map(({ symbol }) => isListed("rwa", world.address(`${symbol} token`))));
  const rwa = RWAS.find((_, index) => listed[index]);
  if (rwa === undefined) throw new Error("no RWA is listed");
  const adapter = await adapterOf(rwa.symbol);
  const request = await requestOf(client);
  const before = await readSolvencyInputs(request);
  const rpc = new Rpc(node.rpcUrl);
  const code = await rpc.send<string>("eth_getCode", adapter, "latest");
  // PUSH0 PUSH0 REVERT
  await rpc.send("anvil_setCode", adapter, "0x5f5ffd");
  const after = await readSolvencyInputs(request);
  await rpc.send("anvil_setCode", adapter, code);
  expect(after.inputs.assets).toEqual(
    before.inputs.assets.map((asset) =>
      asset.id === assetId(rwa.symbol) ? { ...asset, usdPerTokenWad: null } : asset,
    ),
  );
});
