/** Keepers whose database is behind pgbouncer in transaction mode, which gives the session of one to another. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WALLETS } from "../../localnet/wallets.ts";
import { LockLeadership } from "../../packages/cli/src/keeper/leader.ts";
import { type PostgresServer, startPostgres } from "../e2e/harness/postgres.ts";
import { findPgbouncer, type RunningPooler, startPooler } from "../support/pgbouncer.ts";

const ROLE = "postgres";

const found = findPgbouncer();
if ("missing" in found) console.warn(`SKIPPED: test/cli/pooledKeepers.test.ts does not run, because ${found.missing}`);

describe.skipIf("missing" in found)("behind pgbouncer in transaction mode", () => {
  let server: PostgresServer;
  let pooler: RunningPooler;

  beforeAll(async () => {
    if ("missing" in found) throw new Error(found.missing);
    server = await startPostgres();
    pooler = await startPooler(found.path, server, [ROLE]);
  });

  afterAll(async () => {
    await pooler?.stop();
    await server?.stop();
  });

  test("no keeper leads, since the session that holds the lock can be that of several", async () => {
    const keeper = () => new LockLeadership(pooler.urlAs(ROLE), 1, WALLETS.admin.address, 60);
    for (const each of [keeper(), keeper()]) {
      expect(await each.standing("take")).toEqual({
        kind: "unknown",
        reason: expect.stringContaining("leads to a pooler"),
      });
      await expect(each.require()).rejects.toThrow("does not hold the lock");
    }
    const direct = new LockLeadership(server.databaseUrl, 1, WALLETS.admin.address, 60);
    expect(await direct.standing("take")).toEqual({ kind: "leader" });
  });
});
