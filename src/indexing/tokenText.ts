/** Reads the optional texts of an ERC-20, `name()` and `symbol()`, also from tokens that deviate from the standard. */
import {
  type Address,
  BaseError,
  bytesToString,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBytes,
  size,
} from "viem";
import { isExecutionFailure } from "../../config/rpc/failures.ts";

/** Replacement in decoded text for bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = "\uFFFD";

/** A call of a token without arguments. */
interface TokenCall {
  readonly to: Address;
  readonly data: Hex;
}

/** The only action of `context.client` that is needed. What is immutable is read at the latest block. */
interface CallClient {
  call(
    request: TokenCall | (TokenCall & { readonly cache: "immutable" }),
  ): Promise<{ readonly data?: Hex | undefined }>;
}

/**
 * Reads a text of a token at the latest block, or at the block of the event if the token has none there: the latest
 * block of a node that is behind can be from before the token was deployed.
 * @returns null when the token has none: the call fails, or returns neither an ABI string nor a text of 32 bytes
 * @throws the node's error
 */
export async function readTokenText(
  client: CallClient,
  token: Address,
  functionName: "name" | "symbol",
): Promise<string | null> {
  const request = { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName }) };
  return (
    (await readText(() => client.call({ ...request, cache: "immutable" }), functionName)) ??
    readText(() => client.call(request), functionName)
  );
}

async function readText(
  call: () => ReturnType<CallClient["call"]>,
  functionName: "name" | "symbol",
): Promise<string | null> {
  try {
    const answer = await call();
    return answer.data === undefined ? null : decodeTokenText(answer.data, functionName);
  } catch (error) {
    // Anything else is a failure of the node, which must not be stored as a token without a name.
    if (error instanceof BaseError && error.walk(isExecutionFailure) !== null) return null;
    throw error;
  }
}

/**
 * Decodes an answer: an ABI string or, for tokens older than the standard, 32 bytes padded with zeros. Returns null
 * otherwise.
 */
export function decodeTokenText(answer: Hex, functionName: "name" | "symbol"): string | null {
  if (size(answer) === 32) {
    const [text = ""] = bytesToString(hexToBytes(answer)).split("\0");
    return text === "" || text.includes(REPLACEMENT_CHARACTER) ? null : text;
  }
  try {
    const text = decodeFunctionResult({ abi: erc20Abi, functionName, data: answer });
    // PostgreSQL cannot store it, and one token must not stop the index.
    return text.includes("\0") ? null : text;
  } catch (error) {
    // Any other answer of the contract is not a text.
    if (error instanceof BaseError) return null;
    throw error;
  }
}
