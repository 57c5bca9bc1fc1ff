import { describe, expect, it } from "vitest";
import { type DatabaseClient, databaseOf } from "../../src/api/database.ts";

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
  it("hands PostgreSQL a statement named for its text", async () => {
    const { calls, database } = failing();
    expect(await database.query(STATEMENT)).toEqual([{ answer: 1 }]);
    await database.query(STATEMENT);
    await database.query({ ...STATEMENT, text: "SELECT 2" });
    const [first, again, other] = calls as { name: string; text: string; values: unknown[] }[];
    expect(first).toEqual({ name: expect.stringMatching(/^one_[0-9a-f]{12}$/), text: "SELECT 1", values: [] });
    expect(again).toEqual(first);
    expect(other?.name).not.toBe(first?.name);
  });

  it("takes the rows out of the driver's result, which outlives them", async () => {
    const rows = [{ answer: 1 }];
    const database = databaseOf({ query: async () => ({ rows }) } as unknown as DatabaseClient);
    expect(await database.query(STATEMENT)).toEqual([{ answer: 1 }]);
    expect(rows).toEqual([]);
  });

  it("hands on an error as it is, at once", async () => {
    const { calls, database } = failing("55P03");
    await expect(database.query(STATEMENT)).rejects.toThrow("55P03");
    expect(calls).toHaveLength(1);
  });
});
