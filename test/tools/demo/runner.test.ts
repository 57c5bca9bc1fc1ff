import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "coreswap-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Waits for the end of its runner, for at most three seconds. */
const SCRIPT = `
  const { whenRunnerEnds } = await import(${JSON.stringify(resolve("localnet/demo/runner.ts"))});
  whenRunnerEnds(() => { console.log("noticed"); process.exit(); });
  console.log("watching");
  setTimeout(() => console.log("not noticed"), 3000);
`;

/**
 * Runs `SCRIPT` through a shell in a script of the given name, and kills that once `SCRIPT` runs. Returns the last
 * output.
 */
async function killStarter(name: string): Promise<string> {
  const starter = join(directory, name);
  const command = `"${process.execPath}" "${join(directory, "script.mjs")}"; true`;
  writeFileSync(join(directory, "script.mjs"), SCRIPT);
  writeFileSync(
    starter,
    `import { spawn } from "node:child_process"; spawn("sh", ["-c", ${JSON.stringify(`: localnet/demo/index.ts; ${command}`)}], { stdio: "inherit" });`,
  );
  const child = spawn(process.execPath, [starter], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const said: string[] = [];
  lines.on("line", (line) => {
    said.push(line);
    if (line === "watching") child.kill("SIGKILL");
  });
  await once(lines, "close");
  return said.at(-1) ?? "";
}

describe.runIf(process.platform === "linux")("whenRunnerEnds", () => {
  it("notices that a package runner was killed", async () => {
    expect(await killStarter("pnpm.mjs")).toBe("noticed");
  });

  it("outlives any other starter", async () => {
    expect(await killStarter("starter.mjs")).toBe("not noticed");
  });
});
