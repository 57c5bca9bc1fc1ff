import { expect, it } from "vitest";
import { databaseLocation } from "../../config/database.ts";

it("is PostgreSQL at the private URL, else at the other URL; an empty one counts as unset", () => {
  const at = (connectionString: string) => ({ kind: "postgres", connectionString });
  expect(databaseLocation({ DATABASE_PRIVATE_URL: "a", DATABASE_URL: "b" })).toEqual(at("a"));
  expect(databaseLocation({ DATABASE_PRIVATE_URL: "", DATABASE_URL: "b" })).toEqual(at("b"));
});

it("is PGlite without a URL, in the directory given or the default one", () => {
  expect(databaseLocation({ DATABASE_URL: "", PGLITE_DIRECTORY: "c" })).toEqual({ kind: "pglite", directory: "c" });
  expect(databaseLocation({})).toEqual({ kind: "pglite", directory: ".ponder/pglite" });
});
