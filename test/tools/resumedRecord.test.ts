/** Which record of forge `pnpm contracts:resume` takes for that of the configuration. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireDeployment } from "../../tools/lib/resume.ts";

const [CORE_SWAP, OTHER]: [Address, Address] = [`0x${"1a".repeat(20)}`, `0x${"2b".repeat(20)}`];

const directory = mkdtempSync(join(tmpdir(), "coreswap-record-"));
const env = { DEPLOY_CONFIG: join(directory, "deploy.json"), DEPLOYMENTS_DIR: directory };
const file = join(directory, "evm", "mainnet.json");

beforeAll(() => {
  mkdirSync(join(directory, "evm"));
  writeFileSync(env.DEPLOY_CONFIG, JSON.stringify({ network: "mainnet" }));
  writeFileSync(file, JSON.stringify({ coreSwap: CORE_SWAP }));
});
afterAll(() => rmSync(directory, { recursive: true }));

const record = (transactionType: string, contractAddress: Address | null) => ({
  transactions: [
    { transactionType: "CALL", contractAddress: null },
    { transactionType, contractAddress },
  ],
});
const check = (...transaction: Parameters<typeof record>) =>
  requireDeployment("run-latest.json", record(...transaction), env);

test("the one that creates CoreSwap of the deployment file", () => {
  expect(() => check("CREATE", CORE_SWAP)).not.toThrow();
});

test.each([
  ["creates another one", "CREATE", OTHER],
  ["only calls it", "CALL", CORE_SWAP],
] as const)("not one that %s", (_, type, address) => {
  expect(() => check(type, address)).toThrow(
    `run-latest.json does not create ${CORE_SWAP}, CoreSwap in ${file}: it is of a run with another configuration`,
  );
});

test("none without the configuration, or before it has a deployment file", () => {
  const own = record("CREATE", CORE_SWAP);
  expect(() => requireDeployment("run-latest.json", own, {})).toThrow("DEPLOY_CONFIG is not set");
  const elsewhere = { ...env, DEPLOYMENTS_DIR: join(directory, "elsewhere") };
  expect(() => requireDeployment("run-latest.json", own, elsewhere)).toThrow("mainnet.json is missing");
});
