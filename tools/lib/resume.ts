/**
 * Continues a script of forge that ended before all of its transactions were sent. Forge keeps what it sends in a
 * record, and `--resume` sends the rest of it, without running the script again.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Address, type Hash, type Hex, isAddressEqual } from "viem";
import { deploymentsDirectory } from "../../config/networks.ts";
import { createNodeClient, type NodeClient, reasonOf } from "../../packages/cli/src/chain/connect.ts";
import { foundryBinary } from "./foundry.ts";

/** The parts of forge's record that are read or changed here. */
interface ForgeRecord {
  readonly transactions: readonly ForgeTransaction[];
  readonly receipts: readonly { readonly blockNumber: Hex }[];
  pending: Hash[];
}

interface ForgeTransaction {
  hash: Hash | null;
  readonly transactionType: string;
  /** The contract that is created or called. */
  readonly contractAddress: Address | null;
  readonly transaction: {
    readonly from: Address;
    readonly to?: Address | null;
    readonly nonce: Hex;
    readonly input: Hex;
  };
}

interface Script {
  readonly name: "Deploy" | "Upgrade";
  readonly rpcUrl: string;
  readonly env: NodeJS.ProcessEnv;
}

interface ResumedScript extends Script {
  readonly sender: string;
  /** How to sign. */
  readonly forgeOptions: readonly string[];
}

/**
 * Removes the record of a script's last run, before the next one. Otherwise, if that ends before forge has recorded
 * anything, resuming it would resume the last one. Forge keeps a copy, named by the time of the run.
 * @throws Error when the last run was interrupted
 */
export async function removeFinishedRecord({ name, rpcUrl, env }: Script): Promise<void> {
  const path = await recordPath(createNodeClient(rpcUrl), name, env);
  if (!existsSync(path)) return;
  const { transactions, receipts } = readRecord(path);
  if (receipts.length < transactions.length) {
    throw new Error(
      `${path} has transactions of an earlier run that were not sent or not mined. Run this command with --resume, or ` +
        "discard that run: remove the file",
    );
  }
  rmSync(path);
}

/**
 * Sends what a script has not sent yet.
 * @returns the exit status of forge
 * @throws Error when there is no whole record of an interrupted run, it is of another deployment, or another transaction
 * has taken the place of a recorded one
 */
export async function resumeScript({ name, rpcUrl, sender, forgeOptions, env }: ResumedScript): Promise<number> {
  const client = createNodeClient(rpcUrl);
  const path = await recordPath(client, name, env);
  if (!existsSync(path)) throw new Error(`${path} is missing: forge has recorded nothing that could be resumed`);
  const record = readRecord(path);
  if (name === "Deploy" && record.pending.length === 0 && record.receipts.length >= record.transactions.length) {
    throw new Error(`${path} is of a run that has sent everything: there is nothing to resume`);
  }
  if (name === "Deploy") requireDeployment(path, record, env);
  await enterUnrecorded(client, path, record);
  await writeUrls(client, record.transactions.length, { name, rpcUrl, env });
  const { status } = spawnSync(
    foundryBinary("forge"),
    [
      ...["script", `contracts/script/${name}.s.sol`, "--rpc-url", rpcUrl, "--resume", "--slow"],
      ...["--sender", sender, ...forgeOptions],
    ],
    { stdio: "inherit", env },
  );
  return status ?? 1;
}

/**
 * Requires that a record of `Deploy.s.sol` is of the deployment in the configuration's deployment file. A record stays
 * until the next run, and one of another configuration would be sent in its place.
 * @throws Error when it is of another one, or there is no file
 */
export function requireDeployment(
  path: string,
  { transactions }: { readonly transactions: readonly Pick<ForgeTransaction, "transactionType" | "contractAddress">[] },
  env: NodeJS.ProcessEnv,
): void {
  if (!env.DEPLOY_CONFIG) throw new Error("DEPLOY_CONFIG is not set: give the configuration of the run to resume");
  const { network } = JSON.parse(readFileSync(env.DEPLOY_CONFIG, "utf8")) as { readonly network: string };
  const file = join(deploymentsDirectory(env), "evm", `${network}.json`);
  if (!existsSync(file)) throw new Error(`${file} is missing: no run with ${env.DEPLOY_CONFIG} has sent anything`);
  const { coreSwap } = JSON.parse(readFileSync(file, "utf8")) as { readonly coreSwap: Address };
  const isCreated = transactions.some(
    ({ transactionType, contractAddress }) =>
      transactionType === "CREATE" && contractAddress !== null && isAddressEqual(contractAddress, coreSwap),
  );
  if (isCreated) return;
  throw new Error(
    `${path} does not create ${coreSwap}, CoreSwap in ${file}: it is of a run with another configuration. Set ` +
      "DEPLOY_CONFIG and DEPLOYMENTS_DIR as in the run to resume, or discard that run: remove the record",
  );
}

