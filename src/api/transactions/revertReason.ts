/** Reads from a node why a transaction failed. */
import { decodeRevert, revertData } from "@coreswap/sdk";
import { z } from "@hono/zod-openapi";
import { BaseError, type Hex, HttpRequestError, InternalRpcError, type PublicClient } from "viem";
import { isAnswer } from "../../../config/rpc/failures.ts";
import { IndexDisagreement } from "../http/indexedBlock.ts";
import type { RevertReason } from "./revert.schema.ts";

/** Longest revert data in an answer, in bytes. A called token can return any number of bytes. */
const MAXIMUM_DATA_BYTES = 4_096;

const hex = z.templateLiteral(["0x", z.string()]);

const nodeTransaction = z.object({
  blockHash: hex.nullable(),
  from: hex,
  to: hex.nullable(),
  input: hex,
  value: hex,
  gas: hex,
});

const nodeBlock = z.object({ parentHash: hex });

/** The outermost call in the format of geth's `callTracer`. */
const tracedCall = z.object({ error: z.string().optional(), output: hex.optional() });

/** The answer of Parity's `trace_replayTransaction`. */
const replayedTrace = z.object({
  output: hex,
  trace: z.array(z.object({ error: z.string().optional() })).min(1),
});

/** How the outermost call ended: with revert data, or with a fault of the virtual machine, such as "out of gas". */
type Ending = { readonly data: Hex } | { readonly fault: string };

interface FailedTransaction {
  readonly client: PublicClient;
  readonly hash: Hex;
  readonly blockHash: string;
}

/**
 * Reads why a transaction failed: from the node's trace of it, where the node offers one, and otherwise from another
 * call on the state before its block. That state differs from the transaction's own when earlier transactions of the
 * block matter, which the answer says.
 * @throws IndexDisagreement when the node has the transaction in another block, or as a success; viem's errors when it
 * fails, also while it traces
 */
export async function readRevertReason({ client, hash, blockHash }: FailedTransaction): Promise<RevertReason> {
  const request = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    // The schemas here check the answer.
    client.request({ method, params } as never);
  const found = nodeTransaction.nullable().parse(await request("eth_getTransactionByHash", hash));
  if (found === null || found.blockHash !== blockHash) {
    throw new IndexDisagreement(
      `the node has ${hash} in block ${found?.blockHash ?? "none"}, the index in ${blockHash}`,
    );
  }
  const traced = (await readCallTrace(request, hash)) ?? (await readReplayedTrace(request, hash));
  if (traced !== null) return { source: "trace", ...textOf(traced) };

  const { from, to, input, value, gas } = found;
  const call = { from, ...(to === null ? {} : { to }), input, value, gas };
  const block = nodeBlock.nullable().parse(await request("eth_getBlockByHash", blockHash, false));
  if (block === null) throw new IndexDisagreement(`the node does not have the block ${blockHash} of ${hash}`);
  try {
    // By hash (EIP-1898): another URL of the network may be on another fork.
    await request("eth_call", call, { blockHash: block.parentHash, requireCanonical: true });
    return { source: "replay", data: null, text: null, advice: null };
  } catch (error) {
    const data = revertData(error);
    if (data !== null) return { source: "replay", ...textOf({ data }) };
    const isOutOfGas = error instanceof Error && /out ?of ?gas/i.test(error.message);
    if (isOutOfGas) return { source: "replay", ...textOf({ fault: "out of gas" }) };
    throw error;
  }
}

type SendRequest = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Reads how the call ended by geth's tracer. Null when the node does not offer it. */
async function readCallTrace(request: SendRequest, hash: Hex): Promise<Ending | null> {
  const options = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  const answer = tracedCall.safeParse(await traceOrNull(request, "debug_traceTransaction", hash, options));
  if (!answer.success) return null;
  return endingOf(hash, answer.data.error, answer.data.output);
}

/** Reads how the call ended by Parity's tracer. Null when the node does not offer it. */
async function readReplayedTrace(request: SendRequest, hash: Hex): Promise<Ending | null> {
  const answer = replayedTrace.safeParse(await traceOrNull(request, "trace_replayTransaction", hash, ["trace"]));
  if (!answer.success) return null;
  return endingOf(hash, answer.data.trace[0]?.error, answer.data.output);
}

/**
 * Returns null when the node refuses the method, which nodes do in many ways. A node that fails or takes too long may
 * offer it, so the answer must not say otherwise.
 * @throws viem's errors when the node fails
 */
async function traceOrNull(request: SendRequest, method: string, ...params: readonly unknown[]): Promise<unknown> {
  try {
    return await request(method, ...params);
  } catch (error) {
    if (isRefusal(error, method)) return null;
    throw error;
  }
}

/** HTTP statuses with which providers refuse a method that is not in the plan. */
const FORBIDDING_STATUSES: ReadonlySet<number | undefined> = new Set([401, 403]);

/** What providers that refuse a method with the code of an internal error say of it. */
const NOT_OFFERED =
  /\b(method|debug_\w+|trace_\w+)\b[^:]*\b(not (supported|available|found|allowed|enabled)|does not exist)|unsupported method/i;

function isRefusal(error: unknown, method: string): boolean {
  // A node that stops tracing after some seconds says so with the code of any error.
  if (error instanceof BaseError && /time(d )?out|deadline/i.test(error.details)) return false;
  if (error instanceof InternalRpcError) return NOT_OFFERED.test(error.details);
  return isAnswer(error, method) || (error instanceof HttpRequestError && FORBIDDING_STATUSES.has(error.status));
}

function endingOf(hash: Hex, error: string | undefined, output: Hex = "0x"): Ending {
  if (error === undefined) throw new IndexDisagreement(`the node's trace of ${hash} is of a success`);
  return /revert/i.test(error) ? { data: output } : { fault: error };
}

function textOf(ending: Ending): Pick<RevertReason, "data" | "text" | "advice"> {
  if ("fault" in ending) return { data: null, text: `a failure without data: ${ending.fault}`, advice: null };
  const bytes = (ending.data.length - 2) / 2;
  if (bytes > MAXIMUM_DATA_BYTES) {
    return { data: null, text: `an error with ${bytes} bytes of data, which are not shown`, advice: null };
  }
  const { text, advice } = decodeRevert(ending.data);
  return { data: ending.data.toLowerCase(), text, advice };
}
