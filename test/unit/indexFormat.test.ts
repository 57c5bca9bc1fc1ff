/** The format of the indexed tables is raised by hand. This test fails if that was forgotten. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import * as tables from "../../ponder.schema.ts";
import { ponderFile } from "../support/ponderPackage.ts";

/** SHA-256 of the tables and columns that `INDEX_FORMAT` stands for. */
const INDEX_FORM_DIGEST = "748d71cf43bbd4da2ced98ee734acf22ffbe1721404717e6bad7ad911402eaa7";

it("stands for the tables and columns that are indexed", async () => {
  const { getSql } = await import(ponderFile("dist/esm/drizzle/kit/index.js"));
  const { tables: statements } = getSql(tables) as { tables: { sql: string[] } };
  const digest = createHash("sha256")
    .update(statements.sql.map((text) => text.replaceAll(/\s+/g, " ").trim()).join("\n"))
    .digest("hex");
  expect(
    digest,
    "A table or column changed. Raise INDEX_FORMAT in src/api/shared/indexIdentity.ts by the rule there, say so in " +
      "CHANGELOG.md, and set INDEX_FORM_DIGEST of this file to the digest received here.",
  ).toBe(INDEX_FORM_DIGEST);
});
