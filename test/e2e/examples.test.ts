/** The programs of `examples/` against an index of a whole history. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { ApiClient } from "./harness/api.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const network = "evm-mainnet";
const DEADLINE_MS = 120_000;
const DAY_MS = 86_400_000;

describe("examples/python/check_fees.py", () => {
  interface Outcome {
    readonly status: number;
    readonly stdout: string;
    readonly stderr: string;
  }

  async function run(...args: string[]): Promise<Outcome> {
    const command = ["examples/python/check_fees.py", ...args];
    return promisify(execFile)("python3", command, { timeout: DEADLINE_MS }).then(
      ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ status: code, stdout, stderr }),
    );
  }

  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

  test("finds the fees of every LP in the legs, over its usual range and over one with many pages", async () => {
    for (const range of [[], [network, day(80), day(1)]]) {
      const { status, stdout, stderr } = await run(stack.baseUrl, ...range);
      expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
      const [first = "", ...lines] = stdout.trimEnd().split("\n");
      const [, from = "", to = "", summed, counted] =
        /^evm-mainnet from (\S+) to (\S+): (\d+) legs, the API counts (\d+)$/.exec(first) ?? [];
      expect(Number(summed)).toBeGreaterThan(50);
      expect(counted).toBe(summed);
      const volume = await api.volume(network, { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
      const expected = [...volume.lpVolumes, { ...volume, lpAddress: "all LPs" }].flatMap((sums) =>
        (["issuerFeeWad", "spreadFeeWad", "lpFeeWad"] as const).map(
          (fee) => `${sums.lpAddress} ${fee} ${sums[fee]}: agrees`,
        ),
      );
      expect([...lines].sort()).toEqual([...expected].sort());
      expect(expected.length).toBeGreaterThan(6);
    }
  });

  test("exits with 1 when the fees of the legs are one unit larger", async () => {
    const server = createServer(async ({ url = "" }, response) => {
      const body = await (await fetch(`${stack.baseUrl}${url}`)).text();
      const changed = url.startsWith("/v1/transactions")
        ? body.replace(/"lpFee":"(\d+)"/g, (_, fee: string) => `"lpFee":"${BigInt(fee) + 1n}"`)
        : body;
      response.setHeader("Content-Type", "application/json").end(changed);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const { status, stdout } = await run(`http://127.0.0.1:${port}`);
      expect(status, stdout).toBe(1);
      expect(stdout).toMatch(/^all LPs lpFeeWad \d+: the legs sum up to \d+$/m);
      expect(stdout).toMatch(/^all LPs issuerFeeWad \d+: agrees$/m);
    } finally {
      server.close();
    }
  });

  test("exits with 1 and says what the API refuses", async () => {
    const { status, stderr } = await run(stack.baseUrl, network, day(400), day(1));
    expect(status).toBe(1);
    expect(stderr).toMatch(/\/v1\/volume\?\S+: 400 \{"error":/);
  });
});

test("examples/node/swapFeed.ts prints the swaps among the newest transactions", async () => {
  const history = await api.wholeHistory(network);
  const oldestBlock = history[19]?.inclusion.blockNumber;
  // The newest 20, and the others of the block of the oldest one.
  const newest = history.filter(({ inclusion }, index) => index < 20 || inclusion.blockNumber === oldestBlock);
  const expected = newest.reverse().flatMap(({ transactionHash, inclusion, activities }) => {
    const legs = activities.filter(({ type }) => type === "swap").length;
    return legs === 0 ? [] : [`+ ${transactionHash} block ${inclusion.blockNumber} legs ${legs}`];
  });
  expect(expected.length).toBeGreaterThan(5);
  const child = spawn(process.execPath, ["examples/node/swapFeed.ts", stack.baseUrl, network], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: DEADLINE_MS,
  });
  const ended = once(child, "close");
  try {
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) if (lines.push(line) === expected.length) break;
    expect(lines).toEqual(expected);
  } finally {
    child.kill();
    await ended;
  }
});
