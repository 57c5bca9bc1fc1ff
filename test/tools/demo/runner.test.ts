import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "coreswap-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Waits for the end of its runner, for at most some seconds. */
const scriptFor = (seconds: number) => `
  const { whenRunnerEnds } = await import(${JSON.stringify(resolve("localnet/demo/runner.ts"))});
  whenRunnerEnds(() => { console.log("noticed"); process.exit(); });
  console.log("watching");
  setTimeout(() => console.log("not noticed"), ${seconds} * 1000);
`;

/**
 * Runs such a script through a shell in a script of the given name, and kills that once the first one runs. Returns its
 * last output.
 */
async function killStarter(name: string, seconds: number): Promise<string> {
  const starter = join(directory, name);
  const command = `"${process.execPath}" "${join(directory, "script.mjs")}"; true`;
  writeFileSync(join(directory, "script.mjs"), scriptFor(seconds));
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
    expect(await killStarter("pnpm.mjs", 60)).toBe("noticed");
  });

  it("outlives any other starter", async () => {
    expect(await killStarter("starter.mjs", 3)).toBe("not noticed");
  });
});
