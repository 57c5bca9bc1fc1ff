/**
 * Distinguishes a node's answer from a failure to answer. An answer goes to Ponder; after a failure, the request is
 * repeated.
 */
import { BaseError, HttpRequestError, TimeoutError, UnknownRpcError } from "viem";
import { RangeTooLargeError } from "../rpcTransport.ts";

/** The kind of a failure: the node did not answer, or its answer cannot be right. */
type FailureKind = "unreachable" | "damaged";

/**
 * A request that a node did not answer, or whose answer cannot be right. The message contains neither the URL nor text
 * from the node: both may contain keys.
 */
export class NodeFailure extends Error {
  override readonly name = "NodeFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** JSON-RPC errors with which nodes and providers say that they are busy, for any method. */
const BUSY_CODES: ReadonlySet<number> = new Set([429, -32002, -32007]);

/** "Limit exceeded", -32005, is used for too many requests and for too large an answer. */
const LIMIT_EXCEEDED_CODE = -32005;
const INTERNAL_ERROR_CODE = -32603;
const TOO_MANY_REQUESTS = /rate|per second|per minute|too many requests|request limit|capacity|credits|compute units/i;

/**
 * Messages with which nodes report that a call itself failed, whatever the error code. anvil and reth write the names of
 * their own errors, without spaces ("EVM error StackUnderflow").
 */
const EXECUTION_FAILURE =
  /revert|invalid ?(?:fe)?opcode|opcode ?not ?found|notactivated|invalid instruction|bad ?instruction|invalid ?jump|bad ?jump|out ?of ?gas|gas required exceeds|gas uint64 overflow|stack ?(?:over|under)flow|stack limit|static ?(?:call|state)|write protection|out ?of ?offset|return data out of bounds/i;

/** Texts with which nodes say that an answer would be too large, and not that there were too many requests. */
const TOO_LARGE = /\b(logs?|results?|receipts?|blocks?|range|size|bytes|large)\b/i;

/** A node that is behind, or does not have the block yet, refuses with one of various codes. */
const BLOCK_MISSING = /header not found|unknown block|block not found|missing trie node|state (is )?not available/i;

/** Every node can answer these, so a refusal is a failure, too. */
const ALWAYS_ANSWERABLE: ReadonlySet<string> = new Set(["eth_chainId", "eth_blockNumber", "eth_getBlockByNumber"]);

/** HTTP statuses with which a provider may refuse a request, without a JSON-RPC error in the body. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 413, 501]);

/**
 * Returns whether an error is a node's answer to the request: the method is unknown, the call reverts, or the range is
 * too wide. Network errors, timeouts, other HTTP statuses, bodies that are not JSON-RPC and errors that ask the client
 * to try later are not answers.
 */
export function isAnswer(error: unknown, method: string): boolean {
  if (ALWAYS_ANSWERABLE.has(method)) return false;
  if (error instanceof RangeTooLargeError) return true;
  // viem throws this error for a body that is JSON but not JSON-RPC.
  if (error instanceof UnknownRpcError) return false;
  const code = codeOf(error);
  if (code === null) {
    return error instanceof HttpRequestError && error.status !== undefined && REFUSING_STATUSES.has(error.status);
  }
  const text = error instanceof Error ? error.message : "";
  if (BUSY_CODES.has(code)) return false;
  // Refusals of a range of blocks use any of the codes below. Ponder recognizes refusals of logs by their text.
  if (method === "eth_getLogs" || method === "trace_filter")
    return code !== LIMIT_EXCEEDED_CODE || !TOO_MANY_REQUESTS.test(text);
  // The receipts of a block are then requested one by one.
  if (method === "eth_getBlockReceipts" && isTooLarge(error)) return true;
  if (code === INTERNAL_ERROR_CODE) return method === "eth_call" && isExecutionFailure(error);
  return code !== LIMIT_EXCEEDED_CODE && !BLOCK_MISSING.test(text);
}

/** Returns whether a call of a contract failed by itself, which another node or attempt does not change. */
export function isExecutionFailure(error: unknown): error is BaseError {
  return error instanceof BaseError && EXECUTION_FAILURE.test(error.details);
}

/** Returns whether a node's answer is that it would have to return too much at once. */
export function isTooLarge(answer: unknown): boolean {
  if (!(answer instanceof BaseError) || codeOf(answer) !== LIMIT_EXCEEDED_CODE) return false;
  return TOO_LARGE.test(answer.details) && !TOO_MANY_REQUESTS.test(answer.details);
}

/** Returns the failure that a transport's error represents. */
export function failureOf(error: unknown, method: string): NodeFailure {
  return new NodeFailure("unreachable", `${method}: ${describe(error)}`, error);
}

/** Describes the failure in a few words, without the body of the answer, which may contain anything. */
function describe(error: unknown): string {
  if (error instanceof TimeoutError) return "no answer in time";
  if (error instanceof HttpRequestError) {
    return error.status === undefined ? "the request failed, or its answer is not JSON" : `HTTP status ${error.status}`;
  }
  const code = codeOf(error);
  if (code !== null && !(error instanceof UnknownRpcError)) return `JSON-RPC error ${code}`;
  return "the answer is not JSON-RPC";
}

function codeOf(error: unknown): number | null {
  const code = error instanceof BaseError && "code" in error ? error.code : null;
  return typeof code === "number" ? code : null;
}
