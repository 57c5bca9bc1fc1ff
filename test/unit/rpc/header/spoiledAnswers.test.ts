/**
 * Whatever a node changes in a block, its receipts or its logs is refused, or changes nothing that the index reads. What is
 * accepted can be stored by Ponder.
 */
import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { readBlock, readLogs, readReceipts } from "../../../../config/rpc/answers.ts";
import { NodeFailure } from "../../../../config/rpc/failures.ts";
import {
  Disagreement,
  verifyBlockReceipts,
  verifyLogs,
  verifyTransactions,
} from "../../../../config/rpc/verifyBlock.ts";
import geth from "../../../fixtures/blocks/geth.json" with { type: "json" };
import { ponderFile } from "../../../support/ponderPackage.ts";

type Json = null | string | number | boolean | Json[] | { [name: string]: Json };
type Fields = Readonly<Record<string, unknown>>;

const { standardizeBlock, standardizeTransactionReceipts, standardizeLogs } = (await import(
  ponderFile("dist/esm/rpc/actions.js")
)) as {
  standardizeBlock(block: unknown, request: object): Fields & { readonly transactions: readonly Fields[] };
  standardizeTransactionReceipts(receipts: unknown, request: object): readonly Fields[];
  standardizeLogs(logs: unknown, request: object): readonly Fields[];
};
const encode = (await import(ponderFile("dist/esm/sync-store/encode.js"))) as Record<
  "encodeBlock" | "encodeTransaction" | "encodeTransactionReceipt" | "encodeLog",
  (row: Fields) => Fields
>;

/** What the index reads, apart from the sender of a transaction. */
const READ = {
  block: ["number", "hash", "parentHash", "timestamp", "logsBloom"],
  transaction: ["hash", "blockHash", "blockNumber", "transactionIndex", "to", "input", "value", "nonce"],
  receipt: ["blockHash", "transactionIndex", "status", "gasUsed", "effectiveGasPrice"],
  log: ["blockNumber", "logIndex", "address", "topic0", "topic1", "topic2", "topic3", "data"],
};

type Answers = Readonly<Record<"block" | "receipts" | "logs", Json>>;

const TRUTH = {
  block: geth.block,
  receipts: geth.receipts,
  logs: geth.receipts.flatMap(({ logs }) => logs),
} as unknown as Answers;
const CHAIN_ID = 1;

beforeEach(() => {
  vi.stubGlobal("PONDER_COMMON", { logger: { warn: () => {} } });
});

/** What Ponder stores and the index then reads, or null if the answers are refused. */
function accepted(answers: Answers): unknown {
  try {
    const block = readBlock(answers.block);
    const logs = readLogs(answers.logs);
    verifyTransactions(block);
    verifyLogs(block, logs);
    verifyBlockReceipts(block, logs, readReceipts(answers.receipts));
  } catch (error) {
    if (error instanceof Disagreement || error instanceof NodeFailure) return null;
    throw error;
  }
  const only = (names: readonly string[], row: Fields) => names.map((name) => row[name]);
  const { block: asked, receipts, logs } = structuredClone(answers);
  const block = standardizeBlock(asked, { params: ["0x36", true] });
  return {
    block: only(READ.block, encode.encodeBlock({ block, chainId: CHAIN_ID })),
    transactions: block.transactions.map((transaction) =>
      only(READ.transaction, encode.encodeTransaction({ transaction, chainId: CHAIN_ID })),
    ),
    receipts: standardizeTransactionReceipts(receipts, {}).map((transactionReceipt) =>
      only(READ.receipt, encode.encodeTransactionReceipt({ transactionReceipt, chainId: CHAIN_ID })),
    ),
    logs: standardizeLogs(logs, {}).map((log) => only(READ.log, encode.encodeLog({ log, chainId: CHAIN_ID }))),
  };
}

const CHANGES: Readonly<Record<string, (value: Json) => Json | undefined>> = {
  "is removed": () => undefined,
  "is null": () => null,
  "is a number": () => 7,
  "is other text": () => "zz",
  "is an object": () => ({}),
  "is a list": () => [],
  "is negative": () => "-0x1",
  "is zero": () => "0x0",
  "is huge": () => `0x${"f".repeat(70)}`,
  "has one more digit": (value) => `${String(value)}0`,
  "has one digit less": (value) => String(value).slice(0, -1),
  "has another last digit": (value) => String(value).replace(/.$/, (digit) => (digit === "1" ? "2" : "1")),
  "has a leading zero": (value) => String(value).replace("0x", "0x0"),
  "is in upper case": (value) => String(value).toUpperCase().replace("0X", "0x"),
};

/** Changes one value at or below a place, which the turns lead to. */
function spoiled(value: Json, turns: readonly number[], change: (value: Json) => Json | undefined): Json | undefined {
  const [turn, ...rest] = turns;
  if (turn === undefined || value === null || typeof value !== "object") return change(value);
  const entries = Object.entries(value);
  const [name, inner] = entries[turn % entries.length] ?? [];
  if (name === undefined || inner === undefined) return change(value);
  const next = spoiled(inner, rest, change);
  if (Array.isArray(value)) return value.toSpliced(Number(name), 1, ...(next === undefined ? [] : [next]));
  return {
    ...Object.fromEntries(entries.filter(([each]) => each !== name)),
    ...(next === undefined ? {} : { [name]: next }),
  };
}

it("what is accepted of a spoiled answer is what the chain has, and Ponder can store it", () => {
  const truth = accepted(TRUTH);
  expect(truth).not.toBeNull();
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom("block" as const, "receipts" as const, "logs" as const),
      fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...Object.keys(CHANGES)),
      // A header field that no version knows is no excuse.
      fc.constantFrom({}, { nextFork: "0x1" }),
      (answer, turns, change, unknown) => {
        const changed = spoiled(TRUTH[answer], turns, CHANGES[change] ?? (() => null)) ?? null;
        const answers: Answers = { ...TRUTH, [answer]: changed };
        const { block } = answers;
        const isObject = typeof block === "object" && !Array.isArray(block);
        const found = accepted(isObject ? { ...answers, block: { ...block, ...unknown } } : answers);
        if (found === null) refused += 1;
        else expect(found).toEqual(truth);
      },
    ),
    { numRuns: 5_000 },
  );
  expect(refused).toBeGreaterThan(2_500);
});
