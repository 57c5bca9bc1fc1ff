/** The comparison of all answers of an index or a replica with the expected ones. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../e2e/harness/api.ts";
import { type Answers, compareAnswers, digestOf, type Oracles, takeAnswers } from "./answers.ts";
import type { Tally } from "./figures.ts";
import { waitUntilCaughtUp } from "./settle.ts";

/**
 * Late answers are allowed, even after minutes without a node, and a watchdog may take two minutes before it ends a
 * process. What has not arrived by then counts as lost.
 */
const CATCH_UP_MS = 240_000;
/** How long answers that differ are requested again: the newest rows may be of a block that is still being written. */
const SECOND_LOOK_MS = 10_000;

interface Check {
  readonly tally: Tally;
  readonly oracles: Oracles;
  readonly expected: Answers;
  /** Number of faults since the last check, which this check counts as survived. */
  readonly faults: number;
}

/**
 * Waits until an API has caught up with the chains, which must have no new blocks, and compares all its answers with the
 * expected ones. Returns whether they are right; the tally has the details.
 */
export async function checkAnswers(api: ApiClient, { tally, oracles, expected, faults }: Check): Promise<boolean> {
  try {
    await waitUntilCaughtUp(api, oracles, CATCH_UP_MS);
  } catch (error) {
    tally.remark(String(error));
  }
  const deadline = performance.now() + SECOND_LOOK_MS;
  for (;;) {
    const answers = await takeAnswers(api, oracles).catch((error: unknown) => String(error));
    if (typeof answers === "string") {
      if (performance.now() < deadline) {
        await sleep(500);
        continue;
      }
      tally.remark(`no answers: ${answers}`);
      return false;
    }
    const comparison = compareAnswers(expected, answers);
    // The digest covers everything that the comparison checks one by one, and equal digests are what is promised.
    const isSame = digestOf(expected) === digestOf(answers);
    if ((isSame && comparison.first === null) || performance.now() > deadline) {
      if (!isSame && comparison.first === null) tally.remark("the digests differ, and no answer does");
      return tally.compared(comparison, faults) && isSame;
    }
    await sleep(500);
  }
}
