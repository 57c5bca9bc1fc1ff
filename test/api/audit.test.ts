/** The audit of generated rows, with nodes that fail in ways that no real node does on demand. */
import { bytesToHex, createPublicClient, custom, encodeFunctionData, type Hex, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { treasuryAbi } from "../../abis/index.ts";
import { EMPTY_BLOOM } from "../../config/rpc/bloom.ts";
import { encodeHeader, encodeReceipt, encodeTransaction } from "../../config/rpc/header/encoding.ts";
import { keccak } from "../../config/rpc/header/keccak.ts";
import { merkleRoot } from "../../config/rpc/header/merkleRoot.ts";
import { type AuditTarget, auditBlock, auditConsistency, auditTarget } from "../../src/api/audit/auditor.ts";
import { createBackgroundAudit } from "../../src/api/audit/background.ts";
import type { AuditNode } from "../../src/api/audit/chain.ts";
import { startAudit } from "../../src/api/audit/start.ts";
import type { LastAudit } from "../../src/api/shared/health.ts";
import geth from "../fixtures/blocks/geth.json" with { type: "json" };
import { signedTransaction } from "../support/signedTransaction.ts";
import { insertRows, NO_CREDITS, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { addressOf, hashOf, insertHistory, NOW, networkOf } from "./support/world.ts";

const HISTORY = madeHistory(30);
const FIRST = 100n;
const LAST = 109n;
const FINAL = 120;

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("audit_test");
  await insertHistory(engine, 1, HISTORY);
  await insertTotals();
});
afterAll(() => engine.close());
beforeEach(() => setCheckpoint(engine, "mainnet", FINAL));

/**
 * Inserts totals for the legs of the history, which all have one LP and go from an RWA to a stablecoin of 6 decimals.
 */
async function insertTotals() {
  await insertRows(engine, "stablecoin", [
    {
      chainId: 1,
      stablecoinId: hashOf("USDC"),
      tokenAddress: addressOf("USDC"),
      decimals: 6,
      delegateAddress: addressOf("lp"),
      accepted: true,
      yieldBearing: false,
    },
  ]);
  let legTotal = 0n;
  let amountTotal = 0n;
  const fees = { issuerFeeTotalWad: 0n, spreadFeeTotalWad: 0n, lpFeeTotalWad: 0n };
  const totals = new Map<string, object>();
  for (const { inclusion, activities } of [...HISTORY].reverse()) {
    for (const activity of activities) {
      if (activity.type !== "swap") continue;
      legTotal += 1n;
      const { amountOut, issuerFee, spreadFee, lpFee } = activity;
      amountTotal +=
        [amountOut, issuerFee, spreadFee, lpFee].reduce((sum, text) => sum + BigInt(text), 0n) * 10n ** 12n;
      fees.issuerFeeTotalWad += BigInt(issuerFee) * 10n ** 12n;
      fees.spreadFeeTotalWad += BigInt(spreadFee) * 10n ** 12n;
      fees.lpFeeTotalWad += BigInt(lpFee) * 10n ** 12n;
      const second = inclusion.timestamp;
      totals.set(second, { chainId: 1, seriesId: 0, second, legTotal, amountTotal, ...fees });
    }
  }
  const series = { chainId: 1, lpAddress: addressOf("lp"), assetId: "", seriesId: 0, decimals: 18 };
  await insertRows(engine, "volume_series", [{ ...series, newestSecond: [...totals.keys()].at(-1) }]);
  await insertRows(engine, "volume_total", [...totals.values()]);
}

const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

interface EmptyNodeOptions {
  readonly fails?: () => boolean;
  readonly chainId?: number;
  readonly transactionsRoot?: Hex;
}

