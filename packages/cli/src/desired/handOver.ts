/**
 * Finds when whoever deployed gave up its roles, and who got credits or tokens before that. It could set any price then,
 * buy tokens, burn them and undo every setting: the credits stay, and no view shows who has some.
 */
import { getAddress, zeroAddress } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { roleId } from "../chain/contracts.ts";
import { type NamedLog, searchEvents } from "../chain/events.ts";
import { seconds, tokens } from "../text.ts";
import { MIN_DELAY_SECONDS } from "./configuration.ts";
import type { System } from "./system.ts";

/** Names of the events by which the hand-over is found. */
export const HAND_OVER_EVENTS = ["RoleGranted", "RoleRevoked"];

/**
 * Returns the log with which the deployer lost its last role that governs, mints or proposes to the timelock. It may have
 * shared its roles: the accounts to which it granted one count, too, and those to which these did. Behind no timelock, only
 * the deployer counts, because it granted roles to plain accounts, which may have been replaced since. Configured holders
 * never count. A timelock that was replaced is not configured any more, so everything until its replacement counts as
 * before the hand-over. Null when the deployer is a configured holder, or has lost no role yet, which other checks name.
 * @param logs the events since the deployment, in the order of the chain
 */
export function handOverOf(system: System, logs: readonly NamedLog[]): NamedLog | null {
  const { deployment, admin, operator, treasuryAdmin, treasuryOperator } = system;
  const { timelock, coreSwap, treasury, treasuryStablecoin } = deployment;
  const configured = [admin, operator, treasuryAdmin, treasuryOperator];
  const uncreated = new Set([timelock, coreSwap, treasury, treasuryStablecoin.delegate]);
  const deployers = new Set<unknown>();
  let last: NamedLog | null = null;
  for (const log of logs) {
    if (!HAND_OVER_EVENTS.includes(log.eventName) || !isCounted(system, log)) continue;
    const { account, sender } = log.args;
    if (log.eventName === "RoleRevoked") {
      if (deployers.has(account)) last = log;
      continue;
    }
    const isCreation = uncreated.delete(getAddress(log.address));
    if (isCreation) deployers.add(sender);
    if (isCreation || (timelock !== undefined && deployers.has(sender))) deployers.add(account);
    for (const holder of configured) deployers.delete(holder);
  }
  return last;
}

/** Whether a role that was granted or revoked counts for the hand-over. */
function isCounted({ deployment, configuration }: System, { eventName, address, args }: NamedLog): boolean {
  const { timelock, coreSwap, treasury, treasuryStablecoin } = deployment;
  const { role, account } = args;
  const contract = getAddress(address);
  if (role === roleId("DEFAULT_ADMIN_ROLE")) return true;
  if (role === roleId("OPERATOR_ROLE")) return contract === coreSwap || contract === treasury;
  if (role === roleId("MINTER_ROLE")) return contract === treasury && account !== treasuryStablecoin.delegate;
  if (role === roleId("BRIDGE_ROLE")) {
    const bridges = configuration.treasury.bridges ?? [];
    return contract === treasury && !bridges.some((bridge) => bridge.address === account);
  }
  // The deployer appoints the proposers, which go on to govern, so a grant makes none of them the deployer.
  return role === roleId("PROPOSER_ROLE") && contract === timelock && eventName === "RoleRevoked";
}

/** Whether a log comes before another one on the chain. */
export function isBefore(log: NamedLog, { blockNumber, logIndex }: NamedLog): boolean {
  return log.blockNumber < blockNumber || (log.blockNumber === blockNumber && log.logIndex < logIndex);
}

/**
 * Lists the operations of the timelock whose delay was shorter than that of any configuration: whoever proposed one could
 * do unseen what a deployer can, and raise the delay afterwards.
 * @param logs the events since the deployment
 */
export function findHastyOperations(logs: readonly NamedLog[]) {
  return logs.flatMap((log) => {
    const { id, index, delay } = log.args;
    // A batch has an event for each of its calls.
    if (log.eventName !== "CallScheduled" || index !== 0n || (delay as bigint) >= MIN_DELAY_SECONDS) return [];
    const was = `was scheduled with a delay of ${seconds(delay as bigint)}`;
    return [{ text: `operation ${id} of the timelock ${was}, shorter than ${seconds(MIN_DELAY_SECONDS)}`, log }];
  });
}

/** Lists who got credits of the treasury token, or was minted some, before the hand-over. */
export async function findEarlyCredits(
  client: NodeClient,
  { deployment }: System,
  handOver: NamedLog,
  blocksPerRequest: bigint,
) {
  const { startBlock, treasury, treasuryStablecoin } = deployment;
  const events = new Set(["PendingCreditsAdded", "Transfer"]);
  const range = { fromBlock: BigInt(startBlock), toBlock: handOver.blockNumber, blocksPerRequest };
  const logs = await searchEvents(client, [treasury, treasuryStablecoin.delegate], events, range);
  return logs
    .filter((log) => isBefore(log, handOver))
    .flatMap((log) => {
      const { user, amount, from, to, value } = log.args;
      const isTransfer = log.eventName === "Transfer";
      if (isTransfer && from !== zeroAddress) return [];
      const what = tokens((isTransfer ? value : amount) as bigint, treasuryStablecoin);
      const got = isTransfer ? `${to} was minted ${what}` : `${user} got credits for ${what}`;
      return [{ text: `${got} before the deployer gave up its last role`, log }];
    });
}
