/** The metrics that the keeper serves at `/metrics`. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { daysWithoutRate } from "../write/calls.ts";
import type { Standing } from "./leader.ts";
import type { Observed } from "./observe.ts";

export class KeeperMetrics {
  readonly registry = new Registry();
  readonly transactions = new Counter({
    name: "coreswap_keeper_transactions_total",
    help: "Transactions by outcome",
    labelNames: ["outcome"],
    registers: [this.registry],
  });
  readonly rounds = new Counter({
    name: "coreswap_keeper_rounds_total",
    help: "Rounds that ended, whether they succeeded or failed",
    registers: [this.registry],
  });
  readonly webhookRefusals = new Counter({
    name: "coreswap_keeper_webhook_refusals_total",
    help: "Messages that the webhook refused, which are not sent again",
    registers: [this.registry],
  });
  readonly webhookFailures = new Counter({
    name: "coreswap_keeper_webhook_failures_total",
    help: "Requests that the webhook did not accept",
    registers: [this.registry],
  });
  readonly #leader = this.#gauge("leader", "1 on the leader, 0 on a keeper on standby", []);
  readonly #roundAge = this.#gauge("round_age_seconds", "Seconds since the chain was last observed", []);
  readonly #head = this.#gauge("head_timestamp_seconds", "Time of the newest block that the node shows", []);
  readonly #alerts = this.#gauge("alerts", "1 for each alert that was sent and is not resolved", ["key"]);
  readonly #navAge = this.#gauge("nav_age_seconds", "Age of the posted NAV, by the chain's clock", ["rwa"]);
  readonly #navMaxAge = this.#gauge("nav_max_age_seconds", "Greatest age of a served NAV; 0 for no limit", ["rwa"]);
  readonly #missingRates = this.#gauge("missing_rates", "Finished days without a rate", []);
  readonly #crowded = this.#gauge("crowded_accounts", "Accounts with 48 withheld records or more", []);
  #observedAtMs = performance.now();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const outcome of ["sent", "replaced", "mined", "reverted", "refused"]) {
      this.transactions.inc({ outcome }, 0);
    }
  }

  /** Seconds since the chain was last observed, or since the start. */
  get roundAgeSeconds(): number {
    return (performance.now() - this.#observedAtMs) / 1000;
  }

  showStanding({ kind }: Standing): void {
    this.#leader.set(kind === "leader" ? 1 : 0);
  }

  showAlerts(keys: readonly string[]): void {
    this.#alerts.reset();
    for (const key of keys) this.#alerts.set({ key }, 1);
  }

  show({ block, status, observation: { accounts } }: Observed): void {
    this.#observedAtMs = performance.now();
    this.#head.set(Number(block.timestamp));
    // Nothing is shown of what could not be read, instead of a value that no longer changes.
    for (const gauge of [this.#navAge, this.#navMaxAge]) gauge.reset();
    for (const { symbol: rwa, postedAt, maxAgeSeconds } of status.rwas) {
      if ("error" in postedAt || "error" in maxAgeSeconds) continue;
      this.#navAge.set({ rwa }, Number(block.timestamp - postedAt.value));
      this.#navMaxAge.set({ rwa }, Number(maxAgeSeconds.value));
    }
    const { rates } = status;
    if ("error" in rates) this.#missingRates.remove();
    else this.#missingRates.set(rates.lastDay === 0n ? 0 : daysWithoutRate(rates.lastDay, rates.currentDay).length);
    if (accounts !== null && "crowded" in accounts.survey) this.#crowded.set(accounts.survey.crowded.length);
    else this.#crowded.remove();
  }

  async text(): Promise<string> {
    this.#roundAge.set(this.roundAgeSeconds);
    return this.registry.metrics();
  }

  #gauge(name: string, help: string, labelNames: readonly string[]) {
    return new Gauge({
      name: `coreswap_keeper_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }
}
