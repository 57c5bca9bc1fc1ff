import { expect, test } from "vitest";
import type { NodeReport } from "../../../config/nodeReports.ts";
import { createNetworkReport } from "../../../config/rpc/networkReport.ts";

const FINAL = { number: 9, hash: `0x${"9".repeat(64)}` } as const;

test("a network reports its worst problem, and reports nothing twice after the last one is gone", () => {
  const reports: NodeReport[] = [];
  let open = 0;
  const report = createNetworkReport(1, () => {
    open += 1;
    return {
      publish: (published) => void reports.push(published),
      close: () => {
        open -= 1;
      },
    };
  });
  const told = () => reports.at(-1)?.problem?.message;

  report.clear("requests");
  expect([reports.length, open]).toEqual([0, 0]);
  report.raise("requests", "unreachable", "no answer");
  report.raise("block 7", "damaged", "two answers differ");
  expect(told()).toBe("two answers differ");
  const since = reports.at(-1)?.problem?.since;
  report.raise("block 7", "damaged", "two answers differ");
  expect(reports).toHaveLength(2);
  report.raise("block 7", "damaged", "two other answers differ");
  expect(reports.at(-1)?.problem).toEqual({ kind: "damaged", message: "two other answers differ", since });
  report.clear("block 7");
  expect(told()).toBe("no answer");
  expect(open).toBe(1);
  report.clear("requests");
  expect(reports.at(-1)).toEqual({ chainId: 1, problem: null, reorganizations: 0, confirmed: null });
  expect(open).toBe(0);
});

test("nothing is reported after the report is closed", () => {
  let open = 0;
  const report = createNetworkReport(1, () => {
    open += 1;
    return { publish() {}, close: () => {} };
  });
  report.close();
  report.raise("requests", "unreachable", "no answer");
  report.followed(null, 2, FINAL);
  expect(open).toBe(0);
});

test("while the head is followed its report is repeated, and does not hide a problem of the history", () => {
  const reports: NodeReport[] = [];
  let open = 0;
  const report = createNetworkReport(1, () => {
    open += 1;
    return {
      publish: (published) => void reports.push(published),
      close: () => {
        open -= 1;
      },
    };
  });
  report.followed(null, 2, FINAL);
  expect(reports.at(-1)).toEqual({ chainId: 1, problem: null, reorganizations: 2, confirmed: FINAL });
  report.raise("requests", "unreachable", "no answer");
  report.followed(null, 2, FINAL);
  expect(reports.at(-1)?.problem?.message).toBe("no answer");
  report.followed({ kind: "forked", message: "another chain", since: 5 }, 3, FINAL);
  expect(reports.at(-1)).toEqual({
    chainId: 1,
    problem: { kind: "forked", message: "another chain", since: 5 },
    reorganizations: 3,
    confirmed: FINAL,
  });
  report.clear("requests");
  report.followed(null, 3, FINAL);
  expect(reports.at(-1)).toEqual({ chainId: 1, problem: null, reorganizations: 3, confirmed: FINAL });
  expect(open).toBe(1);
  report.close();
  expect(open).toBe(0);
});
