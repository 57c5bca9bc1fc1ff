/**
 * Prints the newest swaps of a network, oldest first, then every new one until it is interrupted. A line that starts
 * with "-" takes back an earlier line: a reorganization removed that transaction.
 *
 *     node examples/node/swapFeed.ts [base URL of the API] [network]
 *
 * By default it asks the demo for evm-mainnet. In another project, install `@coreswap/client` first.
 */
import { setTimeout as pause } from "node:timers/promises";
import { allTransactions, createClient, followHistory, type Schemas } from "@coreswap/client";

type Transaction = Schemas["Transaction"];

const SHOWN_AT_THE_START = 20;
/** Blocks that are this far below the newest one are final: no reorganization takes their lines back. */
const KEPT_BLOCKS = 1_000n;
const RETRY_MS = 5_000;

const [baseUrl = "http://127.0.0.1:42069", name = "evm-mainnet"] = process.argv.slice(2);
if (name !== "evm-mainnet" && name !== "evm-sepolia") {
  throw new Error(`${name} is not a network: accepted are evm-mainnet and evm-sepolia`);
}
const network = name;
const client = createClient(baseUrl);

// A service would store these three, together.
/** The blocks of what was printed and can still be taken back, by hash of the transaction. */
const shown = new Map<string, { readonly blockNumber: bigint; readonly blockHash: string }>();
/** The first block whose lines can be taken back; 0 if those of all can. */
let firstBlock = 0n;
/** The last event that was handled. */
let lastEventId: string | undefined;

function show({ transactionHash, inclusion, activities }: Transaction): void {
  const blockNumber = BigInt(inclusion.blockNumber);
  const { blockHash } = inclusion;
  const legs = activities.filter(({ type }) => type === "swap").length;
  // After a reset, transactions that stayed come again.
  if (legs === 0 || shown.get(transactionHash)?.blockHash === blockHash) return;
  shown.set(transactionHash, { blockNumber, blockHash });
  // A reorganization can put it into an earlier block than any before.
  if (blockNumber < firstBlock) firstBlock = blockNumber;
  console.log(`+ ${transactionHash} block ${blockNumber} legs ${legs}`);
  forgetBefore(blockNumber - KEPT_BLOCKS);
}

function forgetBefore(block: bigint): void {
  if (block <= firstBlock) return;
  firstBlock = block;
  for (const [hash, { blockNumber }] of shown) if (blockNumber < block) shown.delete(hash);
}

/** Takes back what is not in the history any more, and shows what took its place. */
async function readAgain(resetBlock: bigint, position: string): Promise<void> {
  // Of a network's first block when another index took the place of the one before. What is older was not shown.
  const fromBlock = resetBlock > firstBlock ? resetBlock : firstBlock;
  const current: Transaction[] = [];
  for await (const transaction of allTransactions(client, { network, limit: 100 }, { lastEventId: position })) {
    if (BigInt(transaction.inclusion.blockNumber) < fromBlock) break;
    current.push(transaction);
  }
  const blockHashes = new Map(current.map(({ transactionHash, inclusion }) => [transactionHash, inclusion.blockHash]));
  for (const [hash, { blockNumber, blockHash }] of shown) {
    if (blockNumber < fromBlock || blockHashes.get(hash) === blockHash) continue;
    shown.delete(hash);
    console.log(`- ${hash} block ${blockNumber}`);
  }
  for (const transaction of current.reverse()) show(transaction);
}

/** Shows the newest transactions, and the others of the block of the oldest of them. */
async function readNewest(position: string): Promise<void> {
  const newest: Transaction[] = [];
  for await (const transaction of allTransactions(client, { network, limit: 100 }, { lastEventId: position })) {
    const oldest = newest.at(-1)?.inclusion.blockNumber;
    if (newest.length >= SHOWN_AT_THE_START && oldest !== undefined && oldest !== transaction.inclusion.blockNumber) {
      firstBlock = BigInt(oldest);
      break;
    }
    newest.push(transaction);
  }
  for (const transaction of newest.reverse()) show(transaction);
}

const onInterruption = (reason: unknown) => console.error(`interrupted, goes on by itself: ${reason}`);

/** Shows what happens after the last event that was handled. Ends with the error of a reading. */
async function follow(): Promise<void> {
  /** The first block that a reset told to read again. */
  let resetBlock: bigint | null = null;
  for await (const event of followHistory(client, { network, lastEventId, onInterruption })) {
    if (event.type === "reset") {
      if (resetBlock === null || event.fromBlock < resetBlock) resetBlock = event.fromBlock;
    } else if (event.type === "position") {
      // Its id tells a reading of a server that is behind. What happens from here on is reported as events.
      if (lastEventId === undefined) await readNewest(event.id);
      else if (resetBlock !== null) await readAgain(resetBlock, event.id);
      resetBlock = null;
      lastEventId = event.id;
    } else if (lastEventId !== undefined && resetBlock === null) {
      // What comes before the position is read at it.
      show(event.transaction);
      lastEventId = event.id;
    }
  }
}

while (true) {
  // A reading fails while a server does, or while blocks are replaced again and again.
  await follow().catch((reason: unknown) => console.error(`goes on in ${RETRY_MS / 1000} s: ${reason}`));
  await pause(RETRY_MS);
}
