/** A JSON-RPC proxy in front of a real node that changes answers as a test requires. */
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Address, pad, toEventSelector } from "viem";
import { postTo, type RpcRequest, type RpcServer, startRpcServer } from "./rpcServer.ts";

/** An HTTP answer that replaces the node's. */
export interface RawAnswer {
  readonly status?: number;
  readonly contentType?: string;
  readonly body: string;
  /** Length that the answer claims, if different from that of the body. */
  readonly claimedLength?: number;
}

/**
 * Receives a call and a function that returns the node's result. Returns what the client receives instead: another
 * result, another HTTP answer, or "reset" to cut the connection.
 */
export type Fault = (
  call: RpcRequest,
  result: () => Promise<unknown>,
) => Promise<{ result: unknown } | RawAnswer | "reset">;

export interface FaultyNode extends RpcServer {
  /** Number of calls so far, by method. */
  readonly calls: ReadonlyMap<string, number>;
  /** Sets the fault that changes answers from now on. Null ends it. */
  spoil(fault: Fault | null): void;
  /** Sends further requests to another node. */
  switchTo(targetUrl: string): void;
}

export async function startFaultyNode(targetUrl: string, firstFault: Fault | null = null): Promise<FaultyNode> {
  let target = targetUrl;
  let fault = firstFault;
  const calls = new Map<string, number>();

  const outcomeOf = async (body: string): Promise<RawAnswer | "reset"> => {
    const { id, method, params = [] } = JSON.parse(body) as RpcRequest & { readonly id: unknown };
    calls.set(method, (calls.get(method) ?? 0) + 1);
    const forward = async () => (await postTo(target, body)).text();
    if (fault === null) return { body: await forward() };
    const outcome = await fault({ method, params }, async () => {
      const { result, error } = JSON.parse(await forward()) as { readonly result?: unknown; readonly error?: unknown };
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return result;
    });
    if (outcome === "reset" || "body" in outcome) return outcome;
    return { body: JSON.stringify({ jsonrpc: "2.0", id, result: outcome.result }) };
  };
  const { rpcUrl, stop } = await startRpcServer(async (request, response) => {
    const outcome = await outcomeOf(await text(request)).catch((error: unknown) => ({
      status: 502,
      body: String(error),
    }));
    if (outcome === "reset") request.socket.destroy();
    else send(response, outcome);
  });
  return {
    rpcUrl: `${rpcUrl}/secret-key`,
    calls,
    spoil(next) {
      fault = next;
    },
    switchTo(url) {
      target = url;
    },
    stop,
  };
}

function send(response: ServerResponse, answer: RawAnswer): void {
  const { status = 200, contentType = "application/json", body, claimedLength } = answer;
  response.writeHead(status, {
    "content-type": contentType,
    ...(claimedLength === undefined ? {} : { "content-length": claimedLength }),
  });
  response.write(body);
  if (claimedLength === undefined) response.end();
  else response.socket?.end();
}

/** Changes the results of some calls only. */
function spoiling(
  isSpoiled: (call: RpcRequest) => boolean,
  spoil: (result: never, call: RpcRequest) => unknown,
): Fault {
  return async (call, result) => ({
    result: isSpoiled(call) ? spoil((await result()) as never, call) : await result(),
  });
}

const NAV_POSTED = toEventSelector("NavPosted(uint256,address)");

const isRangeOfLogs = ({ method, params: [filter] }: RpcRequest) =>
  method === "eth_getLogs" && !Object.hasOwn(filter as object, "blockHash");
const isMethod =
  (...methods: readonly string[]) =>
  ({ method }: RpcRequest) =>
    methods.includes(method);

/** Removes the last log of each answer to a request for logs by block number. */
export const lastLogMissing = spoiling(isRangeOfLogs, (logs: unknown[]) => logs.slice(0, -1));

/** Removes a log from the middle of each answer to a request for logs by block number. */
export const middleLogMissing = spoiling(isRangeOfLogs, (logs: unknown[]) =>
  logs.toSpliced(Math.floor(logs.length / 2), 1),
);

/** Removes the swaps of an operator, the first word of their data, from each answer for logs by block number. */
export const rangesWithoutSwapsBy = (operator: Address): Fault =>
  spoiling(isRangeOfLogs, (logs: { data: string }[]) =>
    logs.filter(({ data }) => !data.startsWith(pad(operator).toLowerCase())),
  );

/** Changes every posted NAV in answers for logs by block number. */
export const navsOfRangesWrong = spoiling(isRangeOfLogs, (logs: { topics: string[] }[]) =>
  logs.map((log) => (log.topics[0] === NAV_POSTED ? { ...log, data: pad("0x7") } : log)),
);

/** Removes logs with an odd index in the block from every answer, including those for a block's hash. */
export const oddLogsMissing = spoiling(isMethod("eth_getLogs"), (logs: { logIndex: string }[]) =>
  logs.filter(({ logIndex }) => Number(logIndex) % 2 === 0),
);

/** Returns null for the receipts of a block and of a transaction. */
export const receiptsNull = spoiling(isMethod("eth_getBlockReceipts", "eth_getTransactionReceipt"), () => null);

/** Removes the last receipt of each block, and returns null for those of single transactions. */
export const lastReceiptMissing = spoiling(
  isMethod("eth_getBlockReceipts", "eth_getTransactionReceipt"),
  (receipts: unknown) => (Array.isArray(receipts) ? receipts.slice(0, -1) : null),
);

