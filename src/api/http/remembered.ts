/** Bounded cache: per key, the output computed from the newest input. */

/**
 * Caches a function whose output depends on key and inputs alone. One output per key is enough: inputs change with the
 * chain, and an earlier one does not come back.
 * @param capacity most keys; beyond it, the one computed longest ago is forgotten
 * @returns a function that gives `make()`, or the output that it gave earlier for the same key and as many same inputs
 */
export function remembered<Output>(
  capacity: number,
): (key: string, inputs: readonly string[], make: () => Output) => Output {
  const latest = new Map<string, { readonly inputs: readonly string[]; readonly output: Output }>();
  return (key, inputs, make) => {
    const known = latest.get(key);
    if (known?.inputs.every((input, index) => input === inputs[index])) return known.output;
    const output = make();
    latest.delete(key);
    latest.set(key, { inputs, output });
    const [oldest] = latest.keys();
    if (latest.size > capacity && oldest !== undefined) latest.delete(oldest);
    return output;
  };
}
