import { expect, it, vi } from "vitest";
import { remembered } from "../../src/api/http/remembered.ts";

const rendering = (body: string) => ({ body, headers: {} });

it("makes an output once for the same question and input, and puts it into bytes once", () => {
  const make = vi.fn(() => rendering("réponse"));
  const recall = remembered(100);
  const [first, second, third] = [1, 2, 3].map(() => recall("volume", ["rows"], make));
  expect(make).toHaveBeenCalledTimes(1);
  expect(first).toEqual(rendering("réponse"));
  expect(second).toEqual({ ...first, body: Buffer.from("réponse") });
  expect(third).toBe(second);
});

it("makes it anew for another input, and for another question over the same input", () => {
  const recall = remembered(1_000);
  const bodyOf = (key: string, inputs: string[], body: string) =>
    String(recall(key, inputs, () => rendering(body)).body);
  expect(bodyOf("volume", ["before"], "old")).toBe("old");
  expect(bodyOf("volume", ["after"], "new")).toBe("new");
  expect(bodyOf("volume", ["before"], "old again")).toBe("old again");
  expect(bodyOf("volume of an LP", ["before"], "other")).toBe("other");
  expect(bodyOf("page", ["state", "rows"], "old")).toBe("old");
  expect(bodyOf("page", ["state", "more rows"], "new")).toBe("new");
  expect(bodyOf("page", ["next state", "more rows"], "newer")).toBe("newer");
  expect(bodyOf("page", ["next state", "more rows"], "other")).toBe("newer");
});

it("forgets what was asked for longest ago, so that keys, inputs and bodies stay within its bytes", () => {
  // One entry takes 1 + 2 + 7 bytes.
  const recall = remembered(20);
  const bodyOf = (key: string, body: string) => String(recall(key, ["in"], () => rendering(body)).body);
  bodyOf("a", "first a");
  bodyOf("b", "first b");
  expect(bodyOf("a", "other a")).toBe("first a");
  bodyOf("c", "first c");
  expect(bodyOf("a", "other a")).toBe("first a");
  expect(bodyOf("c", "other c")).toBe("first c");
  expect(bodyOf("b", "again b")).toBe("again b");
});

it("does not keep an answer larger than all that may be kept, nor drop others for it", () => {
  const recall = remembered(20);
  const bodyOf = (key: string, body: string) => String(recall(key, ["in"], () => rendering(body)).body);
  bodyOf("a", "first a");
  bodyOf("b", "x".repeat(18));
  expect(bodyOf("b", "anew")).toBe("anew");
  expect(bodyOf("a", "other a")).toBe("first a");
});

it("keeps nothing of a question whose output fails", () => {
  const recall = remembered(100);
  const fail = () => {
    throw new Error("no");
  };
  expect(() => recall("a", [""], fail)).toThrow("no");
  expect(recall("a", [""], () => rendering("answer")).body).toBe("answer");
});
