import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeEnd, runProcess, startProcess } from "../../../localnet/processes.ts";

const directory = mkdtempSync(join(tmpdir(), "coreswap-"));
afterAll(() => rmSync(directory, { recursive: true }));
const logFile = join(directory, "child.log");
const node = (...args: string[]) => ({ name: "child", command: process.execPath, args, logFile });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !condition(); ) {
    if (Date.now() > deadline) throw new Error("the condition did not come true within a minute");
    await new Promise((settle) => setTimeout(settle, 20));
  }
}

/** A process that starts another one, prints both pids, and waits. */
const PARENT = `
  const grandchild = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  console.log(process.pid, grandchild.pid);
  setInterval(() => {}, 1000);
`;

describe("startProcess", () => {
  it("stops a process together with what it started", async () => {
    const log = join(directory, "family.log");
    const child = await startProcess({ ...node("-e", PARENT), logFile: log });
    await until(() => /^\d+ \d+\n/.test(readFileSync(log, "utf8")));
    const [, grandchild] = readFileSync(log, "utf8").split(" ").map(Number);
    expect(isAlive(grandchild as number)).toBe(true);
    expect(child.end()).toBeUndefined();
    await child.stop();
    expect(child.end()).toBe("signal SIGTERM");
    await until(() => !isAlive(grandchild as number));
  });

  it("kills a process", async () => {
    const child = await startProcess(node("-e", "setInterval(() => {}, 1000)"));
    await child.kill();
    expect(await child.ended).toBe("signal SIGKILL");
  });

  it("names a command that cannot be started", async () => {
    await expect(startProcess({ ...node(), command: "/nonexistent" })).rejects.toThrow(
      /child cannot be started.*ENOENT/,
    );
  });

  it("ends a process whose starter was killed", async () => {
    const log = join(directory, "orphan.log");
    const script = `
      const { startProcess } = await import(${JSON.stringify(resolve("localnet/processes.ts"))});
      const child = await startProcess(${JSON.stringify({ ...node("-e", "setInterval(() => {}, 1000)"), logFile: log })});
      console.log(child.pid);
      setInterval(() => {}, 1000);
    `;
    const starter = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = Number(await new Promise<Buffer>((settle) => starter.stdout.once("data", settle)));
    expect(isAlive(pid)).toBe(true);
    starter.kill("SIGKILL");
    await until(() => !isAlive(pid));
  });
});

describe("runProcess", () => {
  it("passes when the process exits 0", async () => {
    await runProcess(node("-e", ""));
  });

  it("fails with the exit code and the end of the log", async () => {
    const log = join(directory, "failing.log");
    const script = "for (let i = 1; i <= 30; i++) console.log('line', i); process.exit(3)";
    const error = await runProcess({ ...node("-e", script), logFile: log }).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(/child ended with exit code 3/);
    expect(String(error)).toMatch(/line 30$/);
    expect(String(error)).not.toMatch(/line 5\n/);
  });
});

it("describeEnd says when there is no log", async () => {
  const child = await startProcess({ ...node("-e", ""), logFile: join(directory, "empty.log") });
  expect(describeEnd(child, await child.ended)).toBe("child ended with exit code 0 and logged nothing");
});

it("requireRunning names process, end and log", async () => {
  const child = await startProcess(node("-e", "console.error('reason')"));
  child.requireRunning();
  await child.ended;
  const end = new Error(`child ended with exit code 0. The end of ${logFile}:\nreason`);
  expect(() => child.requireRunning()).toThrow(end);
});
