import { expect, it } from "vitest";
import { statusSettings } from "../../src/api/status/settings.ts";

it("has defaults, also for empty variables", () => {
  const defaults = { watchdogSeconds: 120, auditRequestsPerMinute: 60 };
  expect(statusSettings({})).toEqual(defaults);
  expect(statusSettings({ WATCHDOG_SECONDS: "", AUDIT_REQUESTS_PER_MINUTE: "" })).toEqual(defaults);
});

it("reads what is set", () => {
  const env = { WATCHDOG_SECONDS: "600", AUDIT_REQUESTS_PER_MINUTE: "0" };
  expect(statusSettings(env)).toEqual({ watchdogSeconds: 600, auditRequestsPerMinute: 0 });
});

it.each([
  ["WATCHDOG_SECONDS", "0"],
  ["WATCHDOG_SECONDS", "2m"],
  ["AUDIT_REQUESTS_PER_MINUTE", "-1"],
])("refuses %s=%s, naming the variable", (name, value) => {
  expect(() => statusSettings({ [name]: value })).toThrow(name);
});
