/**
 * The audit of the rows in force, with generated rows and with nodes that fail in ways that no real node does on
 * demand.
 */
import { createPublicClient, custom, encodeFunctionResult, type Hex, multicall3Abi, numberToHex, pad } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EMPTY_BLOOM } from "../../config/rpc/bloom.ts";
import { auditTarget } from "../../src/api/audit/auditor.ts";
import { createBackgroundAudit } from "../../src/api/audit/background.ts";
import type { AuditNode } from "../../src/api/audit/chain.ts";
import { auditCurrent } from "../../src/api/audit/currentAudit.ts";
import { currentRowsReader, namedRowsReader } from "../../src/api/audit/currentRows.ts";
import { CREDIT_TOTALS, gainOf } from "../../src/api/audit/currentTables.ts";
import { insertRows, NO_CREDITS, openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { addressOf, hashOf, NOW, networkOf } from "./support/world.ts";

const FINAL = 120;
const NOT_OF_A_BLOCK = "9".repeat(75);

/** What a row adds to each running sum of credits, as it is read. */
const gains = (added: Partial<Record<(typeof CREDIT_TOTALS)[number], string>>) =>
  Object.fromEntries(CREDIT_TOTALS.map((total) => [gainOf(total), added[total] ?? "0"]));

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("audit_current_test");
  const delegate = { chainId: 1, delegateAddress: addressOf("lp") };
  await insertRows(engine, "stablecoin", [
    {
      ...{ chainId: 1, stablecoinId: hashOf("USDC"), tokenAddress: addressOf("USDC"), decimals: 6 },
      ...{ delegateAddress: addressOf("lp"), accepted: true, yieldBearing: true },
    },
  ]);
  await insertRows(
    engine,
    "rate_start",
    [addressOf("lp"), addressOf("stranger")].map((delegateAddress) => ({
      chainId: 1,
      delegateAddress,
      firstRateDay: 7n,
    })),
  );
  await insertRows(engine, "credited_account", [{ ...delegate, ...NO_CREDITS, account: addressOf("holder") }]);
});
afterAll(() => engine.close());
beforeEach(async () => {
  await setCheckpoint(engine, "mainnet", FINAL);
  await setCheckpoint(engine, "sepolia", FINAL);
  await engine.execute(`DELETE FROM "${engine.schema}"._reorg__rate_start`);
});

function checkpointOf(block: number): string {
  return "0".repeat(26) + String(block).padStart(16, "0") + "0".repeat(33);
}

describe("rows in force", () => {
  const read = async () => {
    const { rows, finalNumber } = await currentRowsReader(engine.database, networkOf(engine, "mainnet"))();
    expect(finalNumber).toBe(BigInt(FINAL));
    return rows.map(({ table, key, isChanged }) => [table, key[0], isChanged]);
  };

  it("are those that answers show", async () => {
    expect(await read()).toEqual([
      ["stablecoin", hashOf("USDC"), false],
      ["rate_start", addressOf("lp"), false],
    ]);
  });

  it.each([
    ["a block that is not final", checkpointOf(FINAL + 1), 1, true],
    ["a block that is final", checkpointOf(FINAL), 1, false],
    ["nobody's block", NOT_OF_A_BLOCK, 1, false],
    ["another network's block", checkpointOf(FINAL + 1), 11155111, false],
  ])("are recognized as changed, or not, by %s", async (_what, checkpoint, chainId, isChanged) => {
    await engine.execute(`INSERT INTO "${engine.schema}"._reorg__rate_start
      (chain_id, delegate_address, first_rate_day, operation, checkpoint)
      VALUES (${chainId}, '${addressOf("lp")}', 6, 1, '${checkpoint}')`);
    expect((await read()).at(-1)).toEqual(["rate_start", addressOf("lp"), isChanged]);
  });

  it("are found by key, except those of unregistered contracts", async () => {
    const readNamed = namedRowsReader(engine.database, networkOf(engine, "mainnet"));
    const named = (table: "rate_start" | "credited_account", ...key: string[]) => ({ table, key, columns: null });
    const found = await readNamed([
      named("rate_start", addressOf("lp")),
      named("rate_start", addressOf("stranger")),
      named("credited_account", addressOf("lp"), addressOf("holder")),
      named("credited_account", addressOf("lp"), addressOf("nobody")),
    ]);
    expect(found.map(({ key, columns }) => [key.at(-1), columns])).toEqual([
      [addressOf("lp"), { first_rate_day: "7" }],
      [addressOf("holder"), gains({})],
      [addressOf("nobody"), null],
    ]);
  });
});

