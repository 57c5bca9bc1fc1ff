import { expect, it, vi } from "vitest";
import { remembered } from "../../src/api/http/remembered.ts";

const rendering = (body: string) => ({ body, headers: {} });

/** Asks for a key over inputs; gives the body that came of `body`, made now or earlier. */
const asking = (recall: ReturnType<typeof remembered>) => (key: string, inputs: string[], body: string) =>
  String(recall(key, inputs, () => rendering(body)).body);

it("makes an output twice for the same question and input, as text and in bytes, and sends the bytes again", () => {
  const make = vi.fn(() => rendering("réponse"));
  const recall = remembered(100);
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => recall("volume", ["rows"], make));
  expect(make).toHaveBeenCalledTimes(2);
  expect(first).toEqual(rendering("réponse"));
  expect(second).toEqual({ ...first, body: Buffer.from("réponse") });
  expect(third).toBe(second);
  expect(fourth).toBe(second);
});

it("makes it anew for another input, and for another question over the same input", () => {
  const bodyOf = asking(remembered(1_000));
  expect(bodyOf("volume", ["before"], "first")).toBe("first");
  expect(bodyOf("volume", ["before"], "old")).toBe("old");
  expect(bodyOf("volume", ["before"], "other")).toBe("old");
  expect(bodyOf("volume", ["after"], "new")).toBe("new");
  expect(bodyOf("volume", ["after"], "other")).toBe("new");
  expect(bodyOf("volume", ["before"], "old again")).toBe("old again");
  expect(bodyOf("volume of an LP", ["before"], "another")).toBe("another");
  bodyOf("page", ["state", "rows"], "first");
  expect(bodyOf("page", ["state", "rows"], "old")).toBe("old");
  expect(bodyOf("page", ["state", "more rows"], "new")).toBe("new");
  expect(bodyOf("page", ["next state", "more rows"], "newer")).toBe("newer");
  expect(bodyOf("page", ["next state", "more rows"], "other")).toBe("newer");
});

it("forgets what was asked for longest ago, so that keys, inputs and bodies stay within its bytes", () => {
  // One entry takes 1 + 2 + 7 bytes.
  const bodyOf = asking(remembered(20));
  const keep = (key: string, body: string) => [bodyOf(key, ["in"], "unkept"), bodyOf(key, ["in"], body)];
  keep("a", "first a");
  keep("b", "first b");
  expect(bodyOf("a", ["in"], "other a")).toBe("first a");
  keep("c", "first c");
  expect(bodyOf("a", ["in"], "other a")).toBe("first a");
  expect(bodyOf("c", ["in"], "other c")).toBe("first c");
  expect(bodyOf("b", ["in"], "again b")).toBe("again b");
});

it("keeps nothing in place of others that is asked for once, or larger than all that may be kept", () => {
  const bodyOf = asking(remembered(20));
  bodyOf("a", ["in"], "unkept");
  bodyOf("a", ["in"], "first a");
  for (const key of ["b", "c", "d"]) bodyOf(key, ["in"], "first..");
  const large = "x".repeat(18);
  for (const body of [large, large, "anew"]) expect(bodyOf("e", ["in"], body)).toBe(body);
  expect(bodyOf("a", ["in"], "other a")).toBe("first a");
});

it("keeps nothing of a question whose output fails", () => {
  const recall = remembered(100);
  const fail = () => {
    throw new Error("no");
  };
  for (let time = 0; time < 3; time++) expect(() => recall("a", [""], fail)).toThrow("no");
  expect(asking(recall)("a", [""], "answer")).toBe("answer");
});
