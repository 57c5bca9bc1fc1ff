/** Limits on the number of costly answers in progress, kept in the memory of this process. */
import { TooManyRequests } from "./errors.ts";

/** Maximum number of answers in progress. */
export interface SlotLimits {
  readonly total: number;
  readonly perClient: number;
}

/** Takes a slot for a client and returns a function that releases it. Further calls of that function do nothing. */
type TakeSlot = (client: string) => () => void;

/**
 * Manages slots for answers of one kind.
 * @param what the kind of answers, in the plural, for the message
 * @param retryAfterSeconds seconds after which a refused client should try again
 * @returns a function that throws TooManyRequests when there is no slot left
 */
export function slots(what: string, { total, perClient }: SlotLimits, retryAfterSeconds: number): TakeSlot {
  const taken = new Map<string, number>();
  let all = 0;
  return (client) => {
    const own = taken.get(client) ?? 0;
    if (all >= total || own >= perClient) {
      const message = `too many ${what} at once: at most ${perClient} per client and ${total} in total`;
      throw new TooManyRequests(message, retryAfterSeconds);
    }
    all += 1;
    taken.set(client, own + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      all -= 1;
      const left = (taken.get(client) ?? 1) - 1;
      if (left === 0) taken.delete(client);
      else taken.set(client, left);
    };
  };
}
