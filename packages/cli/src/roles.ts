/** Roles of the contracts, and who grants them. */
import { treasuryAbi as abi } from "@coreswap/abi";
import { contractNamed, type NamedContract, roleId, rolesOf } from "./chain/contracts.ts";
import { Failure } from "./failure.ts";
import { type Authority, type Context, type Observation, observe } from "./write/plan.ts";

/** The contracts with roles, for help texts. */
export const CONTRACTS = "coreswap, treasury, lp:<symbol> or nav:<symbol>";

/**
 * Finds the contract with that name, which must declare the role.
 * @throws Failure naming the contracts or roles that exist
 */
export function roleNamed({ contracts }: Context, name: string, role: string): NamedContract {
  const contract = contractNamed(contracts, name);
  if (contract.name === "timelock") throw new Failure("this command does not manage the roles of the timelock");
  const known = rolesOf(contract.abi);
  if (!known.includes(role)) throw new Failure(`${contract.name} has no ${role}: expected ${known.join(", ")}`);
  return contract;
}

/**
 * The role whose holders grant and revoke a role: the operator's for minters and bridges, and the administrator's for
 * most others.
 */
export async function administratorOf({ client }: Context, contract: NamedContract, role: string): Promise<Authority> {
  const { address } = contract;
  const id = await client.readContract({ address, abi, functionName: "getRoleAdmin", args: [roleId(role)] });
  const name = rolesOf(contract.abi).find((candidate) => roleId(candidate) === id);
  if (name === undefined) throw new Failure(`nobody can grant or revoke ${role} of ${contract.name}`);
  return { role: name };
}

/** The observation that shows who holds a role, before and after. */
export function holdersOf({ address }: NamedContract, role: string): Observation {
  const view = { address, abi, functionName: "getRoleMembers", args: [roleId(role)] } as const;
  return observe(`holders of ${role}`, view, (holders) => holders.join(", ") || "nobody");
}
