/** `pnpm prove`: proves the assertions of `contracts/proofs`. Exits with 1 when one is not proved. */
import { globSync } from "node:fs";
import { commandLine } from "./lib/commandLine.ts";
import { prove } from "./lib/modelChecker.ts";

commandLine({
  usage: "pnpm prove",
  summary: "Proves the assertions of contracts/proofs. Ends with 1 if one is not proved.",
});
for (const path of globSync("contracts/proofs/*.sol").toSorted()) {
  const { proved, problems } = await prove(path);
  console.log(`${path}: ${proved} assertions proved`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
