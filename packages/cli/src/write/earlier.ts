/** What the transaction of an earlier run means for the plan of this one. */
import { isAddressEqual, slice } from "viem";
import { callText } from "../decode.ts";
import { Failure } from "../failure.ts";
import { showTime } from "../text.ts";
import type { SentTransaction } from "./journal.ts";
import type { WriteSettings } from "./options.ts";
import type { Call, Plan } from "./plan.ts";
import { findEarlier, type Sending } from "./send.ts";
import { isStepOf } from "./timelock.ts";

interface Found {
  readonly sending: Sending;
  readonly sent: SentTransaction;
  readonly outcome: "success" | "reverted" | "pending";
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
    const { sent, receipt } = earlier;
    if (receipt === null) return new EarlierRun({ sending, sent, outcome: "pending" });
    const { transactionHash, blockNumber, status } = receipt;
    const { timestamp } = await sending.client.getBlock({ blockNumber });
    console.log(`Sent by an earlier run: ${transactionHash}, block ${blockNumber}, ${showTime(timestamp)}, ${status}`);
    return new EarlierRun({ sending, sent, outcome: status });
  }

  get isNone(): boolean {
    return this.#found === null;
  }

  /** The transaction, if it has no receipt. */
  get pending(): SentTransaction | null {
    return this.#found?.outcome === "pending" ? this.#found.sent : null;
  }

  /** Describes the transaction, if it has no receipt. */
  get pendingText(): string | null {
    if (this.#found?.outcome !== "pending") return null;
    const { sending, sent } = this.#found;
    return (
      `transaction ${sent.hash} (nonce ${sent.nonce} of ${sending.signer.address}) of an earlier command has no ` +
      `receipt: ${callText(sent.data)}. Run that command again, or remove ${sending.journal.path} to give it up`
    );
  }

  /** Forgets the transaction if it was mined. If a run fails before it calls this, the next one knows it, too. */
  forgetMined(): void {
    if (this.#found === null || this.#found.outcome === "pending") return;
    this.#found.sending.journal.clear(this.#found.sent.hash);
  }

  /** @throws Failure when the transaction succeeded and is one that this run would send */
  refuseRepetition(plan: Plan, step: WriteSettings["step"]): void {
    if (this.#found?.outcome !== "success" || !isOneOf(plan, step, this.#found.sent)) return;
    this.forgetMined();
    // Its effect may be gone since, so whoever runs the command must notice that it sent nothing.
    throw new Failure(
      `the transaction above, of an earlier command, did ${callText(this.#found.sent.data)}. Nothing was sent. Run the ` +
        "command again to send it anew.",
    );
  }

  /**
   * @param first the first transaction that this run would send
   * @throws Failure when the transaction has no receipt, and is not that one
   */
  refuseOther(plan: Plan, step: WriteSettings["step"], first: Call | undefined): void {
    const { pending } = this;
    if (pending === null || isSame(first, pending)) return;
    if (step !== null && isStepOf(pending.data, step, plan.calls)) return;
    const hint =
      plan.whenRunAgain === "changes the last call" && isSameFunction(plan.calls.at(-1), pending)
        ? " If it is that command, the quote has changed since: name the bound above with --bound."
        : "";
    throw new Failure(`${this.pendingText}.${hint} Nothing was sent.`);
  }
}

/** Whether a transaction that succeeded is one that this command would send. */
function isOneOf(plan: Plan, step: WriteSettings["step"], done: Call): boolean {
  if (step !== null && isStepOf(done.data, step, plan.calls)) return true;
  switch (plan.whenRunAgain) {
    case "skips what is done":
      return false;
    case "repeats all":
      return plan.calls.some((call) => isSame(call, done));
    case "changes the last call":
      return isSameFunction(plan.calls.at(-1), done);
  }
}

function isSameFunction(call: Call | undefined, other: Call): boolean {
  return call !== undefined && isAddressEqual(call.to, other.to) && slice(call.data, 0, 4) === slice(other.data, 0, 4);
}

function isSame(call: Call | undefined, other: Call): boolean {
  return call !== undefined && isAddressEqual(call.to, other.to) && call.data === other.data;
}
