/**
 * An indexer and a replica run under load for a long time, with new blocks all the time. Their memory must stay flat.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { holdings } from "../../../bench/indexing/processTree.ts";
import { Observer } from "../harness/observer.ts";
import { inWorld, type Part, type Scene } from "../harness/part.ts";
import { collectGarbage, Rig } from "../harness/rig.ts";

const MIB = 2 ** 20;
const MINUTES = 20;
/** Time until caches are full and V8's heap has reached its working size. */
const WARM_UP_MINUTES = 6;
const TRAFFIC_INTERVAL_MS = 2_000;
const ALIVE_MS = 120_000;
const PAGE_LIMIT = 50;
/** Maximum rise of the regression line from the end of the warm-up to the end. */
const MAXIMUM_RISE_BYTES = 48 * MIB;

export const soak: Part = {
  name: "soak",
  summary: "20 minutes under load with live blocks: memory stays flat",
  run: (context) =>
    inWorld("soak", context, async (world) => {
      const rig = await Rig.open({ name: "soak", world, database: "PostgreSQL" });
      await rig.renewed();
      await soakFor({ ...context, world, rigs: [rig] }, rig);
    }),
};

async function soakFor({ tally: newTally, world, say }: Scene, rig: Rig): Promise<void> {
  const tally = newTally(`${MINUTES} minutes of load`, rig.database, 1);
  const replica = await rig.serve("soak-replica");
  await replica.alive(ALIVE_MS);
  const watched = [
    { name: "indexer", supervisor: rig.supervisor },
    { name: "replica", supervisor: replica },
  ].map((process) => ({ ...process, samples: [] as Sample[] }));
  const observers = watched.map(({ supervisor }) =>
    Observer.start({ api: supervisor.api, world, limit: PAGE_LIMIT, readsFiles: true }),
  );
  world.startTraffic(TRAFFIC_INTERVAL_MS);
  const start = performance.now();
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await sleep(minute * 60_000 - (performance.now() - start));
    for (const { supervisor, samples } of watched) {
      await collectGarbage(supervisor);
      const minutes = (performance.now() - start) / 60_000;
      samples.push({ minutes, bytes: holdings(supervisor.pid).rssBytes });
    }
    const sizes = watched.map(({ name, samples }) => `${name} ${((samples.at(-1)?.bytes ?? 0) / MIB).toFixed(0)} MiB`);
    say(`minute ${minute}: ${sizes.join(", ")}`);
  }
  tally.injected();
  for (const { name, samples, supervisor } of watched) {
    const settled = samples.filter(({ minutes }) => minutes >= WARM_UP_MINUTES);
    const rise = slopePerMinute(settled) * (MINUTES - WARM_UP_MINUTES);
    say(`${name}: ${(rise / MIB).toFixed(1)} MiB more in ${MINUTES - WARM_UP_MINUTES} minutes by the line of best fit`);
    if (rise > MAXIMUM_RISE_BYTES) tally.remark(`the memory of the ${name} rose by ${(rise / MIB).toFixed(0)} MiB`);
    if (supervisor.restarts > 0) tally.remark(`the ${name} ended: ${supervisor.ends.at(-1)}`);
  }
  const oracles = await world.still();
  await rig.check(tally, oracles, await world.expectedAnew(oracles));
  for (const observer of observers) await observer.report(tally);
}

interface Sample {
  readonly minutes: number;
  readonly bytes: number;
}

/** Slope of the least-squares line, in bytes per minute. */
function slopePerMinute(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const meanMinutes = mean(({ minutes }) => minutes);
  const meanBytes = mean(({ bytes }) => bytes);
  const covariance = mean(({ minutes, bytes }) => (minutes - meanMinutes) * (bytes - meanBytes));
  return covariance / mean(({ minutes }) => (minutes - meanMinutes) ** 2);
}
