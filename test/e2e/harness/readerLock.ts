/** Excludes readers from a table of the index, like a statement of an operator. */
import { setTimeout as pause } from "node:timers/promises";
import { withClient } from "../../support/postgres.ts";

/** Longer than the half second after which Ponder gives up a lock, and shorter than a replica's statement timeout. */
const HELD_SECONDS = 1;
/** Less than a replica's statement timeout of two seconds. */
const LONGEST_HELD_SECONDS = 1.5;
const ATTEMPTS = 10;
const SAMPLES_MS = 10;

/**
 * Excludes readers from a table for a second while requests read it, and returns what became of the requests. An attempt
 * does not count, and is repeated with new requests, if a busy machine held the lock for too long, or if no reader waited.
 * @throws Error after ten such attempts
 */
export async function duringReaderLock<Outcome>(
  databaseUrl: string,
  table: string,
  startRequests: () => { stop(): Promise<Outcome> },
): Promise<Outcome> {
  const attempts: string[] = [];
  while (attempts.length < ATTEMPTS) {
    const requests = startRequests();
    const { heldSeconds, hasReaderWaited } = await lockOutReaders(databaseUrl, table);
    const outcome = await requests.stop();
    if (heldSeconds <= LONGEST_HELD_SECONDS && hasReaderWaited) return outcome;
    attempts.push(`${heldSeconds.toFixed(1)} s, ${hasReaderWaited ? "a reader waited" : "no reader waited"}`);
  }
  throw new Error(`${table} was not locked for a second while a reader waited: ${attempts.join("; ")}`);
}

async function lockOutReaders(databaseUrl: string, table: string) {
  return withClient(databaseUrl, (watching) =>
    withClient(databaseUrl, async (locking) => {
      const now = "SELECT extract(epoch FROM clock_timestamp())::float8 AS at";
      let isLocked = true;
      // One message, so that the server alone decides how long the lock is held.
      const locked = locking
        .query(
          `${now}; BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(${HELD_SECONDS}); ROLLBACK; ${now}`,
        )
        .finally(() => {
          isLocked = false;
        });
      let hasReaderWaited = false;
      while (isLocked) {
        const { rows } = await watching.query(
          `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'AccessShareLock' AND NOT granted`,
        );
        hasReaderWaited ||= rows.length > 0;
        await pause(SAMPLES_MS);
      }
      // Of several statements, the client returns a list of results.
      const results = (await locked) as unknown as readonly { readonly rows: readonly { readonly at: number }[] }[];
      const [from, to] = [results[0]?.rows[0]?.at, results.at(-1)?.rows[0]?.at];
      if (from === undefined || to === undefined) throw new Error("the server did not say how long it held the lock");
      return { heldSeconds: to - from, hasReaderWaited };
    }),
  );
}