/** A node whose blocks have no transactions, and the hash that follows from their header. It records the blocks that are requested. */
function emptyNode({ fails = () => false, chainId = 1, transactionsRoot = EMPTY_ROOT }: EmptyNodeOptions = {}) {
  const asked: bigint[] = [];
  const client = createPublicClient({
    transport: custom(
      {
        request: async ({ method, params }: { method: string; params: [Hex] }) => {
          if (method === "eth_chainId") return numberToHex(chainId);
          asked.push(BigInt(params[0]));
          if (fails()) throw new Error("no answer");
          const [number] = params;
          const roots = { parentHash: hashOf("parent"), transactionsRoot, receiptsRoot: EMPTY_ROOT };
          const header = { ...roots, number, timestamp: "0x1", gasUsed: "0x0", logsBloom: EMPTY_BLOOM };
          return { ...header, hash: bytesToHex(keccak(encodeHeader(header))), transactions: [] };
        },
      },
      { retryCount: 0 },
    ),
  });
  return { asked, node: { client, pace: () => Promise.resolve() } satisfies AuditNode };
}

function targetOf(...nodes: AuditNode[]): AuditTarget {
  return auditTarget({ database: engine.database, network: networkOf(engine, "mainnet"), nodes });
}

describe("the consistency of rows", () => {
  const table = (name: string) => `"${engine.schema}"."${name}"`;
  const audit = (from = FIRST, to = LAST) => auditConsistency(targetOf(), from, to);

  it("holds for the whole range, and for any part of it", async () => {
    expect(await audit()).toEqual({ kind: "passed" });
    for (let block = FIRST; block <= LAST; block += 1n) expect(await audit(block, block)).toEqual({ kind: "passed" });
    expect(await audit(LAST + 1n, LAST + 5n)).toEqual({ kind: "passed" });
  });

  it("holds for blocks that share a second, together and one by one", async () => {
    const tables = ["transaction", "volume_total"];
    for (const name of tables) await engine.execute(`CREATE TABLE kept_${name} AS SELECT * FROM ${table(name)}`);
    const secondOf = (block: bigint) => `(SELECT min(timestamp) FROM kept_transaction WHERE block_number = ${block})`;
    const [one, next] = [FIRST + 3n, FIRST + 4n];
    await engine.execute(
      `UPDATE ${table("transaction")} SET timestamp = ${secondOf(one)} WHERE block_number = ${next}`,
    );
    // The totals after both blocks are stored under the second that the blocks share.
    await engine.execute(`DELETE FROM ${table("volume_total")} WHERE second = ${secondOf(one)}
      AND EXISTS (SELECT FROM kept_volume_total WHERE second = ${secondOf(next)})`);
    await engine.execute(
      `UPDATE ${table("volume_total")} SET second = ${secondOf(one)} WHERE second = ${secondOf(next)}`,
    );
    for (let block = FIRST; block <= LAST; block += 1n) expect(await audit(block, block)).toEqual({ kind: "passed" });
    expect(await audit()).toEqual({ kind: "passed" });
    for (const name of tables) {
      await engine.execute(`DELETE FROM ${table(name)}`);
      await engine.execute(`INSERT INTO ${table(name)} SELECT * FROM kept_${name}`);
      await engine.execute(`DROP TABLE kept_${name}`);
    }
  });

  it("is not audited for blocks that are not final", async () => {
    await setCheckpoint(engine, "mainnet", Number(LAST) - 1);
    expect(await audit()).toEqual({ kind: "unfinished", reason: "block 109 is not final" });
    expect(await audit(FIRST, LAST - 1n)).toEqual({ kind: "passed" });
  });

  const oneOf = (name: string, condition = "true") =>
    `chain_id = 1 AND ctid = (SELECT ctid FROM ${table(name)} WHERE ${condition} LIMIT 1)`;

  it.each<[string, string, () => string, RegExp]>([
    ["a leg is gone", "swap", () => `DELETE FROM ${table("swap")} WHERE ${oneOf("swap")}`, /the totals say/],
    [
      "a total is off by one",
      "volume_total",
      () => `UPDATE ${table("volume_total")} SET amount_total = amount_total + 1 WHERE ${oneOf("volume_total")}`,
      /volume of LP 0x/,
    ],
    ...["issuer", "spread", "lp"].map((fee): [string, string, () => string, RegExp] => [
      `a total of the ${fee} fee is off by one`,
      "volume_total",
      () =>
        `UPDATE ${table("volume_total")} SET ${fee}_fee_total_wad = ${fee}_fee_total_wad + 1
        WHERE ${oneOf("volume_total")}`,
      /with (\d+) and fees of .*, the totals say \d+ with \1 and fees of/,
    ]),
    [
      "the scale of a total was changed",
      "volume_series",
      () => `UPDATE ${table("volume_series")} SET decimals = 17`,
      /volume of LP 0x\w{40} in stablecoins is counted with 17 decimals, expected 18$/m,
    ],
    [
      "a total is of an RWA that is not registered",
      "volume_series",
      () => `INSERT INTO ${table("volume_series")} 
        SELECT chain_id, lp_address, '${hashOf("RWA")}', 1, 6, newest_second FROM ${table("volume_series")}`,
      /in 0x\w{64} is counted with 6 decimals, expected a registered RWA$/m,
    ],
    [
      "the end of a total was changed",
      "volume_series",
      () => `UPDATE ${table("volume_series")} SET newest_second = newest_second - 1`,
      /volume of LP 0x\w{40} in stablecoins ends at second (\d+), its newest total is of (?!\1)\d+$/m,
    ],
    [
      "a fee of a leg was changed",
      "swap",
      () => `UPDATE ${table("swap")} SET spread_fee = spread_fee + 1, lp_fee = lp_fee - 1 WHERE ${oneOf("swap")}`,
      /volume of LP 0x/,
    ],
    [
      "a leg was counted twice",
      "volume_total",
      () => `UPDATE ${table("volume_total")} SET leg_total = leg_total + 1 WHERE ${oneOf("volume_total")}`,
      /volume of LP 0x/,
    ],
    [
      "a change of the allowlist is gone",
      "allowlist_change",
      () => `DELETE FROM ${table("allowlist_change")}`,
      /has no row in allowlist_change/,
    ],
    [
      "a transaction is gone",
      "transaction",
      () => `DELETE FROM ${table("transaction")} WHERE ${oneOf("transaction", "(filter_class & 2) <> 0")}`,
      /has no such transaction in the history/,
    ],
    [
      "a transaction is not found by its hash",
      "transaction_by_hash",
      () => `DELETE FROM ${table("transaction_by_hash")} WHERE ${oneOf("transaction_by_hash")}`,
      /is not in transaction_by_hash/,
    ],
    [
      "a transaction is not found by a wallet",
      "transaction_by_filter",
      () => `DELETE FROM ${table("transaction_by_filter")} WHERE ${oneOf("transaction_by_filter", "wallet <> ''")}`,
      /is not in transaction_by_filter under 0x/,
    ],
  ])("fails when %s", async (_what, name, change, reported) => {
    await engine.execute(`CREATE TABLE kept AS SELECT * FROM ${table(name)}`);
    await engine.execute(change());
    const outcome = await audit();
    expect(outcome.kind).toBe("failed");
    if (outcome.kind === "failed") expect(outcome.differences.join("\n")).toMatch(reported);
    await engine.execute(`DELETE FROM ${table(name)}; INSERT INTO ${table(name)} SELECT * FROM kept; DROP TABLE kept`);
    expect(await audit()).toEqual({ kind: "passed" });
  });
});

