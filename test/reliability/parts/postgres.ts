/**
 * PostgreSQL crashes, loses connections at a COMMIT, fails over to a standby that is behind, and runs out of disk
 * space.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommitCut } from "../../e2e/harness/databaseProxy.ts";
import { type PostgresServer, startPostgres } from "../../e2e/harness/postgres.ts";
import { undoing } from "../harness/endings.ts";
import { inWorld, type Part, type PartContext } from "../harness/part.ts";
import { Rig } from "../harness/rig.ts";
import { type Attack, attackInRounds } from "../harness/rounds.ts";
import { promote, startStandby } from "../harness/standby.ts";

const CRASH_MOMENTS_MS = 3_000;
const DOWN_MS = 1_500;
/** Time for rows to reach the standby before its stream is cut, and for PostgreSQL to recover once it has space. */
const MOMENT_MS = 2_000;
const CUT_DEADLINE_MS = 60_000;
const STREAM_CUT_MS = 1_000;
const FULL_SECONDS = 20;
const SMALL_DISK_MIB = 256;

export const postgres: Part = {
  name: "postgres",
  summary: "PostgreSQL killed 20 times, 20 COMMITs cut, 3 fail-overs, a full disk",
  async run(context) {
    await inWorld("postgres", context, async (world) => {
      const rig = await Rig.open({ name: "postgres", world, database: "PostgreSQL" });
      await rig.renewed();
      const scene = { ...context, world, rigs: [rig] };
      await attackInRounds(scene, [crashOf(rig, context)], 20);
      await attackInRounds(scene, [cutOf(rig, "before")], 10);
      await attackInRounds(scene, [cutOf(rig, "after")], 10);
    });
    await failOver(context, 3);
    await fillDisk(context);
  },
};

/** Crashes the database of an indexer at a random moment and soon restarts it. */
export function crashOf(rig: Rig, { random }: PartContext): Attack {
  return {
    rig,
    fault: "database killed",
    async inject() {
      await sleep(random.integer(0, CRASH_MOMENTS_MS));
      await rig.server.kill();
      await sleep(random.integer(0, DOWN_MS));
      await rig.server.start();
    },
  };
}

/** Cuts the connection of a transaction that writes indexed rows at its COMMIT. */
export function cutOf(rig: Rig, when: CommitCut): Attack {
  return {
    rig,
    fault: `COMMIT cut ${when} the server has it`,
    async inject() {
      // One row is inserted into the table, but many are copied into its partition.
      const cut = rig.databaseProxy.cutCommit(when, `"${rig.schema}"."transaction`);
      const timeout = sleep(CUT_DEADLINE_MS).then(() => {
        throw new Error(`no COMMIT of rows came within ${CUT_DEADLINE_MS / 1000} s`);
      });
      await Promise.race([cut, timeout]);
    },
  };
}

/** Removes the primary one second after its standby received the last of its log, and makes the standby replace it. */
async function failOver(context: PartContext, planned: number): Promise<void> {
  return inWorld("failover", context, async (world) => {
    let primary: PostgresServer = await startPostgres({ wal_keep_size: "256MB" });
    const rig = await Rig.open({ name: "failover", world, database: "PostgreSQL", server: primary });
    await rig.renewed();
    const inject = async () => {
      const { server: standby, stream } = await startStandby(primary);
      world.stack.endWithStack(() => standby.stop());
      // First writes rows that reach the standby, then rows that only the primary has.
      await sleep(MOMENT_MS);
      stream.block();
      await sleep(STREAM_CUT_MS);
      rig.databaseProxy.block();
      await primary.kill();
      await promote(standby);
      rig.databaseProxy.forwardTo(standby.port);
      await stream.stop();
      primary = standby;
    };
    await attackInRounds({ ...context, world, rigs: [rig] }, [{ rig, fault: "fail-over", inject }], planned);
  });
}

/** Fills the disk of the database with a file for a while. */
async function fillDisk(context: PartContext): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), "coreswap-small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SMALL_DISK_MIB}m,mode=755`, "tmpfs", disk]);
  const unmount = async () => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  };
  await undoing(unmount, () =>
    inWorld("disk", context, async (world) => {
      const server = await startPostgres({ min_wal_size: "32MB", max_wal_size: "64MB" }, disk);
      const rig = await Rig.open({ name: "disk", world, database: "PostgreSQL", server });
      await rig.renewed();
      const inject = async () => {
        const filler = join(disk, "filler");
        takeAllRoom(filler);
        await sleep(FULL_SECONDS * 1000);
        rmSync(filler);
        // Without space for its log, PostgreSQL exits, and cannot recover until there is some.
        await sleep(MOMENT_MS);
        if (!server.isRunning()) await server.start();
      };
      await attackInRounds({ ...context, world, rigs: [rig] }, [{ rig, fault: "disk full", inject }], 1);
    }),
  );
}

/** Writes until the disk is full. On tmpfs, only written pages take space. */
function takeAllRoom(filler: string): void {
  const chunk = Buffer.alloc(2 ** 20, 1);
  try {
    for (;;) appendFileSync(filler, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
