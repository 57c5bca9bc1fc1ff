/** Logs of ranges from nodes that omit some, over a real chain. */
import { setTimeout as sleep } from "node:timers/promises";
import { hexToNumber, numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cutDifferently, halves, logsProblem } from "../../../config/rpc/logRange.ts";
import {
  type Fault,
  type FaultyNode,
  lastLogMissing,
  logsCapped,
  middleLogMissing,
  oddLogsMissing,
  receiptsWithoutLogs,
  startFaultyNode,
} from "../../support/faultyNode.ts";
import { ponderDependency } from "../../support/ponderPackage.ts";
import { type ChainWithLogs, EMITTER, startChainWithLogs, stopClock, transportOver } from "./chain.ts";

let chain: ChainWithLogs;
let right: unknown;
const started: FaultyNode[] = [];

beforeAll(async () => {
  chain = await startChainWithLogs(10, 3);
  right = await chain.client.request({ method: "eth_getLogs", params: [RANGE] });
});
afterAll(() => chain?.node.stop());
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

/** How Ponder interprets an error of `eth_getLogs`. The package is a dependency of Ponder, not of this project. */
const { getLogsRetryHelper } = (await import(ponderDependency("@ponder/utils"))) as {
  getLogsRetryHelper(refused: { error: unknown; params: readonly object[] }): { readonly shouldRetry: boolean };
};

const RANGE = { address: EMITTER, fromBlock: "0x0", toBlock: numberToHex(16) } as const;

async function startSpoiled(fault: Fault | null): Promise<FaultyNode> {
  const node = await startFaultyNode(chain.node.rpcUrl, fault);
  started.push(node);
  return node;
}

