/**
 * Blocks as geth answers them: `blocks/geth.json` has answers of the test chain of the Ethereum execution API
 * specification (github.com/ethereum/execution-apis, tests, CC0).
 */
import fc from "fast-check";
import { bytesToHex } from "viem";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { blockMismatch, provesReceipts, receiptsMismatch } from "../../../../config/rpc/header/commitments.ts";
import { type Answer, encodeTransaction, HEADER_FIELDS } from "../../../../config/rpc/header/encoding.ts";
import { keccak } from "../../../../config/rpc/header/keccak.ts";
import { unprovenForms } from "../../../../config/rpc/header/unprovenForms.ts";
import geth from "../../../fixtures/blocks/geth.json" with { type: "json" };

const block = geth.block as Answer & { readonly transactions: readonly Answer[] };
const receipts: readonly Answer[] = geth.receipts;

const HEADER = "its header does not have its hash";
const TRANSACTIONS = "its transactions differ from the transactions root of its header";
const RECEIPTS = "its receipts differ from the receipts root of its header";

const warn = vi.fn<(entry: { msg: string }) => void>();

beforeEach(() => {
  warn.mockClear();
  vi.unstubAllEnvs();
  vi.stubGlobal("PONDER_COMMON", { logger: { warn } });
});

/** Changes the last hex digit. */
function altered(value: string): string {
  return value.slice(0, -1) + (value.endsWith("1") ? "2" : "1");
}

describe("a block", () => {
  it("of geth is proven by its hash, and so are its receipts", () => {
    expect(block.transactions.length).toBeGreaterThan(1);
    expect(blockMismatch(block)).toBeNull();
    expect(receiptsMismatch(block, receipts)).toBeNull();
  });

  it.each(geth.headers)("of any fork is proven by its hash: block $number", (header) => {
    expect(blockMismatch(header)).toBeNull();
    expect(blockMismatch({ ...header, stateRoot: altered(header.stateRoot) })).toBe(HEADER);
  });

  it("is refused when any field of its header is changed or missing", () => {
    const fields = Object.keys(block).filter((name) => HEADER_FIELDS.has(name));
    expect(fields).toHaveLength(21);
    for (const field of fields) {
      const value = block[field] as string;
      // An extraData of no bytes has no digit to change.
      expect(blockMismatch({ ...block, [field]: value === "0x" ? "0x01" : altered(value) }), field).toBe(HEADER);
      expect(blockMismatch({ ...block, [field]: undefined }), field).toBe(HEADER);
    }
  });

  it.each([
    ["with half a byte more", (value: string) => `${value}0`],
    ["with other characters after it", (value: string) => `${value}zz`],
    ["in upper case", (value: string) => `0x${value.slice(2).toUpperCase()}`],
    ["without its prefix", (value: string) => value.slice(2)],
  ])("is refused with calldata or a hash that is written %s", (_, write) => {
    const index = block.transactions.findIndex(({ input }) => /[a-f]/.test(String(input).slice(2)));
    const transaction = block.transactions[index] as Answer;
    const rewritten = { ...transaction, input: write(transaction.input as string) };
    expect(blockMismatch({ ...block, transactions: block.transactions.with(index, rewritten) })).toBe(TRANSACTIONS);
    const receiver = { ...transaction, to: `${transaction.to as string}0` };
    expect(blockMismatch({ ...block, transactions: block.transactions.with(index, receiver) })).toBe(TRANSACTIONS);
    for (const field of ["hash", "parentHash", "transactionsRoot"])
      expect(blockMismatch({ ...block, [field]: write(block[field] as string) }), field).toBe(HEADER);
  });

  it("may have addresses with the capitals of a checksum", () => {
    const { miner, transactions } = block;
    const shout = (address: unknown) => (address == null ? address : `0x${String(address).slice(2).toUpperCase()}`);
    expect(
      blockMismatch({
        ...block,
        miner: shout(miner),
        transactions: transactions.map((transaction) => ({ ...transaction, to: shout(transaction.to) })),
      }),
    ).toBeNull();
  });

  it("is refused without one of its transactions, or with two in another order", () => {
    const { transactions } = block;
    for (let index = 0; index < transactions.length; index += 1) {
      expect(blockMismatch({ ...block, transactions: transactions.toSpliced(index, 1) })).toBe(TRANSACTIONS);
    }
    expect(blockMismatch({ ...block, transactions: transactions.toReversed() })).toBe(TRANSACTIONS);
    expect(blockMismatch({ ...block, transactions: [] })).toBe(TRANSACTIONS);
  });

  it("is refused when a transaction is altered", () => {
    const signed = ["nonce", "gasPrice", "gas", "value", "input", "v", "r", "s"];
    fc.assert(
      fc.property(fc.constantFrom(...block.transactions.keys()), fc.constantFrom(...signed), (index, field) => {
        const transaction = block.transactions[index] as Answer;
        const changed = { ...transaction, [field]: altered(transaction[field] as string) };
        expect(blockMismatch({ ...block, transactions: block.transactions.with(index, changed) })).toBe(TRANSACTIONS);
      }),
    );
  });

  it("is proven with other fields that a node adds", () => {
    expect(blockMismatch({ ...block, author: "0x" })).toBeNull();
    expect(blockMismatch({ ...block, author: "0x", transactions: [] })).toBe(TRANSACTIONS);
    expect(receiptsMismatch({ ...block, author: "0x" }, [])).toBe(RECEIPTS);
    // The field does not excuse a header without its hash.
    expect(blockMismatch({ ...block, author: "0x", stateRoot: block.receiptsRoot })).toMatch(HEADER);
  });

  it("with only the hashes of its transactions is compared by its header", () => {
    expect(blockMismatch({ ...block, transactions: block.transactions.map(({ hash }) => hash) })).toBeNull();
  });
});

