import { describe, expect, it } from "vitest";
import { parseLcov, percentOf, shortfalls } from "../../tools/lib/lcov.ts";

const TRACE = `TN:
SF:src/A.sol
FN:3,A.f
FNDA:2,A.f
DA:3,2
DA:4,0
DA:9,1
DA:5,0
BRDA:4,0,0,-
BRDA:4,0,1,7
BRDA:5,1,0,0
LF:4
end_of_record
TN:
SF:src/B.sol
DA:1,1
end_of_record
`;
const files = parseLcov(TRACE);

describe("parseLcov", () => {
  it("counts lines and branches, and lists those that were not reached", () => {
    expect(files).toEqual([
      { path: "src/A.sol", lines: { total: 4, missed: [4, 5] }, branches: { total: 3, missed: [4, 5] } },
      { path: "src/B.sol", lines: { total: 1, missed: [] }, branches: { total: 0, missed: [] } },
    ]);
  });

  it.each(["", "\n", "DA:1,1\nend_of_record\n"])("refuses a trace without a file: %j", (trace) => {
    expect(() => parseLcov(trace)).toThrow(/source file/);
  });
});

describe("percentOf", () => {
  it("weighs files by their size", () => {
    expect(percentOf(files.map(({ lines }) => lines))).toBe(60);
    expect(percentOf([])).toBe(100);
  });
});

describe("shortfalls", () => {
  const required = ["src/A.sol", "src/B.sol"];

  it("reports nothing at the thresholds", () => {
    expect(shortfalls(files, required, { lines: 60, branches: 33.3 })).toEqual([]);
  });

  it.each([
    ["lines", { lines: 60.1, branches: 0 }, "60.00 % of lines, required 60.1 %"],
    ["branches", { lines: 0, branches: 33.4 }, "33.33 % of branches, required 33.4 %"],
  ])("reports %s below their threshold", (_, thresholds, reason) => {
    expect(shortfalls(files, required, thresholds)).toEqual([reason]);
  });

  it("reports a source that is missing from the trace", () => {
    const reasons = shortfalls(files, [...required, "src/C.sol"], { lines: 0, branches: 0 });
    expect(reasons).toEqual(["src/C.sol was not measured"]);
  });
});
