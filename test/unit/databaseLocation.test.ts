import { expect, it } from "vitest";
import { databaseLocation } from "../../config/database.ts";

it("is PostgreSQL at the private URL, else at the other URL; an empty one counts as unset", () => {
  const [first, second] = ["postgresql://a:b@c:5432/d", "postgres://e@/f?host=/run/postgresql"];
  const at = (connectionString: string) => ({ kind: "postgres", connectionString });
  expect(databaseLocation({ DATABASE_PRIVATE_URL: first, DATABASE_URL: second })).toEqual(at(first));
  expect(databaseLocation({ DATABASE_PRIVATE_URL: "", DATABASE_URL: second })).toEqual(at(second));
});

it("is PGlite without a URL, in the directory given or the default one", () => {
  expect(databaseLocation({ DATABASE_URL: "", PGLITE_DIRECTORY: "c" })).toEqual({ kind: "pglite", directory: "c" });
  expect(databaseLocation({})).toEqual({ kind: "pglite", directory: ".ponder/pglite" });
});

it.each([
  ["DATABASE_URL", "user:secret@host:5432/database"],
  ["DATABASE_URL", "https://user:secret@host/database"],
  ["DATABASE_PRIVATE_URL", "postgresql://user:se#cret@host:5432/database"],
  ["DATABASE_URL", "postgresql:secret"],
])("refuses a malformed %s, and does not repeat it: %s", (variable, text) => {
  const read = () => databaseLocation({ DATABASE_URL: "postgresql://host/database", [variable]: text });
  expect(read).toThrow(`${variable} is not a URL of PostgreSQL`);
  expect(read).not.toThrow(/cret/);
});