describe("the logs of a range", () => {
  it("are those of the node, which is asked twice", async () => {
    stopClock();
    const node = await startSpoiled(null);
    const { request, reports } = transportOver([node.rpcUrl]);
    expect(await request("eth_getLogs", [RANGE])).toEqual(right);
    expect(node.calls.get("eth_getLogs")).toBe(3);
    expect(reports).toEqual([]);
  });

  it("are requested from the next URL the second time", async () => {
    const [first, second] = [await startSpoiled(null), await startSpoiled(null)];
    const { request } = transportOver([first.rpcUrl, second.rpcUrl]);
    expect(await request("eth_getLogs", [RANGE])).toEqual(right);
    expect([first.calls.get("eth_getLogs"), second.calls.get("eth_getLogs")]).toEqual([1, 2]);
  });

  it.each([
    ["last", lastLogMissing],
    ["middle", middleLogMissing],
  ])("are not accepted while the %s log is missing", async (_, fault) => {
    const node = await startSpoiled(fault);
    const { request, reports } = transportOver([node.rpcUrl]);
    const answer = request("eth_getLogs", [RANGE]);
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.kind).toBe("damaged"), { timeout: 60_000 });
    expect(reports.at(-1)?.problem?.message).toMatch(
      /^two answers with the logs of blocks 0 to 16 differ first in block/,
    );
    node.spoil(null);
    expect(await answer).toEqual(right);
    expect(reports.at(-1)?.problem).toBeNull();
  });

  it("leave no report behind when the node refuses the range, which is then requested in parts", async () => {
    let isRefusing = false;
    const fault: Fault = async (call, result) =>
      isRefusing && call.method === "eth_getLogs"
        ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "block range too large" } }) }
        : middleLogMissing(call, result);
    const node = await startSpoiled(fault);
    const { request, reports } = transportOver([node.rpcUrl]);
    const answer = request("eth_getLogs", [RANGE]).catch((error: unknown) => error);
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.kind).toBe("damaged"), { timeout: 60_000 });
    isRefusing = true;
    expect(String(await answer)).toContain("block range too large");
    expect(reports.at(-1)?.problem).toBeNull();
  });

  it("are those of the URL that a block's header and receipts prove, while the other is always wrong", async () => {
    stopClock();
    for (const wrongFirst of [true, false]) {
      const [wrong, good] = [await startSpoiled(oddLogsMissing), await startSpoiled(null)];
      const urls = wrongFirst ? [wrong.rpcUrl, good.rpcUrl] : [good.rpcUrl, wrong.rpcUrl];
      const { request, reports } = transportOver(urls);
      expect(await request("eth_getLogs", [RANGE])).toEqual(right);
      const asked = wrong.calls.get("eth_getLogs");
      // After that, only the other one is asked.
      expect(await request("eth_getLogs", [RANGE])).toEqual(right);
      expect(wrong.calls.get("eth_getLogs")).toBe(asked);
      expect(reports).toEqual([]);
    }
  });

  it("are requested twice for a single block, too", async () => {
    const [first, second] = [await startSpoiled(lastLogMissing), await startSpoiled(null)];
    const { request } = transportOver([first.rpcUrl, second.rpcUrl]);
    expect(await request("eth_getLogs", [{ ...RANGE, fromBlock: "0x4", toBlock: "0x4" }])).toHaveLength(3);
  });

  it("are waited for while every URL is behind the range", async () => {
    let behind = true;
    const fault: Fault = async ({ method }, result) => {
      if (!behind) return { result: await result() };
      if (method === "eth_blockNumber") return { result: "0x8" };
      const logs = await result();
      if (method !== "eth_getLogs") return { result: logs };
      return { result: (logs as { blockNumber: `0x${string}` }[]).filter((log) => hexToNumber(log.blockNumber) <= 8) };
    };
    const [first, second] = [await startSpoiled(fault), await startSpoiled(fault)];
    const { request, reports } = transportOver([first.rpcUrl, second.rpcUrl]);
    const answer = request("eth_getLogs", [RANGE]);
    await vi.waitFor(() => expect(reports.at(-1)?.problem?.kind).toBe("unreachable"), { timeout: 60_000 });
    expect(reports.at(-1)?.problem?.message).toContain("is at block 8, and does not have 16 yet");
    behind = false;
    expect(await answer).toEqual(right);
  });

  it("are refused as a whole if the first answer is, and refused parts are requested in smaller ones", async () => {
    const atMost =
      (blocks: number): Fault =>
      async ({ method, params: [filter] }, result) => {
        const { fromBlock = "0x0", toBlock = "0x0" } = (filter ?? {}) as { fromBlock?: "0x0"; toBlock?: "0x0" };
        if (method !== "eth_getLogs" || hexToNumber(toBlock) - hexToNumber(fromBlock) < blocks) {
          return { result: await result() };
        }
        return { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query exceeds max block range 3"}}' };
      };
    const limited = await startSpoiled(atMost(3));
    const refusing = transportOver([limited.rpcUrl]);
    await expect(refusing.request("eth_getLogs", [RANGE])).rejects.toThrow("query exceeds max block range 3");
    expect(limited.calls.get("eth_getLogs")).toBe(1);

    const unlimited = await startSpoiled(null);
    const { request } = transportOver([unlimited.rpcUrl, limited.rpcUrl]);
    expect(await request("eth_getLogs", [RANGE])).toEqual(right);
  });
});

