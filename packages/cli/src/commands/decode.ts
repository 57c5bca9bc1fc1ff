/** `core decode`: prints calldata, revert data, logs and transactions by name. */
import { type Hex, isHex, size } from "viem";
import { createNodeClient, nodeUrl } from "../chain/connect.ts";
import { command, jsonOption } from "../commandLine.ts";
import { type Decoded, decodeBytes, decodeCall, decodeLog } from "../decode.ts";
import { Failure } from "../failure.ts";

const HASH_BYTES = 32;

export const decodeCommand = command("decode", "calldata, revert data, logs and transactions by name")
  .description("Shows by name what bytes mean to the contracts. A transaction hash needs a node.")
  .argument("[bytes]", "calldata, revert data or the hash of a transaction; nothing with --topics")
  .option("--topics <topic,…>", "topics of a log, separated by commas")
  .option("--data <data>", "data of the log", "0x")
  .option("--rpc-url <url>", "node that has the transaction; else the variable RPC_URL")
  .addOption(jsonOption)
  .action(async (text, options) => {
    const decoded = await decodeGiven(text, options);
    if (decoded.length === 0) throw new Failure("no call, error or event of the contracts is encoded like this");
    console.log(options.json ? JSON.stringify(decoded, null, 2) : decoded.map((each) => render(each)).join("\n"));
  });

async function decodeGiven(
  text: string | undefined,
  options: { readonly topics?: string | undefined; readonly data: string; readonly rpcUrl?: string | undefined },
): Promise<Decoded[]> {
  if (options.topics !== undefined) {
    if (text !== undefined) throw new Failure("give bytes or --topics, not both");
    const topics = options.topics.split(",").map((topic) => readHex("--topics", topic));
    return decodeLog(topics, readHex("--data", options.data));
  }
  if (text === undefined) throw new Failure("give calldata, revert data or a transaction hash, or --topics");
  const data = readHex("the value", text);
  return size(data) === HASH_BYTES ? decodeTransaction(data, options.rpcUrl) : decodeBytes(data);
}

/** Decodes the call of a transaction and the logs that it emitted. */
async function decodeTransaction(hash: Hex, rpcUrl: string | undefined): Promise<Decoded[]> {
  const client = createNodeClient(nodeUrl(rpcUrl));
  const { input } = await client.getTransaction({ hash });
  const { logs } = await client.getTransactionReceipt({ hash });
  return [...decodeCall(input), ...logs.flatMap(({ topics, data }) => decodeLog(topics, data))];
}

function render({ kind, text, contracts, advice, inner = [] }: Decoded, indent = ""): string {
  const of = contracts.length === 0 ? "" : `  [${contracts.join(", ")}]`;
  const todo = advice ? [`${indent}       ${advice}`] : [];
  return [`${indent}${kind.padEnd(6)} ${text}${of}`, ...todo, ...inner.map((each) => render(each, `${indent}  `))].join(
    "\n",
  );
}

function readHex(what: string, text: string): Hex {
  if (isHex(text) && text.length % 2 === 0) return text;
  throw new Failure(`${what} is "${text.slice(0, 80)}", expected bytes in hex: 0x and an even number of digits`);
}