describe("a block against its node", () => {
  it("passes when neither has any transaction", async () => {
    const { node, asked } = emptyNode();
    expect(await auditBlock(targetOf(node), 112n)).toEqual({ kind: "passed" });
    expect(asked).toEqual([112n]);
  });

  it("fails when the node shows the difference twice, and the next node does too", async () => {
    const [first, next] = [emptyNode(), emptyNode()];
    const outcome = await auditBlock(targetOf(first.node, next.node), 100n);
    expect(outcome).toMatchObject({ kind: "failed" });
    if (outcome.kind === "failed") expect(outcome.differences).toContain("transaction 100/0 should not exist");
    expect([first.asked.length, next.asked.length]).toEqual([2, 1]);
  });

  it("fails if the index has a NAV, a change of adapters or of credits that no event of the block names", async () => {
    const place = { chainId: 1, second: 1n, blockNumber: 112, logIndex: 0, transactionHash: hashOf("post") };
    const adapterAddress = addressOf("adapter");
    await insertRows(engine, "price_adapter_change", [{ ...place, rwaId: hashOf("RWA"), adapterAddress }]);
    await insertRows(engine, "nav_post", [
      { ...place, adapterAddress, navWad: 10n ** 18n, poster: addressOf("poster") },
      // No answer shows it, because it is not an adapter of any RWA.
      { ...place, adapterAddress: addressOf("other"), navWad: 10n ** 18n, poster: addressOf("poster") },
    ]);
    const { transactionHash: _, ...ofEntry } = place;
    const change = { account: addressOf("account"), kind: "deposit", credits: 1n, yieldAmount: 0n };
    const entry = { ...ofEntry, ...change, ...NO_CREDITS };
    await insertRows(engine, "credit_entry", [
      { ...entry, delegateAddress: addressOf("lp") },
      // Any contract can emit the event. Answers show those of registered delegates.
      { ...entry, delegateAddress: addressOf("stranger") },
    ]);
    const { node } = emptyNode();
    expect(await auditBlock(targetOf(node), 112n)).toEqual({
      kind: "failed",
      differences: [
        `price_adapter_change ${hashOf("RWA")}/1/112/0 should not exist`,
        `nav_post ${adapterAddress}/1/112/0 should not exist`,
        `credit_entry ${addressOf("lp")}/${addressOf("account")}/1/112/0 should not exist`,
      ],
    });
    for (const name of ["price_adapter_change", "nav_post", "credit_entry"])
      await engine.execute(`DELETE FROM "${engine.schema}"."${name}"`);
    expect(await auditBlock(targetOf(node), 112n)).toEqual({ kind: "passed" });
  });

  it("fails also while another node does not answer, which refutes nothing", async () => {
    const [differing, dead] = [emptyNode(), emptyNode({ fails: () => true })];
    for (const nodes of [
      [differing, dead],
      [dead, differing],
    ]) {
      expect(await auditBlock(targetOf(...nodes.map(({ node }) => node)), 100n)).toMatchObject({ kind: "failed" });
    }
  });

  it("is compared with the next node while the first does not answer, and never fails because none does", async () => {
    const [sound, dead] = [emptyNode(), emptyNode({ fails: () => true })];
    expect(await auditBlock(targetOf(dead.node, sound.node), 112n)).toEqual({ kind: "passed" });
    expect(await auditBlock(targetOf(dead.node, dead.node), 100n)).toMatchObject({ kind: "unfinished" });
  });

  it("is not audited while it is not final", async () => {
    await setCheckpoint(engine, "mainnet", 99);
    const { node } = emptyNode();
    expect(await auditBlock(targetOf(node), 100n)).toEqual({ kind: "unfinished", reason: "block 100 is not final" });
  });

  it("never fails because every node serves another chain", async () => {
    const { node } = emptyNode({ chainId: 11_155_111 });
    expect(await auditBlock(targetOf(node), 100n)).toEqual({
      kind: "unfinished",
      reason: "the node does not serve chain 1",
    });
  });

  it("never fails because every node omits the transactions of a block", async () => {
    const { node } = emptyNode({ transactionsRoot: hashOf("root of some transactions") });
    expect(await auditBlock(targetOf(node), 100n)).toEqual({
      kind: "unfinished",
      reason: "block 100: its transactions differ from the transactions root of its header",
    });
  });

  const RECEIPTS_DIFFER = "its receipts differ from the receipts root of its header";
  it.each([
    ["an outcome", { status: "0x0" }, (number: number) => `block ${number}: ${RECEIPTS_DIFFER}`],
    [
      "a number",
      { gasUsed: "0x" },
      (number: number) => `block ${number}: a node's answer is malformed: expected receipts`,
    ],
  ])(
    "never fails because the only node gives the same wrong receipts again and again: %s",
    async (_, change, reason) => {
      const { block, receipts } = geth;
      const [first, ...others] = receipts;
      expect(first?.status).toBe("0x1");
      const wrong = [{ ...first, ...change }, ...others];
      const client = createPublicClient({
        transport: custom({
          request: async ({ method }: { method: string }) =>
            ({ eth_chainId: "0x1", eth_getBlockByNumber: block, eth_getBlockReceipts: wrong })[method],
        }),
      });
      const node = { client, pace: () => Promise.resolve() };
      const number = Number(block.number);
      expect(await auditBlock(targetOf(node), BigInt(number))).toEqual({ kind: "unfinished", reason: reason(number) });
    },
  );

  it("never fails because the only node names a sender that did not sign", async () => {
    const number = numberToHex(115);
    const { treasury } = networkOf(engine, "mainnet");
    const call = { abi: treasuryAbi, functionName: "addToWhitelist", args: [addressOf("holder")] } as const;
    const account = privateKeyToAccount(hashOf("key"));
    const signed = await signedTransaction(account, "0x0", {
      type: "legacy",
      nonce: 1,
      gas: 50_000n,
      gasPrice: 7n,
      to: treasury,
      value: 0n,
      data: encodeFunctionData(call),
    });
    const receipt = {
      transactionHash: signed.hash,
      status: "0x1",
      gasUsed: "0x5208",
      cumulativeGasUsed: "0x5208",
      effectiveGasPrice: "0x7",
      logsBloom: EMPTY_BLOOM,
      logs: [],
    };
    const transactionsRoot = merkleRoot([encodeTransaction(signed)]);
    const receiptsRoot = merkleRoot([encodeReceipt(receipt, signed)]);
    const roots = { parentHash: hashOf("parent"), transactionsRoot, receiptsRoot };
    const header = { ...roots, number, timestamp: "0x1", gasUsed: receipt.gasUsed, logsBloom: EMPTY_BLOOM };
    const hash = bytesToHex(keccak(encodeHeader(header)));
    const place = { blockHash: hash, blockNumber: number, transactionIndex: "0x0" };
    const nodeNaming = (from: unknown) => {
      const answers: Record<string, unknown> = {
        eth_chainId: "0x1",
        eth_getBlockByNumber: { ...header, hash, transactions: [{ ...signed, ...place, from }] },
        eth_getBlockReceipts: [{ ...receipt, ...place, from }],
      };
      const client = createPublicClient({ transport: custom({ request: async ({ method }) => answers[method] }) });
      return { client, pace: () => Promise.resolve() };
    };
    expect(await auditBlock(targetOf(nodeNaming(signed.from)), 115n)).toMatchObject({ kind: "failed" });
    expect(await auditBlock(targetOf(nodeNaming(addressOf("other"))), 115n)).toEqual({
      kind: "unfinished",
      reason: `block 115: transaction ${signed.hash} has a sender that did not sign it`,
    });
  });
});