describe("the logs of a block that are more than a node returns at once", () => {
  const BLOCK = { ...RANGE, fromBlock: "0x4", toBlock: "0x4" } as const;

  it("are taken from its receipts, by the filter", async () => {
    const logs = await chain.client.request({ method: "eth_getLogs", params: [BLOCK] });
    expect(logs).toHaveLength(3);
    const capped = await startSpoiled(logsCapped(0));
    const { request, reports } = transportOver([capped.rpcUrl]);
    expect(await request("eth_getLogs", [BLOCK])).toMatchObject(logs);
    const topics = [logs[1]?.topics ?? []];
    expect(await request("eth_getLogs", [{ ...BLOCK, topics }])).toMatchObject(logs.slice(1, 2));
    expect(await request("eth_getLogs", [{ ...BLOCK, address: `0x${"a".repeat(40)}` }])).toEqual([]);
    expect(reports).toEqual([]);
  });

  it("are refused while no receipts prove them", async () => {
    const capped = await startSpoiled(async (call, result) =>
      call.method === "eth_getLogs" ? logsCapped(0)(call, result) : receiptsWithoutLogs(call, result),
    );
    const { request } = transportOver([capped.rpcUrl]);
    await expect(request("eth_getLogs", [BLOCK])).rejects.toThrow("Too many logs requested");
  });

  it("are those of another URL that returns as many", async () => {
    const capped = await startSpoiled(logsCapped(2));
    const { request } = transportOver([capped.rpcUrl, chain.node.rpcUrl]);
    expect(await request("eth_getLogs", [BLOCK])).toHaveLength(3);
    expect(capped.calls.get("eth_getBlockReceipts")).toBeUndefined();
  });

  it("make Ponder request fewer blocks at once", async () => {
    const capped = await startSpoiled(logsCapped(2));
    const error = await transportOver([capped.rpcUrl])
      .request("eth_getLogs", [RANGE])
      .catch((cause: unknown) => cause);
    expect(getLogsRetryHelper({ error, params: [RANGE] })).toMatchObject({
      shouldRetry: true,
      isSuggestedRange: false,
    });
  });
});

it("a range that takes too long, while the node answers other requests, is refused with a message that Ponder recognizes", async () => {
  const node = await startSpoiled(async ({ method }, result) => {
    if (method === "eth_getLogs") await sleep(12_000);
    return { result: await result() };
  });
  const { request } = transportOver([node.rpcUrl]);
  const error = await request("eth_getLogs", [RANGE]).catch((cause: unknown) => cause);
  expect(getLogsRetryHelper({ error, params: [RANGE] })).toMatchObject({ shouldRetry: true, isSuggestedRange: false });
});

describe("a range", () => {
  it("is cut unevenly, and its second part ends at the last block", () => {
    const range = { from: 100n, to: 199n };
    expect(cutDifferently(range, 1_000n)).toEqual([
      { from: 100n, to: 137n },
      { from: 138n, to: 236n },
    ]);
    expect(cutDifferently(range, 210n)[1]).toEqual({ from: 138n, to: 210n });
    expect(cutDifferently(range, -1n)[1]).toEqual({ from: 138n, to: 199n });
    expect(cutDifferently({ from: 7n, to: 7n }, 9n)).toEqual([{ from: 7n, to: 7n }]);
    expect(cutDifferently({ from: 7n, to: 8n }, 9n)).toEqual([
      { from: 7n, to: 7n },
      { from: 8n, to: 8n },
    ]);
  });

  it("is halved down to single blocks", () => {
    expect(halves({ from: 3n, to: 5n })).toEqual([
      { from: 3n, to: 4n },
      { from: 5n, to: 5n },
    ]);
    expect(halves({ from: 3n, to: 3n })).toBeNull();
  });
});

describe("an answer with logs is refused", () => {
  const hash = `0x${"a".repeat(64)}`;
  const log = {
    blockNumber: "0x5",
    blockHash: hash,
    logIndex: "0x0",
    transactionHash: hash,
    address: EMITTER,
    topics: [hash],
    data: "0x",
  };
  const range = { from: 1n, to: 9n, address: EMITTER, topics: [[hash as "0x", `0x${"b".repeat(64)}`]] } as const;

  it("unless every log is one that was requested", () => {
    expect(logsProblem(range, [log, { ...log, logIndex: "0x1", removed: false }])).toBeNull();
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["no list", { logs: [] }],
    ["a log without a block", [{ ...log, blockHash: null }]],
    ["a log outside", [{ ...log, blockNumber: "0xa" }]],
    ["a log twice", [log, log]],
    ["logs of two blocks of one number", [log, { ...log, logIndex: "0x1", blockHash: `0x${"c".repeat(64)}` }]],
    ["a log that was removed", [{ ...log, removed: true }]],
    ["a log of another contract", [{ ...log, address: `0x${"d".repeat(40)}` }]],
    ["a log of another event", [{ ...log, topics: [`0x${"d".repeat(64)}`] }]],
  ])("when it holds %s", (_, answer) => {
    expect(logsProblem(range, answer)).not.toBeNull();
  });
});
