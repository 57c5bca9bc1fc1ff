/** Counts what the histories contained, because a comparison of nothing would also pass. */
import type { Outcome } from "../contracts/protocol.ts";
import { textOf } from "./text.ts";
import type { Step } from "./world.ts";

export class Statistics {
  /** Settled legs by route. */
  readonly routes = new Map<string, number>();
  /** Prefund and sweep legs, by kind. */
  readonly derivedLegs = new Map<string, number>();
  readonly events = new Map<string, number>();
  readonly errors = new Map<string, number>();
  #accounts = 0;

  get legs(): number {
    return this.events.get("Swap") ?? 0;
  }

  /** Number of accounts, over all histories, that received credits or were paid for them. */
  get accountHistories(): number {
    return this.#accounts;
  }

  /** Returns a function that counts the outcomes of one more history. */
  scenario(): (step: Step, outcome: Outcome) => void {
    const accounts = new Set<string>();
    return (_step, outcome) => {
      if (outcome.revert) {
        increment(this.errors, outcome.revert.errorName);
        return;
      }
      for (const { contract, name, args } of outcome.events) {
        increment(this.events, name);
        if (name === "Swap") {
          const [, , , operator, , routeId] = args;
          increment(this.routes, textOf(routeId));
          if (operator === contract) increment(this.derivedLegs, routeId === 8n ? "prefund" : "sweep");
        }
        if (name !== "PendingCreditsAdded" && name !== "YieldClaimed") continue;
        const account = textOf(args[0]);
        if (!accounts.has(account)) this.#accounts += 1;
        accounts.add(account);
      }
    };
  }

  toString(): string {
    const line = (counts: ReadonlyMap<string, number>) =>
      [...counts.entries()]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, count]) => `${name} ${count}`)
        .join(", ");
    return [
      `${this.legs} legs, ${this.accountHistories} account histories`,
      `derived legs: ${line(this.derivedLegs)}`,
      `routes: ${line(this.routes)}`,
      `events: ${line(this.events)}`,
      `errors: ${line(this.errors)}`,
    ].join("\n");
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
