/**
 * A chain that exists only as a rule: blocks of a mainnet's size, few of which contain a call to this project. Every
 * answer about a block follows from its number and the hash of its parent, so a node of it only keeps hashes.
 */
import { bytesToHex, encodeEventTopics, encodeFunctionData, type Hex, numberToHex } from "viem";
import { treasuryAbi } from "../../abis/index.ts";
import { bloomOfLogs, EMPTY_BLOOM } from "../../config/rpc/bloom.ts";
import { type Answer, encodeHeader, encodeReceipt, encodeTransaction } from "../../config/rpc/header/encoding.ts";
import { keccak } from "../../config/rpc/header/keccak.ts";
import { merkleRoot } from "../../config/rpc/header/merkleRoot.ts";

export const CHAIN_ID = 1;
export const CORE_SWAP: Hex = `0x${"c0".repeat(20)}`;
export const TREASURY: Hex = `0x${"7e".repeat(20)}`;

const TRANSACTIONS_PER_BLOCK = 200;
/** With the other fields, a block has about 200 kB of JSON. */
const INPUT: Hex = `0x${"5a".repeat(230)}`;
const OUR_INPUT = encodeFunctionData({
  abi: treasuryAbi,
  functionName: "addToWhitelist",
  args: [`0x${"ac".repeat(20)}`],
});
const BLOCK_SECONDS = 12;
/** One of our calls in this many is reverted. */
const REVERTED_EVERY = 20;
const OUR_INDEX = 100;
const ACCOUNT: Hex = `0x${"ac".repeat(20)}`;
const ZERO_HASH: Hex = `0x${"00".repeat(32)}`;

export interface SparseChain {
  readonly lastBlock: number;
  block(number: number, isWhole: boolean): object;
  receipts(number: number): readonly object[];
  logs(from: number, to: number): readonly object[];
  /** Traces of the transactions of these blocks to these recipients. */
  traces(from: number, to: number, recipients: readonly string[]): readonly object[];
  numberOf(blockHash: Hex): number;
}

