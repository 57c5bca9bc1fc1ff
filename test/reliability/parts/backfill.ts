/**
 * Clients send requests while a network is indexed for the first time. All requests must be answered, nearly as fast as
 * without the backfill.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../../../bench/api/statistics.ts";
import { inWorld, type Part } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";

/**
 * Enough for a backfill of about fifteen seconds. With many more transactions, anvil no longer has the state of the
 * first block.
 */
const TRANSACTION_COUNT = 4_000;
const INTERVAL_MS = 100;
const IDLE_SECONDS = 60;
const READY_MS = 900_000;
const MAXIMUM_RATIO = 5;

export const backfill: Part = {
  name: "backfill",
  summary: "10 requests a second while one network is indexed on PostgreSQL, against the same at rest",
  run: (context) =>
    inWorld("backfill", { ...context, transactionCount: TRANSACTION_COUNT }, async (world) => {
      const { say, tally: newTally } = context;
      const settings = { PONDER_NETWORKS: "mainnet" };
      const rig = await Rig.open({ name: "backfill", world, database: "PostgreSQL", settings });
      const tally = newTally("answers during a backfill", "PostgreSQL", 1);
      await rig.renew();
      await untilAnswering(rig.api.baseUrl);
      const asking = askSteadily(rig.api.baseUrl);
      await rig.supervisor.ready(READY_MS);
      const busy = await asking.stop();
      tally.injected();
      const resting = askSteadily(rig.api.baseUrl);
      await sleep(IDLE_SECONDS * 1000);
      const idle = await resting.stop();
      tally.compared({ lost: [], wrong: [], first: null }, 1);
      const failed = [...busy.failed, ...idle.failed];
      tally.failed(failed.length);
      if (failed[0] !== undefined) tally.remark(failed[0]);
      const ratio = percentile(busy.latenciesMs, 0.99) / percentile(idle.latenciesMs, 0.99);
      const text =
        `p50 ${spread(busy.latenciesMs, 0.5)} and p99 ${spread(busy.latenciesMs, 0.99)} of ` +
        `${busy.latenciesMs.length} requests; at rest ${spread(idle.latenciesMs, 0.5)} and ${spread(idle.latenciesMs, 0.99)}`;
      say(text);
      if (ratio > MAXIMUM_RATIO) tally.remark(`p99 is ${ratio.toFixed(1)} times that at rest: ${text}`);
    }),
};

function spread(latenciesMs: number[], share: number): string {
  return `${percentile(latenciesMs, share).toFixed(0)} ms`;
}

async function untilAnswering(baseUrl: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(`${baseUrl}/health`).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error("the indexer does not answer");
}

/** Sends different requests at a steady rate, and measures each one from the time when it was due. */
function askSteadily(baseUrl: string) {
  const latenciesMs: number[] = [];
  const failed: string[] = [];
  let isStopped = false;
  const run = async () => {
    const start = performance.now();
    const answers: Promise<void>[] = [];
    for (let index = 0; !isStopped; index += 1) {
      const due = start + index * INTERVAL_MS;
      await sleep(Math.max(0, due - performance.now()));
      answers.push(
        fetch(`${baseUrl}${question(index)}`)
          .then(async (answer) => {
            const text = await answer.text();
            if (answer.status !== 200) failed.push(`${question(index)}: ${answer.status} ${text.slice(0, 200)}`);
            latenciesMs.push(performance.now() - due);
          })
          .catch((error: unknown) => void failed.push(`${question(index)}: ${error}`)),
      );
    }
    await Promise.all(answers);
  };
  const done = run();
  return {
    async stop() {
      isStopped = true;
      await done;
      return { latenciesMs, failed };
    },
  };
}

/** Alternates between requests for pages and for volume. */
function question(index: number): string {
  const now = Math.floor(Date.now() / 1000);
  return index % 2 === 0
    ? `/v1/transactions?network=evm-mainnet&limit=${1 + ((index / 2) % 100)}`
    : `/v1/volume?network=evm-mainnet&from=${new Date((now - 1_000_000 - index * 1_000) * 1000).toISOString()}`;
}
