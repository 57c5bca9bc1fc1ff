/** Checks made once, before indexing starts. Each refuses a configuration that would silently produce a wrong index. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Client } from "pg";
import { type Address, createPublicClient, type Hash, zeroAddress } from "viem";
import { z } from "zod";
import { type CallsFrom, verifyTraces } from "./callsFrom.ts";
import type { DatabaseLocation } from "./database.ts";
import type { Network } from "./networks.ts";
import { createOffchainTables } from "./offchainTables.ts";
import { createClient } from "./postgresClients.ts";
import { requireOwnSession } from "./postgresConnection.ts";
import { rpcTransport } from "./rpcTransport.ts";

/**
 * Verifies every network against its node, and that the installed Ponder has this project's patch.
 * @throws Error naming the network, what was found and what is expected
 */
export async function verifyStart(
  networks: readonly Network[],
  database: DatabaseLocation,
  callsFrom: CallsFrom = "blocks",
): Promise<void> {
  verifyPonderPatch();
  const genesisHashes = new Map<number, Hash>();
  for (const network of networks) {
    genesisHashes.set(network.chainId, await verifyNetwork(network));
    if (callsFrom === "traces") await verifyTraces(network);
  }
  const known =
    database.kind === "postgres"
      ? await exchangeGenesisPostgres(database.connectionString, genesisHashes)
      : exchangeGenesisFile(`${database.directory}.genesis.json`, genesisHashes);
  for (const { name, chainId } of networks) {
    const stored = known.get(chainId);
    const found = genesisHashes.get(chainId);
    if (stored !== found) {
      throw new Error(
        `${name}: the node's genesis block is ${found}, ` +
          `but this database holds data of a chain with genesis ${stored}. ` +
          "Use a node of that chain, or a new database: cached blocks are stored by chain id only.",
      );
    }
  }
}

/** Parts of the patch on which answers depend. pnpm applies a patch as a whole or not at all. */
const PATCHED: Readonly<Record<string, RegExp>> = {
  // Delivers reverted top-level calls.
  "build/config.js": /type: "transaction",[^}]*toAddress: address,[^}]*includeReverted: true/s,
  // Makes transactions on PGlite real transactions.
  "database/queryBuilder.js": /dialect === "postgres" \|\| dialect === "pglite"/,
  // Verifies live blocks before they are indexed.
  "rpc/index.js": /chain\.rpc\.followHead\(/,
};

/**
 * Checks that the installed Ponder is patched. Without the patch, Ponder drops reverted transactions, which would then
 * silently be missing from the history, and PGlite could keep half a transaction when its process is killed.
 * @throws Error when the installed Ponder is not patched
 */
function verifyPonderPatch(): void {
  for (const [file, expected] of Object.entries(PATCHED)) {
    if (!expected.test(readFileSync(resolve("node_modules/ponder/dist/esm", file), "utf8"))) {
      throw new Error("Ponder is installed without patches/ponder@0.17.7.patch: run `pnpm install` in this project");
    }
  }
}

async function verifyNetwork({ name, chainId, rpcUrls, deployment }: Network): Promise<Hash> {
  const client = createPublicClient({ transport: rpcTransport(rpcUrls) });
  const attempt = async <T>(what: string, request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (cause) {
      throw new Error(`${name}: ${what} failed (${(cause as Error).message})`, { cause });
    }
  };

  const actualChainId = await attempt(`eth_chainId on PONDER_RPC_URL_${chainId}`, () => client.getChainId());
  if (actualChainId !== chainId) {
    throw new Error(`${name}: PONDER_RPC_URL_${chainId} is a node of chain ${actualChainId}, expected ${chainId}`);
  }
  await attempt(`eth_call at start block ${deployment.startBlock} (an archive node is needed)`, () =>
    // Any node that still has the block's state can answer this call of an account without code.
    client.call({ to: zeroAddress, blockNumber: BigInt(deployment.startBlock) }),
  );
  const hasCode = async (address: Address, blockNumber?: bigint) =>
    (await attempt("eth_getCode", () =>
      client.getCode({ address, ...(blockNumber !== undefined && { blockNumber }) }),
    )) !== undefined;
  await verifyStartBlock(name, hasCode, deployment);
  const genesis = await attempt("reading the genesis block", () => client.getBlock({ blockNumber: 0n }));
  return genesis.hash;
}

