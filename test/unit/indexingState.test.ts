import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdleTimer, type Observation } from "../../src/api/status/idleTime.ts";
import {
  decideReadState,
  decideState,
  INDEXING_STATES,
  type IndexingFacts,
  type IndexingState,
  isSound,
  STOPPED_AFTER_SECONDS,
  UNREACHABLE_AFTER_SECONDS,
} from "../../src/api/status/state.ts";

const SOUND: IndexingFacts = {
  isDamaged: false,
  isForked: false,
  rowAgeSeconds: 0,
  headAgeSeconds: 1,
  isNodeLost: false,
  idleSeconds: 0,
  stalledAfterSeconds: 60,
  isBackfilling: false,
};

const age = fc.option(fc.double({ min: -100, max: 100, noNaN: true }));
const facts: fc.Arbitrary<IndexingFacts> = fc.record({
  isDamaged: fc.boolean(),
  isForked: fc.boolean(),
  rowAgeSeconds: age,
  headAgeSeconds: age,
  isNodeLost: fc.boolean(),
  idleSeconds: fc.double({ min: 0, max: 300, noNaN: true }),
  stalledAfterSeconds: fc.integer({ min: 1, max: 120 }),
  isBackfilling: fc.boolean(),
});
const anyState = fc.constantFrom(...INDEXING_STATES);
const rankOf = (state: IndexingState) => INDEXING_STATES.indexOf(state);

describe("a state", () => {
  it.each([
    [{}, "live"],
    [{ isBackfilling: true }, "backfill"],
    [{ idleSeconds: 60 }, "stalled"],
    [{ idleSeconds: 59 }, "live"],
    [{ headAgeSeconds: UNREACHABLE_AFTER_SECONDS }, "live"],
    [{ headAgeSeconds: UNREACHABLE_AFTER_SECONDS + 0.1 }, "unreachable"],
    [{ headAgeSeconds: null }, "unreachable"],
    [{ isNodeLost: true }, "unreachable"],
    [{ rowAgeSeconds: STOPPED_AFTER_SECONDS }, "live"],
    [{ rowAgeSeconds: STOPPED_AFTER_SECONDS + 0.1 }, "stopped"],
    [{ rowAgeSeconds: -STOPPED_AFTER_SECONDS }, "live"],
    [{ rowAgeSeconds: -STOPPED_AFTER_SECONDS - 0.1 }, "stopped"],
    [{ rowAgeSeconds: null }, "stopped"],
    [{ isForked: true }, "forked"],
    [{ isDamaged: true }, "damaged"],
  ] satisfies [Partial<IndexingFacts>, IndexingState][])("of %j alone is %s", (changed, state) => {
    expect(decideState({ ...SOUND, ...changed })).toBe(state);
  });

  it("is the worst of the states that the facts have one by one", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const alone = (name: keyof IndexingFacts) =>
          decideState({ ...SOUND, stalledAfterSeconds: given.stalledAfterSeconds, [name]: given[name] });
        const names = Object.keys(SOUND) as (keyof IndexingFacts)[];
        const worst = Math.min(...names.map((name) => rankOf(alone(name))));
        expect(decideState(given)).toBe(INDEXING_STATES[worst]);
      }),
    );
  });

  it("puts states with wrong answers before states with late ones", () => {
    fc.assert(
      fc.property(facts, (given) => {
        expect(decideState({ ...given, isDamaged: true })).toBe("damaged");
        expect(decideState({ ...given, isDamaged: false, isForked: true })).toBe("forked");
      }),
    );
  });

  it("is healthy only when it is live or in backfill", () => {
    expect(INDEXING_STATES.filter(isSound)).toEqual(["backfill", "live"]);
  });
});

describe("a reader", () => {
  it("reports a fresh row unchanged, and an old one as stopped unless it was damaged or forked", () => {
    fc.assert(
      fc.property(
        anyState,
        fc.double({ min: 0, max: STOPPED_AFTER_SECONDS, noNaN: true }),
        (written, rowAgeSeconds) => {
          expect(decideReadState(written, { rowAgeSeconds, isForked: false })).toBe(written);
          const old = { rowAgeSeconds: rowAgeSeconds + STOPPED_AFTER_SECONDS + 1, isForked: false };
          const isWrong = written === "damaged" || written === "forked";
          expect(decideReadState(written, old)).toBe(isWrong ? written : "stopped");
        },
      ),
    );
  });

  it("never reports a better state than the row", () => {
    fc.assert(
      fc.property(anyState, age, fc.boolean(), (written, rowAgeSeconds, isForked) => {
        const read = decideReadState(written, { rowAgeSeconds, isForked });
        expect(rankOf(read)).toBeLessThanOrEqual(rankOf(written));
        if (isForked) expect(rankOf(read)).toBeLessThanOrEqual(rankOf("forked"));
      }),
    );
  });

  it("reports a network without a row as stopped", () => {
    expect(decideReadState(null, { rowAgeSeconds: null, isForked: false })).toBe("stopped");
    expect(decideReadState(null, { rowAgeSeconds: null, isForked: true })).toBe("forked");
  });
});

describe("idle seconds", () => {
  /** One observation a second. */
  const idleAfter = (seen: readonly Partial<Observation>[]) => {
    const idleTimer = createIdleTimer();
    return seen.map((part, index) =>
      idleTimer.observe({ at: index * 1_000, head: 100n, indexed: null, mark: "a", ...part }),
    );
  };

  it("count while the head advances and the mark does not change", () => {
    expect(idleAfter([{}, { head: 101n }, { head: 102n }, { head: 102n }])).toEqual([0, 1, 2, 3]);
  });

  it("start again at each mark", () => {
    expect(idleAfter([{}, { head: 101n }, { head: 102n, mark: "b" }, { head: 103n, mark: "b" }])).toEqual([0, 1, 0, 1]);
  });

  it("do not count while the head does not advance, is unknown, or the index cannot be read", () => {
    expect(idleAfter([{}, {}, { head: null }, { head: 101n, mark: null }])).toEqual([0, 0, 0, 0]);
    expect(idleAfter([{ head: null }, { head: null }, { head: 100n }, { head: 101n }])).toEqual([0, 0, 0, 1]);
  });

  it("do not count while everything up to the head is indexed, also when the head was not known yet", () => {
    const indexed = 101n;
    expect(idleAfter([{ indexed }, { indexed, head: 101n }, { indexed, head: 101n }])).toEqual([0, 0, 0]);
    expect(idleAfter([{ indexed }, { indexed, head: 101n }, { indexed, head: 102n }])).toEqual([0, 0, 1]);
  });

  it("do not count time during which this process was stopped", () => {
    expect(idleAfter([{}, { head: 101n }, { head: 200n, at: 3_600_000 }])).toEqual([0, 1, 16]);
  });

  it("are never more than the time that passed, and 0 after each new mark", () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 20_000 }),
      head: fc.option(fc.bigInt({ min: 0n, max: 50n })),
      indexed: fc.option(fc.bigInt({ min: 0n, max: 50n })),
      mark: fc.option(fc.constantFrom("a", "b", "c")),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const idleTimer = createIdleTimer();
        let at = 0;
        let last: string | null = null;
        let since = 0;
        for (const { ms, head, indexed, mark } of steps) {
          at += ms;
          const idle = idleTimer.observe({ at, head, indexed, mark });
          if (mark !== null && mark !== last) {
            last = mark;
            since = at;
            expect(idle).toBe(0);
          }
          expect(idle).toBeLessThanOrEqual((at - since) / 1000);
        }
      }),
    );
  });
});
