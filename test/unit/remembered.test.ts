import { expect, it, vi } from "vitest";
import { remembered } from "../../src/api/http/remembered.ts";

it("makes an output once for the same question and input", () => {
  const make = vi.fn(() => ({}));
  const recall = remembered<object>(10);
  const first = recall("volume", ["rows"], make);
  expect(recall("volume", ["rows"], make)).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);
});

it("makes it anew for another input, and for another question over the same input", () => {
  const recall = remembered<string>(10);
  expect(recall("volume", ["before"], () => "old")).toBe("old");
  expect(recall("volume", ["after"], () => "new")).toBe("new");
  expect(recall("volume", ["before"], () => "old again")).toBe("old again");
  expect(recall("volume of an LP", ["before"], () => "other")).toBe("other");
  expect(recall("page", ["state", "rows"], () => "old")).toBe("old");
  expect(recall("page", ["state", "more rows"], () => "new")).toBe("new");
  expect(recall("page", ["next state", "more rows"], () => "newer")).toBe("newer");
  expect(recall("page", ["next state", "more rows"], () => "other")).toBe("newer");
});

it("forgets the question answered longest ago beyond its capacity", () => {
  const recall = remembered<number>(2);
  recall("a", [""], () => 1);
  recall("b", [""], () => 2);
  recall("a", ["changed"], () => 3);
  recall("c", [""], () => 4);
  expect(recall("a", ["changed"], () => 5)).toBe(3);
  expect(recall("c", [""], () => 5)).toBe(4);
  expect(recall("b", [""], () => 5)).toBe(5);
});

it("keeps nothing of a question whose output fails", () => {
  const recall = remembered<number>(2);
  const fail = () => {
    throw new Error("no");
  };
  expect(() => recall("a", [""], fail)).toThrow("no");
  expect(recall("a", [""], () => 1)).toBe(1);
});
