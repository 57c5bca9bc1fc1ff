import { describe, expect, it } from "vitest";
import * as schema from "../../ponder.schema.ts";
import type { DirectCall } from "../../src/indexing/directCall.ts";
import type { TransactionEvent } from "../../src/indexing/events.ts";
import { type FilterTraits, filterClassOf } from "../../src/indexing/filterClass.ts";
import { recordActivity, recordDirectCall } from "../../src/indexing/history.ts";
import { handlerContext } from "./support/indexingStore.ts";

const [SENDER, USER, OTHER] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];
const SWAP: DirectCall = {
  contract: OTHER,
  entrypoint: "swap",
  submittedSwapLegs: [],
  user: USER,
  receiver: USER,
};

function eventOf(status: "success" | "reverted", logsBloom: `0x${string}` = "0x01"): TransactionEvent {
  return {
    id: "1",
    block: { number: 7n, hash: "0x77", timestamp: 100n },
    transaction: {
      hash: "0x1234",
      transactionIndex: 3,
      from: SENDER,
      to: OTHER,
      nonce: 1,
      value: 0n,
      input: "0x9d8e2177",
    },
    transactionReceipt: { status, gasUsed: 1n, effectiveGasPrice: 1n, logsBloom },
  };
}

/** How a transaction is filed: the class of its traits, and the wallets under which only that class has it. */
async function filing(record: (context: Awaited<ReturnType<typeof handlerContext>>) => Promise<void>) {
  const context = await handlerContext();
  await record(context);
  const key = { chainId: context.chain.id, blockNumber: 7, transactionIndex: 3 };
  const row = await context.db.find(schema.transaction, key);
  if (row === null) throw new Error("the transaction is not there");
  const found: string[] = [];
  for (const wallet of ["", SENDER, USER, OTHER]) {
    for (let filterClass = 0; filterClass < 32; filterClass += 1) {
      const filed = await context.db.find(schema.transactionByFilter, { ...key, wallet, filterClass });
      if (filed !== null) found.push(`${wallet} ${filterClass}`);
    }
  }
  return { filterClass: row.filterClass, wallets: row.wallets, found };
}

function expected(traits: FilterTraits, wallets: readonly string[]) {
  const filterClass = filterClassOf(traits);
  const found = ["", ...wallets].map((wallet) => `${wallet} ${filterClass}`);
  return { filterClass, wallets: wallets.join(","), found };
}

const swapTraits: FilterTraits = { outcome: "success", hasSwap: true, hasAllowlistChange: false, entrypoint: "swap" };

describe("a transaction is filed", () => {
  it("as one with a swap when its call of swap succeeded", async () => {
    const filed = await filing((context) => recordDirectCall(context, eventOf("success"), SWAP));
    expect(filed).toEqual(expected(swapTraits, [SENDER]));
  });

  it("without activity when its call of swap reverted", async () => {
    const filed = await filing((context) => recordDirectCall(context, eventOf("reverted"), SWAP));
    expect(filed).toEqual(expected({ ...swapTraits, outcome: "revert", hasSwap: false }, [SENDER]));
  });

  it("without activity when its call of swap came before the contract was deployed", async () => {
    const filed = await filing((context) => recordDirectCall(context, eventOf("success", "0x00"), SWAP));
    expect(filed).toEqual(expected({ ...swapTraits, hasSwap: false }, [SENDER]));
  });

  it("under every wallet of its activities, each once", async () => {
    const filed = await filing(async (context) => {
      await recordDirectCall(context, eventOf("success"), SWAP);
      await recordActivity(context, eventOf("success"), { type: "swap", wallets: [USER, USER, SENDER] });
      await recordActivity(context, eventOf("success"), { type: "swap", wallets: [USER, OTHER] });
    });
    expect(filed).toEqual(expected(swapTraits, [SENDER, USER, OTHER]));
  });

  it("under its new class only when an activity of the other kind is added", async () => {
    const filed = await filing(async (context) => {
      await recordActivity(context, eventOf("success"), { type: "swap", wallets: [USER] });
      await recordActivity(context, eventOf("success"), { type: "allowlist", wallets: [USER] });
    });
    expect(filed).toEqual(expected({ ...swapTraits, hasAllowlistChange: true, entrypoint: null }, [SENDER, USER]));
  });
});
