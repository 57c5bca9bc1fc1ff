/** Configurations that are refused at the start, checked against real nodes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import type { Network } from "../../config/networks.ts";
import { verifyStart } from "../../config/startChecks.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { startRpcProxy } from "../reliability/harness/rpcProxy.ts";

const { mainnet, sepolia } = inject("sharedStack").networks;
const { coreSwap, treasury } = mainnet.contracts;
const WITHOUT_CODE = WALLETS.outsider.address;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "coreswap-start-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const network = (deployment: Partial<Network["deployment"]> = {}, rpcUrl = mainnet.rpcUrl): Network => ({
  name: "mainnet",
  chainId: 1,
  rpcUrls: [rpcUrl],
  deployment: { chainId: 1, startBlock: 0, coreSwap, treasury, ...deployment },
});

const start = (...networks: Network[]) => verifyStart(networks, { kind: "pglite", directory: join(directory, "db") });

test("a configuration that matches its node passes, even twice on the same database", async () => {
  await start(network());
  await start(network());
});

test("a node of another chain is refused", async () => {
  await expect(start(network({}, sepolia.rpcUrl))).rejects.toThrow(
    "mainnet: PONDER_RPC_URL_1 is a node of chain 11155111, expected 1",
  );
});

test("an address without a contract is refused with its name", async () => {
  await expect(start(network({ coreSwap: WITHOUT_CODE }))).rejects.toThrow(`no contract at coreSwap ${WITHOUT_CODE}`);
  await expect(start(network({ treasury: WITHOUT_CODE }))).rejects.toThrow(`no contract at treasury ${WITHOUT_CODE}`);
});

test("a start block after the first code of either contract is refused", async () => {
  await expect(start(network({ startBlock: 200 }))).rejects.toThrow("startBlock 200 is too late: coreSwap");
  const proxy = await startRpcProxy(mainnet.rpcUrl);
  onTestFinished(() => proxy.stop());
  proxy.inject(({ method, params }) =>
    method === "eth_getCode" && params[0] === coreSwap && params[1] !== "latest"
      ? { kind: "result", result: "0x" }
      : undefined,
  );
  await expect(start(network({ startBlock: 200 }, proxy.rpcUrl))).rejects.toThrow(
    `startBlock 200 is too late: treasury ${treasury} has code at an earlier block`,
  );
});

test("a database of another chain with the same chain ID is refused", async () => {
  writeFileSync(join(directory, "db.genesis.json"), JSON.stringify({ 1: `0x${"0".repeat(64)}` }));
  await expect(start(network())).rejects.toThrow(`holds data of a chain with genesis 0x${"0".repeat(64)}`);
});

test("the file that names the chain of a database is replaced as a whole, and only for a new chain", async () => {
  const path = join(directory, "db.genesis.json");
  writeFileSync(path, "");
  await expect(start(network())).rejects.toThrow(`${path}, which says of which chains`);

  const other = { 2: `0x${"2".repeat(64)}` };
  writeFileSync(path, JSON.stringify(other));
  // Writing fails, as on a full disk.
  mkdirSync(`${path}.new`);
  await expect(start(network())).rejects.toThrow("EISDIR");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(other);
  rmSync(`${path}.new`, { recursive: true });
  await start(network());
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ ...other, 1: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  mkdirSync(`${path}.new`);
  await start(network());
});

test("with calls from traces, a node without trace_filter is refused", async () => {
  const proxy = await startRpcProxy(mainnet.rpcUrl);
  onTestFinished(() => proxy.stop());
  const location = { kind: "pglite", directory: join(directory, "db") } as const;
  await verifyStart([network({}, proxy.rpcUrl)], location, "traces");
  proxy.inject(({ method }) =>
    method === "trace_filter" ? { kind: "error", code: -32_601, message: "the method does not exist" } : undefined,
  );
  await expect(verifyStart([network({}, proxy.rpcUrl)], location, "traces")).rejects.toThrow(
    'mainnet: CALLS_FROM is "traces", but PONDER_RPC_URL_1 does not answer trace_filter for start block 0',
  );
  await verifyStart([network({}, proxy.rpcUrl)], location, "blocks");
});
