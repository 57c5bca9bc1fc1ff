/** Checks the systemd units with systemd's own tool. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installedProgram } from "../support/installed.ts";

const UNITS = "ops/systemd";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-units-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the output of `systemd-analyze verify` for a unit; empty if it accepts the unit. */
function complaints(name: string, content: string): string {
  const file = join(directory, name);
  // The program has to exist for systemd, and this machine's Node.js may be elsewhere.
  writeFileSync(
    file,
    content.replace("/usr/bin/node", process.execPath).replace("/usr/sbin/nginx", () => installedProgram("nginx")),
  );
  const { status, stdout, stderr, error } = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", file], {
    encoding: "utf8",
  });
  if (error) throw new Error("systemd-analyze is missing: install the package `systemd`", { cause: error });
  return status === 0 ? stdout + stderr : `exit code ${status}\n${stdout}${stderr}`;
}

it.each(readdirSync(UNITS))("systemd accepts %s, and would name a mistake in it", (name) => {
  const content = readFileSync(join(UNITS, name), "utf8");
  expect(complaints(name, content)).toBe("");
  expect(complaints(name, content.replace("RestartSec=", "RestartSecs="))).toContain("RestartSecs");
});

it.each(readdirSync(UNITS).filter((name) => name.includes("@")))("%s starts a program that an install has", (name) => {
  const [, script = "", command] =
    /^ExecStart=\/usr\/bin\/node (\S+) (\S+)/m.exec(readFileSync(join(UNITS, name), "utf8")) ?? [];
  expect(existsSync(script)).toBe(true);
  expect(["start", "serve", "keeper"]).toContain(command);
});
