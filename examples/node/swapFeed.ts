/**
 * Prints the newest swaps of a network, oldest first, then every new one until it is interrupted. A line that starts
 * with "-" takes back an earlier line: a reorganization removed that transaction.
 *
 *     node examples/node/swapFeed.ts [base URL of the API] [network]
 *
 * By default it asks the demo for evm-mainnet. In another project, install `@coreswap/client` first.
 */
import { allTransactions, createClient, followHistory, type Schemas } from "@coreswap/client";

type Transaction = Schemas["Transaction"];

const SHOWN_AT_THE_START = 20;

const [baseUrl = "http://127.0.0.1:42069", name = "evm-mainnet"] = process.argv.slice(2);
if (name !== "evm-mainnet" && name !== "evm-sepolia") {
  throw new Error(`${name} is not a network: accepted are evm-mainnet and evm-sepolia`);
}
const network = name;
const client = createClient(baseUrl);

/** What was printed and not taken back, by hash. A service would store this, together with the newest id. */
const shown = new Map<string, Transaction>();

function show(transaction: Transaction): void {
  const { transactionHash, inclusion, activities } = transaction;
  const legs = activities.filter(({ type }) => type === "swap").length;
  // After a reset, transactions that stayed come again.
  if (legs === 0 || shown.get(transactionHash)?.inclusion.blockHash === inclusion.blockHash) return;
  shown.set(transactionHash, transaction);
  // A reorganization can put it into an earlier block than any before.
  if (BigInt(inclusion.blockNumber) < firstBlock) firstBlock = BigInt(inclusion.blockNumber);
  console.log(`+ ${transactionHash} block ${inclusion.blockNumber} legs ${legs}`);
}

/** Takes back what is not in the history any more, and shows what took its place. */
async function readAgain(resetBlock: bigint, lastEventId: string): Promise<void> {
  // Of a network's first block when another index took the place of the one before. What is older was not shown.
  const fromBlock = resetBlock > firstBlock ? resetBlock : firstBlock;
  const current: Transaction[] = [];
  for await (const transaction of allTransactions(client, { network, limit: 100 }, { lastEventId })) {
    if (BigInt(transaction.inclusion.blockNumber) < fromBlock) break;
    current.push(transaction);
  }
  const blockHashes = new Map(current.map(({ transactionHash, inclusion }) => [transactionHash, inclusion.blockHash]));
  for (const [hash, { inclusion }] of shown) {
    if (BigInt(inclusion.blockNumber) < fromBlock || blockHashes.get(hash) === inclusion.blockHash) continue;
    shown.delete(hash);
    console.log(`- ${hash} block ${inclusion.blockNumber}`);
  }
  for (const transaction of current.reverse()) show(transaction);
}

/** Shows the newest transactions, and the others of the block of the oldest of them. */
async function readNewest(lastEventId: string): Promise<void> {
  const newest: Transaction[] = [];
  for await (const transaction of allTransactions(client, { network, limit: 100 }, { lastEventId })) {
    const oldest = newest.at(-1)?.inclusion.blockNumber;
    if (newest.length >= SHOWN_AT_THE_START && oldest !== undefined && oldest !== transaction.inclusion.blockNumber) {
      firstBlock = BigInt(oldest);
      break;
    }
    newest.push(transaction);
  }
  for (const transaction of newest.reverse()) show(transaction);
}

/** The block of the oldest transaction that is shown; 0 if all are. */
let firstBlock = 0n;
let isStarted = false;
/** The first block that a reset told to read again. */
let resetBlock: bigint | null = null;
const onInterruption = (reason: unknown) => console.error(`interrupted, goes on by itself: ${reason}`);
for await (const event of followHistory(client, { network, onInterruption })) {
  if (event.type === "reset") {
    if (resetBlock === null || event.fromBlock < resetBlock) resetBlock = event.fromBlock;
  } else if (event.type === "position") {
    // Its id tells a reading of a server that is behind. What happens from here on is reported as events.
    if (!isStarted) await readNewest(event.id);
    else if (resetBlock !== null) await readAgain(resetBlock, event.id);
    isStarted = true;
    resetBlock = null;
    // What comes before the position is read at it.
  } else if (isStarted && resetBlock === null) show(event.transaction);
}
