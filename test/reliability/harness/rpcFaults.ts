/** Faults of nodes, by name. */
import { createHash } from "node:crypto";
import { numberToHex } from "viem";
import type { Random } from "../../../localnet/random.ts";
import { postTo, type RpcRequest } from "../../support/rpcServer.ts";
import type { Ask, Fault, Reply } from "./rpcProxy.ts";

interface Block {
  readonly number: `0x${string}`;
  readonly hash: string;
  readonly transactions: readonly unknown[];
}

interface Log {
  readonly data: string;
}

interface Receipt {
  readonly status: string;
  readonly logs: readonly Log[];
}

/** Number of blocks that `range limits` allows in one `eth_getLogs`. */
const LOGS_RANGE = 20;
/** Number of blocks by which `stale head` and `a latest that jumps` fall behind. */
export const BEHIND_BLOCKS = 5;
const ORPHAN_LOGS_ERROR: Reply = { kind: "error", code: -32000, message: "unknown block" };
const NULL: Reply = { kind: "result", result: null };

const HTML = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

export interface FaultInputs {
  readonly random: Random;
  /** URL of a node of another chain. */
  readonly otherNodeUrl: string;
}

/** All faults, created again each time because some remember their answers. */
export const FAULTS: Readonly<Record<string, (inputs: FaultInputs) => Fault>> = {
  "time-outs": () => () => ({ kind: "silence" }),
  "HTTP 429": () => () => http(429, '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"limit exceeded"}}'),
  "HTTP 5xx":
    ({ random }) =>
    () =>
      http(random.pick([500, 502, 503]), "internal server error", "text/plain"),
  resets: () => () => ({ kind: "reset" }),
  "truncated bodies": () => async (call, ask) => ({ kind: "truncated", result: await askFor(call, ask) }),
  "non-JSON bodies": () => () => http(200, "upstream connect error", "text/plain"),
  HTML: () => () => http(200, HTML, "text/html"),
  "logs left out": () => async (call, ask) => {
    if (call.method !== "eth_getLogs") return undefined;
    return withoutLast(await askFor(call, ask));
  },
  "receipts left out": () => async (call, ask) => {
    if (call.method === "eth_getBlockReceipts") return withoutLast(await askFor(call, ask));
    return undefined;
  },
  "receipts null": () => (call) => (/^eth_get(Block|Transaction)Receipts?$/.test(call.method) ? NULL : undefined),
  "a block without transactions": () => async (call, ask) => {
    if (!isBlockCall(call)) return undefined;
    const block = (await askFor(call, ask)) as Block | null;
    return block && block.transactions.length > 0 ? result({ ...block, transactions: [] }) : undefined;
  },
  "the last transaction left out": () => async (call, ask) => {
    if (!isBlockCall(call)) return undefined;
    const block = (await askFor(call, ask)) as Block | null;
    return block && block.transactions.length > 0
      ? result({ ...block, transactions: block.transactions.slice(0, -1) })
      : undefined;
  },
  "changed times": () => async (call, ask) => {
    if (!isBlockCall(call)) return undefined;
    const block = (await askFor(call, ask)) as (Block & { readonly timestamp: string }) | null;
    return block ? result({ ...block, timestamp: numberToHex(Number(block.timestamp) - 1) }) : undefined;
  },
  "changed logs and outcomes": () => async (call, ask) => {
    if (call.method !== "eth_getLogs" && call.method !== "eth_getBlockReceipts") return undefined;
    const answers = (await askFor(call, ask)) as readonly (Log | Receipt)[] | null;
    return answers && answers.length > 0 ? result(answers.map(changed)) : undefined;
  },
  "wrong chain":
    ({ otherNodeUrl }) =>
    async (call) =>
      result(await askFor(call, askNode(otherNodeUrl))),
  "stale head": () => {
    let head: Promise<unknown> | undefined;
    return atHead(async (ask) => {
      head ??= ask("eth_blockNumber", []);
      return numberToHex(Math.max(0, Number(await head) - BEHIND_BLOCKS));
    });
  },
  "a latest that jumps": ({ random }) =>
    atHead(async (ask) => {
      const head = Number(await ask("eth_blockNumber", []));
      return numberToHex(Math.max(0, head - random.integer(0, BEHIND_BLOCKS)));
    }),
  "forgotten orphan": () => inventedHead({ isServed: false }),
  "unknown parent": () => inventedHead({ isServed: true }),
  "range limits": () => (call) => {
    const { fromBlock, toBlock } = (call.params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    if (call.method !== "eth_getLogs" || Number(toBlock) - Number(fromBlock) < LOGS_RANGE) return undefined;
    return { kind: "error", code: -32602, message: `eth_getLogs is limited to a ${LOGS_RANGE} range` };
  },
  "no eth_getBlockReceipts": () => (call) =>
    call.method === "eth_getBlockReceipts"
      ? { kind: "error", code: -32601, message: "the method eth_getBlockReceipts does not exist/is not available" }
      : undefined,
};

/** Faults that only a backfill can meet, because live blocks are requested one by one. */
export const BACKFILL_FAULTS: readonly string[] = ["range limits"];

/** Applies any of the faults to some of the calls. Silence is omitted because it would delay the other faults. */
export function mixedFaults(inputs: FaultInputs): Fault {
  const faults = Object.entries(FAULTS)
    .filter(([name]) => name !== "time-outs")
    .map(([, make]) => make(inputs));
  return (call, ask) => (inputs.random.chance(1, 5) ? inputs.random.pick(faults)(call, ask) : undefined);
}

function askFor({ method, params }: RpcRequest, ask: Ask): Promise<unknown> {
  return ask(method, params);
}

function askNode(url: string): Ask {
  return async (method, params) => {
    const answer = await postTo(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    return ((await answer.json()) as { result?: unknown }).result ?? null;
  };
}

function result(value: unknown): Reply {
  return { kind: "result", result: value };
}

function http(status: number, body: string, contentType = "application/json"): Reply {
  return { kind: "http", status, body, contentType };
}

function withoutLast(list: unknown): Reply | undefined {
  return Array.isArray(list) && list.length > 0 ? result(list.slice(0, -1)) : undefined;
}

/** Changes the last digit of a log's data, and the outcome of a receipt. */
function changed(answer: Log | Receipt): Log | Receipt {
  if ("status" in answer) return { ...answer, status: "0x0", logs: answer.logs.map((log) => changed(log) as Log) };
  return { ...answer, data: answer.data.slice(0, -1) + (answer.data.endsWith("0") ? "1" : "0") };
}

function isBlockCall({ method }: RpcRequest): boolean {
  return method === "eth_getBlockByNumber" || method === "eth_getBlockByHash";
}

/** Makes a node report a wrong newest block. */
function atHead(headOf: (ask: Ask) => Promise<string>): Fault {
  return async ({ method, params }, ask) => {
    if (method === "eth_blockNumber") return result(await headOf(ask));
    if (method !== "eth_getBlockByNumber" || params[0] !== "latest") return undefined;
    return result(await ask(method, [await headOf(ask), params[1]]));
  };
}

/**
 * Reports a newest block that is not in any chain and whose parent is unknown. When requested by hash, the block is
 * either served, as an empty block, or unknown.
 */
function inventedHead({ isServed }: { readonly isServed: boolean }): Fault {
  const invented = new Map<string, unknown>();
  return async ({ method, params }, ask) => {
    const [subject] = params;
    if (method === "eth_getBlockByNumber" && subject === "latest") {
      const block = (await ask(method, params)) as Block;
      const hash = hashOf(`${block.hash} ${isServed}`);
      const orphan = {
        ...block,
        hash,
        ...(isServed
          ? {
              number: numberToHex(Number(block.number) + 1),
              parentHash: hashOf(`parent of ${hash}`),
              logsBloom: `0x${"0".repeat(512)}`,
              transactions: [],
            }
          : {}),
      };
      invented.set(hash, orphan);
      return result(orphan);
    }
    const hash = typeof subject === "string" ? subject : (subject as { blockHash?: string } | undefined)?.blockHash;
    if (hash === undefined || !invented.has(hash)) return undefined;
    if (method === "eth_getBlockByHash") return isServed ? result(invented.get(hash)) : NULL;
    if (method === "eth_getLogs") return isServed ? result([]) : ORPHAN_LOGS_ERROR;
    return isServed ? result([]) : NULL;
  };
}

function hashOf(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}
