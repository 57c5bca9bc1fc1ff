/** A node of a sparse chain, in a process of its own: `node bench/sparse/node.ts <last block> <one of ours in>`. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, numberToHex } from "viem";
import { HOST } from "../../localnet/ports.ts";
import { CHAIN_ID, CORE_SWAP, type SparseChain, sparseChain, TREASURY } from "./chain.ts";

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface BlockRange {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
  readonly blockHash?: Hex;
  readonly address?: Hex | readonly Hex[];
  readonly toAddress?: readonly string[];
}

const [lastBlock = 0, ourEvery = 1] = process.argv.slice(2).map(Number);
const chain = sparseChain(lastBlock, ourEvery);
const traffic = { requestsByMethod: {} as Record<string, number>, requests: 0, bytesReceived: 0 };

function resultOf({ lastBlock: head, ...answers }: SparseChain, { method, params = [] }: Call): unknown {
  const [subject, isWhole] = params;
  const range = subject as BlockRange;
  switch (method) {
    case "eth_chainId":
      return numberToHex(CHAIN_ID);
    case "eth_blockNumber":
      return numberToHex(head);
    case "eth_getCode":
      return subject === CORE_SWAP || subject === TREASURY ? "0x00" : "0x";
    case "eth_call":
      return "0x";
    case "eth_getBlockByNumber": {
      const number = String(subject).startsWith("0x") ? Number(subject) : head;
      return number > head ? null : answers.block(number, isWhole === true);
    }
    case "eth_getBlockByHash":
      return answers.block(answers.numberOf(subject as Hex), isWhole === true);
    case "eth_getBlockReceipts":
      return answers.receipts(answers.numberOf(subject as Hex));
    case "eth_getLogs": {
      const addresses = range.address === undefined ? [TREASURY] : [range.address].flat();
      // The delegates' events, which are asked for without an address, do not occur.
      if (!addresses.includes(TREASURY) || (range.address === undefined && range.blockHash === undefined)) return [];
      if (range.blockHash !== undefined) {
        const number = answers.numberOf(range.blockHash);
        return answers.logs(number, number);
      }
      return answers.logs(Number(range.fromBlock), Math.min(head, Number(range.toBlock)));
    }
    case "trace_filter":
      return answers.traces(Number(range.fromBlock), Number(range.toBlock), range.toAddress ?? []);
    default:
      throw new Error(`the sparse chain has no ${method}`);
  }
}

/** The parent process reads the figures by this method. */
const TRAFFIC_METHOD = "bench_traffic";

async function answer(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const call = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Call;
  if (call.method === TRAFFIC_METHOD) return JSON.stringify({ jsonrpc: "2.0", id: call.id, result: traffic });
  const text = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: resultOf(chain, call) });
  traffic.requestsByMethod[call.method] = (traffic.requestsByMethod[call.method] ?? 0) + 1;
  traffic.requests += 1;
  traffic.bytesReceived += text.length;
  return text;
}

const server = createServer((request, response) => {
  answer(request).then(
    (text) => response.writeHead(200, { "content-type": "application/json" }).end(text),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end(String(error));
    },
  );
});
server.listen(Number(process.env.PORT ?? 0), HOST, () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});
