/** The keeper's loop: observe, decide, act. Nothing is carried from one round to the next but what is in flight. */
import { setTimeout as sleep } from "node:timers/promises";
import { formatEther } from "viem";
import { reasonOf } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { noticesOf } from "../status/attention.ts";
import type { AlertBoard } from "./alerts.ts";
import type { KeeperConfig } from "./config.ts";
import { type Alert, decide } from "./decide.ts";
import type { Leadership, Standing } from "./leader.ts";
import type { KeeperMetrics } from "./metrics.ts";
import { type Duties, type Observed, observe } from "./observe.ts";
import type { Outbox } from "./outbox.ts";

/** Rounds that may fail before `/health` says so. */
const HEALTHY_ROUNDS = 4;

export interface KeeperParts {
  readonly config: KeeperConfig;
  readonly duties: Duties;
  readonly leadership: Leadership;
  readonly outbox: Outbox;
  readonly account: `0x${string}`;
  readonly board: AlertBoard;
  readonly metrics: KeeperMetrics;
  readonly log: (line: string) => void;
}

export class Keeper {
  readonly #parts: KeeperParts;
  #standing: Standing["kind"] | null = null;
  /** The newest block that was seen, and when, by a clock that only goes forward. */
  #head: { readonly number: bigint; readonly seenAtMs: number } | null = null;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Works until the signal; a round that has begun is ended first. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.round();
      // Ends early, by an error, when the keeper is to stop.
      await sleep(this.#parts.config.pollSeconds * 1000, undefined, { signal }).catch(() => {});
    }
  }

  /** What is wrong; null when rounds succeed. */
  health(): string | null {
    const age = this.#parts.metrics.roundAgeSeconds;
    if (age <= HEALTHY_ROUNDS * this.#parts.config.pollSeconds + 60) return null;
    return `the chain was last observed ${Math.round(age)} s ago`;
  }

  /** One round. Whatever fails in it is an alert, and the next round begins anew. */
  async round(): Promise<void> {
    const { leadership, board, metrics } = this.#parts;
    const standing = await leadership.standing();
    this.#show(standing);
    const alerts: Alert[] = [];
    if (standing.kind === "unknown") {
      const text = `nothing is sent: PostgreSQL does not tell which keeper acts: ${standing.reason}`;
      alerts.push({ key: "leader", text, isTransient: true });
    }
    try {
      alerts.push(...(await this.#act(standing)));
    } catch (error) {
      alerts.push({ key: "round", text: this.#describe(error), isTransient: true });
    }
    // The leader tells. Without a database nobody leads, so that everybody does.
    if (standing.kind === "standby") board.silence();
    else board.update(alerts, performance.now());
    metrics.showAlerts(board.active);
    metrics.rounds.inc();
  }

  async #act(standing: Standing): Promise<Alert[]> {
    const { duties, account, metrics, outbox } = this.#parts;
    const observed = await observe(duties, account);
    metrics.show(observed);
    const { actions, alerts } = decide(observed.observation);
    const all = [...alerts, ...noticesOf(observed.status), ...this.#ownAlerts(observed)];
    if (standing.kind !== "leader") return all;
    try {
      return [...all, ...(await outbox.advance(actions, observed.account, observed.block.timestamp))];
    } catch (error) {
      return [...all, { key: "act", text: this.#describe(error), isTransient: true }];
    }
  }

  #ownAlerts({ account, block, survey }: Observed): Alert[] {
    const { gas, alerts: settings } = this.#parts.config;
    const alerts: Alert[] = [];
    if (survey !== null && "problem" in survey) {
      alerts.push({ key: "accounts", text: survey.problem, isTransient: survey.isTransient });
    }
    if (account.balance < gas.minBalanceEth) {
      const text = `the keeper's account ${this.#parts.account} has ${formatEther(account.balance)} ETH left for gas`;
      alerts.push({ key: "balance", text });
    }
    const nowMs = performance.now();
    if (this.#head?.number !== block.number) this.#head = { number: block.number, seenAtMs: nowMs };
    else if (nowMs - this.#head.seenAtMs > settings.graceSeconds * 1000) {
      alerts.push({ key: "head", text: `the node shows no block after ${block.number}` });
    }
    return alerts;
  }

  #show(standing: Standing): void {
    this.#parts.metrics.showStanding(standing);
    if (standing.kind !== this.#standing) this.#parts.log(`standing: ${standing.kind}`);
    this.#standing = standing.kind;
  }

  /** One line for a failure that is expected of a node or of the chain; the stack of any other goes to the log. */
  #describe(error: unknown): string {
    const isExpected = error instanceof Failure || (error instanceof Error && "shortMessage" in error);
    const reason = reasonOf(error).replace(/\s+/g, " ");
    this.#parts.log(
      isExpected || !(error instanceof Error) ? `round failed: ${reason}` : `round failed: ${error.stack}`,
    );
    return `the keeper cannot act: ${reason}`;
  }
}
