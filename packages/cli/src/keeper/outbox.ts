/** Sends the decided actions, one transaction at a time, and follows each until it is mined or replaced. */

import { formatGwei, keccak256 } from "viem";
import { type NodeClient, reasonOf } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import type { Call } from "../write/plan.ts";
import { estimateGas, handOver, receiptOf, reverted } from "../write/send.ts";
import type { Signer } from "../write/signer.ts";
import type { GasSettings } from "./config.ts";
import { type Action, type Alert, type Decision, refusedAction } from "./decide.ts";
import { type Fees, type InFlight, nextTransaction, type SignedCall } from "./nextTransaction.ts";
import type { AccountState } from "./observe.ts";

/** Gas limit above any action's use. A call that needs more is not sent. */
const MAX_GAS = 14_000_000n;
/** How long a call that was mined and reverted is not retried, by the chain's clock. */
const REVERTED_PAUSE_SECONDS = 600n;
/** Calldata of a transaction that only uses up a nonce. */
const EMPTY = "0x";

interface OutboxOptions {
  readonly client: NodeClient;
  readonly chainId: number;
  readonly signer: Signer;
  readonly gas: GasSettings;
  /** Called right before a transaction is sent to the node. @throws Failure if this keeper is not the leader */
  readonly requireLeader: () => Promise<void>;
  readonly log: (line: string) => void;
  readonly count: (outcome: "sent" | "replaced" | "mined" | "reverted" | "refused") => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  #inFlight: InFlight | null = null;
  #lastReverted: (Call & { readonly until: bigint; readonly reason: string }) | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * Does the next step: sends the first action that would succeed, or waits for the transaction in flight. If that
   * takes too long, or if its call is not among the actions any more, it is replaced by the first action that would
   * succeed now, or by an empty transaction if there is none. A call that nobody can judge may still be wanted, so no
   * empty transaction replaces it while it is valid.
   * @param unjudged calls that nobody can judge now
   * @param now time of the newest block
   * @param alerts receives what prevents sending, even if this throws afterwards
   * @throws Failure if this keeper is no longer the leader; viem's errors if the node fails
   */
  async advance(
    { actions, unjudged }: Pick<Decision, "actions" | "unjudged">,
    account: AccountState,
    now: bigint,
    alerts: Alert[],
  ): Promise<void> {
    alerts.push(...(await this.#settle(account.nonce, now)));
    const action = await this.#firstPossible(actions, now, alerts);
    const { sent = null, sinceTimestamp = 0n } = this.#inFlight ?? {};
    // The chain dates a NAV by its block: mined later, one that is too old would count as new.
    const isTooOld = sent?.validUntil !== undefined && now > sent.validUntil;
    const isUnjudged =
      !isTooOld &&
      unjudged.some(({ kind, to, doneAt }) => kind === sent?.kind && to === sent.to && doneAt <= sinceTimestamp);
    if (action === null && isUnjudged && sent !== null) {
      await this.#keepKnown(sent);
      return;
    }
    const isObsolete = !isUnjudged && this.#isObsolete(actions);
    const next = nextTransaction(
      { isWanted: action !== null, known: this.#inFlight, isObsolete, account, now },
      this.#options.gas,
    );
    if (next.kind === "nothing") return;
    if (next.kind === "send") {
      const signed = await this.#sign(action, account.nonce, next.fees);
      alerts.push(...(await this.#send(signed, account.nonce, next.fees, now, next.isReplacement)));
      return;
    }
    this.#inFlight = next.inFlight;
    if (next.inFlight?.sent && !isObsolete) await this.#keepKnown(next.inFlight.sent);
    if (next.kind === "capped") {
      const needed = formatGwei(next.neededFeePerGas);
      const what = next.inFlight === null ? "a transaction" : "a replacement of the transaction in flight";
      const text = `${what} needs a fee of ${needed} gwei, and the cap is ${formatGwei(this.#options.gas.maxFeeGwei)}`;
      alerts.push({ key: "fee-cap", text });
    }
  }

  /** Forgets the transaction in flight once its nonce is used, and reports its outcome. */
  async #settle(nonce: number, now: bigint): Promise<Alert[]> {
    const { client, log, count, signer } = this.#options;
    const inFlight = this.#inFlight;
    if (inFlight !== null && inFlight.nonce !== nonce) {
      const { sent } = inFlight;
      const receipt = sent === null ? null : await receiptOf(client, sent.hash);
      this.#inFlight = null;
      if (sent === null || receipt === null) {
        log(`nonce ${inFlight.nonce} was used by another transaction, or freed by a reorganization`);
      } else if (receipt.status === "success") {
        count("mined");
        log(`mined: ${sent.title}, ${sent.hash}, block ${receipt.blockNumber}, gas ${receipt.gasUsed}`);
      } else {
        count("reverted");
        const { message: reason } = await reverted(client, signer.address, sent, receipt);
        this.#lastReverted = { ...sent, reason, until: now + REVERTED_PAUSE_SECONDS };
      }
    }
    if (this.#lastReverted === null || now >= this.#lastReverted.until) return [];
    return [{ key: "reverted", text: `${this.#lastReverted.reason} It is not retried for 10 minutes` }];
  }

  /**
   * Returns the first action that would succeed in the newest state. Adds an alert for each one before it that would
   * not.
   * @throws viem's errors if there is none, and the node cannot say of one: it may still be wanted
   */
  async #firstPossible(actions: readonly Action[], now: bigint, alerts: Alert[]): Promise<Action | null> {
    let unknown: unknown = null;
    for (const action of actions) {
      if (this.#isPaused(action.call, now)) continue;
      try {
        await this.#gasFor(action.call);
        return action;
      } catch (error) {
        if (error instanceof Failure) {
          alerts.push(refusedAction(action, error));
        } else unknown ??= error;
      }
    }
    if (unknown !== null) throw unknown;
    return null;
  }

  /** Whether the transaction in flight is a call of this run that is not wanted any more. */
  #isObsolete(actions: readonly Action[]): boolean {
    const sent = this.#inFlight?.sent;
    if (!sent || sent.data === EMPTY) return false;
    return !actions.some(({ call }) => call.to === sent.to && call.data === sent.data);
  }

  #isPaused({ to, data }: Call, now: bigint): boolean {
    const last = this.#lastReverted;
    return last !== null && now < last.until && last.to === to && last.data === data;
  }

  async #gasFor(call: Call): Promise<bigint> {
    const gas = await estimateGas(this.#options, call);
    if (gas > MAX_GAS) throw new Failure(`would use ${gas} gas, more than the limit of ${MAX_GAS}`);
    return gas;
  }

  /** @param action null for an empty transaction, which only uses up the nonce */
  async #sign(action: Action | null, nonce: number, fees: Fees): Promise<SignedCall> {
    const { signer, chainId } = this.#options;
    const call: Call = action?.call ?? { to: signer.address, data: EMPTY };
    const gas = action === null ? 21_000n : await this.#gasFor(call);
    const signed = await signer.sign({ chainId, nonce, ...call, gas, ...fees });
    return {
      ...call,
      kind: action?.kind ?? null,
      title: action?.title ?? "an empty transaction, which replaces one that is no longer wanted",
      validUntil: action?.validUntil,
      signed,
      hash: keccak256(signed),
    };
  }

  async #send(sent: SignedCall, nonce: number, fees: Fees, now: bigint, isReplacement: boolean): Promise<Alert[]> {
    const { client, log, count, requireLeader } = this.#options;
    await requireLeader();
    const refusal = await handOver(client, sent);
    if (refusal === null) {
      this.#inFlight = { nonce, sinceTimestamp: now, sent, fees };
      count(isReplacement ? "replaced" : "sent");
      log(`sent: ${sent.title}, ${sent.hash}, nonce ${nonce}, at most ${formatGwei(fees.maxFeePerGas)} gwei`);
      return [];
    }
    count("refused");
    // "transaction underpriced" alone speaks of the node's pool or least tip, not of the nonce.
    if (/replace/i.test(refusal)) {
      // A transaction that this run does not know of holds the nonce. The next round offers a higher fee.
      this.#inFlight = { nonce, sinceTimestamp: 0n, sent: this.#inFlight?.sent ?? null, fees };
      log(`another transaction holds nonce ${nonce}, at more than ${formatGwei(fees.maxFeePerGas)} gwei`);
      return [];
    }
    // "nonce too low" passes with the next block, unless the node shows old blocks.
    return [{ key: "refused", text: `the node refuses a transaction: ${refusal}`, isTransient: true }];
  }

  /** Sends the same transaction again, in case the node lost it. Its nonce prevents it from being mined twice. */
  async #keepKnown(sent: SignedCall): Promise<void> {
    await this.#options.requireLeader();
    const refusal = await handOver(this.#options.client, sent).catch((error: unknown) => reasonOf(error));
    if (refusal !== null && !/nonce too low|already (known|imported)/i.test(refusal)) {
      this.#options.log(`the node refuses to take ${sent.hash} again: ${refusal}`);
    }
  }
}
