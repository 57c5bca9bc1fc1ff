/**
 * The history that every contender indexes: the repository's own deployment, then batches of swap legs in blocks with
 * the same composition. A longer history has more blocks of the same kind, so that costs can be compared between sizes.
 */
import { join } from "node:path";
import { encodeFunctionData, type Hex, maxUint256, zeroHash } from "viem";
import { coreSwapAbi, stablecoinDelegateAbi, treasuryAbi } from "../../abis/index.ts";
import { testTokenAbi } from "../../localnet/abis.ts";
import { STABLECOIN_SYMBOLS, wholeTokens } from "../../localnet/assets.ts";
import { buildContracts, type DeployedNetwork, deployNetwork } from "../../localnet/deployment.ts";
import { planLeg, routeDeck } from "../../localnet/legs.ts";
import { startNode } from "../../localnet/nodes.ts";
import { Random } from "../../localnet/random.ts";
import { Sender } from "../../localnet/sender.ts";
import { ALLOWLIST_ACCOUNTS, TRADERS, WALLETS, type WalletName } from "../../localnet/wallets.ts";

export const CHAIN_ID = 1;
/** Ponder backfills blocks at least this far below the head of chain 1, and streams the rest. */
export const FINALITY_BLOCKS = 65;

const LEGS_PER_BATCH = 10;
const BLOCK_SECONDS = 12;
/** One call in this many reverts. */
const REVERTED_EVERY = 20;
/** One allowlist change per this many batches. */
const ALLOWLIST_CHANGE_EVERY = 50;
/** A leg uses 40 to 140 thousand; the rest is a margin. */
const GAS_PER_LEG = 250_000n;
const GAS_BASE = 300_000n;
const GAS_PER_BATCH = GAS_BASE + GAS_PER_LEG * BigInt(LEGS_PER_BATCH);
const BLOCKS_PER_REQUEST = 100;
const SEED = 20_250_101n;

/** What was sent and mined so far, as counted by the sender. */
export interface HistoryCounts {
  readonly legs: number;
  readonly batches: number;
  readonly reverted: number;
  readonly allowlistChanges: number;
  /** Newest block with a transaction; the empty ones that make it final come after it. */
  readonly lastBlock: number;
}

export interface History {
  readonly deployed: DeployedNetwork;
  /**
   * Mines blocks until the history has this many legs, then enough empty ones to make it final.
   * @throws Error when a transaction has an unplanned result
   */
  extendTo(legs: number): Promise<HistoryCounts>;
  /** Adds blocks without transactions, all of them final with the next call of `extendTo`. */
  mineEmptyBlocks(count: number): Promise<void>;
  stop(): Promise<void>;
}

export interface HistoryOptions {
  /** Below `.demo/`, where the deployment script may write. */
  readonly directory: string;
  readonly transactionsPerBlock: number;
  /** Number of legs of the longest history; the chain's clock starts early enough for it. */
  readonly maxLegs: number;
}