async function recordPath(client: NodeClient, name: Script["name"], env: NodeJS.ProcessEnv): Promise<string> {
  return recordIn(env.FOUNDRY_BROADCAST || "broadcast", client, name);
}

async function recordIn(directory: string, client: NodeClient, name: Script["name"]): Promise<string> {
  return join(directory, `${name}.s.sol`, String(await client.getChainId()), "run-latest.json");
}

/** @throws Error when forge ended while it was writing, so that nobody knows what it had sent */
function readRecord(path: string): ForgeRecord {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ForgeRecord;
  } catch (cause) {
    throw new Error(
      `${path} is not whole, because forge ended while it was writing: nothing can be resumed. Remove the file and ` +
        "run the script again from the start",
      { cause },
    );
  }
}

/**
 * Writes the URL of each transaction, which forge keeps in its cache and sends to. It can be missing or cut off like
 * the record, or be of another run of the script on this chain. Forge would then take the record of a simulation
 * instead, or send to the node of that run.
 */
async function writeUrls(client: NodeClient, count: number, { name, rpcUrl, env }: Script): Promise<void> {
  const { status, stdout } = spawnSync(foundryBinary("forge"), ["config", "--json"], { encoding: "utf8", env });
  if (status !== 0) throw new Error("forge does not read its configuration");
  const path = await recordIn((JSON.parse(stdout) as { readonly cache_path: string }).cache_path, client, name);
  mkdirSync(dirname(path), { recursive: true });
  const transactions = Array.from({ length: count }, () => ({ rpc: rpcUrl }));
  writeFileSync(path, JSON.stringify({ transactions }));
}

/**
 * Enters a transaction that was sent and mined, but not recorded: forge ended before the node answered. Without its
 * hash forge would send it again, which its nonce forbids, and `--resume` would fail each time.
 */
async function enterUnrecorded(client: NodeClient, path: string, record: ForgeRecord): Promise<void> {
  const next = record.transactions.find(({ hash }) => hash === null);
  if (next === undefined) return;
  const { from, to, input } = next.transaction;
  const nonce = Number(next.transaction.nonce);
  if ((await client.getTransactionCount({ address: from })) <= nonce) return;
  const lastReceipt = record.receipts.at(-1);
  // The block of the last receipt can have this transaction, too.
  const unused = lastReceipt === undefined ? 0n : BigInt(lastReceipt.blockNumber) - 1n;
  const blockNumber = await blockOfNonce(client, from, nonce, unused);
  const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
  const sent = transactions.find((each) => each.from === from.toLowerCase() && each.nonce === nonce);
  if (sent === undefined || sent.input !== input || (sent.to ?? null) !== (to?.toLowerCase() ?? null)) {
    throw new Error(
      `${from} has used nonce ${nonce} for ${sent?.hash ?? "another transaction"}, which is not the recorded one. ` +
        "Nothing was sent: what is recorded can no longer be deployed at its addresses",
    );
  }
  next.hash = sent.hash;
  record.pending.push(sent.hash);
  writeFileSync(`${path}.new`, JSON.stringify(record, null, 2));
  renameSync(`${path}.new`, path);
  console.log(`${sent.hash} was sent, and is now recorded`);
}

/**
 * Finds the block in which an account used a nonce, after a block in which it had not.
 * @throws Error when the node does not have the state of a block in between
 */
async function blockOfNonce(client: NodeClient, address: Address, nonce: number, after: bigint): Promise<bigint> {
  let [before, by] = [after, await client.getBlockNumber()];
  while (by - before > 1n) {
    const middle = (before + by) / 2n;
    const count = await client.getTransactionCount({ address, blockNumber: middle }).catch((error: unknown) => {
      throw new Error(
        `the node does not give the nonce of ${address} at block ${middle}: ${reasonOf(error)}. ` +
          "Run this command again with an archive node",
      );
    });
    if (count > nonce) by = middle;
    else before = middle;
  }
  return by;
}
