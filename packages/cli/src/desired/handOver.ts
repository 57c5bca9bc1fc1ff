/**
 * Finds when whoever deployed gave up its roles, and who got credits or tokens before that. It could set any price then,
 * buy tokens, burn them and undo every setting: the credits stay, and no view shows who has some.
 */
import { getAddress, zeroAddress } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { roleId } from "../chain/contracts.ts";
import { type NamedLog, searchEvents } from "../chain/events.ts";
import { tokens } from "../text.ts";
import type { System } from "./system.ts";

/** Names of the events by which the hand-over is found. */
export const HAND_OVER_EVENTS = ["RoleGranted", "RoleRevoked"];

/**
 * Returns the log with which the deployer lost its last governing role. It may have shared its roles: the accounts to
 * which it granted one count, too, and those to which these did. Behind no timelock, only the deployer counts, because
 * it granted roles to plain accounts, which may have been replaced since. Configured holders never count. A timelock that
 * another one replaced does, so everything until then counts as before the hand-over. Null when the deployer is a
 * configured holder, or has lost no role yet, which other checks name.
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
    if (!HAND_OVER_EVENTS.includes(log.eventName)) continue;
    const { role, account, sender } = log.args;
    const address = getAddress(log.address);
    const isOperator = role === roleId("OPERATOR_ROLE") && [coreSwap, treasury].includes(address);
    if (role !== roleId("DEFAULT_ADMIN_ROLE") && !isOperator) continue;
    if (log.eventName === "RoleRevoked") {
      if (deployers.has(account)) last = log;
      continue;
    }
    const isCreation = uncreated.delete(address);
    if (isCreation) deployers.add(sender);
    if (isCreation || (timelock !== undefined && deployers.has(sender))) deployers.add(account);
    for (const holder of configured) deployers.delete(holder);
  }
  return last;
}

/** Whether a log comes before another one on the chain. */
export function isBefore(log: NamedLog, { blockNumber, logIndex }: NamedLog): boolean {
  return log.blockNumber < blockNumber || (log.blockNumber === blockNumber && log.logIndex < logIndex);
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
