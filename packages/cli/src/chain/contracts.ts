/** The contracts of a deployment, by the names that commands accept and print. */
import {
  balanceSheetDelegateAbi,
  coreSwapAbi,
  navPriceAdapterAbi,
  timelockControllerAbi,
  treasuryAbi,
  treasuryDelegateAbi,
} from "@coreswap/abi";
import { type Abi, type Address, type Hex, keccak256, toHex, zeroHash } from "viem";
import { Failure } from "../failure.ts";
import { type Deployment, liquidityProviders } from "./deployment.ts";

export interface NamedContract {
  /** `coreswap`, `treasury`, `timelock`, `lp:<symbol>` or `nav:<symbol>`. */
  readonly name: string;
  readonly address: Address;
  readonly abi: Abi;
  /** Why no command may use it, if CoreSwap has another contract in its place. */
  readonly replacement?: string | null;
}

/** All contracts of a deployment that have roles. */
export function namedContracts(deployment: Deployment): NamedContract[] {
  const contracts: NamedContract[] = [
    { name: "coreswap", address: deployment.coreSwap, abi: coreSwapAbi },
    { name: "treasury", address: deployment.treasury, abi: treasuryAbi },
    ...liquidityProviders(deployment).map(({ symbol, delegate, yieldBearing }) => ({
      name: `lp:${symbol}`,
      address: delegate,
      abi: yieldBearing ? treasuryDelegateAbi : balanceSheetDelegateAbi,
    })),
    ...deployment.rwas.map(({ symbol, priceAdapter }) => ({
      name: `nav:${symbol}`,
      address: priceAdapter,
      abi: navPriceAdapterAbi,
    })),
  ];
  if (deployment.timelock === undefined) return contracts;
  return [...contracts, { name: "timelock", address: deployment.timelock, abi: timelockControllerAbi }];
}

/** The treasury token's LP. @throws Failure when CoreSwap has another delegate for it */
export function treasuryLp({
  contracts,
  deployment,
}: {
  readonly contracts: readonly NamedContract[];
  readonly deployment: Deployment;
}): NamedContract {
  return contractNamed(contracts, `lp:${deployment.treasuryStablecoin.symbol}`);
}

/**
 * Finds a contract by its name, in any case.
 * @param problem what a name that is not found is told to lack
 * @throws Failure naming the contracts that exist, or the one that CoreSwap has in its place
 */
export function contractNamed(
  contracts: readonly NamedContract[],
  name: string,
  problem = "is not a contract",
): NamedContract {
  const found = recordedContract(contracts, name, problem);
  requireInForce(found);
  return found;
}

/**
 * The same for a contract that may have been replaced: that of the deployment file, whatever CoreSwap has.
 * @throws Failure naming the contracts that exist
 */
export function recordedContract(
  contracts: readonly NamedContract[],
  name: string,
  problem = "is not a contract",
): NamedContract {
  const found = contracts.find((contract) => contract.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new Failure(`"${name}" ${problem}: expected ${contracts.map((contract) => contract.name).join(", ")}`);
}

/** @throws Failure when CoreSwap has another contract in the place of this one */
export function requireInForce({ replacement }: NamedContract): void {
  if (replacement) throw new Failure(`${replacement}. Nothing was sent.`);
}

/** Names of the roles that a contract declares, such as `OPERATOR_ROLE`. */
export function rolesOf(abi: Abi): string[] {
  return abi.flatMap((item) => (item.type === "function" && item.name.endsWith("_ROLE") ? [item.name] : []));
}

/** The identifier of a role in its contract. */
export function roleId(role: string): Hex {
  return role === "DEFAULT_ADMIN_ROLE" ? zeroHash : keccak256(toHex(role));
}
