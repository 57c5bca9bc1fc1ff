/** Sets up the protocol on a local chain: deployment script, helper contracts, tokens, approvals and allowances. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, encodeFunctionData, type Hex, maxUint256, parseEther } from "viem";
import {
  balanceSheetDelegateAbi,
  coreSwapAbi,
  navPriceAdapterAbi,
  stablecoinDelegateAbi,
  treasuryAbi,
} from "../abis/index.ts";
import type { NetworkName } from "../config/networks.ts";
import { readDeployment } from "../packages/cli/src/chain/deployment.ts";
import { foundryBinary } from "../tools/lib/foundry.ts";
import { erc1967ProxyAbi, nestedSwapperAbi, testTokenAbi } from "./abis.ts";
import {
  ASSET_SYMBOLS,
  type AssetSymbol,
  dealsIn,
  GUARDED_STABLECOIN,
  GUARDRAIL_BAND_WAD,
  INTAKE_CAP_TOKENS,
  type LegAsset,
  REPLACED_LP,
  RESERVED_STABLECOIN,
  RWA_SYMBOLS,
  STABLECOIN_SYMBOLS,
  STABLECOINS,
  type StablecoinSymbol,
  TREASURY,
  TREASURY_RWAS,
  WAD,
  wholeTokens,
} from "./assets.ts";
import { deployConfiguration } from "./deployConfiguration.ts";
import type { ChainNode } from "./nodes.ts";
import { runProcess } from "./processes.ts";
import { Setup } from "./setup.ts";
import { writeSvmDeployments } from "./svm.ts";
import {
  BROKER_PRINCIPALS,
  DEPOSITORS,
  DESK_PRINCIPALS,
  LISTED_AT_SETUP,
  RESERVE_CUSTODY,
  TRADERS,
  WALLETS,
  type WalletName,
} from "./wallets.ts";

interface DeployedAsset {
  readonly symbol: LegAsset;
  readonly id: Hex;
  readonly token: Address;
  readonly decimals: number;
}

export interface DeployedNetwork {
  readonly network: NetworkName;
  readonly chainId: number;
  readonly rpcUrl: string;
  /** The value of DEPLOYMENTS_DIR for an indexer of this network. */
  readonly deploymentsDirectory: string;
  readonly startBlock: number;
  readonly coreSwap: Address;
  readonly treasury: Address;
  readonly nestedSwapper: Address;
  readonly assets: Readonly<Record<LegAsset, DeployedAsset>>;
  readonly priceAdapters: Readonly<Record<(typeof RWA_SYMBOLS)[number], Address>>;
  /** Delegates as deployed. */
  readonly delegates: Readonly<Record<StablecoinSymbol, Address>>;
  readonly treasuryDelegate: Address;
  /** Successor of the delegate of `REPLACED_LP`. */
  readonly successorDelegate: Address;
}

interface DeployOptions {
  readonly node: Pick<ChainNode, "chainId" | "rpcUrl">;
  readonly network: NetworkName;
  /** Below `.demo/` or `deployments/`, the only places where the deployment script may write. */
  readonly directory: string;
}

/** Whole tokens that each trader and each custody starts with: far more than a history uses. */
const TRADER_TOKENS = 100_000_000n;
const CUSTODY_TOKENS = 1_000_000_000n;
/** Whole treasury tokens that each depositor starts with. */
const DEPOSITOR_TOKENS = 1_000_000n;
/** Whole stablecoins that the custody with auto-liquidity keeps available: a small part of what a history pays out. */
const RESERVE_BUFFER_TOKENS = 100_000n;

/**
 * Deploys and sets up everything. The contracts must be compiled (`buildContracts`).
 * @throws Error when the script or a setup transaction fails
 */
