/**
 * `pnpm audit:index`: compares the index with the chain over a range of blocks. Exits with 1 when something differs or
 * could not be compared.
 */
import { auditRange, readIndexRange } from "./lib/indexRange.ts";
import { runTool } from "./lib/runTool.ts";

const SUMMARY = `Compares the rows of final blocks with the receipts of the blocks, running totals with the sums of
legs, and the access paths of the history with its transactions; also the assets, rates and settings in force at the
newest final block with the contracts. Prints each difference, and ends with 1 if there is one, or something could
not be compared. Database, schema, node and deployment file are those of the indexer's settings.`;

const ON_PGLITE = "Only the indexer can open PGlite, and it runs the audit itself: see /v1/status/indexing";

await runTool(async () => {
  const range = readIndexRange("pnpm audit:index", SUMMARY, ON_PGLITE);
  const { network, fromBlock, toBlock, schema } = range;
  const { failed, unfinished } = await auditRange(range, (line) => console.log(line));
  const what = `${network.name}, blocks ${fromBlock} to ${toBlock} in schema ${schema}`;
  if (failed + unfinished === 0) console.log(`${what}: no difference`);
  else {
    console.log(`${what}: ${failed} comparisons failed, ${unfinished} could not be made`);
    process.exitCode = 1;
  }
});
