import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { claimDirectory } from "../../../localnet/demo/workspace.ts";

const root = mkdtempSync(join(tmpdir(), "coreswap-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Claims a directory in another process, which then waits. Settles once the directory is claimed. */
function claimElsewhere(directory: string) {
  const script = `
    const { claimDirectory } = await import(${JSON.stringify(resolve("localnet/demo/workspace.ts"))});
    await claimDirectory(${JSON.stringify(directory)});
    console.log("claimed");
    setInterval(() => {}, 1000);
  `;
  const args = ["--input-type=module", "-e", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise<typeof child>((settle) => child.stdout.once("data", () => settle(child)));
}

describe("claimDirectory", () => {
  it("creates the directory, or empties it except for test runs", async () => {
    const directory = join(root, "fresh");
    mkdirSync(join(directory, "pglite", "base"), { recursive: true });
    mkdirSync(join(directory, "e2e-history"));
    writeFileSync(join(directory, "ponder.log"), "old");
    await claimDirectory(directory);
    expect(readdirSync(directory).sort()).toEqual(["demo.lock", "e2e-history"]);
  });

  it("refuses while another run uses it, and then deletes nothing", async () => {
    const directory = join(root, "held");
    const holder = await claimElsewhere(directory);
    writeFileSync(join(directory, "ponder.log"), "theirs");
    await expect(claimDirectory(directory)).rejects.toThrow("Another demo runs from this folder");
    expect(readdirSync(directory)).toContain("ponder.log");
    const ended = new Promise((settle) => holder.once("exit", settle));
    holder.kill("SIGKILL");
    await ended;
    await claimDirectory(directory);
    expect(readdirSync(directory)).toEqual(["demo.lock"]);
  });
});
