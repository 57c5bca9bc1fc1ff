/** What the transaction of an earlier run means for the plan of this one. */
import { isAddressEqual, slice } from "viem";
import { callText } from "../decode.ts";
import { Failure } from "../failure.ts";
import { showTime } from "../text.ts";
import type { SentTransaction } from "./journal.ts";
import type { WriteSettings } from "./options.ts";
import { type Call, isSameCall, type Plan } from "./plan.ts";
import { findEarlier, type Mined, type Sending } from "./send.ts";
import { isStepOf } from "./timelock.ts";

interface Found {
  readonly sending: Sending;
  readonly sent: SentTransaction;
  /** Null while there is no receipt. */
  readonly mined: Mined | null;
}

export class EarlierRun {
  readonly #found: Found | null;

  private constructor(found: Found | null) {
    this.#found = found;
  }

  /**
   * Reads the transaction of an earlier run, and prints it if it was mined.
   * @param sending null if this run sends nothing itself, and so knows of no earlier one
   */
  static async read(sending: Sending | null): Promise<EarlierRun> {
    const earlier = sending === null ? null : await findEarlier(sending);
    if (sending === null || earlier === null) return new EarlierRun(null);
    if (earlier.mined === null) return new EarlierRun({ sending, ...earlier });
    const { transactionHash, blockNumber, status } = earlier.mined.receipt;
    const { timestamp } = await sending.client.getBlock({ blockNumber });
    console.log(`Sent by an earlier run: ${transactionHash}, block ${blockNumber}, ${showTime(timestamp)}, ${status}`);
    return new EarlierRun({ sending, ...earlier });
  }

  get isNone(): boolean {
    return this.#found === null;
  }

  /** The transaction, if it has no receipt. */
  get pending(): SentTransaction | null {
    return this.#found?.mined === null ? this.#found.sent : null;
  }

  /** Names the transaction, if it has no receipt. */
  get pendingText(): string | null {
    if (this.#found?.mined !== null) return null;
    const { sending, sent } = this.#found;
    const { address } = sending.signer;
    return `transaction ${sent.hash} (nonce ${sent.nonce} of ${address}) of an earlier command: ${callText(sent.data)}`;
  }

  /** Forgets the transaction if it was mined. If a run fails before it calls this, the next one knows it, too. */
  forgetMined(): void {
    if (!this.#found?.mined) return;
    this.#found.sending.journal.clear(this.#found.sent.hash);
  }

  /** @throws Failure when the transaction succeeded and is one that this run would send */
  refuseRepetition(plan: Plan, step: WriteSettings["step"]): void {
    const { transaction, receipt } = this.#found?.mined ?? {};
    if (transaction === undefined || receipt?.status !== "success" || !isOneOf(plan, step, transaction)) return;
    this.forgetMined();
    // Its effect may be gone since, so whoever runs the command must notice that it sent nothing.
    throw new Failure(
      `the transaction above, of an earlier command, did ${callText(transaction.data)}. Nothing was sent. Run the ` +
        "command again to send it anew.",
    );
  }

  /**
   * @param first the first transaction that this run would send
   * @throws Failure when the transaction has no receipt, and is not that one
   */
  refuseOther(plan: Plan, step: WriteSettings["step"], first: Call | undefined): void {
    const { pending } = this;
    if (pending === null || (first !== undefined && isSameCall(first, pending))) return;
    if (step !== null && isStepOf(pending.data, step, plan.calls)) return;
    const hint =
      plan.whenRunAgain === "changes the last call" && isSameFunction(plan.calls.at(-1), pending)
        ? " If it is that command, the quote has changed since: name the bound above with --bound."
        : "";
    throw new Failure(
      `the node has no receipt of ${this.pendingText}. Run that command again, or this one with --replace to have it ` +
        `take its place.${hint} Nothing was sent.`,
    );
  }
}

/** Whether a transaction that succeeded is one that this command would send. */
function isOneOf(plan: Plan, step: WriteSettings["step"], done: Call): boolean {
  if (step !== null && isStepOf(done.data, step, plan.calls)) return true;
  switch (plan.whenRunAgain) {
    case "skips what is done":
      return false;
    case "repeats all":
      return plan.calls.some((call) => isSameCall(call, done));
    case "changes the last call":
      return isSameFunction(plan.calls.at(-1), done);
  }
}

function isSameFunction(call: Call | undefined, other: Call): boolean {
  return call !== undefined && isAddressEqual(call.to, other.to) && slice(call.data, 0, 4) === slice(other.data, 0, 4);
}
