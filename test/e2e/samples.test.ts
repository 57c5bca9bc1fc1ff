/** Every sample of the README and of the documentation site works, on its own chain and index. */
import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChainClient } from "../../localnet/chain.ts";
import { waitUntilCaughtUp } from "./harness/converge.ts";
import { Stack } from "./harness/stack.ts";

const run = promisify(execFile);

/** The addresses in the samples, which are those of the demo. */
const DEMO_API = "http://127.0.0.1:42069";
const DEMO_NODE = "http://127.0.0.1:8545";
const DEADLINE_MS = 120_000;
const DIRECTORY = resolve(".demo/samples");

const DOCUMENTS = [
  "README.md",
  "SECURITY.md",
  "packages/client/README.md",
  ...globSync("docs/**/*.md", { exclude: (name) => name === "node_modules" }),
].sort();

/** The code blocks of a language in a document. */
function samplesOf(document: string, language: string): string[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\b.*\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, code = ""]) => code,
  );
}

const shellSamples = DOCUMENTS.flatMap((document) =>
  samplesOf(document, "sh").map((code) => ({ document, code, firstLine: code.split("\n")[0] })),
);
const requests = shellSamples.filter(({ code }) => /\bcurl\b/.test(code));
const commands = shellSamples.filter(({ code }) => !/\bcurl\b/.test(code));
/** The code blocks of a page are parts of one program. */
const programs = DOCUMENTS.map((document) => ({ document, code: samplesOf(document, "ts").join("\n") })).filter(
  ({ code }) => code !== "",
);

describe("requests and programs", () => {
  let stack: Stack;
  let apiUrl: string;
  beforeAll(async () => {
    mkdirSync(DIRECTORY, { recursive: true });
    stack = await Stack.build({ name: "samples", networks: ["mainnet"], seed: 3, transactionCount: 160 });
    const indexer = await stack.startIndexer({ name: "indexer" });
    await indexer.process.ready();
    await waitUntilCaughtUp(indexer.api, "mainnet", stack.source("mainnet"));
    apiUrl = indexer.process.baseUrl;
    // Mines what the samples send, as the demo's traffic does.
    await createChainClient(stack.deployed("mainnet").rpcUrl).setIntervalMining({ interval: 1 });
  });
  afterAll(() => stack?.stop());

  const here = (code: string) =>
    code.replaceAll(DEMO_API, apiUrl).replaceAll(DEMO_NODE, stack.deployed("mainnet").rpcUrl);

  test.each(requests)("$document: $firstLine", async ({ code }) => {
    // A sample ends with an error when an answer is no success or is empty, or when the server does not exist.
    const script = `set -euo pipefail\ncurl() { command curl --silent --show-error --fail "$@"; }\n${here(code)}`;
    const { stdout } = await run("bash", ["-c", script], { cwd: DIRECTORY, timeout: DEADLINE_MS, maxBuffer: 64 << 20 });
    expect(stdout).not.toBe("");
    expect(stdout).not.toContain('"transactions":[]');
  });

  test.each(programs)("$document: the TypeScript of the page runs", async ({ document, code }) => {
    const file = join(DIRECTORY, `${dirname(document)}-${document}`.replaceAll("/", "-").replace(/\.md$/, ".ts"));
    writeFileSync(file, here(code));
    const { stdout } = await run(process.execPath, [file], { timeout: DEADLINE_MS });
    expect(stdout).not.toBe("");
  });
});

test("every page that promises samples has some", () => {
  expect(requests.length).toBeGreaterThan(5);
  expect(programs.map(({ document }) => document)).toEqual(
    expect.arrayContaining(["docs/getting-started.md", "docs/integrate/swapping.md", "docs/integrate/volume.md"]),
  );
});

/** The tests that run commands of these pages, which need networks, keys or an index of their own. */
const RUN_BY: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["test/tools/demo/freshClone.test.ts"],
  "docs/command-line.md": ["test/cli/core.test.ts", "test/cli/safe.test.ts"],
  "docs/export.md": ["test/e2e/export.test.ts"],
  "docs/first-days.md": ["test/cli/firstDay.test.ts"],
  "docs/getting-started.md": ["test/tools/demo/freshClone.test.ts"],
  "docs/keeper.md": ["test/cli/support/keeper.ts", "test/cli/missteps.test.ts"],
  "docs/operate/audit.md": ["test/e2e/indexAudit.test.ts"],
  "docs/operate/contracts.md": ["deployVerify", "liveUpgrade", "resume"].map((name) => `test/upgrade/${name}.test.ts`),
  "docs/operate/install.md": ["test/tools/productionInstall.test.ts"],
  "docs/operate/upgrade.md": ["test/e2e/switchIndex.test.ts"],
};
/** The mutants take hours, so only the names of these scripts are checked here. */
const BY_NAME = ["docs/mutation.md"];

test("every other command is on a page whose commands a test reads and runs", () => {
  const pages = [...new Set(commands.map(({ document }) => document))];
  expect(pages.sort()).toEqual([...Object.keys(RUN_BY), ...BY_NAME].sort());
  for (const [page, files] of Object.entries(RUN_BY))
    for (const file of files) expect(readFileSync(file, "utf8"), file).toContain(`"${page}"`);
});

test.each(commands)(
  "$document: the commands of «$firstLine» are pnpm's own or scripts of this repository",
  ({ code }) => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const named = [...code.matchAll(/\bpnpm(?:@[\d.]+)? (?:--silent |exec )?([\w:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(["install", ...Object.keys(scripts)]).toContain(name);
  },
);