/** Removes all logs from receipts. */
export const receiptsWithoutLogs = spoiling(
  isMethod("eth_getBlockReceipts", "eth_getTransactionReceipt"),
  (receipts: object | object[]) =>
    Array.isArray(receipts) ? receipts.map((receipt) => ({ ...receipt, logs: [] })) : { ...receipts, logs: [] },
);

/** Removes the transactions from blocks. */
export const transactionsMissing = spoiling(isMethod("eth_getBlockByNumber"), (block: object | null) =>
  block === null ? null : { ...block, transactions: [] },
);

/** Removes the last transaction of each block. */
export const lastTransactionMissing = spoiling(
  isMethod("eth_getBlockByNumber", "eth_getBlockByHash"),
  (block: { transactions: unknown[] } | null) =>
    block === null ? null : { ...block, transactions: block.transactions.slice(0, -1) },
);

/** Changes the time of each block. */
export const timesWrong = spoiling(isMethod("eth_getBlockByNumber", "eth_getBlockByHash"), (block: object | null) =>
  block === null ? null : { ...block, timestamp: "0x1" },
);

/** Changes the data of all logs, in every answer that has logs. */
export const logDataWrong = spoiling(
  isMethod("eth_getLogs", "eth_getBlockReceipts"),
  (answers: { logs?: object[] }[]) =>
    answers.map(({ logs, ...answer }) =>
      logs === undefined
        ? { ...answer, data: pad("0x7") }
        : { ...answer, logs: logs.map((log) => ({ ...log, data: pad("0x7") })) },
    ),
);

/** Says that each transaction was reverted, with its logs. */
export const outcomesWrong = spoiling(isMethod("eth_getBlockReceipts"), (receipts: object[]) =>
  receipts.map((receipt) => ({ ...receipt, status: "0x0" })),
);

/** Leaves the calldata of transactions out of blocks. */
export const calldataMissing = spoiling(isMethod("eth_getBlockByNumber"), (block: { transactions: object[] } | null) =>
  block === null
    ? null
    : { ...block, transactions: block.transactions.map((transaction) => ({ ...transaction, input: undefined })) },
);

/** Gives receipts that do not say whether the transaction succeeded. */
export const outcomesNull = spoiling(isMethod("eth_getBlockReceipts"), (receipts: object[]) =>
  receipts.map((receipt) => ({ ...receipt, status: null })),
);

export const noBlocks = spoiling(
  ({ method, params }) => method === "eth_getBlockByNumber" && params[0] !== "latest",
  () => null,
);

/** Gives blocks whose number has no digit. */
export const numbersMalformed = spoiling(isMethod("eth_getBlockByNumber"), (block: object | null) =>
  block === null ? null : { ...block, number: "0x" },
);

/** Changes fields of each block, and of its transactions. */
export const fieldsOfBlocks = (ofBlock: object, ofTransaction: object = {}) =>
  spoiling(isMethod("eth_getBlockByNumber"), (block: { transactions: (object | string)[] } | null) =>
    block === null
      ? null
      : {
          ...block,
          ...ofBlock,
          transactions: block.transactions.map((transaction) =>
            typeof transaction === "string" ? transaction : { ...transaction, ...ofTransaction },
          ),
        },
  );

/** Changes fields of each receipt. */
export const fieldsOfReceipts = (changes: object) =>
  spoiling(isMethod("eth_getBlockReceipts"), (receipts: object[]) =>
    receipts.map((receipt) => ({ ...receipt, ...changes })),
  );

/** Writes the topics of logs in upper case. */
export const topicsInUpperCase = spoiling(isMethod("eth_getLogs"), (logs: { topics: string[] }[]) =>
  logs.map((log) => ({ ...log, topics: log.topics.map((topic) => `0x${topic.slice(2).toUpperCase()}`) })),
);

/** Names a newest block whose number has no digit. */
export const headsMalformed = spoiling(isMethod("eth_blockNumber"), () => "0x");

export const headsNull = spoiling(isMethod("eth_blockNumber"), () => null);

export const always =
  (answer: RawAnswer | "reset"): Fault =>
  async () =>
    answer;

/** Refuses the receipts of whole blocks. */
export const blockReceiptsRefused: Fault = async (call, result) =>
  call.method === "eth_getBlockReceipts"
    ? { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}' }
    : { result: await result() };

/** Refuses the receipts of a block with the code that also stands for too many requests. */
export const blockReceiptsTooLarge: Fault = async (call, result) =>
  call.method === "eth_getBlockReceipts"
    ? { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"response size exceeded"}}' }
    : { result: await result() };

/** Refuses logs if they are more than so many, with the text of Nethermind. */
export const logsCapped =
  (most: number): Fault =>
  async (call, result) => {
    const answer = await result();
    if (call.method !== "eth_getLogs" || (answer as unknown[]).length <= most) return { result: answer };
    const message = `Too many logs requested. Max logs per response is ${most}.`;
    return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message } }) };
  };

export const withoutLogs = spoiling(isRangeOfLogs, () => null);

export const ONLY_HALF: Fault = async (_, result) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: await result() });
  return { body: body.slice(0, body.length / 2), claimedLength: body.length };
};
