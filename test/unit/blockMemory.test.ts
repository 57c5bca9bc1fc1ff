import { describe, expect, it } from "vitest";
import { beginEvent, blockMemory } from "../../src/indexing/blockMemory.ts";
import type { FilterTraits } from "../../src/indexing/filterClass.ts";

type Context = Parameters<typeof beginEvent>[0];

const TRAITS: FilterTraits = { outcome: "success", hasSwap: false, hasAllowlistChange: false, entrypoint: null };

/** A network of its own for each test: the memory belongs to the process. */
let lastChainId = 0;
function network() {
  lastChainId += 1;
  const context = { chain: { id: lastChainId, name: `chain ${lastChainId}` } } as unknown as Context;
  const begin = (hash: string, id: string) =>
    beginEvent(context, { id, block: { number: 1n, hash: hash as `0x${string}`, timestamp: 1n } });
  const file = (transactionIndex: number) =>
    blockMemory(context).transactions.set(transactionIndex, { traits: TRAITS, wallets: [] });
  return { begin, file, filed: () => [...blockMemory(context).transactions.keys()], context };
}

describe("block memory", () => {
  it("lasts for the events of a block", () => {
    const { begin, file, filed } = network();
    expect(begin("0xa", "1")).toBe(true);
    file(0);
    expect(begin("0xa", "2")).toBe(false);
    file(1);
    expect(filed()).toEqual([0, 1]);
    expect(begin("0xb", "3")).toBe(true);
    expect(filed()).toEqual([]);
  });

  it.each([
    { title: "from an event in between", id: "2" },
    { title: "from the event that failed", id: "3" },
    { title: "from its first event", id: "1" },
  ])("forgets a block that is indexed anew $title", ({ id }) => {
    const { begin, file, filed } = network();
    for (const event of ["1", "2", "3"]) begin("0xa", event);
    file(0);
    expect(begin("0xa", id)).toBe(true);
    expect(filed()).toEqual([]);
  });

  it("forgets a block that another one replaced, also when it comes back", () => {
    const { begin, file, filed } = network();
    begin("0xa", "1");
    file(0);
    begin("0xb", "1");
    file(1);
    expect(filed()).toEqual([1]);
    expect(begin("0xa", "1")).toBe(true);
    expect(filed()).toEqual([]);
  });

  it("keeps networks apart that take turns on one thread", () => {
    const [one, other] = [network(), network()];
    one.begin("0xa", "1");
    one.file(0);
    other.begin("0xb", "1");
    other.file(7);
    expect(one.begin("0xa", "2")).toBe(false);
    expect([one.filed(), other.filed()]).toEqual([[0], [7]]);
  });

  it("is not there before a first event", () => {
    const { context } = network();
    expect(() => blockMemory(context)).toThrow("no event was begun");
  });
});
