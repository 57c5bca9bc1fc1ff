import { describe, expect, it } from "vitest";
import { backoffMs, configuredRequestsPerSecond } from "../../config/rpc/pace.ts";

describe("The request rate", () => {
  it.each([
    ["", null],
    ["1", 1],
    ["20", 20],
    ["5000", 5_000],
  ])("may be %j", (rate, requestsPerSecond) => {
    expect(configuredRequestsPerSecond({ PONDER_RPC_REQUESTS_PER_SECOND: rate })).toBe(requestsPerSecond);
  });

  it.each(["0", "-1", "1e3", "20/s", "Infinity"])(
    "may not be %j: requests would be sent without a limit or never",
    (rate) => {
      expect(() => configuredRequestsPerSecond({ PONDER_RPC_REQUESTS_PER_SECOND: rate })).toThrow(
        "PONDER_RPC_REQUESTS_PER_SECOND",
      );
    },
  );
});

describe("A back-off", () => {
  it("doubles with each failure, up to the longest one", () => {
    expect([1, 2, 3, 4, 5, 2_000].map((failures) => backoffMs(failures, 250, 1_500))).toEqual([
      250, 500, 1_000, 1_500, 1_500, 1_500,
    ]);
  });
});
