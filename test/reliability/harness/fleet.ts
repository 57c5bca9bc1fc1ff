/**
 * An installation beyond one server, on one machine: PostgreSQL with two streaming standbys, an indexer on the primary, a
 * replica of the API on each standby behind a pooler of `ops/pgbouncer`, and the balancer of `ops/haproxy` in front of
 * the replicas.
 */
import { readFileSync } from "node:fs";
import { ApiClient } from "../../e2e/harness/api.ts";
import { startPostgres } from "../../e2e/harness/postgres.ts";
import type { Supervisor } from "../../e2e/harness/supervisor.ts";
import { type RunningBalancer, startBalancer } from "../../support/haproxy.ts";
import { installedProgram } from "../../support/installed.ts";
import { type RunningPooler, requirePgbouncer, startPooler } from "../../support/pgbouncer.ts";
import { queryOnce } from "../../support/postgres.ts";
import { Rig } from "./rig.ts";
import { promote, type Standby, startStandby } from "./standby.ts";
import type { World } from "./world.ts";

/** One replica of the API, and the standby that it reads. */
export interface Replica extends Standby {
  /** Between the process and the standby. It stays there when the standby is promoted. */
  readonly pooler: RunningPooler;
  readonly process: Supervisor;
}

/** The roles of `ops/roles.sql`. */
export const ROLES = { indexer: "coreswap_indexer", api: "coreswap_api" } as const;
const ALIVE_MS = 120_000;

/** A fleet ends with its world. */
export class Fleet {
  readonly world: World;
  /** The indexer, and the proxy through which it reaches the primary. */
  readonly rig: Rig;
  readonly replicas: readonly [Replica, Replica];
  readonly #balancer: RunningBalancer;

  private constructor(world: World, rig: Rig, replicas: Fleet["replicas"], balancer: RunningBalancer) {
    this.world = world;
    this.rig = rig;
    this.replicas = replicas;
    this.#balancer = balancer;
  }

  /**
   * Looks for the programs that no npm package contains, before anything is started.
   * @throws Error that names the missing program, and says how to get it
   */
  static requirePrograms(): void {
    requirePgbouncer();
    installedProgram("haproxy");
  }

  /** Starts everything, and waits until the index has caught up and each replica answers. */
  static async start(world: World): Promise<Fleet> {
    const end = (stop: () => Promise<void>) => world.stack.endWithStack(stop);
    // A standby that was away still finds what it needs.
    const primary = await startPostgres({ wal_keep_size: "256MB" });
    // Behind a pooler, the limits of a replica's statements are those of its role.
    await queryOnce(primary.databaseUrl, readFileSync("ops/roles.sql", "utf8"));
    const rig = await Rig.open({
      name: "fleet",
      world,
      database: "PostgreSQL",
      server: primary,
      role: ROLES.indexer,
    });
    await rig.renewed();
    const pgbouncer = requirePgbouncer();
    const startReplica = async (name: string): Promise<Replica> => {
      const standby = await startStandby(primary);
      end(() => standby.stream.stop());
      end(() => standby.server.stop());
      const pooler = await startPooler(pgbouncer, standby.server, [ROLES.api]);
      end(() => pooler.stop());
      const process = await rig.serve(name, { databaseUrl: pooler.urlAs(ROLES.api) });
      await process.alive(ALIVE_MS);
      return { ...standby, pooler, process };
    };
    const replicas: Fleet["replicas"] = [await startReplica("fleet-replica-1"), await startReplica("fleet-replica-2")];
    const [first, second] = replicas.map(({ process }) => new URL(process.api.baseUrl).host) as [string, string];
    const balancer = await startBalancer([first, second]);
    end(() => balancer.stop());
    return new Fleet(world, rig, replicas, balancer);
  }

  /** Of the balancer. */
  get baseUrl(): string {
    return this.#balancer.baseUrl;
  }

  /** Whether the balancer counts a replica among those with a current database. */
  isCurrent(replica: Replica): boolean {
    return this.#balancer.isCurrent(replica === this.replicas[0] ? 1 : 2);
  }

  /** A client of the balancer. */
  get api(): ApiClient {
    return new ApiClient(this.baseUrl);
  }

  /**
   * Kills the primary for good and promotes the standby that has received more. The indexer and the other standby use it
   * from then on. The poolers need no change: each stays before its server.
   */
  async replacePrimary(): Promise<void> {
    this.rig.databaseProxy.block();
    await this.rig.server.kill();
    const receivedBytes = await Promise.all(
      this.replicas.map(async ({ server }) => {
        const received =
          "SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::text AS bytes";
        const [row] = await queryOnce(server.databaseUrl, received);
        return BigInt(String(row?.bytes));
      }),
    );
    const [first, second] = this.replicas;
    const isFirstAhead = (receivedBytes[0] ?? 0n) >= (receivedBytes[1] ?? 0n);
    const [promoted, other] = isFirstAhead ? [first, second] : [second, first];
    await promote(promoted.server);
    this.rig.databaseProxy.forwardTo(promoted.server.port);
    other.stream.forwardTo(promoted.server.port);
  }
}