describe("a block of a later fork", () => {
  const hash = altered(geth.block.hash);
  const ofLaterFork = { ...block, hash, author: "0x", nextFork: "0x1" };
  const [first, ...others] = block.transactions;
  const ofLaterType = { ...block, transactions: [{ ...first, type: "0x7e" }, ...others] };

  it("is refused, and the reason names what is unknown", () => {
    const reason = `${HEADER}; this version does not know author, nextFork (see UNPROVEN_FORMS)`;
    expect(blockMismatch(ofLaterFork)).toBe(reason);
    expect(receiptsMismatch(ofLaterFork, receipts)).toBe(reason);
    expect(blockMismatch({ ...block, hash, nextFork: null })).toBe(HEADER);
    expect(blockMismatch(ofLaterType)).toBe(`${TRANSACTIONS}; this version does not know 0x7e (see UNPROVEN_FORMS)`);
  });

  it("is accepted if the operator names the header field, which the log says once", () => {
    vi.stubEnv("UNPROVEN_FORMS", "nextFork, 0x7e");
    expect(blockMismatch(ofLaterFork)).toBeNull();
    expect(receiptsMismatch(ofLaterFork, [])).toBeNull();
    expect(blockMismatch({ ...block, hash, author: "0x" })).toMatch(HEADER);
    expect(blockMismatch({ ...block, hash })).toBe(HEADER);
    expect(warn.mock.calls).toEqual([[{ msg: expect.stringContaining("Blocks with nextFork are accepted") }]]);
  });

  it("is accepted if the operator names the type of a transaction", () => {
    vi.stubEnv("UNPROVEN_FORMS", "0x7e");
    expect(blockMismatch(ofLaterType)).toBeNull();
    expect(receiptsMismatch(ofLaterType, [])).toBeNull();
    expect(blockMismatch({ ...ofLaterType, stateRoot: block.receiptsRoot })).toBe(HEADER);
    const ofOtherType = { ...block, transactions: [{ ...first, type: "0x7f" }, ...others] };
    expect(blockMismatch(ofOtherType)).toMatch("does not know 0x7f");
  });

  it("does not prove its receipts if the operator accepts it", () => {
    vi.stubEnv("UNPROVEN_FORMS", "nextFork, 0x7e");
    expect(provesReceipts(block, receipts)).toBe(true);
    expect(provesReceipts(ofLaterFork, receipts)).toBe(false);
    expect(provesReceipts(ofLaterType, receipts)).toBe(false);
    expect(provesReceipts(block, receipts.slice(1))).toBe(false);
  });

  it.each(["nextFork;0x5", "0x05", "Fork"])("is not described by %s", (setting) => {
    expect(() => unprovenForms({ UNPROVEN_FORMS: setting })).toThrow(
      `UNPROVEN_FORMS has "${setting}", expected header fields and types of transactions`,
    );
  });
});

