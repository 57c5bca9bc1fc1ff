/** Finds what the chain has and the configuration does not. The events are searched, because no view lists it. */
import { coreSwapAbi, balanceSheetDelegateAbi as delegateAbi, timelockControllerAbi } from "@coreswap/abi";
import { type Address, type Hex, hexToString, isAddressEqual } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { roleId } from "../chain/contracts.ts";
import type { NamedLog } from "../chain/events.ts";
import { NO_DAILY_LIMIT } from "../text.ts";
import { ownAsset } from "./cappedAssets.ts";
import { listingText } from "./delegate.ts";
import type { System } from "./system.ts";
import { timelockRoles } from "./timelock.ts";

/** Something that is not configured, and the log that added it. */
interface Unlisted {
  readonly text: string;
  readonly log: NamedLog;
}

/** Names of the events that add such things. */
export const UNLISTED_EVENTS = [
  ...["RWAAcceptanceSet", "StablecoinAcceptanceSet", "IssuerAdminAdded", "CustodyListingSet", "RoleGranted"],
  ...["RWAWhitelist", "StablecoinWhitelist", "IntakeCapSet"],
];

/**
 * Checks for each account and asset that an event ever named whether it still has what the event added.
 * @param logs in the order of the chain
 */
export async function findUnlisted(
  client: NodeClient,
  system: System,
  logs: readonly NamedLog[],
  blockNumber: bigint,
): Promise<Unlisted[]> {
  const found = await Promise.all(
    [...latest(logs).values()].map(async (log) => {
      const text = await unlistedText(client, system, log, blockNumber);
      return text === null ? [] : [{ text, log }];
    }),
  );
  return found.flat();
}

/** The last log of each contract, event and first argument, or of each role and account. */
function latest(logs: readonly NamedLog[]): Map<string, NamedLog> {
  const relevant = logs.filter(({ eventName }) => UNLISTED_EVENTS.includes(eventName));
  return new Map(
    relevant.map((log) => {
      const values = Object.values(log.args);
      const key = log.eventName === "RoleGranted" ? values.slice(0, 2).join(" ") : String(values[0]);
      return [`${log.address} ${log.eventName} ${key}`.toLowerCase(), log];
    }),
  );
}

/** One line about something that exists and is not configured. Null when it no longer exists, or is configured. */
async function unlistedText(
  client: NodeClient,
  system: System,
  log: NamedLog,
  blockNumber: bigint,
): Promise<string | null> {
  const { eventName, args, address } = log;
  const { deployment, coreSwap, rwas, lps } = system;
  const at = { blockNumber } as const;
  if (isAddressEqual(address, coreSwap.address)) {
    const isRwa = eventName === "RWAAcceptanceSet";
    if (!isRwa && eventName !== "StablecoinAcceptanceSet") return null;
    const id = (isRwa ? args.rwaID : args.stablecoinID) as Hex;
    if ((isRwa ? rwas : lps).some((asset) => asset.id === id)) return null;
    const functionName = isRwa ? "rwaInfo" : "stablecoinInfo";
    const [accepted] = await client.readContract({ address, abi: coreSwapAbi, functionName, args: [id], ...at });
    return accepted ? `CoreSwap accepts ${textOf(id)}` : null;
  }
  if (deployment.timelock !== undefined && isAddressEqual(address, deployment.timelock)) {
    if (eventName !== "RoleGranted") return null;
    const found = timelockRoles(system).find(({ role }) => roleId(role) === args.role);
    const account = args.account as Address;
    if (found === undefined || found.holders.some((holder) => isAddressEqual(holder, account))) return null;
    const query = [roleId(found.role), account] as const;
    const call = { address, abi: timelockControllerAbi, functionName: "hasRole", args: query, ...at } as const;
    return (await client.readContract(call)) ? `${account} has ${found.role} of the timelock` : null;
  }
  const lp = lps.find(({ contract }) => isAddressEqual(contract.address, address));
  // Views list the holders of a delegate's roles, so other checks cover them.
  if (lp === undefined || eventName === "RoleGranted") return null;
  const { contract, terms } = lp;
  const delegate = { address, abi: delegateAbi, ...at } as const;
  const [account] = Object.values(args) as [Address];
  if (eventName === "IssuerAdminAdded") {
    if ([terms.issuerAdmin, ...terms.furtherIssuerAdmins].includes(account)) return null;
    const isAdmin = await client.readContract({ ...delegate, functionName: "issuerAdmins", args: [account] });
    return isAdmin ? `${account} is issuer admin of ${contract.name}` : null;
  }
  if (eventName === "CustodyListingSet") {
    if ([terms.rwaCustody, terms.stablecoinCustody].includes(account)) return null;
    const listing = await client.readContract({ ...delegate, functionName: "custodyListing", args: [account] });
    return listing[0] || listing[1]
      ? `${contract.name} lists ${account} as custody of ${listingText(...listing)}`
      : null;
  }
  if (eventName === "IntakeCapSet" && isAddressEqual(account, lp.address)) {
    if (ownAsset(lp).length > 0) return null;
    const [cap] = await client.readContract({ ...delegate, functionName: "intakeCap", args: [account] });
    return cap === NO_DAILY_LIMIT ? null : `${contract.name} has an intake cap of ${cap} units for its own stablecoin`;
  }
  const configured = [
    ...rwas.filter(({ symbol }) => terms.rwas.some((asset) => asset.symbol === symbol)),
    ...lps.filter(({ symbol }) => terms.stablecoins.some((asset) => asset.symbol === symbol)),
  ];
  if (configured.some((asset) => isAddressEqual(asset.address, account))) return null;
  if (eventName === "IntakeCapSet") {
    const [cap] = await client.readContract({ ...delegate, functionName: "intakeCap", args: [account] });
    return cap > 0n ? `${contract.name} has an intake cap of ${cap} units for ${account}` : null;
  }
  if (eventName !== "RWAWhitelist" && eventName !== "StablecoinWhitelist") return null;
  const functionName = eventName === "RWAWhitelist" ? "rwaWhitelist" : "stablecoinWhitelist";
  const isListed = await client.readContract({ ...delegate, functionName, args: [account] });
  return isListed ? `${contract.name} deals in ${account}` : null;
}

function textOf(id: Hex): string {
  const text = hexToString(id, { size: 32 });
  return /^[\x20-\x7e]+$/.test(text) ? `${id} (${text})` : id;
}
