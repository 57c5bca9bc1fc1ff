/** Sends planned transactions and checks that their results are as planned. */
import {
  type Address,
  decodeEventLog,
  encodeEventTopics,
  encodeFunctionData,
  type Hash,
  type Hex,
  isAddressEqual,
  maxUint256,
  type RpcTransactionReceipt,
  zeroAddress,
} from "viem";
import { coreSwapAbi, navPriceAdapterAbi, treasuryAbi, treasuryDelegateAbi } from "../abis/index.ts";
import { PERMIT_TYPES } from "../packages/sdk/src/actions/permit.ts";
import type { SwapInputs } from "../packages/sdk/src/leg.ts";
import { errorName, nestedSwapperAbi, testTokenAbi } from "./abis.ts";
import { DELISTED_RWA, type LpSymbol, REPLACED_LP, TREASURY } from "./assets.ts";
import type { DeployedNetwork } from "./deployment.ts";
import type { PlannedLeg } from "./legs.ts";
import { type OutgoingTransaction, Sender } from "./sender.ts";
import type { Action, PlannedTransaction } from "./transactionPlan.ts";
import { RESERVE_CUSTODY, WALLETS, type WalletName } from "./wallets.ts";

/** Gas limits. They leave room for the prefund or sweep that a leg may cause. */
const GAS = { swapBase: 400_000n, swapPerLeg: 900_000n, accrual: 2_000_000n, other: 300_000n } as const;
const PERMIT_LIFETIME_SECONDS = 3_600n;
/**
 * Tolerance of a quoted bound, half a percent of the other side: more than a NAV post in the same block can change it.
 */
const SLIPPAGE_PER_MILLE = 5n;
/**
 * Tolerance for a redemption: an earlier deposit dilutes the yield per token, which is at most 1.5 percent in 90 days.
 */
const REDEMPTION_SLIPPAGE_PER_MILLE = 20n;

const [SWAP_TOPIC] = encodeEventTopics({ abi: coreSwapAbi, eventName: "Swap" });
const ALLOWLIST_TOPICS: readonly (Hex | undefined)[] = (["AddedToWhitelist", "RemovedFromWhitelist"] as const).map(
  (eventName) => encodeEventTopics({ abi: treasuryAbi, eventName })[0],
);

/** A mined transaction. */
export interface PlayedTransaction {
  readonly hash: Hash;
  readonly outcome: "success" | "revert";
  /** Whether it belongs to the economic history that the API serves. */
  readonly economic: boolean;
  /** Routes of the requested legs that it realized. */
  readonly routeIds: readonly number[];
  /** Routes of the legs that CoreSwap derived from them. */
  readonly derivedRouteIds: readonly number[];
}

interface SubmittedTransaction {
  readonly hash: Hash;
  readonly planned: PlannedTransaction;
}

/** Sends planned transactions on one network and verifies them. */
export class Player {
  readonly sender: Sender;
  readonly #deployed: DeployedNetwork;
  /** Next permit nonce of each user, counting permits that are still in the pool. */
  readonly #permitNonces = new Map<WalletName, bigint>();

  #isDelegateReplaced = false;

  constructor(deployed: DeployedNetwork) {
    this.#deployed = deployed;
    this.sender = new Sender(deployed);
  }

  /**
   * Puts a planned transaction into the pool. Bounds are calculated from quotes at the newest block.
   * @param timestamp time of the block that it is meant for, on which deadlines of permits are based
   */
  async submit(planned: PlannedTransaction, timestamp: number): Promise<SubmittedTransaction> {
    const call = await this.#encode(planned.sender, planned.action, BigInt(timestamp));
    const { sender: from, priorityFeeGwei } = planned;
    return { hash: await this.sender.send({ from, priorityFeeGwei, ...call }), planned };
  }

