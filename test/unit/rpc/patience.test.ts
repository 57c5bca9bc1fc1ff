/** Failures of nodes that the indexer waits out, over a real chain. */
import { inspect } from "node:util";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ChainNode, startNode } from "../../../localnet/nodes.ts";
import {
  always,
  blockReceiptsRefused,
  calldataMissing,
  type Fault,
  type FaultyNode,
  fieldsOfBlocks,
  fieldsOfReceipts,
  headsMalformed,
  noBlocks,
  numbersMalformed,
  ONLY_HALF,
  outcomesNull,
  receiptsNull,
  startFaultyNode,
  topicsInUpperCase,
  transactionsMissing,
  withoutLogs,
} from "../../support/faultyNode.ts";
import { type ChainWithLogs, EMITTER, startChainWithLogs, stopClock, transportOver } from "./chain.ts";

const FAULT_MS = 800;
const HALTING: Hex = `0x${"4a".repeat(20)}`;

let chain: ChainWithLogs;
let other: ChainNode;
const started: FaultyNode[] = [];

beforeAll(async () => {
  chain = await startChainWithLogs(4, 3);
  other = await startNode({ chainId: 4_242, logFile: ".demo/unit-rpc-other.node.log" });
  await fetch(other.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_mine", params: ["0x14"] }),
  });
});
afterAll(async () => {
  await chain?.node.stop();
  await other?.stop();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

async function startSpoiled(fault: Fault | null): Promise<FaultyNode> {
  const node = await startFaultyNode(chain.node.rpcUrl, fault);
  started.push(node);
  return node;
}

const BLOCK = ["0x4", true];

describe("a request of a backfill", () => {
  it.each<[string, Fault]>([
    ["connections are reset", always("reset")],
    ["the status is 429", always({ status: 429, body: "slow down" })],
    ["the status is 503", always({ status: 503, contentType: "text/plain", body: "down" })],
    ["the status is 403", always({ status: 403, body: "no such key" })],
    ["the body is HTML", always({ contentType: "text/html", body: "<html><body>Bad gateway</body></html>" })],
    ["the body is HTML that claims to be JSON", always({ body: "<html></html>" })],
    ["the body is cut off", ONLY_HALF],
    ["the body is empty", always({ body: "" })],
    ["the body is null", always({ body: "null" })],
    ["there is neither a result nor an error", always({ body: '{"jsonrpc":"2.0","id":1}' })],
    ["the node is busy", always({ body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"rate limit"}}' })],
    [
      "the node has an internal error",
      always({ body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}' }),
    ],
    ["the block is null", noBlocks],
    ["the number of the block is malformed", numbersMalformed],
    ["the block lacks its transactions", transactionsMissing],
    ["its transactions lack their calldata", calldataMissing],
  ])("waits while %s, reports it without the URL, and clears the report", async (_, fault) => {
    const node = await startSpoiled(fault);
    const { request, reports } = transportOver([node.rpcUrl]);
    const answer = request("eth_getBlockByNumber", BLOCK);
    await vi.waitFor(() => expect(reports.at(-1)?.problem).toBeTruthy(), { timeout: 60_000 });
    node.spoil(null);
    expect(await answer).toMatchObject({ number: "0x4", transactions: expect.arrayContaining([expect.anything()]) });
    expect(reports.at(-1)?.problem).toBeNull();
    expect(inspect(reports, { depth: 10 })).not.toContain("secret-key");
  });

  it("is sent to the next URL while the first one fails", async () => {
    stopClock();
    const [first, second] = [await startSpoiled(always("reset")), await startSpoiled(null)];
    const { request, reports } = transportOver([first.rpcUrl, second.rpcUrl]);
    for (let times = 0; times < 20; times += 1) await request("eth_getBlockByNumber", BLOCK);
    expect(reports).toEqual([]);
    // After some failures in a row it is not asked for a while.
    expect([...first.calls.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(6);
  });

  it.each<[string, Fault, string, unknown[]]>([
    ["the size of a block", fieldsOfBlocks({ size: null }), "eth_getBlockByNumber", BLOCK],
    ["the number of its newest block", fieldsOfBlocks({ number: "0x3e8" }), "eth_getBlockByNumber", ["latest", false]],
    ["calldata", fieldsOfBlocks({}, { input: "0x1234567" }), "eth_getBlockByNumber", BLOCK],
    ["a sender", fieldsOfBlocks({}, { from: null }), "eth_getBlockByNumber", BLOCK],
    ["the type of a receipt", fieldsOfReceipts({ type: null }), "eth_getBlockReceipts", ["0x4"]],
    ["the sender of a receipt", fieldsOfReceipts({ from: null }), "eth_getBlockReceipts", ["0x4"]],
    ["a topic", topicsInUpperCase, "eth_getLogs", [{ address: EMITTER, fromBlock: "0x0", toBlock: "0x8" }]],
  ])("is answered by the next URL if the first one spoils %s", async (_, fault, method, params) => {
    const [first, second] = [await startSpoiled(fault), await startSpoiled(null)];
    const { request } = transportOver([first.rpcUrl, second.rpcUrl]);
    const right = await transportOver([second.rpcUrl]).request(method, params);
    expect(await request(method, params)).toEqual(right);
    expect(first.calls.get(method)).toBeGreaterThan(0);
  });

  it("passes a refusal on at once", async () => {
    const node = await startSpoiled(null);
    const { request } = transportOver([node.rpcUrl]);
    await expect(request("eth_getNothing")).rejects.toMatchObject({ code: -32601 });
    expect(node.calls.get("eth_getNothing")).toBe(1);
  });

  it.each<[string, Hex, string]>([
    // As anvil reports it, with the code of an internal error.
    ["with too few values on the stack", "0x50", "StackUnderflow"],
    ["at an invalid instruction", "0xfe", "InvalidFEOpcode"],
    ["with a revert", "0x5f5ffd", "execution reverted"],
  ])(
    "passes the failure of a call that ends %s on at once, as one that Ponder does not repeat",
    async (_, code, text) => {
      const node = await startSpoiled(null);
      const { request, reports } = transportOver([node.rpcUrl]);
      await chain.client.setCode({ address: HALTING, bytecode: code });
      const error = await request("eth_call", [{ to: HALTING }, "latest"]).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 3, details: expect.stringContaining(text) });
      expect(String(error)).toContain("revert");
      expect(node.calls.get("eth_call")).toBe(1);
      expect(reports).toEqual([]);
    },
  );

  it("waits while the node itself fails at a call", async () => {
    const node = await startSpoiled(
      always({ body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}' }),
    );
    const { request } = transportOver([node.rpcUrl]);
    const answer = request("eth_call", [{ to: EMITTER, data: "0x" }, "latest"]);
    setTimeout(() => node.spoil(null), FAULT_MS);
    expect(await answer).toBe("0x");
  });

  it("is sent at the rate that the operator has set, after a burst of one second's requests", async () => {
    vi.stubEnv("PONDER_RPC_REQUESTS_PER_SECOND", "100");
    const { request } = transportOver([(await startSpoiled(null)).rpcUrl]);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => request("eth_getBlockByNumber", BLOCK)));
    // Timers end up to a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it.each<[string, Fault]>([
    ["null for logs", withoutLogs],
    ["a malformed number of its newest block", headsMalformed],
  ])("waits for a node that returns %s", async (_, fault) => {
    const node = await startSpoiled(fault);
    const { request } = transportOver([node.rpcUrl]);
    const answer = request("eth_getLogs", [{ address: EMITTER, fromBlock: "0x0", toBlock: "0x8" }]);
    setTimeout(() => node.spoil(null), FAULT_MS);
    expect(await answer).toHaveLength(12);
  });

  it.each<[string, Fault]>([
    ["are null", receiptsNull],
    ["are refused", blockReceiptsRefused],
  ])("returns null at once when the receipts of a block %s, so that the block is proven", async (_, fault) => {
    const node = await startSpoiled(fault);
    const { request } = transportOver([node.rpcUrl]);
    expect(await request("eth_getBlockReceipts", ["0x4"])).toBeNull();
    expect(node.calls.get("eth_getBlockReceipts")).toBe(1);
  });

  it("waits for receipts that have an outcome", async () => {
    const node = await startSpoiled(outcomesNull);
    const { request, reports } = transportOver([node.rpcUrl]);
    const answer = request("eth_getBlockReceipts", ["0x4"]);
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.kind).toBe("damaged"), { timeout: 60_000 });
    node.spoil(null);
    expect(await answer).toEqual(expect.arrayContaining([expect.objectContaining({ status: "0x1" })]));
  });
});

describe("a URL that turns out to serve another chain", () => {
  it("is left out while another one serves the right chain", async () => {
    const [first, second] = [await startSpoiled(null), await startSpoiled(null)];
    first.switchTo(other.rpcUrl);
    const { request } = transportOver([first.rpcUrl, second.rpcUrl]);
    const block = await chain.client.getBlock({ blockNumber: 4n });
    expect(await request("eth_getBlockByNumber", BLOCK)).toMatchObject({ hash: block.hash });
  });

  it("is waited for and reported when there is no other", async () => {
    const node = await startSpoiled(null);
    node.switchTo(other.rpcUrl);
    const { request, reports } = transportOver([node.rpcUrl]);
    const answer = request("eth_getBlockByNumber", BLOCK);
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.kind).toBe("damaged"), { timeout: 60_000 });
    expect(reports.at(-1)?.problem?.message).toContain("is a node of chain 4242, expected chain 31337");
    node.switchTo(chain.node.rpcUrl);
    const block = await chain.client.getBlock({ blockNumber: 4n });
    expect(await answer).toMatchObject({ hash: block.hash });
  });

  it("is noticed when it changes before the logs of a range are accepted", async () => {
    const node = await startSpoiled(null);
    const { request } = transportOver([node.rpcUrl]);
    await request("eth_getBlockByNumber", BLOCK);
    // Its chain was checked a moment ago.
    const checks = node.calls.get("eth_chainId");
    node.switchTo(other.rpcUrl);
    const answer = request("eth_getLogs", [{ address: EMITTER, fromBlock: "0x0", toBlock: "0x8" }]);
    await vi.waitFor(() => expect(node.calls.get("eth_chainId")).not.toBe(checks), { timeout: 60_000, interval: 20 });
    node.switchTo(chain.node.rpcUrl);
    expect(await answer).toHaveLength(12);
  });
});