export async function deployNetwork({ node, network, directory }: DeployOptions): Promise<DeployedNetwork> {
  const deploymentsDirectory = join(directory, "deployments");
  mkdirSync(deploymentsDirectory, { recursive: true });
  await runDeployScript(node, network, directory, deploymentsDirectory);
  await writeSvmDeployments(deploymentsDirectory);

  const path = join(deploymentsDirectory, "evm", `${network}.json`);
  const file = readDeployment(path);
  const deployedAssets = [...file.stablecoins, ...file.rwas, file.treasuryStablecoin];
  const assets = bySymbol([...ASSET_SYMBOLS, TREASURY.symbol], deployedAssets, ({ id, token, decimals }, symbol) => ({
    symbol,
    id,
    token,
    decimals,
  }));
  const setup = new Setup(node);
  await setup.begin();
  const { coreSwap, treasury } = file;
  const nestedSwapper = await setup.create(nestedSwapperAbi, "NestedSwapper", [coreSwap]);
  const successorDelegate = await createSuccessor(setup, coreSwap, assets[REPLACED_LP]);
  const guardrailAdapter = await setup.create(navPriceAdapterAbi, "NavPriceAdapter", [
    WALLETS.admin.address,
    WALLETS.navPoster.address,
    (WAD * 9_995n) / 10_000n,
    parseEther("0.01"),
    parseEther("0.5"),
    0n,
  ]);
  await setup.call("operator", coreSwap, coreSwapAbi, "configureStablecoinGuardrail", [
    assets[GUARDED_STABLECOIN].id,
    guardrailAdapter,
    GUARDRAIL_BAND_WAD,
    true,
  ]);
  const deployed: DeployedNetwork = {
    network,
    chainId: node.chainId,
    rpcUrl: node.rpcUrl,
    deploymentsDirectory,
    startBlock: file.startBlock,
    coreSwap,
    treasury,
    nestedSwapper,
    assets,
    priceAdapters: bySymbol(RWA_SYMBOLS, file.rwas, ({ priceAdapter }) => priceAdapter),
    delegates: bySymbol(STABLECOIN_SYMBOLS, file.stablecoins, ({ delegate }) => delegate),
    treasuryDelegate: file.treasuryStablecoin.delegate,
    successorDelegate,
  };
  await fundAndApprove(setup, deployed);
  for (const name of LISTED_AT_SETUP) {
    await setup.call("whitelister", treasury, treasuryAbi, "addToWhitelist", [WALLETS[name].address]);
  }
  await openTreasury(setup, deployed);
  await setup.end();
  return deployed;
}

/**
 * Compiles what a local chain needs, unless it is up to date.
 * @throws Error with the compiler's messages
 */
export async function buildContracts(logFile: string): Promise<void> {
  await runProcess({
    name: "forge build",
    command: foundryBinary("forge"),
    args: ["build", "contracts/src", "contracts/script", "contracts/test/mocks"],
    logFile,
  });
}

async function runDeployScript(
  { rpcUrl, chainId }: Pick<ChainNode, "chainId" | "rpcUrl">,
  network: NetworkName,
  directory: string,
  deploymentsDirectory: string,
): Promise<void> {
  const configuration = join(directory, `${network}.deploy.json`);
  writeFileSync(configuration, `${JSON.stringify(deployConfiguration(network, chainId), null, 2)}\n`);
  await runProcess({
    name: `deployment on ${network}`,
    command: foundryBinary("forge"),
    args: [
      ...["script", "contracts/script/Deploy.s.sol", "--rpc-url", rpcUrl],
      ...["--broadcast", "--slow", "--unlocked", "--sender", WALLETS.deployer.address],
    ],
    env: {
      ...process.env,
      DEPLOY_CONFIG: configuration,
      DEPLOYMENTS_DIR: deploymentsDirectory,
      // Deployments on chains with the same id must not share their records.
      FOUNDRY_BROADCAST: join(directory, "broadcast"),
    },
    logFile: join(directory, `${network}.deploy.log`),
  });
}

function bySymbol<Symbol extends LegAsset, Entry extends { readonly symbol: string }, Value>(
  symbols: readonly Symbol[],
  entries: readonly Entry[],
  value: (entry: Entry, symbol: Symbol) => Value,
): Record<Symbol, Value> {
  return Object.fromEntries(
    symbols.map((symbol) => {
      const entry = entries.find((candidate) => candidate.symbol === symbol);
      if (entry === undefined) throw new Error(`the deployment file has no entry for ${symbol}`);
      return [symbol, value(entry, symbol)];
    }),
  ) as Record<Symbol, Value>;
}

/** A second delegate of a stablecoin, which keeps its assets itself, with the same terms. */
async function createSuccessor(setup: Setup, coreSwap: Address, stablecoin: DeployedAsset): Promise<Address> {
  const implementation = await setup.create(balanceSheetDelegateAbi, "BalanceSheetDelegate", []);
  const initialization = encodeFunctionData({
    abi: balanceSheetDelegateAbi,
    functionName: "initialize",
    args: [WALLETS.admin.address, WALLETS.daiIssuerAdmin.address, coreSwap, stablecoin.id, stablecoin.token],
  });
  return setup.create(erc1967ProxyAbi, "ERC1967Proxy", [implementation, initialization]);
}

/**
 * Sets up the successor's custody, tokens for everyone, approvals of the delegates and input allowances of the
 * operators.
 */
