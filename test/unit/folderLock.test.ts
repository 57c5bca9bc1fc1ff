/** The lock on a folder of PGlite, between real processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { holdSocket } from "../../config/folderLock.ts";

const HOLDER = `
import { holdFolder } from "./config/folderLock.ts";
setInterval(() => {}, 1_000);
try {
  await holdFolder(process.env.FOLDER);
  console.log("held");
} catch (error) {
  console.log(error.message);
  process.exit(1);
}`;

let parent: string;
let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "coreswap-folder-"));
  folder = join(parent, "not made yet", "pglite");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(parent, { recursive: true });
});

/** Starts a process that takes the lock, and returns it with the first line that it prints. */
async function hold() {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER], {
    env: { ...process.env, FOLDER: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, line: line.toString().trim() };
}

it("is held by one process at a time, and ends with it, even when it is killed", async () => {
  const first = await hold();
  expect(first.line).toBe("held");
  const second = await hold();
  expect(second.line).toBe(
    `Another process uses the database in ${folder}: end it, or set PGLITE_DIRECTORY to another folder`,
  );
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  expect((await hold()).line).toBe("held");
});

it("is not taken from a process that is too busy to accept a connection", async () => {
  const path = join(parent, "busy.lock");
  const holder = spawn(
    process.execPath,
    [
      "--eval",
      `require("net").createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log("held"))`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.push(holder);
  await once(holder.stdout, "data");
  holder.kill("SIGSTOP");
  const waiting: Socket[] = [];
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
  });
  await vi.waitFor(
    async () => {
      const socket = connect(path);
      waiting.push(socket);
      await expect(once(socket, "connect")).rejects.toMatchObject({ code: "EAGAIN" });
    },
    { timeout: 60_000 },
  );
  await expect(holdSocket(path)).rejects.toMatchObject({ code: "EAGAIN" });
});
