/**
 * `pnpm ops:fleet`: an installation beyond one server to try things on, over two local chains with transactions, until
 * Ctrl-C.
 */
import { join } from "node:path";
import { stopAllProcesses } from "../../localnet/processes.ts";
import { commandLine } from "../../tools/lib/commandLine.ts";
import { Fleet, ROLES } from "./harness/fleet.ts";
import { World } from "./harness/world.ts";

commandLine({
  usage: "pnpm ops:fleet",
  summary: `Runs PostgreSQL with two streaming standbys, an indexer on the primary, a replica of the API behind the pooler of
ops/pgbouncer on each standby, and the balancer of ops/haproxy, over two local chains with new transactions, until Ctrl-C.
Needs HAProxy, and pgbouncer 1.21 or later. The indexer and the replicas are restarted when they end.`,
});

const SEED = 1;
const TRAFFIC_INTERVAL_MS = 2_000;

process.chdir(join(import.meta.dirname, "..", ".."));
let world: World | undefined;
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void end(0));
try {
  Fleet.requirePrograms();
  console.log("Two chains with a history, then the fleet: about a minute");
  world = await World.build({ name: "ops-fleet", seed: SEED });
  show(await Fleet.start(world));
  world.startTraffic(TRAFFIC_INTERVAL_MS);
} catch (error) {
  if (!isEnding) {
    console.error(error instanceof Error ? error.message : String(error));
    await end(1);
  }
}

function show({ baseUrl, rig, replicas }: Fleet): void {
  const lines = [
    ["balancer", baseUrl, ""],
    ["primary", rig.server.databaseUrl, ""],
    ["indexer", rig.api.baseUrl, `process ${rig.supervisor.pid}`],
    ...replicas.flatMap(({ server, pooler, process: replica }, index) => [
      [`standby ${index + 1}`, server.databaseUrl, ""],
      [`pooler ${index + 1}`, pooler.urlAs(ROLES.api), ""],
      [`replica ${index + 1}`, replica.api.baseUrl, `process ${replica.pid}`],
    ]),
  ];
  for (const [name = "", url = "", note = ""] of lines)
    console.log(`${name.padEnd(10)} ${url.padEnd(50)} ${note}`.trimEnd());
  console.log(
    `\nKill one of the processes, and ask ${baseUrl}/v1/volume?network=evm-mainnet meanwhile. Ctrl-C ends all.`,
  );
}

async function end(exitCode: number): Promise<void> {
  isEnding = true;
  await world?.stop();
  await stopAllProcesses();
  process.exit(exitCode);
}
