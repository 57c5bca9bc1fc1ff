/** A sample of the other parts, short enough for every change. */
import { forEach, inWorld, type Part } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";
import { hostileRequests } from "./http.ts";
import { killLive } from "./kill.ts";
import { crashDatabase, cutCommits } from "./postgres.ts";
import { reorganizeChains } from "./reorgs.ts";
import { faultsInTurn } from "./rpc.ts";

const FAULT_SECONDS = 2;

export const ci: Part = {
  name: "ci",
  summary: "a sample of all others in at most 4 minutes",
  run: (context) =>
    inWorld("ci", context, async (world) => {
      const onPostgres = await Rig.open({ name: "ci-postgres", world, database: "PostgreSQL" });
      const onPglite = await Rig.open({ name: "ci-pglite", world, database: "PGlite" });
      const rigs = [onPostgres, onPglite];
      await forEach(rigs, (rig) => rig.renewed());
      const scene = { ...context, world, rigs };
      const postgresScene = { ...scene, rigs: [onPostgres] };
      await hostileRequests(postgresScene, 1_000);
      await faultsInTurn(scene, FAULT_SECONDS);
      await reorganizeChains(scene, 10);
      await crashDatabase(postgresScene, 2);
      await cutCommits(postgresScene, "before", 1);
      await cutCommits(postgresScene, "after", 1);
      // Last, so that its look at everything is the last one, at an index made anew.
      await killLive(scene, 2);
    }),
};
