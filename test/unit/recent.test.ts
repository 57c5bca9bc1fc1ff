import { describe, expect, it } from "vitest";
import { recent } from "../../src/api/http/recent.ts";

describe("recent", () => {
  /** A reading that counts its calls, and a clock. */
  function world() {
    const clock = { ms: 1_000 };
    let reads = 0;
    const read = recent(
      async () => ++reads,
      () => clock.ms,
    );
    return { clock, read };
  }

  it("shares a reading between callers within a tenth of a second", async () => {
    const { clock, read } = world();
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    clock.ms += 99;
    expect(await read()).toBe(1);
  });

  it("reads anew after that", async () => {
    const { clock, read } = world();
    await read();
    clock.ms += 100;
    expect(await read()).toBe(2);
  });

  it("does not keep a failure", async () => {
    let reads = 0;
    const read = recent(
      async () => {
        if (++reads === 1) throw new Error("database is gone");
        return reads;
      },
      () => 0,
    );
    await expect(Promise.all([read(), read()])).rejects.toThrow("database is gone");
    expect(await read()).toBe(2);
  });
});
