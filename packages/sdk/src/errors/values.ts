/** Values of the contracts as text. */
import { type AbiParameter, hexToString, isHex, size } from "viem";

/** `name: value, name: value`, with parts of tuples in braces. */
export function showArguments(parameters: readonly AbiParameter[], values: readonly unknown[]): string {
  return parameters
    .map((parameter, index) => {
      const value = showValue(parameter, values[index]);
      return parameter.name ? `${parameter.name}: ${value}` : value;
    })
    .join(", ");
}

function showValue(parameter: AbiParameter, value: unknown): string {
  if (Array.isArray(value) && parameter.type.endsWith("]")) {
    const element = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, "") } as AbiParameter;
    return `[${value.map((item) => showValue(element, item)).join(", ")}]`;
  }
  if ("components" in parameter && typeof value === "object" && value !== null) {
    const parts = parameter.components.map((part, index) =>
      Array.isArray(value) ? value[index] : (value as Record<string, unknown>)[part.name ?? ""],
    );
    return `{${showArguments(parameter.components, parts)}}`;
  }
  if (parameter.type === "string") return JSON.stringify(value);
  if (parameter.type === "bytes32" && typeof value === "string") return named(value);
  return String(value);
}

/** An ID with the text that it holds, if it holds one: IDs are symbols, left-aligned. */
function named(id: string): string {
  if (!isHex(id) || size(id) !== 32) return id;
  const text = hexToString(id, { size: 32 });
  return /^[\x20-\x7e]+$/.test(text) ? `${id} (${text})` : id;
}