/** @param ourEvery one block in this many contains a call to the treasury token */
export function sparseChain(lastBlock: number, ourEvery: number): SparseChain {
  const start = Math.floor(Date.now() / 1_000) - lastBlock * BLOCK_SECONDS;
  const topics = encodeEventTopics({
    abi: treasuryAbi,
    eventName: "AddedToWhitelist",
    args: { account: ACCOUNT },
  }) as Hex[];
  const bloom = bloomOfLogs([{ address: TREASURY, topics }]);

  const isOurs = (number: number) => number % ourEvery === ourEvery - 1;
  const isReverted = (number: number) => Math.floor(number / ourEvery) % REVERTED_EVERY === 0;
  const hasLog = (number: number) => isOurs(number) && !isReverted(number);
  const hashes: Hex[] = [];
  const numbers = new Map<Hex, number>();
  const hashOf = (number: number): Hex => hashes[number] ?? ZERO_HASH;
  const transactionHash = (number: number, index: number): Hex =>
    `0x${"a".repeat(8)}${number.toString(16).padStart(48, "0")}${index.toString(16).padStart(8, "0")}`;
  /** Some 150 recipients a block, as on mainnet. */
  const recipientOf = (number: number, index: number): Hex =>
    isOurs(number) && index === OUR_INDEX
      ? TREASURY
      : `0x${"d".repeat(30)}${(index % 150).toString(16).padStart(10, "0")}`;

  function transaction(number: number, index: number): Answer {
    return {
      hash: transactionHash(number, index),
      blockHash: hashOf(number),
      blockNumber: numberToHex(number),
      transactionIndex: numberToHex(index),
      from: ACCOUNT,
      to: recipientOf(number, index),
      input: isOurs(number) && index === OUR_INDEX ? OUR_INPUT : INPUT,
      value: "0x0",
      nonce: "0x1",
      gas: "0x30000",
      gasPrice: "0x3b9aca00",
      maxFeePerGas: "0x3b9aca00",
      maxPriorityFeePerGas: "0x1",
      accessList: [],
      chainId: numberToHex(CHAIN_ID),
      type: "0x2",
      r: ZERO_HASH,
      s: ZERO_HASH,
      v: "0x0",
    };
  }

  const logOf = (number: number): Answer => ({
    address: TREASURY,
    topics,
    data: "0x",
    blockHash: hashOf(number),
    blockNumber: numberToHex(number),
    transactionHash: transactionHash(number, OUR_INDEX),
    transactionIndex: numberToHex(OUR_INDEX),
    logIndex: "0x0",
    removed: false,
  });
  const indexes = Array.from({ length: TRANSACTIONS_PER_BLOCK }, (_, index) => index);
  const transactionsOf = (number: number) => indexes.map((index) => transaction(number, index));
  const receiptsOf = (number: number): Answer[] =>
    indexes.map((index) => {
      const isOurCall = isOurs(number) && index === OUR_INDEX;
      return {
        blockHash: hashOf(number),
        blockNumber: numberToHex(number),
        transactionHash: transactionHash(number, index),
        transactionIndex: numberToHex(index),
        from: ACCOUNT,
        to: recipientOf(number, index),
        contractAddress: null,
        cumulativeGasUsed: numberToHex((index + 1) * 150_000),
        gasUsed: numberToHex(150_000),
        effectiveGasPrice: "0x2",
        type: "0x2",
        status: isOurCall && isReverted(number) ? "0x0" : "0x1",
        logsBloom: isOurCall && hasLog(number) ? bloom : EMPTY_BLOOM,
        logs: isOurCall && hasLog(number) ? [logOf(number)] : [],
      };
    });

  const roots = new Map<string, Answer>();
  /** The roots of a block, which are the same for all blocks of its kind. */
  function rootsOf(number: number): Answer {
    const kind = `${isOurs(number)} ${isReverted(number)}`;
    const transactions = transactionsOf(number);
    const known = roots.get(kind) ?? {
      transactionsRoot: merkleRoot(transactions.map(encodeTransaction) as Uint8Array[]),
      receiptsRoot: merkleRoot(
        receiptsOf(number).map((receipt, index) => encodeReceipt(receipt, transactions[index] ?? {})) as Uint8Array[],
      ),
    };
    roots.set(kind, known);
    return known;
  }
  const headerOf = (number: number): Answer => ({
    number: numberToHex(number),
    parentHash: number === 0 ? ZERO_HASH : hashOf(number - 1),
    timestamp: numberToHex(start + number * BLOCK_SECONDS),
    gasUsed: "0x1c9c380",
    gasLimit: "0x1c9c380",
    baseFeePerGas: "0x1",
    logsBloom: hasLog(number) ? bloom : EMPTY_BLOOM,
    miner: ACCOUNT,
    extraData: "0x",
    difficulty: "0x0",
    nonce: "0x0000000000000000",
    mixHash: ZERO_HASH,
    sha3Uncles: ZERO_HASH,
    stateRoot: ZERO_HASH,
    ...rootsOf(number),
  });
  for (let number = 0; number <= lastBlock; number += 1) {
    const hash = bytesToHex(keccak(encodeHeader(headerOf(number))));
    hashes.push(hash);
    numbers.set(hash, number);
  }

  return {
    lastBlock,
    block: (number, isWhole) => ({
      ...headerOf(number),
      hash: hashOf(number),
      totalDifficulty: "0x0",
      size: "0x1",
      uncles: [],
      transactions: isWhole ? transactionsOf(number) : indexes.map((index) => transactionHash(number, index)),
    }),
    receipts: receiptsOf,
    logs: (from, to) => ourBlocks(from, to).filter(hasLog).map(logOf),
    traces(from, to, recipients) {
      const isAboutUs = recipients.every((recipient) => recipient === TREASURY || recipient === CORE_SWAP);
      const numbers = isAboutUs
        ? ourBlocks(from, to)
        : Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const wanted = new Set(recipients);
      return numbers.flatMap((number) =>
        indexes
          .filter((index) => wanted.has(recipientOf(number, index)))
          .map((index) => ({
            type: "call",
            action: {
              callType: "call",
              from: ACCOUNT,
              to: recipientOf(number, index),
              gas: "0x30000",
              input: INPUT,
              value: "0x0",
            },
            ...(isOurs(number) && index === OUR_INDEX && isReverted(number) ? { error: "Reverted" } : {}),
            result: { gasUsed: "0x249f0", output: "0x" },
            blockHash: hashOf(number),
            blockNumber: number,
            transactionHash: transactionHash(number, index),
            transactionPosition: index,
            subtraces: 0,
            traceAddress: [],
          })),
      );
    },
    numberOf(blockHash) {
      const number = numbers.get(blockHash);
      if (number === undefined) throw new Error(`the sparse chain has no block ${blockHash}`);
      return number;
    },
  };

  function ourBlocks(from: number, to: number): number[] {
    const numbers: number[] = [];
    const first = from + ((ourEvery - 1 - (from % ourEvery) + ourEvery) % ourEvery);
    for (let number = first; number <= to; number += ourEvery) numbers.push(number);
    return numbers;
  }
}