describe("the running sums of credits", () => {
  const account = { chainId: 1, delegateAddress: addressOf("lp"), account: addressOf("depositor") };
  const place = { second: 500n, blockNumber: 50, logIndex: 3 };
  const entries = [
    { ...place, kind: "deposit", credits: 70n, yieldAmount: 0n, totals: { depositedTotal: 70n } },
    // In the same block, so that only the log tells which comes first.
    {
      ...{ ...place, logIndex: 4, kind: "redemption", credits: 30n, yieldAmount: 2n },
      totals: { depositedTotal: 70n, redeemedTotal: 30n, yieldClaimedTotal: 2n },
    },
    {
      ...{ ...place, second: 600n, blockNumber: 60, kind: "movedOut", credits: 5n, yieldAmount: 0n },
      totals: { depositedTotal: 70n, redeemedTotal: 30n, yieldClaimedTotal: 2n, movedOutTotal: 5n },
    },
  ];
  const keyOf = ({ second, blockNumber, logIndex }: typeof place) =>
    [account.delegateAddress, account.account, second, blockNumber, logIndex].map(String);
  const found = async () => {
    const rows = await namedRowsReader(
      engine.database,
      networkOf(engine, "mainnet"),
    )([
      { table: "credited_account", key: [account.delegateAddress, account.account], columns: null },
      ...entries.map((entry) => ({ table: "credit_entry" as const, key: keyOf(entry), columns: null })),
    ]);
    return new Map(rows.map(({ key, columns }) => [key.slice(2).join("/"), columns]));
  };

  beforeAll(async () => {
    const rows = entries.map(({ totals, ...entry }) => ({ ...account, ...entry, ...NO_CREDITS, ...totals }));
    await insertRows(engine, "credit_entry", rows);
    await insertRows(engine, "credited_account", [{ ...account, ...NO_CREDITS, ...entries.at(-1)?.totals }]);
  });

  it("are read as what each entry adds, and the account to its newest entry", async () => {
    const columns = await found();
    expect(columns.get("")).toEqual(gains({}));
    expect(columns.get("500/50/3")).toMatchObject(gains({ deposited_total: "70" }));
    expect(columns.get("500/50/4")).toMatchObject(gains({ redeemed_total: "30", yield_claimed_total: "2" }));
    expect(columns.get("600/60/3")).toMatchObject(gains({ moved_out_total: "5" }));
  });

  it.each(["deposited", "redeemed", "yield_claimed", "moved_in", "moved_out"])("show an error in %s", async (name) => {
    const total = `${name}_total`;
    const change = async (table: string, by: number, where: string) =>
      engine.execute(`UPDATE "${engine.schema}".${table} SET ${total} = ${total} + ${by}
        WHERE account = '${account.account}' AND ${where}`);
    const before = await found();
    await change("credit_entry", 1, "block_number = 60");
    const wrongEntry = await found();
    expect(BigInt(wrongEntry.get("600/60/3")?.[gainOf(total)] ?? 0)).toBe(
      BigInt(before.get("600/60/3")?.[gainOf(total)] ?? 0) + 1n,
    );
    expect(wrongEntry.get("")?.[gainOf(total)]).toBe("-1");
    await change("credit_entry", -1, "block_number = 60");
    await change("credited_account", 7, "true");
    expect((await found()).get("")?.[gainOf(total)]).toBe("7");
    await change("credited_account", -7, "true");
    expect(await found()).toEqual(before);
  });
});

/** A node whose views answer a number. By default it has the two views of the settings. It counts the calls. */
function nodeOf(answer: bigint, fails = () => false, chainId = 11_155_111, viewCount = 2) {
  const calls: unknown[] = [];
  const client = createPublicClient({
    transport: custom(
      {
        request: async ({ method, params }: { method: string; params: readonly unknown[] }) => {
          if (fails()) throw new Error("no answer");
          if (method === "eth_chainId") return numberToHex(chainId);
          if (method === "eth_getBlockByNumber") {
            const parts = { parentHash: hashOf("parent"), timestamp: "0x1", gasUsed: "0x0", logsBloom: EMPTY_BLOOM };
            return { ...parts, number: params[0], hash: hashOf(String(params[0])) };
          }
          calls.push(params[1]);
          const returnData = pad(numberToHex(answer), { size: 32 });
          return encodeFunctionResult({
            abi: multicall3Abi,
            functionName: "aggregate3",
            result: Array.from({ length: viewCount }, () => ({ success: true, returnData: returnData as Hex })),
          });
        },
      },
      { retryCount: 0 },
    ),
  });
  return { calls, node: { client, pace: () => Promise.resolve() } satisfies AuditNode };
}

