/** Compares answers with expectations and names the first place where they differ. */

export interface Difference {
  /** A path such as `$[3].receipt.gasUsed`. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Returns the first difference between two JSON values, depth first, or null when they are equal. The order of keys
 * does not matter.
 */
export function firstDifference(expected: unknown, actual: unknown, path = "$"): Difference | null {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
      const there = `${path}[${index}]`;
      if (index >= expected.length) return { path: there, expected: "the end of the list", actual: actual[index] };
      if (index >= actual.length) return { path: there, expected: expected[index], actual: "the end of the list" };
      const difference = firstDifference(expected[index], actual[index], there);
      if (difference) return difference;
    }
    return null;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const there = `${path}.${key}`;
      if (!Object.hasOwn(expected, key)) return { path: there, expected: "no such key", actual: actual[key] };
      if (!Object.hasOwn(actual, key)) return { path: there, expected: expected[key], actual: "no such key" };
      const difference = firstDifference(expected[key], actual[key], there);
      if (difference) return difference;
    }
    return null;
  }
  return Object.is(expected, actual) ? null : { path, expected, actual };
}

/**
 * Compares two JSON values.
 * @throws Error that names the first difference
 */
export function assertSame(what: string, expected: unknown, actual: unknown): void {
  const difference = firstDifference(expected, actual);
  if (difference) throw new Error(`${what}: ${describeDifference(difference)}`);
}

export function describeDifference({ path, expected, actual }: Difference): string {
  return `${path} differs\n  expected: ${shorten(expected)}\n  actual:   ${shorten(actual)}`;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
