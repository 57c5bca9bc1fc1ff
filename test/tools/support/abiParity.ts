/** Compares a contract's ABI with a list of published signatures. */
import type { Abi, AbiParameter } from "viem";

type Entry = Exclude<Abi[number], { type: "constructor" | "fallback" | "receive" }>;

/**
 * Returns one line for each item of `published` that is missing in `compiled` or differs there. Additional items are
 * allowed.
 *
 * Items are matched by kind, name and parameter types. The comparison covers mutability (`pure` is accepted for
 * `view`), indexed parameters, return types, and every published name of a parameter, output or struct field.
 */
export function abiDifferences(published: Abi, compiled: Abi): string[] {
  const have = new Map(entries(compiled).map((entry) => [signature(entry), entry]));
  return entries(published).flatMap((want) => {
    const key = signature(want);
    const got = have.get(key);
    if (!got) return [`missing: ${key}`];
    const reasons = [
      ...mutability(want, got),
      ...namesAndFlags("parameter", want.inputs, got.inputs),
      ...(want.type === "function" && got.type === "function" ? outputs(want.outputs, got.outputs) : []),
    ];
    return reasons.map((reason) => `differs: ${key}: ${reason}`);
  });
}

function entries(abi: Abi): Entry[] {
  return abi.filter((item): item is Entry => "name" in item);
}

function signature({ type, name, inputs }: Entry): string {
  return `${type} ${name}(${types(inputs)})`;
}

/** Canonical types: a tuple by its components. */
function types(parameters: readonly AbiParameter[]): string {
  return parameters
    .map((p) => ("components" in p ? `(${types(p.components)})${p.type.slice("tuple".length)}` : p.type))
    .join(",");
}

function mutability(want: Entry, got: Entry): string[] {
  if (want.type !== "function" || got.type !== "function") return [];
  const [wanted, actual] = [want.stateMutability, got.stateMutability];
  const same = wanted === actual || (wanted === "view" && actual === "pure");
  return same ? [] : [`is ${actual}, published ${wanted}`];
}

function outputs(want: readonly AbiParameter[], got: readonly AbiParameter[]): string[] {
  const [wanted, actual] = [types(want), types(got)];
  return wanted === actual ? namesAndFlags("output", want, got) : [`returns (${actual}), published (${wanted})`];
}

/** Differences between two lists of the same types. */
function namesAndFlags(what: string, want: readonly AbiParameter[], got: readonly AbiParameter[]): string[] {
  return want.flatMap((wanted, index) => {
    const actual = got[index];
    if (!actual) return [`no ${what} ${index}`];
    const reasons: string[] = [];
    if (wanted.name && wanted.name !== actual.name) {
      reasons.push(`${what} ${index} is named ${actual.name || "nothing"}, published ${wanted.name}`);
    }
    if (isIndexed(wanted) !== isIndexed(actual)) {
      reasons.push(`${what} ${index} is ${isIndexed(actual) ? "" : "not "}indexed`);
    }
    if ("components" in wanted && "components" in actual) {
      reasons.push(...namesAndFlags(`field of ${what} ${index},`, wanted.components, actual.components));
    }
    return reasons;
  });
}

function isIndexed(parameter: AbiParameter): boolean {
  return "indexed" in parameter && parameter.indexed === true;
}