const targetOf = (...nodes: AuditNode[]) =>
  auditTarget({ database: engine.database, network: networkOf(engine, "sepolia"), nodes });

describe("the rows in force against nodes", () => {
  it("are compared at the newest final block, by its hash", async () => {
    const { node, calls } = nodeOf(0n);
    expect(await auditCurrent(targetOf(node))).toEqual({
      ...{ kind: "compared", blockNumber: BigInt(FINAL), differences: [], notCompared: [], pending: [] },
    });
    expect(calls).toEqual([{ blockHash: hashOf(numberToHex(FINAL)), requireCanonical: true }]);
  });

  it("never fail because every node serves another chain", async () => {
    const { node } = nodeOf(1n, () => false, 1);
    expect(await auditCurrent(targetOf(node))).toEqual({
      kind: "unfinished",
      reason: "the node does not serve chain 11155111",
    });
  });

  it("fail when the node shows the difference twice, and the next node does too", async () => {
    const [first, next, sound] = [nodeOf(1n), nodeOf(1n), nodeOf(0n)];
    const differences = [
      "protocol_settings: spread_protocol_take_rate_wad is null, should be 1",
      "protocol_settings: paused is null, should be true",
    ];
    expect(await auditCurrent(targetOf(first.node, next.node))).toMatchObject({ differences });
    expect([first.calls.length, next.calls.length]).toEqual([2, 1]);
    expect(await auditCurrent(targetOf(first.node, sound.node))).toMatchObject({ differences: [] });
  });

  it("fail when the key of a row is malformed", async () => {
    const rwaId = "0x12";
    await insertRows(engine, "rwa", [{ chainId: 11_155_111, rwaId, tokenAddress: addressOf("token"), accepted: true }]);
    const { node } = nodeOf(0n, () => false, 11_155_111, 5);
    const outcome = await auditCurrent(targetOf(node));
    await engine.execute(`DELETE FROM "${engine.schema}".rwa WHERE rwa_id = '${rwaId}'`);
    expect(outcome).toMatchObject({
      kind: "compared",
      differences: expect.arrayContaining([`rwa ${rwaId} should not exist: rwaInfo() takes no such key`]),
    });
  });

  it("fail also while another node does not answer, and never because none does, or nothing is final", async () => {
    const [dead, differing] = [nodeOf(0n, () => true), nodeOf(1n)];
    for (const nodes of [
      [dead.node, differing.node],
      [differing.node, dead.node],
    ]) {
      const outcome = await auditCurrent(targetOf(...nodes));
      expect(outcome.kind === "compared" && outcome.differences).toHaveLength(2);
    }
    expect(await auditCurrent(targetOf(dead.node))).toMatchObject({ kind: "unfinished" });
    await engine.execute(`DELETE FROM "${engine.schema}"._ponder_checkpoint`);
    expect(await auditCurrent(targetOf(differing.node))).toEqual({ kind: "unfinished", reason: "no block is final" });
  });
});

describe("in the background", () => {
  it("a failure of the previous process remains until the rows in force pass too", async () => {
    let answer = 1n;
    const warnings: string[] = [];
    const { node } = nodeOf(0n);
    const audit = createBackgroundAudit({
      target: {
        ...targetOf(),
        get nodes() {
          return [answer === 0n ? node : nodeOf(answer).node];
        },
      },
      finalNumber: async () => BigInt(FINAL),
      before: { fromBlock: 110n, toBlock: 110n, finishedAt: NOW - 60n, result: "failed", difference: "x" },
      now: () => NOW,
      logWarning: (message) => warnings.push(message),
    });
    expect(await audit.auditCurrent()).toBe(5_000);
    expect(audit.current()).toMatchObject({ result: "failed" });
    answer = 0n;
    await audit.auditCurrent();
    expect(warnings).toEqual(["sepolia: the values in force pass the audit again"]);
    // The block has not passed yet.
    expect(audit.current()).toMatchObject({ fromBlock: 110n, result: "failed", difference: "x" });
    answer = 1n;
    await audit.auditCurrent();
    expect(warnings[1]).toMatch(/^sepolia: the index is damaged\. Values in force fail the audit at block 120: /);
  });
});
