/** What the configuration requires of the roles of a contract. */
import { treasuryAbi } from "@coreswap/abi";
import type { Address } from "viem";
import { type NamedContract, roleId } from "../chain/contracts.ts";
import { yesOrNo } from "../text.ts";
import type { PlannedCall } from "../write/plan.ts";
import { type Expectation, expects } from "./expectation.ts";

/** Every contract with roles has its functions and events. */
const abi = treasuryAbi;
const EVENTS = ["RoleGranted", "RoleRevoked"];

/** Requires that a role has exactly these holders. The timelock does not list them. */
export function holders(
  subject: string,
  { name, address }: NamedContract,
  role: string,
  accounts: readonly Address[],
): Expectation {
  const show = (held: readonly Address[]) => [...held].sort().join(", ") || "nobody";
  return expects(
    [subject],
    `${name} ${role}`,
    { address, abi, functionName: "getRoleMembers", args: [roleId(role)] },
    show,
    show(accounts),
    { events: EVENTS, words: [roleId(role)] },
  );
}

/** Requires that an account holds a role, or that it does not. */
export function membership(
  subject: string,
  label: string,
  { address }: NamedContract,
  { role, account, isHolder }: { readonly role: string; readonly account: Address; readonly isHolder: boolean },
  fix: PlannedCall,
): Expectation {
  const args = [roleId(role), account] as const;
  const view = { address, abi, functionName: "hasRole", args } as const;
  return expects([subject], label, view, yesOrNo, yesOrNo(isHolder), { events: EVENTS, words: [...args] }, fix);
}
