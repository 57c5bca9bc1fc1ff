/** Hostile requests and connections that occupy resources, while other clients send requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { holdings } from "../../../bench/indexing/processTree.ts";
import type { Tally } from "../harness/figures.ts";
import { gather, sendHostile } from "../harness/hostile.ts";
import { forEach, inWorld, type Part, type Scene } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";

const MIB = 2 ** 20;
/** A process fills its caches during the first requests, so memory is compared from the middle on. */
const WARM_UP_SHARE = 2;
const MAXIMUM_GROWTH_BYTES = 96 * MIB;
const MAXIMUM_MORE_DESCRIPTORS = 10;
const PROBE_INTERVAL_MS = 200;
const PROBE_DEADLINE_MS = 5_000;
const CROWD_SECONDS = 30;
/** Long enough for the first crowd to take as much memory as the second. */
const FIRST_CROWD_SECONDS = 15;
/** Closing thousands of connections takes the server a while. */
const REST_MS = 5_000;
const MAXIMUM_REST_MS = 60_000;

export const http: Part = {
  name: "http",
  summary: "20,000 hostile requests, 5,000 idle and slow connections",
  runsAlone: true,
  run: (context) =>
    inWorld("http", context, async (world) => {
      const rigs = [
        await Rig.open({ name: "http-postgres", world, database: "PostgreSQL" }),
        await Rig.open({ name: "http-pglite", world, database: "PGlite" }),
      ];
      await forEach(rigs, (rig) => rig.renewed());
      const scene = { ...context, world, rigs };
      await hostileRequests(scene, 20_000);
      await crowds(scene, 5_000);
    }),
};

/** Requests of any kind, including malformed ones. */
export async function hostileRequests(scene: Scene, count: number): Promise<void> {
  return oneByOne(scene, "hostile requests", count, async (rig, tally) => {
    const send = (part: number) => sendHostile(rig.api.baseUrl, scene.random, part);
    const warmUp = await send(Math.ceil(count / WARM_UP_SHARE));
    const { descriptors } = holdings(rig.supervisor.pid);
    const before = await settled(rig, descriptors);
    const rest = await send(count - warmUp.sent);
    await sleep(REST_MS);
    for (const { sent, failed, wrong } of [warmUp, rest]) {
      tally.injected(sent);
      tally.failed(failed.length);
      tally.compared({ lost: [], wrong, first: wrong[0] ?? null }, sent - failed.length);
      if (failed[0] !== undefined) tally.remark(failed[0]);
    }
    return before;
  });
}

/**
 * Opens many connections that stay open, and as many again when they are closed. The process may keep the memory that
 * the first crowd needed, but a leak takes the same amount again for the second crowd.
 */
async function crowds(scene: Scene, count: number): Promise<void> {
  return oneByOne(scene, "idle and slow connections", 2 * count, async (rig, tally) => {
    const siege = async (seconds: number) => {
      const crowd = await gather(rig.api.baseUrl, count);
      try {
        await sleep(seconds * 1000);
      } finally {
        crowd.disperse();
      }
      await sleep(REST_MS);
      tally.injected(crowd.opened);
      tally.compared({ lost: [], wrong: [], first: null }, crowd.opened);
    };
    const { descriptors } = holdings(rig.supervisor.pid);
    await siege(FIRST_CROWD_SECONDS);
    const { rssBytes } = await settled(rig, descriptors + MAXIMUM_MORE_DESCRIPTORS);
    await siege(CROWD_SECONDS);
    return { rssBytes, descriptors };
  });
}

/**
 * During each siege, other clients send requests too. Afterwards, the process must use no more memory than before and
 * give the same answers.
 */
async function oneByOne(
  scene: Scene,
  fault: string,
  planned: number,
  besiege: (rig: Rig, tally: Tally) => Promise<ReturnType<typeof holdings>>,
): Promise<void> {
  const { tally: newTally, world, rigs, say } = scene;
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  for (const rig of rigs) {
    const tally = newTally(fault, rig.database, planned);
    const restartsBefore = rig.supervisor.restarts;
    const probe = startProbe(rig.api.baseUrl);
    const before = await besiege(rig, tally);
    const after = await settled(rig, before.descriptors + MAXIMUM_MORE_DESCRIPTORS);
    const { asked, failed, slowestMs } = await probe.stop();
    tally.failed(failed.length);
    if (failed[0] !== undefined) tally.remark(`of ${asked} other requests ${failed.length} failed: ${failed[0]}`);
    const grownBy = after.rssBytes - before.rssBytes;
    if (grownBy > MAXIMUM_GROWTH_BYTES) tally.remark(`memory grew by ${(grownBy / MIB).toFixed(0)} MiB`);
    const more = after.descriptors - before.descriptors;
    if (more > MAXIMUM_MORE_DESCRIPTORS) tally.remark(`${more} more descriptors are open`);
    if (rig.supervisor.restarts > restartsBefore) tally.remark(`it ended: ${rig.supervisor.ends.at(-1)}`);
    await rig.check(tally, oracles, expected, 0);
    say(
      `${fault}, ${rig.database}: ${(grownBy / MIB).toFixed(0)} MiB more, ${more} descriptors more, ` +
        `${asked} other requests, the slowest ${slowestMs.toFixed(0)} ms`,
    );
  }
}

/** The resources that the process uses without garbage once its connections are closed, or after a minute. */
async function settled(rig: Rig, descriptors: number): Promise<ReturnType<typeof holdings>> {
  const deadline = performance.now() + MAXIMUM_REST_MS;
  let held = holdings(rig.supervisor.pid);
  while (held.descriptors > descriptors && performance.now() < deadline) {
    await sleep(1_000);
    held = holdings(rig.supervisor.pid);
  }
  await rig.collectGarbage();
  return { rssBytes: holdings(rig.supervisor.pid).rssBytes, descriptors: held.descriptors };
}

/** Starts another client, which requests a page repeatedly on new connections. */
function startProbe(baseUrl: string) {
  const stopping = new AbortController();
  const failed: string[] = [];
  let asked = 0;
  let slowestMs = 0;
  const run = async () => {
    while (!stopping.signal.aborted) {
      const start = performance.now();
      asked += 1;
      const status = await fetch(`${baseUrl}/v1/transactions?network=evm-sepolia`, {
        headers: { connection: "close" },
        signal: AbortSignal.timeout(PROBE_DEADLINE_MS),
      }).then(
        async (answer) => {
          await answer.text();
          return `${answer.status}`;
        },
        (error: unknown) => String(error),
      );
      slowestMs = Math.max(slowestMs, performance.now() - start);
      if (status !== "200") failed.push(`${status} after ${(performance.now() - start).toFixed(0)} ms`);
      await sleep(PROBE_INTERVAL_MS);
    }
  };
  const done = run();
  return {
    async stop() {
      stopping.abort();
      await done;
      return { asked, failed, slowestMs };
    },
  };
}
