/** What `pnpm contracts:upgrade` refuses without a chain. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zeroAddress, zeroHash } from "viem";
import { describe, expect, test } from "vitest";
import { startNode } from "../../localnet/nodes.ts";

const VERSIONS = "contracts/test/upgrade/versions";

test.each([
  ["without data", "treasury"],
  ["without a call", "treasury="],
  ["that is no data", "treasury=initializeV2()"],
  ["that is shorter than a selector", "treasury=0x1234"],
  ["with half a byte", "treasury=0x123456789"],
])("X3: a migration %s is refused", (_, migration) => {
  const { status, stderr } = check("--migrate", migration, "treasury");
  expect(status).toBe(1);
  expect(stderr).toBe(`--migrate ${migration}: expected <contract>=<data of a call>, such as treasury=0x12345678\n`);
});

test.each([
  ["for a contract that is not upgraded", ["--migrate", "treasury=0x12345678", "coreSwap"]],
  [
    "that is the second one for a contract",
    ["--migrate", "treasury=0x12345678", "--migrate", "treasury=0x12345678", "treasury"],
  ],
])("X3: a migration %s is refused", (_, args) => {
  const { status, stderr } = check(...args);
  expect(status).toBe(1);
  expect(stderr).toBe("--migrate treasury: give one migration for each upgraded contract\n");
});

test("X3: a version with an initializer is refused without a migration that calls it", () => {
  const target = `treasury=${VERSIONS}/NextVersions.sol:ReinitializedTreasury`;
  const { status, stderr } = check(target);
  expect(status).toBe(1);
  expect(stderr).toContain("initializeV2 initializes version 2, and a proxy has 1: give its call with --migrate");
  expect(check("--migrate", "treasury=0x12345678", target)).toMatchObject({ status: 0 });
});

test.each(["--resume", "--executed"])("a check refuses %s, which would send or write", (mode) => {
  const { status, stderr } = check(mode);
  expect({ status, stderr }).toEqual({ status: 1, stderr: `--check and ${mode}: expected one of them\n` });
});

describe("an executed upgrade is not taken over", () => {
  const account = zeroAddress;
  const asset = { id: zeroHash, token: account, decimals: 18, delegate: account, issuerAdmin: account };
  const implementations = {
    coreSwap: account,
    treasury: account,
    treasuryDelegate: account,
    balanceSheetDelegate: account,
  };
  const proposed = { implementations, libraries: {} };
  const deployment = {
    ...{ network: "mainnet", chainId: 1, startBlock: 0, coreSwap: account, treasury: account, implementations },
    ...{ treasuryStablecoin: { symbol: "TRSY", ...asset }, rwas: [], stablecoins: [] },
  };

  test("from a node of another chain", async () => {
    const { status, stderr } = await takeOver(deployment);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "the node serves chain 31337, not 1\n" });
  });

  test("into a deployment file that lacks what the deployment script writes", async () => {
    const { stablecoins: _, ...incomplete } = deployment;
    const { status, stderr } = await takeOver(incomplete);
    expect(status).toBe(1);
    expect(stderr).toContain("mainnet.json: stablecoins: ");
  });

  test("onto a disk that is full", async () => {
    const { status, stderr } = await takeOver({ ...deployment, chainId: 31_337, note: "x".repeat(10_000) });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^cannot write .+mainnet\.json: EFBIG: file too large, write\n$/),
    });
  });

  async function takeOver(file: object) {
    const directory = mkdtempSync(join(tmpdir(), "coreswap-executed-"));
    const node = await startNode({ chainId: 31_337, logFile: join(directory, "node.log") });
    try {
      mkdirSync(join(directory, "evm"));
      const write = (suffix: string, content: object) =>
        writeFileSync(join(directory, "evm", `mainnet.${suffix}`), JSON.stringify(content));
      write("json", file);
      write("proposed.json", proposed);
      write("proposal.json", {});
      const args = ["tools/upgrade.ts", "--network", "mainnet", "--rpc-url", node.rpcUrl, "--executed"];
      const env = { ...process.env, DEPLOYMENTS_DIR: directory };
      // The system takes the first part of a file that is too long, as it does on a disk that is nearly full.
      const limited = ["-c", 'ulimit -f 8 && exec "$0" "$@"', process.execPath, ...args];
      const result = spawnSync("sh", limited, { encoding: "utf8", env });
      expect(readFileSync(join(directory, "evm/mainnet.json"), "utf8")).toBe(JSON.stringify(file));
      expect(readFileSync(join(directory, "evm/mainnet.proposed.json"), "utf8")).toBe(JSON.stringify(proposed));
      expect(existsSync(join(directory, "evm/mainnet.proposal.json"))).toBe(true);
      return result;
    } finally {
      await node.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }
});

function check(...args: readonly string[]) {
  return spawnSync(process.execPath, ["tools/upgrade.ts", "--check", ...args], { encoding: "utf8" });
}
