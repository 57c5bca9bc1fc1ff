import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { servingPort } from "../../tools/lib/port.ts";

describe("servingPort", () => {
  it("is PORT, else --port, else the default; an empty value counts as unset", () => {
    expect(servingPort({ PORT: "5002" }, "5001")).toBe(5002);
    expect(servingPort({ PORT: "" }, "5001")).toBe(5001);
    expect(servingPort({ PORT: "" }, undefined)).toBe(42_069);
    expect(servingPort({}, "65535")).toBe(65_535);
  });

  it.each(["abc", "0", "65536", "80.5", "-1", " 80", "1e3"])("refuses %j, naming the setting", (text) => {
    expect(() => servingPort({ PORT: text }, "5001")).toThrow(`PORT is "${text}", expected a port: 1 to 65535`);
    expect(() => servingPort({}, text)).toThrow(`--port is "${text}"`);
  });
});

describe("pnpm ponder", () => {
  const run = (port: string, ...args: string[]) =>
    spawnSync(process.execPath, args, { env: { ...process.env, PORT: port }, encoding: "utf8" });

  it.each(["dev", "start", "serve"])("%s refuses an invalid PORT before it starts anything", (command) => {
    const { status, stderr } = run("abc", "tools/ponder.ts", command);
    expect(status).toBe(1);
    expect(stderr).toBe('PORT is "abc", expected a port: 1 to 65535\n');
  });

  it("passes the port to Ponder, for which an empty PORT means any free one", { timeout: 120_000 }, () => {
    const tell = "data:text/javascript,process.on('exit', () => console.log('PORT is', process.env.PORT))";
    const { status, stdout } = run("", "--import", tell, "tools/ponder.ts", "dev", "--port", "5001", "--help");
    expect(status).toBe(0);
    expect(stdout).toContain("PORT is 5001");
  });
});
