/** A sample of the other parts, short enough for every change. */
import { forEach, inWorld, type Part } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";
import { attackInRounds } from "../harness/rounds.ts";
import { hostileRequests } from "./http.ts";
import { killOf } from "./kill.ts";
import { crashOf, cutOf } from "./postgres.ts";
import { reorganizeChains } from "./reorgs.ts";
import { faultsInTurn } from "./rpc.ts";

const FAULT_SECONDS = 1;

export const ci: Part = {
  name: "ci",
  summary: "a sample of all others, some minutes long",
  run: (context) =>
    inWorld("ci", context, async (world) => {
      const onPostgres = await Rig.open({ name: "ci-postgres", world, database: "PostgreSQL" });
      const onPglite = await Rig.open({ name: "ci-pglite", world, database: "PGlite" });
      const rigs = [onPostgres, onPglite];
      await forEach(rigs, (rig) => rig.renewed());
      const scene = { ...context, world, rigs, isSample: true };
      await reorganizeChains(scene, 10);
      // From here on, everything is compared with an index that never experienced a reorganization.
      await world.renewReference();
      await hostileRequests({ ...scene, rigs: [onPostgres] }, 1_000);
      await faultsInTurn(scene, FAULT_SECONDS);
      await attackInRounds(scene, [crashOf(onPostgres, context), killOf(onPglite, context)], 1);
      await attackInRounds(scene, [cutOf(onPostgres, "before")], 1);
      await attackInRounds(scene, [cutOf(onPostgres, "after")], 1);
      await attackInRounds(scene, [killOf(onPostgres, context)], 1);
    }),
};