describe("the receipts of a block", () => {
  it("are refused when one claims another type, known or not, than its transaction has", () => {
    for (const type of ["0x2", "0x5", "0x7e"]) {
      expect(receiptsMismatch(block, receipts.with(0, { ...receipts[0], type, status: "0x0" }))).toBe(RECEIPTS);
    }
    expect(warn).not.toHaveBeenCalled();
  });

  it("are refused, as is the block, when a nested field is malformed", () => {
    const index = block.transactions.findIndex(({ accessList }) => accessList !== undefined);
    const malformed = { ...block.transactions[index], accessList: [null] };
    expect(blockMismatch({ ...block, transactions: block.transactions.with(index, malformed) })).toBe(TRANSACTIONS);
    expect(receiptsMismatch(block, receipts.with(0, { ...receipts[0], logs: [null] }))).toBe(RECEIPTS);
    expect(receiptsMismatch(block, receipts.with(0, { ...receipts[0], gasUsed: "many" }))).toMatch(/^receipt 0/);
  });

  it("are refused when one is missing, or when two are in another order", () => {
    for (let index = 0; index < receipts.length; index += 1) {
      expect(receiptsMismatch(block, receipts.toSpliced(index, 1))).toBe(RECEIPTS);
    }
    expect(receiptsMismatch(block, receipts.toReversed())).toBe(RECEIPTS);
  });

  it("are refused when an outcome, the gas or a log is altered", () => {
    const withLog = receipts.findIndex(({ logs }) => (logs as unknown[]).length > 0);
    const receipt = receipts[withLog] as Answer & { readonly logs: readonly (Answer & { readonly data: string })[] };
    const [log, ...others] = receipt.logs;
    const changes: readonly object[] = [
      { status: "0x0" },
      { cumulativeGasUsed: altered(receipt.cumulativeGasUsed as string) },
      { logs: others },
      { logs: [{ ...log, data: altered(log?.data ?? "") }, ...others] },
      { logs: [{ ...log, data: `${log?.data}0` }, ...others] },
      { logs: [{ ...log, topics: [] }, ...others] },
      { logs: [{ ...log, topics: ((log?.topics ?? []) as string[]).map((topic) => topic.toUpperCase()) }, ...others] },
    ];
    for (const change of changes) {
      expect(receiptsMismatch(block, receipts.with(withLog, { ...receipt, ...change }))).toBe(RECEIPTS);
    }
  });
});

describe("what follows from a receipt and its transaction", () => {
  const withLogs = receipts.flatMap(({ logs }, index) => ((logs as unknown[]).length > 1 ? [index] : []));

  it.each([
    ["another transaction", () => ({ transactionHash: receipts[0]?.transactionHash })],
    ["other gas", ({ gasUsed }: Answer) => ({ gasUsed: altered(gasUsed as string) })],
    [
      "another gas price",
      ({ effectiveGasPrice }: Answer) => ({ effectiveGasPrice: altered(effectiveGasPrice as string) }),
    ],
    [
      "logs with other numbers",
      ({ logs }: Answer) => ({ logs: (logs as Answer[]).map((log) => ({ ...log, logIndex: "0x9" })) }),
    ],
    [
      "logs of another transaction",
      ({ logs }: Answer) => ({
        logs: (logs as Answer[]).map((log) => ({ ...log, transactionHash: receipts[0]?.transactionHash })),
      }),
    ],
  ] satisfies [string, (receipt: Answer) => object][])("is compared: it cannot have %s", (_, change) => {
    expect(withLogs.length).toBeGreaterThan(0);
    for (const index of withLogs) {
      const receipt = receipts[index] as Answer;
      expect(receiptsMismatch(block, receipts.with(index, { ...receipt, ...change(receipt) }))).toBe(
        `receipt ${index} does not follow from its transaction and from the receipts before it`,
      );
    }
  });
});

it("the gas price of a transaction without a fee market does not follow from fields that only later types have", () => {
  const index = block.transactions.findIndex(({ type }) => type === "0x0");
  const changed = { ...block.transactions[index], maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x0" };
  const transactions = block.transactions.with(index, changed);
  const cheap = receipts.with(index, { ...receipts[index], effectiveGasPrice: "0x1" });
  expect(receiptsMismatch({ ...block, transactions }, cheap)).toMatch(/^receipt \d+ does not follow/);
  expect(receiptsMismatch({ ...block, transactions }, receipts)).toBeNull();
});

describe("a transaction", () => {
  it.each(geth.transactions)("of type $type is encoded as its hash demands", (transaction) => {
    expect(hashOf(transaction)).toBe(transaction.hash);
  });

  it("may have numbers with leading zeros, and a parity that is called v alone", () => {
    const typed = geth.transactions.filter(({ type }) => type !== "0x0");
    expect(typed).toHaveLength(4);
    for (const { yParity, ...transaction } of typed) {
      const gas = `0x000${transaction.gas.slice(2)}`;
      expect(hashOf({ ...transaction, gas, v: yParity })).toBe(transaction.hash);
    }
  });
});

function hashOf(transaction: Answer): string {
  return bytesToHex(keccak(encodeTransaction(transaction) ?? new Uint8Array()));
}
