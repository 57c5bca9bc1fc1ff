import { expect, it } from "vitest";
import { backoffMs } from "../../config/rpc/pace.ts";

it("doubles the delay with each failure, up to the longest one", () => {
  expect([1, 2, 3, 4, 5, 2_000].map((failures) => backoffMs(failures, 250, 1_500))).toEqual([
    250, 500, 1_000, 1_500, 1_500, 1_500,
  ]);
});
