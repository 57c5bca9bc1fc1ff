/** The code that the tools for a range of indexed blocks share: options, settings and the audit itself. */
import { blockRanges } from "@coreswap/sdk";
import { configuredNetworks, indexSchema, NETWORK_NAMES, type Network } from "../../config/networks.ts";
import { openPool } from "../../config/postgresClients.ts";
import { inParallel } from "../../config/rpc/inParallel.ts";
import { createPace } from "../../config/rpc/pace.ts";
import { type AuditOutcome, auditBlock, auditConsistency, auditTarget } from "../../src/api/audit/auditor.ts";
import { auditCurrent } from "../../src/api/audit/currentAudit.ts";
import { auditNodes } from "../../src/api/audit/start.ts";
import { databaseOf } from "../../src/api/shared/database.ts";
import { apiNetworkOf } from "../../src/api/shared/networks.ts";
import { commandLine, refuse } from "./commandLine.ts";
import { loadEnvFile } from "./envFile.ts";
import { networkNamed, postgresUrl } from "./settings.ts";

/** Blocks that are audited at once. */
const WIDTH = 4;
/** Blocks that are compared with each other at once. */
const RANGE_BLOCKS = 1_000n;

/** A network and a range of its blocks, both ends inclusive. */
export interface IndexRange {
  readonly network: Network;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly connectionString: string;
  /** Schema in which the network is indexed. */
  readonly schema: string;
}

/**
 * Reads the command line and the settings from the environment and `.env.local`. Prints one line and ends the process
 * when something is missing or wrong.
 * @param name name of the script, as typed
 * @param summary shown by `--help`
 * @param onPglite what to do instead if PGlite holds the index, which only one process can open
 */
export function readIndexRange(name: string, summary: string, onPglite: string): IndexRange {
  const { values } = commandLine({
    usage: `${name} --network <${NETWORK_NAMES.join("|")}> --from <block> --to <block>`,
    summary,
    options: {
      network: { type: "string", value: "<name>", help: "network of the index" },
      from: { type: "string", value: "<block>", help: "first block" },
      to: { type: "string", value: "<block>", help: "last block" },
    },
  });
  loadEnvFile();
  const { from, to } = values;
  const known = networkNamed(values.network);
  const fromBlock = blockNumber("--from", from);
  const toBlock = blockNumber("--to", to);
  if (toBlock < fromBlock) refuse(`--to: expected block ${fromBlock} or a later one`);
  const connectionString = postgresUrl(onPglite);
  const network = configuredNetworks({ ...process.env, PONDER_NETWORKS: known })[0];
  if (network === undefined) refuse(`${known} is not configured`);
  if (fromBlock < BigInt(network.deployment.startBlock)) {
    refuse(`--from: expected a block from ${network.deployment.startBlock} on, where the index of ${known} starts`);
  }
  return { network, fromBlock, toBlock, connectionString, schema: indexSchema(known) };
}

function blockNumber(option: string, text: string | undefined): bigint {
  if (text === undefined || !/^(0|[1-9][0-9]{0,9})$/.test(text)) {
    refuse(`${option}: expected the number of a block`);
  }
  return BigInt(text);
}

/**
 * Audits a range of final blocks, and the values in force at the newest final block.
 * @param print receives each difference, and each block that could not be audited
 * @returns the numbers of both
 */
export async function auditRange(
  { network, fromBlock, toBlock, connectionString, schema }: IndexRange,
  print: (line: string) => void,
): Promise<{ readonly failed: number; readonly unfinished: number }> {
  const pool = openPool({ connectionString, max: WIDTH, application_name: "coreswap_audit" });
  const target = auditTarget({
    database: databaseOf(pool),
    network: apiNetworkOf(network.name, network.deployment, schema),
    nodes: auditNodes(network.rpcUrls, createPace()),
  });
  let failed = 0;
  let unfinished = 0;
  const note = (what: string, outcome: AuditOutcome) => {
    if (outcome.kind === "failed") {
      failed += 1;
      for (const difference of outcome.differences) print(`${what}: ${difference}`);
    } else if (outcome.kind === "unfinished") {
      unfinished += 1;
      print(`${what}: not audited, ${outcome.reason}`);
    }
  };
  try {
    const current = await auditCurrent(target);
    if (current.kind === "unfinished") note("values in force", current);
    else {
      const { blockNumber, differences, notCompared, pending } = current;
      const what = `in force at block ${blockNumber}`;
      if (differences.length > 0) note(what, { kind: "failed", differences });
      for (const reason of [...notCompared, ...pending]) note(what, { kind: "unfinished", reason });
    }
    for (const { fromBlock: low, toBlock: high } of blockRanges({ fromBlock, toBlock }, RANGE_BLOCKS)) {
      note(`blocks ${low} to ${high}`, await auditConsistency(target, low, high));
      const blocks = Array.from({ length: Number(high - low) + 1 }, (_, index) => low + BigInt(index));
      await inParallel(blocks, WIDTH, async (block) => note(`block ${block}`, await auditBlock(target, block)));
    }
  } finally {
    await pool.end();
  }
  return { failed, unfinished };
}
