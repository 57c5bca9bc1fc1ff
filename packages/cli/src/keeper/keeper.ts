/** The keeper's loop: observe, decide, act. Between rounds it remembers only the transaction in flight. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, BaseError, formatEther } from "viem";
import { reasonOf } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { noticesOf } from "../status/attention.ts";
import { oneLine } from "../text.ts";
import type { AlertBoard } from "./alerts.ts";
import type { KeeperConfig } from "./config.ts";
import { type Alert, decide } from "./decide.ts";
import type { Leadership, Standing } from "./leader.ts";
import type { KeeperMetrics } from "./metrics.ts";
import { type Duties, type Observed, observe } from "./observe.ts";
import type { Outbox } from "./outbox.ts";

/** Number of rounds without success after which a keeper counts as stalled. */
const HEALTHY_ROUNDS = 4;
/** What an alert hides (`Alert.hides`) if the chain or the transactions could not be looked at. */
const EVERYTHING = [""];
const OF_TRANSACTIONS = ["action:", "reverted", "refused", "fee-cap"];

interface KeeperParts {
  readonly config: KeeperConfig;
  readonly duties: Duties;
  readonly leadership: Leadership;
  readonly outbox: Outbox;
  readonly account: Address;
  readonly board: AlertBoard;
  readonly metrics: KeeperMetrics;
  readonly log: (line: string) => void;
}

/** Time without a round after which a keeper is not healthy, and no longer leads. */
export function longestSilenceSeconds({ pollSeconds }: Pick<KeeperConfig, "pollSeconds">): number {
  return HEALTHY_ROUNDS * pollSeconds + 60;
}

/** Returns an alert if the keeper's own account has less left for gas than it should. */
export function balanceAlerts({ account }: Observed, address: string, gas: KeeperConfig["gas"]): Alert[] {
  if (account.balance >= gas.minBalanceEth) return [];
  const text = `the keeper's account ${address} has ${formatEther(account.balance)} ETH left for gas`;
  return [{ key: "balance", text }];
}

export class Keeper {
  readonly #parts: KeeperParts;
  #standing: Standing["kind"] | null = null;
  /** Whether the last round observed the chain. */
  #isSighted = false;
  /** The newest block seen, and when it was first seen, by a monotonic clock. */
  #head: { readonly number: bigint; readonly seenAtMs: number } | null = null;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Runs rounds until the signal. A round that has begun is finished first. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.round();
      // Throws, and so ends early, when the keeper is told to stop.
      await sleep(this.#parts.config.pollSeconds * 1000, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns what is wrong; null while rounds succeed. */
  health(): string | null {
    const age = this.#parts.metrics.roundAgeSeconds;
    if (age <= longestSilenceSeconds(this.#parts.config)) return null;
    return `the chain was last observed ${Math.round(age)} s ago`;
  }

  /** Runs one round. A failure raises an alert, and the next round starts over. */
  async round(): Promise<void> {
    const { leadership, board, metrics } = this.#parts;
    const isBlind = this.health() !== null;
    const standing = await leadership.standing(isBlind ? "give-up" : this.#isSighted ? "take" : "keep");
    this.#show(standing);
    const alerts: Alert[] = [];
    if (standing.kind === "unknown") {
      const text = `nothing is sent, because PostgreSQL does not say which keeper leads: ${standing.reason}`;
      alerts.push({ key: "leader", text, isTransient: true, hides: OF_TRANSACTIONS });
    }
    try {
      alerts.push(...(await this.#act(standing)));
    } catch (error) {
      alerts.push({ key: "round", text: this.#describe(error), isTransient: true, hides: EVERYTHING });
    }
    // Only the leader sends alerts. If the database does not answer, there is no leader, so every keeper does. One that is
    // blind sends that it is, because all of them can be.
    if (standing.kind === "standby") board.silence(isBlind ? ["round"] : []);
    const told = standing.kind === "standby" ? alerts.filter(({ key }) => isBlind && key === "round") : alerts;
    board.update(told, performance.now());
    metrics.showAlerts(board.active);
    metrics.rounds.inc();
  }

  async #act(standing: Standing): Promise<Alert[]> {
    const { duties, account, metrics, outbox } = this.#parts;
    this.#isSighted = false;
    const observed = await observe(duties, account);
    this.#isSighted = true;
    metrics.show(observed);
    const decision = decide(observed.observation);
    const { alerts } = decision;
    const all: Alert[] = [...alerts, ...noticesOf(observed.status), ...this.#ownAlerts(observed)];
    if (standing.kind !== "leader") return all;
    try {
      await outbox.advance(decision, observed.account, observed.block.timestamp, all);
    } catch (error) {
      all.push({ key: "act", text: this.#describe(error), isTransient: true, hides: OF_TRANSACTIONS });
    }
    return all;
  }

  #ownAlerts(observed: Observed): Alert[] {
    const { config, account } = this.#parts;
    const { gas, alerts: settings } = config;
    const { block } = observed;
    const alerts = balanceAlerts(observed, account, gas);
    const nowMs = performance.now();
    if (this.#head?.number !== block.number) this.#head = { number: block.number, seenAtMs: nowMs };
    else if (nowMs - this.#head.seenAtMs > settings.graceSeconds * 1000) {
      alerts.push({ key: "head", text: `the node has no block after ${block.number}` });
    }
    return alerts;
  }

  #show(standing: Standing): void {
    this.#parts.metrics.showStanding(standing);
    if (standing.kind !== this.#standing) this.#parts.log(`standing: ${standing.kind}`);
    this.#standing = standing.kind;
  }

  /**
   * Describes an error in one line. The log has the stack, unless it is an expected failure of the node or the chain.
   */
  #describe(error: unknown): string {
    const isOfNode = error instanceof BaseError;
    const isExpected = isOfNode || error instanceof Failure;
    // Other sources name themselves in their failures.
    const reason = oneLine(`${isOfNode ? "the node failed: " : ""}${reasonOf(error)}`);
    this.#parts.log(
      isExpected || !(error instanceof Error) ? `round failed: ${reason}` : `round failed: ${error.stack}`,
    );
    return `the keeper cannot act: ${reason}`;
  }
}