describe("in the background", () => {
  const open = (node: AuditNode, before: LastAudit | null = null, newest = () => 120n) => {
    const warnings: string[] = [];
    let at = 0;
    const audit = createBackgroundAudit({
      target: targetOf(node),
      finalNumber: async () => newest(),
      before,
      now: () => NOW,
      logWarning: (message) => warnings.push(message),
      clock: () => at,
    });
    const pass = (ms: number) => {
      at += ms;
    };
    return { audit, warnings, pass };
  };

  it.each(["passed", "failed"] as const)("when switched off, keeps of the run before what failed: %s", (result) => {
    const difference = result === "failed" ? "a row is missing" : null;
    const before: LastAudit = { fromBlock: 1n, toBlock: 9n, finishedAt: NOW, result, difference };
    const lastAudit = startAudit({
      database: engine.database,
      networks: [{ network: networkOf(engine, "mainnet"), rpcUrls: [], before }],
      requestsPerMinute: 0,
      now: () => NOW,
      logWarning: () => {},
    });
    // The age of an audit that passed would grow for ever.
    expect(lastAudit(1)).toEqual(result === "failed" ? before : null);
  });

  it.each([
    [1, 120n, 10_000],
    [1, 1_120n, 2_000],
    [300, 1_120n, 6_000],
    [30_000, 1_120n, 60_000],
  ])(
    "compares rows with each other at most a twentieth of the time: %i ms below block %i, then a pause of %i ms",
    async (took, newest, pause) => {
      let at = 0;
      const target = targetOf(emptyNode().node);
      const audit = createBackgroundAudit({
        target: {
          ...target,
          readConsistency: (fromBlock, toBlock) => {
            at += took;
            return target.readConsistency(fromBlock, toBlock);
          },
        },
        finalNumber: async () => newest,
        before: null,
        now: () => NOW,
        logWarning: () => {},
        clock: () => at,
      });
      expect(await audit.compareNext()).toBe(pause);
    },
  );

  it("audits each new final block first, then earlier ones, and starts again when all are done", async () => {
    const { node, asked } = emptyNode();
    let newest = 113n;
    const target = { ...targetOf(node), network: { ...networkOf(engine, "mainnet"), startBlock: 111n } };
    const audit = createBackgroundAudit({
      target,
      finalNumber: async () => newest,
      before: null,
      now: () => NOW,
      logWarning: () => {},
    });
    expect(audit.current()).toBeNull();
    await audit.auditNext();
    await audit.auditNext();
    newest = 114n;
    for (let count = 0; count < 3; count += 1) await audit.auditNext();
    expect(asked).toEqual([113n, 112n, 114n, 111n, 114n]);
    expect(audit.current()).toMatchObject({ fromBlock: 114n, toBlock: 114n, result: "passed", finishedAt: NOW });
  });

  it("keeps a failure until its block passes, even one from the previous process", async () => {
    const { node } = emptyNode();
    const before = {
      fromBlock: 100n,
      toBlock: 100n,
      finishedAt: NOW - 60n,
      result: "failed",
      difference: "x",
    } as const;
    const { audit, warnings, pass } = open(node, before);
    expect(audit.current()).toEqual(before);
    await audit.auditNext();
    // The rows of the block still differ from those of the node.
    expect(audit.current()).toMatchObject({ fromBlock: 100n, result: "failed" });
    expect(audit.current()?.difference).toContain("100/");

    pass(60_000);
    await audit.auditNext();
    expect(warnings.filter((line) => line.includes("pass the audit again"))).toEqual([]);
    expect(audit.current()).toMatchObject({ fromBlock: 100n, result: "failed" });
  });

  it("keeps the time of the last comparison with the chain while no node answers", async () => {
    const { node } = emptyNode({ fails: () => true });
    const before = {
      fromBlock: 120n,
      toBlock: 120n,
      finishedAt: NOW - 3_600n,
      result: "passed",
      difference: null,
    } as const;
    const { audit } = open(node, before);
    await audit.auditNext();
    await audit.compareNext();
    expect(audit.current()).toMatchObject({ result: "passed", finishedAt: NOW - 3_600n });
  });

  it("grows old while the values in force are not compared, although blocks are", async () => {
    const { node } = emptyNode();
    let now = NOW;
    const target = { ...targetOf(node), network: { ...networkOf(engine, "mainnet"), startBlock: 111n } };
    const options = { target, finalNumber: async () => 120n, before: null, logWarning: () => {} };
    const audit = createBackgroundAudit({ ...options, now: () => now });
    await audit.auditCurrent();
    now += 600n;
    await audit.auditNext();
    expect(audit.current()).toMatchObject({ result: "passed", finishedAt: NOW });
  });

  describe("while a node has the receipts of one block no more", () => {
    const PRUNED = 112n;
    const openPruned = () => {
      let now = NOW;
      let newest = 114n;
      let asked: bigint | undefined;
      let isAway = false;
      const pruning = emptyNode({ fails: () => isAway || pruning.asked.at(-1) === asked });
      asked = PRUNED;
      const warnings: string[] = [];
      const target = { ...targetOf(pruning.node), network: { ...networkOf(engine, "mainnet"), startBlock: 111n } };
      const audit = createBackgroundAudit({
        target,
        finalNumber: async () => newest,
        before: null,
        now: () => now,
        logWarning: (message) => warnings.push(message),
      });
      return {
        audit,
        warnings,
        fail: () => {
          isAway = true;
        },
        restore: () => {
          asked = undefined;
        },
        /** Audits what is due at a new final block, some seconds later. */
        async pass(seconds: bigint, blocks = 1n) {
          now += seconds;
          newest += blocks;
          await audit.auditNext();
          await audit.auditNext();
        },
      };
    };

    it("grows old although new blocks are compared, and logs that once", async () => {
      const { audit, warnings, pass, restore } = openPruned();
      for (let count = 0; count < 3; count += 1) await audit.auditNext();
      for (let block = 0; block < 5; block += 1) await pass(12n);
      expect(audit.current()).toMatchObject({ result: "passed", toBlock: 119n, finishedAt: NOW });
      expect(warnings).toEqual([expect.stringMatching(/^mainnet: the audit of block 112 waits: /)]);
      restore();
      await pass(12n);
      expect(audit.current()).toMatchObject({ fromBlock: 112n, toBlock: 120n, finishedAt: NOW + 72n });
    });

    it("logs that no block can be compared any more, too", async () => {
      const { warnings, pass, audit, fail } = openPruned();
      for (let count = 0; count < 3; count += 1) await audit.auditNext();
      await pass(12n);
      fail();
      await pass(12n);
      await pass(12n);
      expect(warnings).toEqual([
        expect.stringMatching(/^mainnet: the audit of block 112 waits: /),
        expect.stringMatching(/^mainnet: the audit of block 116 waits: /),
      ]);
    });

    it("begins anew when it skips to the newest block, as after a time without a node", async () => {
      await setCheckpoint(engine, "mainnet", 1_000);
      const { audit, pass } = openPruned();
      for (let count = 0; count < 3; count += 1) await audit.auditNext();
      await pass(2_000n, 200n);
      expect(audit.current()).toMatchObject({ fromBlock: 313n, toBlock: 314n, finishedAt: NOW + 2_000n });
    });
  });

  it("grows old while the database refuses the rows of one block, although new blocks are compared", async () => {
    let now = NOW;
    let newest = 114n;
    const whole = targetOf(emptyNode().node);
    const target: AuditTarget = {
      ...whole,
      network: { ...whole.network, startBlock: 111n },
      readStoredBlock: async (block, expected) => {
        if (block === 112n) throw new Error("missing chunk number 0 for toast value");
        return whole.readStoredBlock(block, expected);
      },
    };
    const options = { target, finalNumber: async () => newest, before: null, logWarning: () => {} };
    const audit = createBackgroundAudit({ ...options, now: () => now });
    for (let count = 0; count < 2; count += 1) await audit.auditNext();
    for (let count = 0; count < 5; count += 1) {
      await expect(audit.auditNext()).rejects.toThrow("missing chunk");
      now += 12n;
      newest += 1n;
      await audit.auditNext();
    }
    expect(audit.current()).toMatchObject({ result: "passed", toBlock: 119n, finishedAt: NOW });
  });

  it("does not begin anew with each new block while no node answers", async () => {
    await setCheckpoint(engine, "mainnet", 1_000);
    let now = NOW;
    let newest = 114n;
    let isAway = true;
    const { node } = emptyNode({ fails: () => isAway });
    const target = { ...targetOf(node), network: { ...networkOf(engine, "mainnet"), startBlock: 111n } };
    const before = { fromBlock: 113n, toBlock: 113n, finishedAt: NOW, result: "passed", difference: null } as const;
    const audit = createBackgroundAudit({
      target,
      finalNumber: async () => newest,
      before,
      now: () => now,
      logWarning: () => {},
    });
    for (let count = 0; count < 3; count += 1) {
      now += 600n;
      newest += 50n;
      await audit.auditNext();
      expect(audit.current()).toMatchObject({ finishedAt: NOW });
    }
    isAway = false;
    newest += 1n;
    await audit.auditNext();
    expect(audit.current()).toMatchObject({ finishedAt: now });
  });

  it("grows old while the database refuses to compare rows", async () => {
    const { node } = emptyNode();
    let now = NOW;
    let isRefused = true;
    const target = targetOf(node);
    const readConsistency: typeof target.readConsistency = (...range) =>
      isRefused
        ? Promise.reject(new Error("canceling statement due to statement timeout"))
        : target.readConsistency(...range);
    const options = { finalNumber: async () => 120n, before: null, logWarning: () => {} };
    const audit = createBackgroundAudit({ ...options, target: { ...target, readConsistency }, now: () => now });
    await expect(audit.compareNext()).rejects.toThrow("timeout");
    now += 600n;
    isRefused = false;
    await audit.auditNext();
    expect(audit.current()).toMatchObject({ result: "passed", finishedAt: NOW });
    await audit.compareNext();
    expect(audit.current()).toMatchObject({ result: "passed", finishedAt: NOW + 600n });
  });

  it("forgets a failure when its block passes", async () => {
    const { node } = emptyNode();
    const before = {
      fromBlock: 112n,
      toBlock: 112n,
      finishedAt: NOW - 60n,
      result: "failed",
      difference: "x",
    } as const;
    const { audit, warnings } = open(node, before);
    await audit.auditNext();
    expect(warnings).toEqual(["mainnet: blocks 112 to 112 pass the audit again"]);
    // The rows in force may be what failed: see `auditCurrent.test.ts`.
    expect(audit.current()?.result).toBe("failed");
  });

  it("names the one block of a range whose rows disagree", async () => {
    const swaps = `"${engine.schema}".swap`;
    await engine.execute(`CREATE TABLE kept AS SELECT * FROM ${swaps} WHERE block_number = 104`);
    await engine.execute(`DELETE FROM ${swaps} WHERE block_number = 104`);
    const { node } = emptyNode();
    const { audit, warnings } = open(node);
    await audit.compareNext();
    expect(audit.current()).toMatchObject({ fromBlock: 104n, toBlock: 104n, result: "failed" });
    expect(warnings).toEqual([expect.stringContaining("mainnet: the index is damaged. Blocks 104 to 104")]);
    await engine.execute(`INSERT INTO ${swaps} SELECT * FROM kept; DROP TABLE kept`);
  });

  it("reports once that it waits for a node, and continues with the same block", async () => {
    let isAway = true;
    const { node, asked } = emptyNode({ fails: () => isAway });
    const { audit, warnings } = open(node);
    await audit.auditNext();
    // Consistent rows prove nothing about the chain.
    await audit.compareNext();
    await audit.auditNext();
    expect(audit.current()).toBeNull();
    expect(warnings).toEqual([expect.stringContaining("the audit of block 120 waits")]);
    isAway = false;
    await audit.auditNext();
    expect(asked.every((block) => block === 120n)).toBe(true);
    expect(audit.current()).toMatchObject({ fromBlock: 120n, toBlock: 120n, result: "passed" });
  });
});
