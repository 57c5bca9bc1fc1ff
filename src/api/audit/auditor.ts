/**
 * Audits final blocks: compares their rows with the receipts of the block, and with each other. `currentAudit.ts`
 * audits the values in force.
 *
 * The audit reports a difference only when it is certain. Rows and the checkpoint that makes them final are read in one
 * statement. A difference from a node's answer is checked again with the same node and then with the next one, and
 * counts only if neither refutes it. Nodes that do not answer, or that serve another chain, leave a block unaudited, but
 * never make it fail.
 */
import { type Hex, zeroAddress } from "viem";
import { coreSwapAbi } from "../../../abis/index.ts";
import { NodeFailure } from "../../../config/rpc/failures.ts";
import { isContractRefusal } from "../shared/contractErrors.ts";
import type { Database } from "../shared/database.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { type AuditBlock, type AuditNode, readBlock, requireChain, requireSenders } from "./chain.ts";
import { consistencyReader } from "./consistency.ts";
import { currentRowsReader, namedRowsReader } from "./currentRows.ts";
import { delegatesSetIn, expectedRows, type Rows, settlingIdsOf } from "./expected.ts";
import { namedDifferences, namedRows } from "./namedRows.ts";
import { storedBlockReader } from "./stored.ts";

/** Rows to audit, and the nodes to compare them with. */
interface AuditedIndex {
  readonly database: Database;
  readonly network: ApiNetwork;
  /** One node per RPC URL, in order of preference. */
  readonly nodes: readonly AuditNode[];
  /** Maximum number of rows in force that one audit verifies in the blocks that they name. All of them when absent. */
  readonly proofsAtOnce?: number;
}

/** The rows to audit, and the nodes to compare them with. */
export type AuditTarget = ReturnType<typeof auditTarget>;

/** Makes the readers that audits use. */
export function auditTarget({ database, network, nodes, proofsAtOnce = Number.POSITIVE_INFINITY }: AuditedIndex) {
  return {
    network,
    nodes,
    proofsAtOnce,
    readStoredBlock: storedBlockReader(database, network),
    readConsistency: consistencyReader(database, network),
    readCurrentRows: currentRowsReader(database, network),
    readNamedRows: namedRowsReader(database, network),
    /** Rows in force that were verified in the block that they name. */
    proven: new Set<string>(),
  };
}

/** The result of an audit. */
export type AuditOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly differences: readonly string[] }
  /** Nothing is known: the node did not answer, or the blocks are not final. */
  | { readonly kind: "unfinished"; readonly reason: string };

const PASSED: AuditOutcome = { kind: "passed" };

/**
 * Audits one block.
 * @throws when the database fails
 */
export async function auditBlock(target: AuditTarget, blockNumber: bigint): Promise<AuditOutcome> {
  return confirmed(
    target,
    (node) => compareWith(target, node, blockNumber),
    (outcome) => outcome.kind === "failed",
  );
}

/**
 * Compares with the first node that answers. A difference is compared again with the same node, and then with the next
 * one that answers: it counts unless one of them refutes it. A node that does not answer refutes nothing.
 */
export async function confirmed<Outcome extends { readonly kind: string }>(
  { network, nodes }: Pick<AuditTarget, "network" | "nodes">,
  compare: (node: AuditNode) => Promise<Outcome>,
  isDifference: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  let unfinished: Outcome | null = null;
  for (const [index, node] of nodes.entries()) {
    const found = await compare(node);
    if (found.kind === "unfinished") {
      unfinished ??= found;
      continue;
    }
    if (!isDifference(found)) return found;
    const others = nodes.slice(index + 1);
    for (const other of others.length > 0 ? [node, ...others] : [node, node]) {
      const again = await compare(other);
      if (again.kind === "unfinished") continue;
      if (!isDifference(again) || other !== node) return again;
    }
    return found;
  }
  if (unfinished === null) throw new Error(`no node is configured for ${network.name}`);
  return unfinished;
}

/**
 * Audits a range of blocks, both ends inclusive, by comparing its rows with each other.
 * @throws when the database fails
 */
export async function auditConsistency(
  { readConsistency }: Pick<AuditTarget, "readConsistency">,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<AuditOutcome> {
  const { differences, finalNumber } = await readConsistency(fromBlock, toBlock);
  if (finalNumber === null || toBlock > finalNumber) return notFinal(toBlock);
  return differences.length === 0 ? PASSED : { kind: "failed", differences };
}

async function compareWith(
  { network, readStoredBlock, readNamedRows }: AuditTarget,
  node: AuditNode,
  blockNumber: bigint,
): Promise<AuditOutcome> {
  try {
    const block = await readBlock(node, blockNumber);
    const lps = new Map<Hex, readonly string[]>();
    for (const id of settlingIdsOf(block, network)) lps.set(id, await readLps(node, network, id, block));
    const expected = expectedRows(block, network, (id) => lps.get(id)?.join(" or ") ?? "");
    await requireSenders(block, expected.hashes);
    const stored = await readStoredBlock(blockNumber, expected);
    if (stored.finalNumber === null || blockNumber > stored.finalNumber) return notFinal(blockNumber);
    // Rows in force are never deleted, so a later snapshot also has those of a final block.
    const named = namedRows(block, network);
    const differences = [
      ...differencesOf(expected.rows, stored.rows),
      ...namedDifferences(block, named, await readNamedRows([...named.values()])),
      ...stored.listedRows.filter((name) => !named.has(name)).map(shouldNotExist),
    ];
    if (differences.length === 0) return PASSED;
    await requireChain(node, network);
    return { kind: "failed", differences };
  } catch (error) {
    if (error instanceof NodeFailure) return { kind: "unfinished", reason: error.message };
    throw error;
  }
}

/**
 * The possible LPs of a block's legs that settle with a stablecoin: its delegate at the end of the block before and at the
 * end of the block, and those that the block sets in between.
 */
async function readLps(node: AuditNode, network: ApiNetwork, id: Hex, block: AuditBlock): Promise<string[]> {
  const found = new Set<string>(delegatesSetIn(block, network, id));
  for (const at of [block.number, block.number - 1n]) {
    await node.pace();
    try {
      const [, , , delegate] = await node.client.readContract({
        abi: coreSwapAbi,
        address: network.coreSwap,
        functionName: "stablecoinInfo",
        args: [id],
        blockNumber: at,
      });
      if (delegate !== zeroAddress) found.add(delegate.toLowerCase());
    } catch (cause) {
      // The contract may not have existed a block earlier.
      if (at === block.number || !isContractRefusal(cause))
        throw new NodeFailure("unreachable", `the delegate of ${id} could not be read at block ${at}`, cause);
    }
  }
  return [...found];
}

/** Returns one sentence for each row that is missing, unexpected or different. */
function differencesOf(expected: Rows, stored: Rows): string[] {
  const differences: string[] = [];
  for (const [key, columns] of expected) {
    const found = stored.get(key);
    if (found === undefined) {
      differences.push(`${key} is missing`);
      continue;
    }
    for (const [name, value] of Object.entries(columns)) {
      const actual = found[name] ?? null;
      const isSame = name === "lp_address" ? value?.split(" or ").includes(actual ?? "") : actual === value;
      if (!isSame) differences.push(`${key}: ${name} is ${actual}, should be ${value}`);
    }
  }
  for (const key of stored.keys()) if (!expected.has(key)) differences.push(shouldNotExist(key));
  return differences;
}

function shouldNotExist(row: string): string {
  return `${row} should not exist`;
}

function notFinal(blockNumber: bigint): AuditOutcome {
  return { kind: "unfinished", reason: `block ${blockNumber} is not final` };
}
