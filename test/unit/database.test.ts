import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type DatabaseClient, databaseOf, prepared } from "../../src/api/shared/database.ts";

const STATEMENT = { name: "one", text: "SELECT 1", values: [] };

/** A client that fails with the given SQLSTATEs in turn and then answers. */
function failing(...codes: readonly string[]) {
  const calls: unknown[] = [];
  const left = [...codes];
  const client = {
    query: async (statement: unknown) => {
      calls.push(statement);
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new Error(`SQLSTATE ${code}`), { code });
      return { rows: [{ answer: 1 }] };
    },
  };
  return { calls, database: databaseOf(client as unknown as DatabaseClient) };
}

describe("databaseOf", () => {
  it("passes PostgreSQL a statement under its name", async () => {
    const { calls, database } = failing();
    expect(await database.query(STATEMENT)).toEqual([{ answer: 1 }]);
    expect(calls).toEqual([STATEMENT]);
  });

  it("takes the rows out of the driver's result, which outlives them", async () => {
    const rows = [{ answer: 1 }];
    const database = databaseOf({ query: async () => ({ rows }) } as unknown as DatabaseClient);
    expect(await database.query(STATEMENT)).toEqual([{ answer: 1 }]);
    expect(rows).toEqual([]);
  });

  it("rethrows an error unchanged and at once", async () => {
    const { calls, database } = failing("55P03");
    await expect(database.query(STATEMENT)).rejects.toThrow("55P03");
    expect(calls).toHaveLength(1);
  });
});

describe("prepared", () => {
  it("gives every text its own name, within the length that PostgreSQL keeps", () => {
    const one = prepared("x".repeat(45), "SELECT 1");
    const other = prepared("x".repeat(45), "SELECT 2");
    expect(one.text).toBe("SELECT 1");
    expect(one.name).not.toBe(other.name);
    for (const { name } of [one, other]) expect(name.length).toBeLessThanOrEqual(63);
  });

  it("gives texts different names after a reload of the module, and in another process, even at the same moment", async () => {
    vi.spyOn(Date, "now").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.resetModules();
    const { prepared: before } = await import("../../src/api/shared/database.ts");
    vi.resetModules();
    const { prepared: after } = await import("../../src/api/shared/database.ts");
    const names = [before, before, after, after].map((name) => name("one", "SELECT 1").name);
    expect(new Set(names).size).toBe(4);
  });
});

it("runs a task on one connection of a pool, and releases it even if the task fails", async () => {
  const log: string[] = [];
  const connection = {
    query: async ({ name }: { name: string }) => {
      log.push(name);
      return { rows: [] };
    },
    release: () => log.push("released"),
  };
  const database = databaseOf({ connect: async () => connection } as unknown as DatabaseClient);
  await database.onOneConnection((own) => own.query(STATEMENT));
  await expect(database.onOneConnection(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(log).toEqual(["one", "released", "released"]);
});
