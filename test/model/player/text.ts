/** Converts values to one textual form, so that both sides compare as text and differences are readable. */
import { Revert } from "../state.ts";

/** Writes numbers in decimal, addresses and IDs unchanged, and lists and records with their keys in order. */
export function textOf(value: unknown): string {
  if (value instanceof Revert) return `revert ${value.errorName}(${value.args.map(textOf).join(", ")})`;
  if (Array.isArray(value)) return `[${value.map(textOf).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${fields.map(([key, field]) => `${key}: ${textOf(field)}`).join(", ")}}`;
  }
  return String(value);
}

/** Returns the first line in which two lists differ, with both versions, or null when they are equal. */
export function firstDifference(model: readonly string[], chain: readonly string[]): string | null {
  for (let index = 0; index < Math.max(model.length, chain.length); index++) {
    if (model[index] !== chain[index]) {
      return `model: ${model[index] ?? "(nothing)"}\nchain: ${chain[index] ?? "(nothing)"}`;
    }
  }
  return null;
}
