/** `pnpm ops:fleet` as operators try it: it names its processes, survives the loss of one, and leaves nothing behind. */
import { readFileSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProcess } from "../../localnet/processes.ts";
import { findPgbouncer } from "../support/pgbouncer.ts";
import { PATIENCE_MS, waitUntil } from "./harness/poll.ts";

const LOG = ".demo/ops-fleet.log";
const REQUESTS = 40;
const BETWEEN_REQUESTS_MS = 50;

const found = findPgbouncer();
// `.ci/run` provides one where it can.
if ("missing" in found) console.warn(`SKIPPED: test/e2e/opsFleet.test.ts does not run, because ${found.missing}`);

describe.skipIf("missing" in found)("pnpm ops:fleet", () => {
  test("answers while a replica is killed, and ends everything by Ctrl-C", async () => {
    rmSync(LOG, { force: true });
    const args = ["test/reliability/fleet.ts"];
    const fleet = await startProcess({ name: "ops:fleet", command: process.execPath, args, logFile: LOG });
    onTestFinished(() => fleet.stop());
    const log = () => readFileSync(LOG, "utf8");
    await waitUntil(
      "the fleet runs",
      async () => {
        if (fleet.end() !== undefined) throw new Error(log());
        return log().includes("Ctrl-C ends all.") ? null : log();
      },
      { deadlineMs: PATIENCE_MS },
    );
    const urlOf = (name: string) => new RegExp(`^${name} +(http\\S+)`, "m").exec(log())?.[1] ?? name;
    const replica = /^replica 1 .* process (\d+)$/m.exec(log())?.[1];
    const statuses: number[] = [];
    for (let count = 0; count < REQUESTS; count += 1) {
      if (count === 5) process.kill(Number(replica), "SIGKILL");
      statuses.push((await fetch(`${urlOf("balancer")}/v1/volume?network=evm-mainnet`)).status);
      await pause(BETWEEN_REQUESTS_MS);
    }
    expect(statuses).toEqual(Array.from({ length: REQUESTS }, () => 200));

    process.kill(fleet.pid, "SIGINT");
    expect(await fleet.ended).toBe("exit code 0");
    for (const name of ["balancer", "indexer", "replica 1", "replica 2"]) {
      await expect(fetch(`${urlOf(name)}/health`), name).rejects.toThrow("fetch failed");
    }
  });
});
