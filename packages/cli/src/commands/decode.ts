/** `core decode`: prints calldata, revert data, logs and transactions by name. */
import { type Hex, isHex, size } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { createNodeClient, nodeUrl } from "../chain/connect.ts";
import { type Decoded, decodeBytes, decodeCall, decodeLog } from "../decode.ts";
import { Failure } from "../failure.ts";

const HASH_BYTES = 32;

export async function decodeCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core decode <calldata | revert data | transaction hash>, or --topics <topic,…> [--data <data>]",
      summary: "Shows by name what bytes mean to the contracts. A transaction hash needs a node.",
      allowPositionals: true,
      options: {
        topics: { type: "string", value: "<topic,…>", help: "topics of a log, separated by commas" },
        data: { type: "string", default: "0x", value: "<data>", help: "data of the log" },
        "rpc-url": { type: "string", value: "<url>", help: "node that has the transaction; else the variable RPC_URL" },
        json: { type: "boolean", default: false, help: "print JSON" },
      },
    },
    args,
  );
  const decoded = await decodeGiven(positionals, values);
  if (decoded.length === 0) throw new Failure("no call, error or event of the contracts is encoded like this");
  console.log(values.json ? JSON.stringify(decoded, null, 2) : decoded.map((each) => render(each)).join("\n"));
}

async function decodeGiven(
  positionals: readonly string[],
  options: { readonly topics?: string; readonly data: string; readonly "rpc-url"?: string },
): Promise<Decoded[]> {
  const [text, ...others] = positionals;
  if (others.length > 0) throw new Failure("decode takes one value");
  if (options.topics !== undefined) {
    if (text !== undefined) throw new Failure("give bytes or --topics, not both");
    const topics = options.topics.split(",").map((topic) => readHex("--topics", topic));
    return decodeLog(topics, readHex("--data", options.data));
  }
  if (text === undefined) throw new Failure("give calldata, revert data or a transaction hash, or --topics");
  const data = readHex("the value", text);
  return size(data) === HASH_BYTES ? decodeTransaction(data, options["rpc-url"]) : decodeBytes(data);
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
