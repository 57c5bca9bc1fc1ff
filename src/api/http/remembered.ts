/** Bounded cache: per key, the answer rendered from the newest input. */
import { LRUCache } from "lru-cache";
import type { Rendering } from "./conditional.ts";

/** Most keys noted as asked for. */
const MAXIMUM_ASKED = 1_000;

/**
 * Caches answers that depend on key and inputs alone. One per key is enough: inputs change with the chain, and an
 * earlier one does not come back. An answer is kept from the second time on that its key is asked for, in bytes, so
 * that it is encoded once: most are asked for once, and to keep those would cost garbage collection and push out others.
 * @param maximumBytes of keys, inputs and bodies, a character counted as a byte; beyond it, the answers asked for
 * longest ago are forgotten. One that is larger by itself is not kept.
 * @returns a function that gives `make()`, or what is kept of the same key and as many same inputs
 */
export function remembered(
  maximumBytes: number,
): (key: string, inputs: readonly string[], make: () => Rendering) => Rendering {
  const asked = new LRUCache<string, true>({ max: MAXIMUM_ASKED });
  const latest = new LRUCache<string, { readonly inputs: readonly string[]; readonly rendering: Rendering }>({
    maxSize: maximumBytes,
    sizeCalculation: ({ inputs, rendering }, key) =>
      [key, ...inputs, rendering.body].reduce((sum, { length }) => sum + length, 0),
  });
  return (key, inputs, make) => {
    const known = latest.get(key);
    if (known?.inputs.every((input, index) => input === inputs[index])) return known.rendering;
    const { body, headers } = make();
    const isAskedAgain = asked.has(key);
    asked.set(key, true);
    if (!isAskedAgain) return { body, headers };
    const rendering = { body: Buffer.from(body), headers };
    latest.set(key, { inputs, rendering });
    return rendering;
  };
}
