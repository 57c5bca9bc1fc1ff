/** `core decode`: prints calldata, revert data, logs and transactions by name. */
import { existsSync } from "node:fs";
import { type Address, getAddress, type Hex, isHex, size } from "viem";
import { createNodeClient, nodeUrl } from "../chain/connect.ts";
import { namedContracts } from "../chain/contracts.ts";
import { deploymentPath, liquidityProviders, readDeployment } from "../chain/deployment.ts";
import { command, jsonOption } from "../commandLine.ts";
import { type Decoded, decodeBytes, decodeCall, decodeLog } from "../decode.ts";
import { Failure } from "../failure.ts";
import { reverted } from "../write/send.ts";

const HASH_BYTES = 32;
const DEFAULT_NETWORK = "mainnet";

interface Options {
  readonly topics?: string | undefined;
  readonly data: string;
  readonly network?: string | undefined;
  readonly rpcUrl?: string | undefined;
}

export const decodeCommand = command("decode", "calldata, revert data, logs and transactions by name")
  .description(
    "Shows by name what bytes mean to the contracts. A transaction hash needs a node; which contract was called and which " +
      "ones emitted events is then named from the deployment file, if there is one.",
  )
  .argument("[bytes]", "calldata, revert data or the hash of a transaction; nothing with --topics")
  .option("--topics <topic,…>", "topics of a log, separated by commas")
  .option("--data <data>", "data of the log", "0x")
  .option(
    "--network <name>",
    `network of the deployment file, or the file's path; else ${DEFAULT_NETWORK}, if it exists`,
  )
  .option("--rpc-url <url>", "node that has the transaction; else the variable RPC_URL")
  .addOption(jsonOption)
  .action(async (text, options) => {
    const decoded = await decodeGiven(text, options);
    if (decoded.length === 0) throw new Failure("no call, error or event of the contracts is encoded like this");
    console.log(options.json ? JSON.stringify(decoded, null, 2) : decoded.map((each) => render(each)).join("\n"));
  });

async function decodeGiven(text: string | undefined, options: Options): Promise<Decoded[]> {
  if (options.topics !== undefined) {
    if (text !== undefined) throw new Failure("give bytes or --topics, not both");
    const topics = options.topics.split(",").map((topic) => readHex("--topics", topic));
    return decodeLog(topics, readHex("--data", options.data));
  }
  if (text === undefined) throw new Failure("give calldata, revert data or a transaction hash, or --topics");
  const data = readHex("the value", text);
  return size(data) === HASH_BYTES ? decodeTransaction(data, options) : decodeBytes(data);
}

/** Decodes the call of a transaction, why it reverted, and the logs that it emitted, each with its contract. */
async function decodeTransaction(hash: Hex, { network, rpcUrl }: Options): Promise<Decoded[]> {
  const client = createNodeClient(nodeUrl(rpcUrl));
  const names = namesIn(network, await client.getChainId());
  const nameOf = (address: Address) => names.get(getAddress(address)) ?? getAddress(address);
  const { input, to, from } = await client.getTransaction({ hash });
  const receipt = await client.getTransactionReceipt({ hash });
  const failures =
    receipt.status === "reverted" ? [await reverted(client, from, { hash, to, data: input }, receipt)] : [];
  return [
    ...decodeCall(input).map((call) => (to === null ? call : { ...call, at: nameOf(to) })),
    ...failures.map(({ message: text }) => ({ kind: "error" as const, name: "reverted", text, contracts: [] })),
    ...receipt.logs.flatMap(({ address, topics, data }) =>
      decodeLog(topics, data).map((event) => ({ ...event, at: nameOf(address) })),
    ),
  ];
}

/** The contracts and tokens of a deployment on a chain. None without a deployment file. */
function namesIn(network: string | undefined, chainId: number): ReadonlyMap<Address, string> {
  if (network === undefined && !existsSync(deploymentPath(DEFAULT_NETWORK))) return new Map();
  const deployment = readDeployment(network ?? DEFAULT_NETWORK);
  // The same address can be another contract on another chain.
  if (deployment.chainId !== chainId) return new Map();
  return new Map([
    ...[...deployment.rwas, ...liquidityProviders(deployment)].map(({ token, symbol }) => [token, symbol] as const),
    // After the tokens: that of the treasury is one of these contracts.
    ...namedContracts(deployment).map(({ address, name }) => [address, name] as const),
  ]);
}

/** Many contracts declare the events of a token, so these say less than the contract itself. */
function render({ kind, text, contracts, at, advice, inner = [] }: Decoded, indent = ""): string {
  const of = at ?? contracts.join(", ");
  const todo = advice ? [`${indent}       ${advice}`] : [];
  return [
    `${indent}${kind.padEnd(6)} ${text}${of === "" ? "" : `  [${of}]`}`,
    ...todo,
    ...inner.map((each) => render(each, `${indent}  `)),
  ].join("\n");
}

function readHex(what: string, text: string): Hex {
  if (isHex(text) && text.length % 2 === 0) return text;
  throw new Failure(`${what} is "${text.slice(0, 80)}", expected bytes in hex: 0x and an even number of digits`);
}
