import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/api/shared/database.ts";
import { decodeCursor } from "../../src/api/transactions/cursor.ts";
import type { HistoryTransaction } from "../../src/api/transactions/schema.ts";
import { parseCsv } from "../support/csv.ts";
import { rollBack } from "./support/changes.ts";
import { checkedRequest } from "./support/checked.ts";
import { expectRows } from "./support/csvRows.ts";
import { endlessHistory } from "./support/endless.ts";
import { openEngine, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { madeHistory } from "./support/history.ts";
import { listen } from "./support/listening.ts";
import { addressOf, appOver, insertHistory, walletsOf } from "./support/world.ts";

/** More transactions than two pages of a file hold. */
const HISTORY = madeHistory(2_345);
const NEWEST_BLOCK = Number(HISTORY[0]?.inclusion.blockNumber);
const FINAL_BLOCK = NEWEST_BLOCK - 7;
const FINAL = HISTORY.filter(({ inclusion }) => Number(inclusion.blockNumber) <= FINAL_BLOCK);

let engine: TestEngine;
let api: ReturnType<typeof appOver>;
beforeAll(async () => {
  engine = await openEngine("csv_test");
  await insertHistory(engine, 1, HISTORY);
  await setCheckpoint(engine, "mainnet", FINAL_BLOCK);
});
afterAll(() => engine.close());

async function file(query: Record<string, string> = {}) {
  api = appOver(engine);
  const path = `/v1/transactions.csv?${new URLSearchParams({ network: "evm-mainnet", ...query })}`;
  const { response, body } = await checkedRequest(api, path);
  expect(api.errors).toEqual([]);
  expect(response.status).toBe(200);
  return { headers: response.headers, text: body as string, ...parseCsv(body as string) };
}

describe("transactions.csv", () => {
  it("contains every final transaction once, in order, over several pages", async () => {
    const { headers, rows } = await file();
    expectRows(rows, FINAL);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toBe('attachment; filename="transactions-evm-mainnet.csv"');
    expect(headers.get("indexed-through-block")).toBe(String(FINAL_BLOCK));
  });

  it.each([
    ["wallet", addressOf("alice"), (item: HistoryTransaction) => walletsOf(item).includes(addressOf("alice"))],
    ["outcome", "revert", (item: HistoryTransaction) => item.receipt.outcome === "revert"],
    ["activity", "allowlist", (item: HistoryTransaction) => item.activities.some(({ type }) => type === "allowlist")],
    ["entrypoint", "swap", (item: HistoryTransaction) => item.directCall?.entrypoint === "swap"],
    ["transactionHash", FINAL[3]?.transactionHash ?? "", (item: HistoryTransaction) => item === FINAL[3]],
    ["transactionHash", HISTORY[0]?.transactionHash ?? "", () => false],
  ])("%s=%s filters as in the JSON history", async (name, value, keep) => {
    expectRows((await file({ [name]: value })).rows, FINAL.filter(keep));
  });

  it("has only the header row when nothing is final", async () => {
    const { text, headers } = await file({ network: "evm-sepolia" });
    expect(text).toBe(`${(await file()).text.split("\r\n", 1)[0]}\r\n`);
    expect(headers.get("indexed-through-block")).toBeNull();
  });

  it("continues from a cursor of the JSON history", async () => {
    const page = (await (
      await appOver(engine).app.request("/v1/transactions?network=evm-mainnet&limit=100")
    ).json()) as {
      nextCursor: string;
    };
    expectRows((await file({ cursor: page.nextCursor })).rows, HISTORY.slice(100));
  });

  it("ends every row with CRLF, has a field for each column and no field that needs quotes", async () => {
    const { text, columns } = await file();
    expect(text.endsWith("\r\n")).toBe(true);
    const lines = text.slice(0, -2).split("\r\n");
    expect(new Set(lines.map((line) => line.split(",").length))).toEqual(new Set([columns.length]));
    expect(text).not.toMatch(/"|[^\r]\n|\r[^\n]/);
  });

  it("is 304 until more is final", async () => {
    const { headers } = await file();
    const condition = { headers: { "If-None-Match": headers.get("etag") ?? "" } };
    const path = "/v1/transactions.csv?network=evm-mainnet";
    expect((await checkedRequest(api, path, condition)).response.status).toBe(304);
    await setCheckpoint(engine, "mainnet", NEWEST_BLOCK);
    const after = await checkedRequest(api, path, condition);
    await setCheckpoint(engine, "mainnet", FINAL_BLOCK);
    expect(after.response.status).toBe(200);
    expectRows(parseCsv(after.body as string).rows, HISTORY);
  });

  it("reads pages of 100 with one statement each, and only as far as the client reads", async () => {
    const names: string[] = [];
    const counting = {
      query: (statement: Parameters<TestEngine["database"]["query"]>[0]) => {
        // Removes the suffix that makes the name unique.
        names.push(statement.name.replace(/(_[0-9a-z]+){2}$/, ""));
        return engine.database.query(statement);
      },
    };
    const request = () =>
      appOver(engine, { database: counting }).app.request("/v1/transactions.csv?network=evm-mainnet");
    await (await request()).text();
    const page = "api_transactions_by_filter_mainnet";
    expect(names).toEqual(["api_state_mainnet", ...Array(Math.ceil(FINAL.length / 100)).fill(page)]);

    names.length = 0;
    const reader = (await request()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(names).toEqual(["api_state_mainnet", page]);
  });

  it("ends at 100,000 transactions, where the last row has the cursor to continue from", {
    timeout: 120_000,
  }, async () => {
    const [example] = FINAL;
    if (example === undefined) throw new Error("no example");
    const { database: endless } = endlessHistory(example);
    const endlessApi = appOver(engine, { database: endless });
    const text = await (await endlessApi.app.request("/v1/transactions.csv?network=evm-mainnet")).text();
    const { rows } = parseCsv(text);
    const blocks = rows.map(({ blockNumber }) => Number(blockNumber));
    expect(new Set(blocks).size).toBe(100_000);
    expect(rows.slice(0, -1).every(({ nextCursor }) => nextCursor === "")).toBe(true);
    const cursor = rows.at(-1)?.nextCursor ?? "";
    expect(decodeCursor([["network", "evm-mainnet"]], cursor)).toEqual({
      blockNumber: BigInt(blocks.at(-1) ?? 0),
      transactionIndex: 0,
    });
    const next = await endlessApi.app.request(`/v1/transactions.csv?network=evm-mainnet&cursor=${cursor}`);
    const reader = next.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(parseCsv(first).rows[0]?.blockNumber).toBe(String((blocks.at(-1) ?? 0) - 1));
  });

  describe("when another index takes the place of the one that is read", () => {
    const PATH = "/v1/transactions.csv?network=evm-mainnet";
    const REPAIRED = HISTORY.map((item) => ({ ...item, receipt: { ...item.receipt, gasUsed: "1" } }));
    let repaired: TestEngine;
    beforeAll(async () => {
      repaired = await openEngine("csv_test_r1");
      await insertHistory(repaired, 1, REPAIRED);
      await setCheckpoint(repaired, "mainnet", FINAL_BLOCK);
    });
    afterAll(() => repaired.close());

    /** Reads the first index for a number of statements, and then the repaired one. */
    function switchingAfter(statements: number): { readonly database: Database; switchNow(): void } {
      let left = statements;
      // The tables are found in the schema of each database, as views with the same name show one or the other.
      const { database } = repaired;
      return {
        database: {
          query: (statement) => {
            left -= 1;
            return left >= 0
              ? engine.database.query(statement)
              : database.query({ ...statement, text: statement.text.replaceAll(engine.schema, repaired.schema) });
          },
        },
        switchNow: () => {
          left = 0;
        },
      };
    }

    it("has another tag, so that no client keeps a file that the new index corrects", async () => {
      const { database, switchNow } = switchingAfter(Number.POSITIVE_INFINITY);
      const { app } = appOver(engine, { database });
      const before = await app.request(PATH);
      await before.text();
      const condition = { headers: { "If-None-Match": before.headers.get("etag") ?? "" } };
      expect((await app.request(PATH, condition)).status).toBe(304);
      switchNow();
      const after = await app.request(PATH, condition);
      expect(after.status).toBe(200);
      expectRows(parseCsv(await after.text()).rows, REPAIRED.slice(HISTORY.length - FINAL.length));
    });

    it("breaks off a file between two pages, and is a 500 before the first page", async () => {
      const broken = appOver(engine, { database: switchingAfter(3).database });
      const listening = await listen(broken);
      const response = await fetch(`${listening.baseUrl}${PATH}`);
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow("terminated");
      expect(broken.errors.map(String)).toEqual([expect.stringContaining("another index replaced the one")]);
      await listening.close();

      const failing = appOver(engine, { database: switchingAfter(1).database });
      expect((await checkedRequest(failing, PATH)).response.status).toBe(500);
      expect(failing.errors.map(String)).toEqual(broken.errors.map(String));
    });
  });

  it("is a 500 when its rows come from a server that is behind the one that named the last final block", async () => {
    const other = await openEngine("csv_behind_test");
    await insertHistory(other, 1, HISTORY);
    await setCheckpoint(other, "mainnet", FINAL_BLOCK);
    const fallBack = async (blocks: number) => {
      await rollBack(other, FINAL_BLOCK - blocks + 1);
      await setCheckpoint(other, "mainnet", FINAL_BLOCK - blocks);
    };
    const failingOver: Database = {
      query: async (statement) => {
        if (statement.name.includes("transactions")) await fallBack(3);
        return other.database.query(statement);
      },
    };
    const behind = appOver(other, { database: failingOver });
    expect((await checkedRequest(behind, "/v1/transactions.csv?network=evm-mainnet")).response.status).toBe(500);
    expect(behind.errors.map(String)).toEqual([expect.stringContaining("is behind the one")]);
    await other.close();
  });

  it("is aborted and logged when a later page fails, and is a 500 when the first page fails", async () => {
    for (const failing of [2, 1]) {
      let page = 0;
      const failingLater = {
        query: (statement: Parameters<TestEngine["database"]["query"]>[0]) => {
          if (statement.name.includes("transactions") && ++page === failing) throw new Error("gone");
          return engine.database.query(statement);
        },
      };
      const broken = appOver(engine, { database: failingLater });
      const response = await broken.app.request("/v1/transactions.csv?network=evm-mainnet");
      if (failing === 1) expect(response.status).toBe(500);
      else await expect(response.text()).rejects.toThrow("gone");
      expect(broken.errors).toHaveLength(1);
    }
  });
});
