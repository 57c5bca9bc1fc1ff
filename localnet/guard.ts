/**
 * Ends process groups whose starter is gone, for whatever reason, because a killed parent cannot clean up after itself.
 *
 * Standard input names them, one per line: `<group>` when one starts, `-<group>` when it has ended. When the input
 * closes, the remaining groups get SIGTERM, and SIGKILL five seconds later.
 */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const GRACE_MS = 5_000;
const groups = new Set<number>();

for await (const line of createInterface({ input: process.stdin })) {
  const group = Number(line);
  if (group > 0) groups.add(group);
  else groups.delete(-group);
}

signalAll("SIGTERM");
for (let waited = 0; waited < GRACE_MS && groups.size > 0; waited += 100) {
  await sleep(100);
  signalAll(0);
}
signalAll("SIGKILL");

/** Signals every group and forgets those that no longer exist. */
function signalAll(signal: NodeJS.Signals | 0): void {
  for (const group of groups) {
    try {
      process.kill(-group, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      groups.delete(group);
    }
  }
}