async function fundAndApprove(setup: Setup, deployed: DeployedNetwork): Promise<void> {
  const { assets, delegates, successorDelegate, nestedSwapper, coreSwap } = deployed;
  const { rwas, foreign } = STABLECOINS[REPLACED_LP];
  const configure = (functionName: string, args: readonly unknown[]) =>
    setup.call("daiIssuerAdmin", successorDelegate, stablecoinDelegateAbi, functionName, args);
  const capIntake = (symbol: AssetSymbol) =>
    setup.call("admin", successorDelegate, stablecoinDelegateAbi, "setIntakeCap", [
      assets[symbol].token,
      wholeTokens(symbol, INTAKE_CAP_TOKENS),
    ]);
  await configure("setRWACustodyAddress", [successorDelegate]);
  await configure("setStablecoinCustodyAddress", [successorDelegate]);
  for (const rwa of Object.keys(rwas) as (keyof typeof rwas)[]) {
    await configure("whitelistRWA", [assets[rwa].token, true]);
    await capIntake(rwa);
  }
  await configure("whitelistStablecoin", [assets[foreign.symbol].token, true]);
  await capIntake(foreign.symbol);

  const custodies = [
    WALLETS.usdcRwaCustody.address,
    WALLETS.usdcStablecoinCustody.address,
    WALLETS.treasuryRwaCustody.address,
    WALLETS.treasuryStablecoinCustody.address,
    delegates.DAI,
    successorDelegate,
  ];
  const traders: readonly WalletName[] = [...TRADERS, "barredTrader"];
  for (const symbol of ASSET_SYMBOLS) {
    const token = assets[symbol].token;
    const mint = (to: Address, count: bigint) =>
      setup.call("deployer", token, testTokenAbi, "mint", [to, wholeTokens(symbol, count)]);
    for (const custody of custodies) await mint(custody, CUSTODY_TOKENS);
    const spenders = [
      nestedSwapper,
      ...STABLECOIN_SYMBOLS.filter((lp) => takes(lp, symbol)).flatMap((lp) =>
        lp === REPLACED_LP ? [delegates[lp], successorDelegate] : [delegates[lp]],
      ),
    ];
    for (const trader of traders) {
      await mint(WALLETS[trader].address, TRADER_TOKENS);
      for (const spender of spenders) {
        await setup.call(trader, token, testTokenAbi, "approve", [spender, maxUint256]);
      }
    }
    const allow = (trader: WalletName, operator: WalletName, amount: bigint) =>
      setup.call(trader, coreSwap, coreSwapAbi, "adjustSwapInputAllowance", [
        WALLETS[operator].address,
        assets[symbol].id,
        amount,
        true,
      ]);
    for (const trader of DESK_PRINCIPALS) await allow(trader, "desk", maxUint256);
    for (const trader of BROKER_PRINCIPALS) await allow(trader, "broker", wholeTokens(symbol, TRADER_TOKENS));
  }
}

/**
 * Depositors receive the assets that the treasury LP takes, and start with treasury tokens. The custody with
 * auto-liquidity puts its reserve into treasury tokens, except for a buffer.
 */
async function openTreasury(setup: Setup, { assets, coreSwap, treasury, treasuryDelegate }: DeployedNetwork) {
  const approve = (from: WalletName, token: Address) =>
    setup.call(from, token, testTokenAbi, "approve", [treasuryDelegate, maxUint256]);
  const deposit = async (from: WalletName, stablecoin: StablecoinSymbol, amount: bigint) => {
    const account = WALLETS[from].address;
    const leg = {
      routeId: 7n,
      assetInID: assets[stablecoin].id,
      assetOutID: assets.TRSY.id,
      stablecoinDelegateID: assets.TRSY.id,
      assetInAmt: amount,
      assetOutAmt: 0n,
    };
    await setup.call(from, coreSwap, coreSwapAbi, "swap", [account, account, [leg], { deadline: 0n, signature: "0x" }]);
  };
  for (const depositor of DEPOSITORS) {
    await approve(depositor, treasury);
    for (const symbol of [...STABLECOIN_SYMBOLS, ...TREASURY_RWAS]) {
      const funds = [WALLETS[depositor].address, wholeTokens(symbol, TRADER_TOKENS)];
      await setup.call("deployer", assets[symbol].token, testTokenAbi, "mint", funds);
      await approve(depositor, assets[symbol].token);
    }
    await deposit(depositor, "USDC", wholeTokens("USDC", DEPOSITOR_TOKENS));
  }
  // Their redemptions are meant to fail because of missing credits, not a missing approval.
  for (const trader of TRADERS) await approve(trader, treasury);
  const reserve = wholeTokens(RESERVED_STABLECOIN, CUSTODY_TOKENS - RESERVE_BUFFER_TOKENS);
  await deposit(RESERVE_CUSTODY, RESERVED_STABLECOIN, reserve);
}

/** Whether the LP of a stablecoin ever takes an asset in. */
function takes(lp: StablecoinSymbol, asset: AssetSymbol): boolean {
  const rwa = RWA_SYMBOLS.find((symbol) => symbol === asset);
  return rwa === undefined || dealsIn(lp, rwa);
}