describe("the newest block", () => {
  const HOUR_SECONDS = 3_600n;
  /** A node that stopped at block 4. */
  const startStopped = () =>
    startSpoiled(async ({ method, params }, result) => ({
      result:
        method === "eth_getBlockByNumber" && params[0] === "latest"
          ? await chain.client.request({ method, params: ["0x4", false] })
          : await result(),
    }));
  const newestOf = (...nodes: readonly FaultyNode[]) =>
    transportOver(nodes.map(({ rpcUrl }) => rpcUrl)).request("eth_getBlockByNumber", ["latest", false]);

  it("is that of the first URL while it is not old, however high another one lies", async () => {
    const [stopped, next] = [await startStopped(), await startSpoiled(null)];
    expect(await newestOf(stopped, next)).toMatchObject({ number: "0x4" });
    expect(next.calls.get("eth_getBlockByNumber")).toBeUndefined();
  });

  it("is the highest of all URLs if all are old, and that of the next one while the first fails", async () => {
    const later = Date.now() + Number(HOUR_SECONDS) * 1000;
    vi.spyOn(Date, "now").mockReturnValue(later);
    const [stopped, next] = [await startStopped(), await startSpoiled(null)];
    expect(await newestOf(stopped, next)).toMatchObject({ number: "0x8" });
    expect(await newestOf(next, stopped)).toMatchObject({ number: "0x8" });
    next.spoil(always("reset"));
    expect(await newestOf(next, stopped)).toMatchObject({ number: "0x4" });
  });

  it("is that of the next URL that is not old, if the first one is", async () => {
    const later = (await chain.client.getBlock()).timestamp + HOUR_SECONDS;
    vi.spyOn(Date, "now").mockReturnValue(Number(later) * 1000);
    await chain.client.setNextBlockTimestamp({ timestamp: later });
    await chain.client.mine({ blocks: 1 });
    const [stopped, next, last] = [await startStopped(), await startSpoiled(null), await startSpoiled(null)];
    expect(await newestOf(stopped, next, last)).toMatchObject({ number: "0x9" });
    expect(last.calls.get("eth_getBlockByNumber")).toBeUndefined();
  });
});