/** Starts a node and deploys the protocol on it. */
export async function startHistory({ directory, transactionsPerBlock, maxLegs }: HistoryOptions): Promise<History> {
  await buildContracts(join(directory, "build.log"));
  const blocks = Math.ceil(maxLegs / LEGS_PER_BATCH / transactionsPerBlock) + 1_000;
  const node = await startNode({
    chainId: CHAIN_ID,
    timestamp: Math.floor(Date.now() / 1000) - blocks * BLOCK_SECONDS,
    // Reverted calls and allowlist changes are additional to the batches; the deployment needs blocks, too.
    gasLimit: 60_000_000n + 2n * GAS_PER_BATCH * BigInt(transactionsPerBlock),
    logFile: join(directory, "node.log"),
  });
  try {
    const deployed = await deployNetwork({ node, network: "mainnet", directory });
    const writer = new HistoryWriter(deployed, transactionsPerBlock);
    await writer.begin();
    return {
      deployed,
      extendTo: (legs) => writer.extendTo(legs),
      mineEmptyBlocks: (count) => writer.mineEmptyBlocks(count),
      stop: () => node.stop(),
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

type Outcome = "success" | "revert";

class HistoryWriter {
  readonly #deployed: DeployedNetwork;
  readonly #transactionsPerBlock: number;
  readonly #sender: Sender;
  readonly #random = new Random(SEED);
  readonly #routes = routeDeck(this.#random);
  readonly #listed = new Set<WalletName>();
  #batches = 0;
  #reverted = 0;
  #allowlistChanges = 0;

  constructor(deployed: DeployedNetwork, transactionsPerBlock: number) {
    this.#deployed = deployed;
    this.#transactionsPerBlock = transactionsPerBlock;
    this.#sender = new Sender(deployed);
  }

  /**
   * Makes every leg exactly one `Swap` event: turns off auto-liquidity, which derives further legs, and fills its
   * custody.
   */
  async begin(): Promise<void> {
    const { delegates, assets } = this.#deployed;
    const off = encodeFunctionData({
      abi: stablecoinDelegateAbi,
      functionName: "setAutoLiquidityStablecoinID",
      args: [zeroHash],
    });
    await this.#sender.send({ from: "usdcIssuerAdmin", to: delegates.USDC, data: off, gas: GAS_BASE });
    for (const symbol of STABLECOIN_SYMBOLS) {
      const mint = (to: Hex) =>
        encodeFunctionData({
          abi: testTokenAbi,
          functionName: "mint",
          args: [to, wholeTokens(symbol, 10_000_000_000n)],
        });
      for (const custody of [WALLETS.usdcStablecoinCustody.address, delegates.DAI]) {
        await this.#sender.send({ from: "deployer", to: assets[symbol].token, data: mint(custody), gas: GAS_BASE });
      }
    }
    await this.#mine(["success", ...STABLECOIN_SYMBOLS.flatMap((): Outcome[] => ["success", "success"])]);
  }

  async extendTo(legs: number): Promise<HistoryCounts> {
    const batches = Math.ceil(legs / LEGS_PER_BATCH);
    while (this.#batches < batches) {
      const outcomes: Outcome[] = [];
      for (let index = 0; index < this.#transactionsPerBlock && this.#batches < batches; index++) {
        await this.#sendBatch("success");
        outcomes.push("success");
        this.#batches += 1;
        if (this.#batches % (REVERTED_EVERY - 1) === 0) {
          await this.#sendBatch("revert");
          outcomes.push("revert");
          this.#reverted += 1;
        }
        if (this.#batches % ALLOWLIST_CHANGE_EVERY === 0) {
          await this.#sendAllowlistChange();
          outcomes.push("success");
          this.#allowlistChanges += 1;
        }
      }
      await this.#mine(outcomes);
    }
    const lastBlock = Number(await this.#sender.client.getBlockNumber());
    await this.mineEmptyBlocks(FINALITY_BLOCKS + 1);
    return {
      legs: this.#batches * LEGS_PER_BATCH,
      batches: this.#batches,
      reverted: this.#reverted,
      allowlistChanges: this.#allowlistChanges,
      lastBlock,
    };
  }

  async mineEmptyBlocks(count: number): Promise<void> {
    // One request for thousands of blocks takes longer than the client waits for an answer.
    for (let left = count; left > 0; left -= BLOCKS_PER_REQUEST) {
      await this.#sender.client.mine({ blocks: Math.min(left, BLOCKS_PER_REQUEST), interval: BLOCK_SECONDS });
    }
  }

  async #sendBatch(outcome: Outcome): Promise<void> {
    const { assets, coreSwap } = this.#deployed;
    const trader = this.#random.pick(TRADERS);
    const receiver = this.#random.chance(2, 3) ? trader : this.#random.pick(TRADERS);
    const inputs = Array.from({ length: LEGS_PER_BATCH }, (_, index) => {
      const leg = planLeg(this.#random, this.#routes.next().value, new Set());
      const isExactIn = leg.routeId % 2 === 1;
      // The last leg of a call that must revert requires more than any amount yields, or offers less than any amount
      // costs.
      const missesBound = outcome === "revert" && index === LEGS_PER_BATCH - 1;
      return {
        routeId: BigInt(leg.routeId),
        assetInID: assets[leg.assetIn].id,
        assetOutID: assets[leg.assetOut].id,
        stablecoinDelegateID: assets[leg.settledBy].id,
        assetInAmt: isExactIn ? leg.amount : missesBound ? 1n : maxUint256,
        assetOutAmt: isExactIn ? (missesBound ? maxUint256 : 0n) : leg.amount,
      };
    });
    const data = encodeFunctionData({
      abi: coreSwapAbi,
      functionName: "swap",
      args: [WALLETS[trader].address, WALLETS[receiver].address, inputs, { deadline: 0n, signature: "0x" }],
    });
    await this.#sender.send({ from: trader, to: coreSwap, data, gas: GAS_PER_BATCH });
  }

  async #sendAllowlistChange(): Promise<void> {
    const account = this.#random.pick(ALLOWLIST_ACCOUNTS);
    const isListed = this.#listed.delete(account);
    if (!isListed) this.#listed.add(account);
    const data = encodeFunctionData({
      abi: treasuryAbi,
      functionName: isListed ? "removeFromWhitelist" : "addToWhitelist",
      args: [WALLETS[account].address],
    });
    await this.#sender.send({ from: "whitelister", to: this.#deployed.treasury, data, gas: GAS_BASE });
  }

  async #mine(outcomes: readonly Outcome[]): Promise<void> {
    const { timestamp } = await this.#sender.client.getBlock();
    const receipts = await this.#sender.mine(Number(timestamp) + BLOCK_SECONDS);
    const mined = receipts.map(({ status }): Outcome => (status === "0x1" ? "success" : "revert"));
    if (mined.join() !== outcomes.join()) {
      throw new Error(`block ${receipts[0]?.blockNumber}: planned ${outcomes.join()}, mined ${mined.join()}`);
    }
  }
}
