/** Replicas answer under load while one of them, their database or their schema disappears. */

import { setTimeout as sleep } from "node:timers/promises";
import { apiNetwork } from "../../e2e/harness/api.ts";
import type { Supervisor } from "../../e2e/harness/supervisor.ts";
import { NETWORKS } from "../harness/answers.ts";
import { Balancer, type Excuse, type RightAnswers, rightAnswersOf } from "../harness/balancer.ts";
import { makeFinal } from "../harness/finality.ts";
import { inWorld, type Part, type Scene } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";

const ALIVE_MS = 120_000;
const READY_MS = 180_000;
const ROUNDS = 3;
const CLIENTS = 8;
/** Duration of the load before and after the event. */
const AROUND_MS = 3_000;
/** Time until a replica has connections to its database again. */
const RECONNECTED_MS = 15_000;
const PAGE_LIMIT = 20;

export const replicas: Part = {
  name: "replicas",
  summary: "two replicas under load: killed, stopped, the database restarted, a new schema switched to",
  run: (context) =>
    inWorld("replicas", context, async (world) => {
      const rig = await Rig.open({ name: "replicas", world, database: "PostgreSQL" });
      await rig.renewed();
      const scene = { ...context, world, rigs: [rig] };
      const fleet = [await rig.serve("replica-1"), await rig.serve("replica-2")];
      for (const replica of fleet) await replica.alive(ALIVE_MS);
      await loseReplicas(scene, rig, fleet);
    }),
};

async function loseReplicas(scene: Scene, rig: Rig, fleet: Supervisor[]): Promise<void> {
  const { world, random } = scene;
  const oracles = await world.still();
  const expected = await world.expected(oracles);
  const start = scene.tally("none", rig.database, 1);
  start.injected();
  await rig.check(start, oracles, expected);
  await makeFinal(rig, oracles, READY_MS);
  const answers = await rightAnswersOf(rig.api.baseUrl, paths());
  const [first, second] = fleet as [Supervisor, Supervisor];
  await underLoad(scene, fleet, answers, "a replica killed", ROUNDS, async () => {
    const replica = random.pick(fleet);
    const from = performance.now();
    await replica.kill();
    // Until the replica answers again, its port may accept connections that nobody serves. A load balancer would not
    // use it.
    await replica.alive(ALIVE_MS);
    return { baseUrl: replica.api.baseUrl, from, to: performance.now() };
  });
  await underLoad(scene, fleet, answers, "a replica stopped", ROUNDS, async () => {
    const replica = random.pick(fleet);
    await replica.terminate();
    await replica.alive(ALIVE_MS);
    return null;
  });
  await underLoad(scene, fleet, answers, "the database restarted", 1, async () => {
    const from = performance.now();
    await rig.server.kill();
    await rig.server.start();
    for (const replica of fleet) await replica.alive(ALIVE_MS);
    return { from, to: performance.now() + RECONNECTED_MS };
  });
  await underLoad(scene, fleet, answers, "a new schema switched to", 1, async () => {
    await rig.supervisor.ready(READY_MS);
    const beside = await rig.beside("replicas-beside");
    await beside.supervisor.ready(READY_MS);
    await beside.check(start, oracles, expected, 0);
    for (const [index, replica] of [first, second].entries()) {
      const port = Number(new URL(replica.api.baseUrl).port);
      await replica.stop();
      fleet[index] = await beside.serve(`replica-${index + 1}`, { port });
      await fleet[index].alive(ALIVE_MS);
    }
    await rig.stop();
    return null;
  });
}

/** Counts failures under load, except those that the event excuses. */
async function underLoad(
  { tally: newTally, say }: Scene,
  fleet: readonly Supervisor[],
  answers: RightAnswers,
  fault: string,
  planned: number,
  event: () => Promise<Excuse | null>,
): Promise<void> {
  const tally = newTally(fault, "PostgreSQL", planned);
  for (let done = 1; done <= planned; done += 1) {
    const balancer = new Balancer(
      fleet.map(({ api }) => api.baseUrl),
      answers,
      CLIENTS,
    );
    await sleep(AROUND_MS);
    const excuse = await event();
    tally.injected();
    await sleep(Math.max(AROUND_MS, (excuse?.to ?? 0) - performance.now() + AROUND_MS));
    const { requests, failed, excused, wrong } = await balancer.stop(excuse ? [excuse] : []);
    tally.failed(failed.length);
    tally.compared({ lost: [], wrong, first: wrong[0] ?? null });
    if (failed[0] !== undefined) tally.remark(failed[0]);
    say(`${fault}, ${done} of ${planned}: ${requests} requests, ${failed.length} failed, ${excused} excused`);
    if (failed[0] !== undefined) say(`the first failure: ${failed[0]}`);
  }
}

/** Paths of pages, volume and metadata of both networks. */
function paths(): string[] {
  const now = Date.now();
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
  const range = new URLSearchParams({ from: day(-300), to: day(30) });
  return [
    ...NETWORKS.flatMap((network) => [
      `/v1/transactions?network=${apiNetwork(network)}&limit=${PAGE_LIMIT}`,
      `/v1/transactions?network=${apiNetwork(network)}&limit=${PAGE_LIMIT}&outcome=revert`,
      `/v1/volume?network=${apiNetwork(network)}&${range}`,
      `/v1/volume/series?network=${apiNetwork(network)}&interval=day&${range}`,
    ]),
    "/v1/info",
  ];
}
