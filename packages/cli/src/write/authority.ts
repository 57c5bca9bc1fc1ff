/** Decides who can make the calls of a plan. */
import { stablecoinDelegateAbi, treasuryAbi } from "@coreswap/abi";
import { type Address, isAddressEqual } from "viem";
import { type NamedContract, roleId } from "../chain/contracts.ts";
import { liquidityProviders } from "../chain/deployment.ts";
import { Failure } from "../failure.ts";
import type { Authority, Context, PlannedCall } from "./plan.ts";

export interface Holder {
  readonly account: Address;
  /** The reason why it may make the calls, such as `NAV_POSTER_ROLE`. */
  readonly as: string;
}

export interface Actor {
  /** The account that makes the calls. It is the timelock when the plan is behind it. */
  readonly account: Address;
  readonly behindTimelock: boolean;
  readonly holders: readonly Holder[];
}

/**
 * Decides which account makes the calls: the sender if it may, or the timelock if the sender may not and the timelock
 * may. Without a sender, it is the only account that may. One account must be allowed to make every call.
 * @throws Failure naming the accounts that may
 */
export async function chooseActor(
  context: Context,
  calls: readonly PlannedCall[],
  sender: Address | undefined,
): Promise<Actor> {
  const { timelock } = context.deployment;
  const guarded = distinct(calls.filter(({ mayCall }) => mayCall.length > 0));
  if (guarded.length === 0) {
    if (sender === undefined) throw new Failure("name the account that sends it: --from");
    return { account: sender, behindTimelock: false, holders: [] };
  }
  const perCall = await Promise.all(guarded.map((call) => holdersOfCall(context, call, sender)));
  const isHolder = (account: Address) =>
    perCall.every((holders) => holders.some((holder) => isAddressEqual(holder.account, account)));
  const holders = distinctHolders(perCall.flat()).filter(({ account }) => isHolder(account));
  if (sender !== undefined && isHolder(sender)) return { account: sender, behindTimelock: false, holders };
  const others = [...new Set(holders.map(({ account }) => account))].filter((account) => account !== timelock);
  const [only] = others;
  if (sender === undefined && only !== undefined && others.length === 1) {
    return { account: only, behindTimelock: false, holders };
  }
  if (timelock !== undefined && isHolder(timelock) && (sender !== undefined || others.length === 0)) {
    return { account: timelock, behindTimelock: true, holders };
  }
  const known = describeHolders(holders);
  if (sender === undefined) throw new Failure(`name the account that signs with --from; these may: ${known}`);
  const names = [...new Set(guarded.map(({ contract }) => contract.name))].join(" and ");
  throw new Failure(`${sender} may not do this on ${names}; these may: ${known}`);
}

/** Lists the accounts of a plan, each once with the reasons why it may make the calls. */
export function describeHolders(holders: readonly Holder[]): string {
  const byAccount = Map.groupBy(holders, ({ account }) => account);
  return (
    [...byAccount].map(([account, own]) => `${account} (${own.map(({ as }) => as).join(", ")})`).join(", ") || "nobody"
  );
}

/** The accounts that may make a call. Empty when everybody may. */
export async function holdersOfCall(
  context: Context,
  { contract, mayCall }: PlannedCall,
  sender: Address | undefined,
): Promise<Holder[]> {
  const found = await Promise.all(mayCall.map((each) => holdersOf(context, contract, each, sender)));
  return found.flat();
}

async function holdersOf(
  { client, deployment }: Context,
  contract: NamedContract,
  authority: Authority,
  sender: Address | undefined,
): Promise<Holder[]> {
  if (typeof authority === "object" && "account" in authority) return [authority];
  if (authority !== "issuer admin") {
    const accounts = await client.readContract({
      address: contract.address,
      // Every contract with roles has these functions.
      abi: treasuryAbi,
      functionName: "getRoleMembers",
      args: [roleId(authority.role)],
    });
    return accounts.map((account) => ({ account, as: authority.role }));
  }
  // The delegate does not list its issuer admins, so the one of the deployment file and the sender are checked.
  const lp = liquidityProviders(deployment).find(({ delegate }) => isAddressEqual(delegate, contract.address));
  const candidates = [...new Set([lp?.issuerAdmin, sender].filter((account) => account !== undefined))];
  const isAdmin = await Promise.all(
    candidates.map((account) =>
      client.readContract({
        address: contract.address,
        abi: stablecoinDelegateAbi,
        functionName: "issuerAdmins",
        args: [account],
      }),
    ),
  );
  return candidates.filter((_, index) => isAdmin[index]).map((account) => ({ account, as: authority }));
}

/** One call for each contract and authority. */
function distinct(calls: readonly PlannedCall[]): PlannedCall[] {
  const keyed = calls.map((call) => [`${call.contract.address} ${JSON.stringify(call.mayCall)}`, call] as const);
  return [...new Map(keyed).values()];
}

function distinctHolders(holders: readonly Holder[]): Holder[] {
  return [...new Map(holders.map((holder) => [`${holder.account} ${holder.as}`, holder] as const)).values()];
}
