import { expect, it } from "vitest";
import { navSteps } from "../../../app/src/assets/navSteps.ts";

const day = (number: number) => `2026-03-0${number}T00:00:00Z`;
const now = Date.parse(day(5)) / 1000;
const changes = [
  { at: day(1), navWad: "1" },
  { at: day(3), navWad: "2" },
];

it("ends at the end of the range, or now if the range ends in the future", () => {
  const end = (to: string) => navSteps(changes, { from: day(1), to, now }).at(-1);
  expect(end(day(4))).toEqual({ at: day(4), navWad: "2" });
  expect(end(day(9))).toEqual({ at: day(5), navWad: "2" });
});

it("begins a NAV from before the range with the range", () => {
  const steps = navSteps(changes, { from: day(2), to: day(4), now });
  expect(steps.map(({ at }) => at)).toEqual([day(2), day(3), day(4)]);
});

it("does not go back before the newest change when the clock of the machine is behind", () => {
  const steps = navSteps(changes, { from: day(1), to: day(9), now: Date.parse(day(2)) / 1000 });
  expect(steps.map(({ at }) => at)).toEqual([day(1), day(3), day(3)]);
});

it("has no position without a change", () => {
  expect(navSteps([], { from: day(1), to: day(9), now })).toEqual([]);
});
