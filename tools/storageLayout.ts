/**
 * `pnpm storage-layout`: writes the storage layouts of the upgradeable contracts to `contracts/storage-layout`. It
 * refuses a layout that is not a safe successor of the committed one. `--check` compares and writes nothing. Exits with
 * 1 when a layout is refused or, with `--check`, differs.
 *
 * Each committed layout is thus a safe successor of every earlier one. Before the first deployment, a layout may change
 * freely: delete its file and write it again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StorageLayout } from "@openzeppelin/upgrades-core";
import { commandLine } from "./lib/commandLine.ts";
import { compile, LAYOUT_DIRECTORY, layoutReport, UPGRADEABLE, UPGRADEABLE_NAMES } from "./lib/upgradeSafety.ts";

const { values } = commandLine({
  usage: "pnpm storage-layout",
  summary: `Writes the storage layouts of the upgradeable contracts to contracts/storage-layout. Ends with 1 if one is not
a safe successor of the committed layout.`,
  options: {
    check: { type: "boolean", default: false, help: "compare and write nothing; end with 1 if a layout differs" },
  },
});
const compilation = compile();
mkdirSync(LAYOUT_DIRECTORY, { recursive: true });
for (const name of UPGRADEABLE_NAMES) {
  const path = join(LAYOUT_DIRECTORY, `${name}.json`);
  const layout = compilation.layout(UPGRADEABLE[name]);
  const text = `${JSON.stringify(layout, null, 2)}\n`;
  const committed = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (committed === text) continue;
  const refusal = committed === undefined ? "" : layoutReport(JSON.parse(committed) as StorageLayout, layout);
  if (refusal !== "") fail(`${path}: the layout of ${name} is not a safe successor\n${refusal}`);
  else if (values.check) fail(`${path} is stale: run \`pnpm storage-layout\` and commit the result`);
  else {
    writeFileSync(path, text);
    console.log(`Wrote ${path}`);
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