  /**
   * Compares a receipt with the plan.
   * @throws Error naming the transaction, what was planned and what happened
   */
  async verify({ hash, planned }: SubmittedTransaction, receipt: RpcTransactionReceipt): Promise<PlayedTransaction> {
    const revertedWith = receipt.status === "0x1" ? null : await this.#revertReason(hash);
    const swaps = this.#swapsOf(receipt);
    const derived = swaps.filter(({ operator }) => isAddressEqual(operator, this.#deployed.coreSwap));
    const allowlistChanges = receipt.logs.filter(
      ({ address, topics: [topic] }) =>
        isAddressEqual(address, this.#deployed.treasury) && ALLOWLIST_TOPICS.includes(topic),
    );
    const activities = swaps.length - derived.length + allowlistChanges.length;
    if (revertedWith !== planned.revertsWith || activities !== planned.activities) {
      const describe = (error: string | null, count: number) =>
        error === null ? `success with ${count} events` : `a revert with "${error}"`;
      throw new Error(
        `${this.#deployed.network}: ${planned.kind} from ${planned.sender} (${hash}): expected ` +
          `${describe(planned.revertsWith, planned.activities)}, got ${describe(revertedWith, activities)}`,
      );
    }
    const custody = WALLETS[RESERVE_CUSTODY].address;
    for (const { user, receiver } of derived) {
      if (!isAddressEqual(user, custody) || !isAddressEqual(receiver, custody)) {
        throw new Error(
          `${this.#deployed.network}: ${hash} has a derived leg of ${user} for ${receiver}, expected ${custody} for both`,
        );
      }
    }
    return {
      hash,
      outcome: revertedWith === null ? "success" : "revert",
      economic: planned.economic,
      derivedRouteIds: derived.map(({ routeId }) => Number(routeId)),
      routeIds: revertedWith === null ? legsOf(planned.action).map(({ routeId }) => routeId) : [],
    };
  }

  #swapsOf({ logs }: RpcTransactionReceipt) {
    return logs
      .filter(
        ({ address, topics: [topic] }) => isAddressEqual(address, this.#deployed.coreSwap) && topic === SWAP_TOPIC,
      )
      .map(({ topics, data }) => decodeEventLog({ abi: coreSwapAbi, eventName: "Swap", topics, data }).args);
  }

  async #revertReason(hash: Hash): Promise<string> {
    const trace = await this.sender.client.request({
      method: "debug_traceTransaction",
      params: [hash, { tracer: "callTracer" }],
    });
    return errorName(trace.output);
  }

  async #encode(
    sender: WalletName,
    action: Action,
    timestamp: bigint,
  ): Promise<Pick<OutgoingTransaction, "to" | "data" | "value" | "gas">> {
    const { coreSwap, treasury, assets, priceAdapters, nestedSwapper, successorDelegate, treasuryDelegate } =
      this.#deployed;
    const toCoreSwap = (data: Hex) => ({ to: coreSwap, data, gas: GAS.other });
    switch (action.type) {
      case "swap":
        return this.#encodeSwap(sender, action, timestamp);
      case "nestedSwap": {
        const { leg, receiver } = action;
        const inputs = await this.#inputs(nestedSwapper, leg);
        const { tokenInAmt } = await this.#quote(nestedSwapper, inputs);
        // On exact-out routes, more than needed is taken in and the rest is returned.
        const amountInMax = leg.routeId % 2 === 1 ? leg.amount : (tokenInAmt * 102n) / 100n;
        const delegate = await this.#currentDelegate(leg.settledBy);
        const data = encodeFunctionData({
          abi: nestedSwapperAbi,
          functionName: "swapFor",
          args: [assets[leg.assetIn].token, amountInMax, delegate, WALLETS[receiver].address, inputs],
        });
        return { to: nestedSwapper, data, gas: GAS.swapBase + GAS.swapPerLeg };
      }
      case "allowlist": {
        const account = action.account === null ? zeroAddress : WALLETS[action.account].address;
        const data = encodeFunctionData({ abi: treasuryAbi, functionName: action.method, args: [account] });
        return { to: treasury, data, gas: GAS.other };
      }
      case "rawCall":
        return toCoreSwap(action.data);
      case "nativeTransfer":
        return { to: WALLETS[action.to].address, value: action.valueWei, gas: 21_000n };
      case "tokenTransfer": {
        const args = [WALLETS[action.to].address, action.amount] as const;
        const data = encodeFunctionData({ abi: testTokenAbi, functionName: "transfer", args });
        return { to: assets[action.asset].token, data, gas: GAS.other };
      }
      case "postNav": {
        const data = encodeFunctionData({ abi: navPriceAdapterAbi, functionName: "postNav", args: [action.navWad] });
        return { to: priceAdapters[action.asset], data, gas: GAS.other };
      }
      case "accrue": {
        const accounts = action.accounts.map((name) => WALLETS[name].address);
        const [first] = accounts;
        const data =
          accounts.length === 1 && first !== undefined
            ? encodeFunctionData({
                abi: treasuryDelegateAbi,
                functionName: "accrueInterest",
                args: [first, maxUint256, maxUint256],
              })
            : encodeFunctionData({
                abi: treasuryDelegateAbi,
                functionName: "batchAccrueInterest",
                args: [accounts],
              });
        return { to: treasuryDelegate, data, gas: GAS.accrual };
      }
      case "postRate":
      case "correctRate": {
        const data = encodeFunctionData({
          abi: treasuryDelegateAbi,
          functionName: action.type === "postRate" ? "postDailyRate" : "correctDailyRate",
          args: [BigInt(action.dayNumber), action.grossRateWad],
        });
        return { to: treasuryDelegate, data, gas: GAS.accrual };
      }
      case "pause":
      case "unpause":
        return toCoreSwap(encodeFunctionData({ abi: coreSwapAbi, functionName: action.type }));
      case "blacklist": {
        const args = [WALLETS[action.account].address, action.listed] as const;
        return toCoreSwap(encodeFunctionData({ abi: coreSwapAbi, functionName: "setBlacklisted", args }));
      }
      case "delist": {
        const { id, token } = assets[DELISTED_RWA];
        const args = [id, zeroAddress, token, false] as const;
        return toCoreSwap(encodeFunctionData({ abi: coreSwapAbi, functionName: "setRWAAcceptance", args }));
      }
      case "replaceDelegate": {
        const { id, token } = assets[REPLACED_LP];
        const args = [id, successorDelegate, token, true, false] as const;
        this.#isDelegateReplaced = true;
        return toCoreSwap(encodeFunctionData({ abi: coreSwapAbi, functionName: "setStablecoinAcceptance", args }));
      }
    }
  }

  async #encodeSwap(
    sender: WalletName,
    { user: userName, receiver: receiverName, legs, authorization, valueWei }: Extract<Action, { type: "swap" }>,
    timestamp: bigint,
  ) {
    const user = WALLETS[userName].address;
    const receiver = WALLETS[receiverName].address;
    const inputs = await Promise.all(legs.map((leg) => this.#inputs(user, leg)));
    let permit: { deadline: bigint; signature: Hex } = { deadline: 0n, signature: "0x" };
    if (authorization !== "self" && authorization !== "allowance") {
      const deadline = authorization === "expiredPermit" ? timestamp - 1n : timestamp + PERMIT_LIFETIME_SECONDS;
      const nonce = await this.#permitNonce(userName);
      // A call with a signature that reverts uses no nonce.
      if (authorization === "permit") this.#permitNonces.set(userName, nonce + 1n);
      const signature = await WALLETS[authorization === "forgedPermit" ? "outsider" : userName].signTypedData({
        domain: {
          name: "CoreSwap",
          version: "1",
          chainId: this.#deployed.chainId,
          verifyingContract: this.#deployed.coreSwap,
        },
        types: PERMIT_TYPES,
        primaryType: "Swap",
        message: { user, operator: WALLETS[sender].address, receiver, inputs, nonce, deadline },
      });
      permit = { deadline, signature };
    }
    const data = encodeFunctionData({
      abi: coreSwapAbi,
      functionName: "swap",
      args: [user, receiver, inputs, permit],
    });
    return {
      to: this.#deployed.coreSwap,
      data,
      value: valueWei,
      gas: GAS.swapBase + GAS.swapPerLeg * BigInt(legs.length),
    };
  }

  /** The leg as submitted: the exact amount on its side, the bound on the other. */
  async #inputs(user: Address, leg: PlannedLeg): Promise<SwapInputs> {
    const { assets } = this.#deployed;
    const isExactIn = leg.routeId % 2 === 1;
    const common = {
      routeId: BigInt(leg.routeId),
      assetInID: assets[leg.assetIn].id,
      assetOutID: assets[leg.assetOut].id,
      stablecoinDelegateID: assets[leg.settledBy].id,
    };
    const unbounded = isExactIn
      ? { ...common, assetInAmt: leg.amount, assetOutAmt: 0n }
      : { ...common, assetInAmt: maxUint256, assetOutAmt: leg.amount };
    if (leg.bound === "none") return unbounded;
    const { tokenInAmt, tokenOutAmt } = await this.#quote(user, unbounded);
    const missed = leg.bound === "missed";
    const slippage = leg.assetIn === TREASURY.symbol ? REDEMPTION_SLIPPAGE_PER_MILLE : SLIPPAGE_PER_MILLE;
    return isExactIn
      ? { ...unbounded, assetOutAmt: missed ? tokenOutAmt * 2n : (tokenOutAmt * (1000n - slippage)) / 1000n }
      : { ...unbounded, assetInAmt: missed ? tokenInAmt / 2n : (tokenInAmt * (1000n + slippage)) / 1000n };
  }

  #quote(user: Address, inputs: SwapInputs) {
    return this.sender.client.readContract({
      address: this.#deployed.coreSwap,
      abi: coreSwapAbi,
      functionName: "quoteSwap",
      args: [user, inputs],
    });
  }

  /** The delegate that will settle once the transactions in the pool are mined. */
  async #currentDelegate(stablecoin: LpSymbol): Promise<Address> {
    if (stablecoin === REPLACED_LP && this.#isDelegateReplaced) return this.#deployed.successorDelegate;
    const [, , , delegate] = await this.sender.client.readContract({
      address: this.#deployed.coreSwap,
      abi: coreSwapAbi,
      functionName: "stablecoinInfo",
      args: [this.#deployed.assets[stablecoin].id],
    });
    return delegate;
  }

  async #permitNonce(user: WalletName): Promise<bigint> {
    return (
      this.#permitNonces.get(user) ??
      (await this.sender.client.readContract({
        address: this.#deployed.coreSwap,
        abi: coreSwapAbi,
        functionName: "nonces",
        args: [WALLETS[user].address],
      }))
    );
  }
}

function legsOf(action: Action): readonly PlannedLeg[] {
  if (action.type === "swap") return action.legs;
  return action.type === "nestedSwap" ? [action.leg] : [];
}
