import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:net";
import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readPorts, requireFreePorts } from "../../../localnet/demo/ports.ts";
import { freePort, HOST } from "../../../localnet/ports.ts";

describe("readPorts", () => {
  it("has defaults, which empty variables keep", () => {
    expect(readPorts({ PORT: "" })).toEqual({ api: 42069, mainnet: 8545, sepolia: 8546 });
  });

  it("reads all three variables", () => {
    const env = { PORT: "5000", MAINNET_RPC_PORT: "5001", SEPOLIA_RPC_PORT: "65535" };
    expect(readPorts(env)).toEqual({ api: 5000, mainnet: 5001, sepolia: 65535 });
  });

  it.each(["0", "65536", "-1", "80.5", "1e3", " 80", "http"])("refuses %j, naming the variable", (value) => {
    expect(() => readPorts({ SEPOLIA_RPC_PORT: value })).toThrow(/^SEPOLIA_RPC_PORT is/);
  });

  it("refuses one port for two purposes, naming both variables", () => {
    expect(() => readPorts({ PORT: "8546" })).toThrow(/8546.*PORT.*SEPOLIA_RPC_PORT/);
  });
});

describe("freePort", () => {
  it("is not given to another process before anything listens on it", async () => {
    const [first, second, third] = [await freePort(), await freePort(), await freePort()];
    const script = `
      import { registerHooks } from "node:module";
      // Draws those that this process was given, and then another one.
      const draws = ${JSON.stringify([first, second, third])};
      const drawing = \`import { randomInt as draw } from "node:crypto";
        const draws = \${JSON.stringify(draws)};
        export const randomInt = (from, to) => draws.shift() ?? draw(from, to);\`;
      registerHooks({
        resolve: (name, context, next) =>
          name === "node:crypto" && context.parentURL?.endsWith("localnet/ports.ts")
            ? { url: "data:text/javascript," + encodeURIComponent(drawing), shortCircuit: true }
            : next(name, context),
      });
      const { freePort } = await import(${JSON.stringify(resolve("localnet/ports.ts"))});
      console.log(await freePort());
    `;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect([first, second, third]).not.toContain(Number(output));
  });
});

describe("requireFreePorts", () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((closed) => server.close(closed))));
  });

  async function occupy(host: string): Promise<number> {
    const port = await freePort();
    const server = createServer();
    servers.push(server);
    await new Promise<void>((listening) => server.listen(port, host, listening));
    return port;
  }

  it("passes when all are free, and leaves them free", async () => {
    const ports = { api: await freePort(), mainnet: await freePort(), sepolia: await freePort() };
    await requireFreePorts(ports);
    await requireFreePorts(ports);
  });

  it.each([HOST, "0.0.0.0"])("names a port in use on %s and the variable that changes it", async (host) => {
    const mainnet = await occupy(host);
    const ports = { api: await freePort(), mainnet, sepolia: await freePort() };
    await expect(requireFreePorts(ports)).rejects.toThrow(new RegExp(`^Port ${mainnet}.*set MAINNET_RPC_PORT[^\n]*$`));
  });

  it("names all ports in use", async () => {
    const ports = { api: await occupy(HOST), mainnet: await freePort(), sepolia: await occupy(HOST) };
    await expect(requireFreePorts(ports)).rejects.toThrow(/set PORT to .*\n.*set SEPOLIA_RPC_PORT to /);
  });
});