async function verifyStartBlock(
  name: string,
  hasCode: (address: Address, blockNumber?: bigint) => Promise<boolean>,
  { coreSwap, treasury, startBlock }: Network["deployment"],
): Promise<void> {
  for (const [field, address] of Object.entries({ coreSwap, treasury })) {
    if (!(await hasCode(address))) throw new Error(`${name}: no contract at ${field} ${address}`);
  }
  if (startBlock === 0) return;
  for (const [field, address] of Object.entries({ coreSwap, treasury })) {
    if (await hasCode(address, BigInt(startBlock - 1))) {
      throw new Error(
        `${name}: startBlock ${startBlock} is too late: ${field} ${address} has code at an earlier block`,
      );
    }
  }
}

const genesisFileSchema = z.record(z.string(), z.templateLiteral(["0x", z.string()]));

/**
 * Stores the hashes of chains seen for the first time, and replaces the file as a whole: a full disk or a crash leaves the
 * one that was there.
 * @returns all stored hashes
 * @throws Error naming the file when it cannot be read
 */
function exchangeGenesisFile(path: string, found: ReadonlyMap<number, Hash>): Map<number, Hash> {
  const stored = existsSync(path) ? readGenesisFile(path) : {};
  const merged = { ...Object.fromEntries(found), ...stored };
  if (Object.keys(merged).some((chainId) => !(chainId in stored))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, `${JSON.stringify(merged, null, 2)}\n`, { flush: true });
    renameSync(`${path}.new`, path);
  }
  return new Map(Object.entries(merged).map(([chainId, hash]) => [Number(chainId), hash]));
}

function readGenesisFile(path: string): z.output<typeof genesisFileSchema> {
  try {
    return genesisFileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new Error(
      `${path}, which says of which chains the database beside it holds data, cannot be read ` +
        `(${(cause as Error).message}). Remove it together with that database`,
      { cause },
    );
  }
}

/**
 * Does the same in PostgreSQL, outside the schemas that Ponder owns.
 * @throws Error when the database has raw data of a chain, and not the records about it, or the URL is a pooler's
 */
export async function exchangeGenesisPostgres(
  connectionString: string,
  found: ReadonlyMap<number, Hash>,
): Promise<Map<number, Hash>> {
  const client = createClient({ connectionString });
  await client.connect();
  try {
    await requireOwnSession(client);
    // Processes that start at the same time check and write one after the other.
    await client.query("SELECT pg_advisory_lock(hashtext('core_offchain'))");
    await client.query(
      createOffchainTables(
        "CREATE TABLE IF NOT EXISTS core_offchain.genesis (chain_id bigint PRIMARY KEY, block_hash text NOT NULL);",
      ),
    );
    await requireRecords(client, [...found.keys()]);
    for (const [chainId, hash] of found) {
      await client.query("INSERT INTO core_offchain.genesis VALUES ($1, $2) ON CONFLICT DO NOTHING", [chainId, hash]);
    }
    const { rows } = await client.query<{ chain_id: string; block_hash: Hash }>("SELECT * FROM core_offchain.genesis");
    return new Map(rows.map((row) => [Number(row.chain_id), row.block_hash]));
  } finally {
    await client.end();
  }
}

/**
 * Raw data that was restored without `core_offchain` may be of another chain, or lack calls that traces are known to have
 * left out.
 */
async function requireRecords(client: Client, chainIds: readonly number[]): Promise<void> {
  const { rows: caches } = await client.query("SELECT to_regclass('ponder_sync.intervals') AS found");
  if (caches[0]?.found === null) return;
  const { rows } = await client.query<{ chain_id: string }>(
    `SELECT DISTINCT chain_id FROM ponder_sync.intervals
    WHERE chain_id = ANY($1) AND chain_id NOT IN (SELECT chain_id FROM core_offchain.genesis)`,
    [chainIds],
  );
  if (rows.length === 0) return;
  throw new Error(
    `Schema ponder_sync has blocks of chain ${rows.map(({ chain_id }) => chain_id).join(", ")}, ` +
      "and core_offchain does not know the chain. Restore both from one backup, or empty ponder_sync.",
  );
}
