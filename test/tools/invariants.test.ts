import { expect, it } from "vitest";
import { locate, mutantsCell, readMutants, readTable, testsCell } from "../../tools/lib/invariants.ts";

const root = process.cwd();
const table = readTable(root);
const mutants = readMutants(root);

function ids(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

it("the table has every invariant, once and in order", () => {
  expect(table.map(({ id }) => id)).toEqual([...ids("T", 15), ...ids("D", 32), ...ids("S", 24)]);
});

it.each(table)(
  "$id has a test that bears its name, and the table says where (or run `pnpm mutants:known --table`)",
  (row) => {
    expect(row.tests).not.toBe("—");
    expect(row.tests).toBe(testsCell(root, row.id));
  },
);

it.each(table)("$id has a known mutant, and the table says which (or run `pnpm mutants:known --table`)", (row) => {
  expect(row.mutants).not.toBe("—");
  expect(row.mutants).toBe(mutantsCell(mutants, row.id));
});

it.each(mutants)("the mutant applies in one place: $breaks", (mutant) => {
  expect(locate(root, mutant).mutated).toContain(mutant.replace);
});
