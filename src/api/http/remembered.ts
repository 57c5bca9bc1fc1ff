/** Bounded cache: per key, the answer rendered from the newest input. */
import { LRUCache } from "lru-cache";
import type { Rendering } from "./conditional.ts";

interface Remembered {
  readonly inputs: readonly string[];
  rendering: Rendering;
}

/**
 * Caches answers that depend on key and inputs alone. One per key is enough: inputs change with the chain, and an
 * earlier one does not come back.
 * @param maximumBytes of keys, inputs and bodies, a character counted as a byte; beyond it, the answers asked for
 * longest ago are forgotten. One that is larger by itself is not kept.
 * @returns a function that gives `make()`, or what it gave earlier for the same key and as many same inputs. The body
 * is then in bytes: an answer sent once is written faster as text, one that is sent again need not be encoded again.
 */
export function remembered(
  maximumBytes: number,
): (key: string, inputs: readonly string[], make: () => Rendering) => Rendering {
  const latest = new LRUCache<string, Remembered>({
    maxSize: maximumBytes,
    sizeCalculation: ({ inputs, rendering }, key) =>
      [key, ...inputs, rendering.body].reduce((sum, { length }) => sum + length, 0),
  });
  return (key, inputs, make) => {
    const known = latest.get(key);
    if (known?.inputs.every((input, index) => input === inputs[index])) {
      const { body, headers } = known.rendering;
      if (typeof body === "string") known.rendering = { body: Buffer.from(body), headers };
      return known.rendering;
    }
    const rendering = make();
    latest.set(key, { inputs, rendering });
    return rendering;
  };
}
