/** Collects everything that a configuration requires. */
import { isAddressEqual } from "viem";
import type { Context, PlannedCall } from "../write/plan.ts";
import type { Configuration } from "./configuration.ts";
import { ofCoreSwap, ofRwa, ofStablecoin } from "./coreSwap.ts";
import { ofDelegate } from "./delegate.ts";
import { type Expectation, type Finding, findings } from "./expectation.ts";
import { ofParties } from "./parties.ts";
import { requireNamedPlainAccounts } from "./plainAccounts.ts";
import { type System, systemOf } from "./system.ts";
import { ofTimelock } from "./timelock.ts";
import { ofTreasury } from "./treasury.ts";

/** Returns the expectations of a configuration, in an order in which they can be met. */
export function expectationsOf(system: System): Expectation[] {
  return [
    ...ofTimelock(system),
    ...ofCoreSwap(system),
    ...system.rwas.flatMap((rwa) => ofRwa(system, rwa)),
    ...system.lps.flatMap((lp) => [...ofStablecoin(system, lp), ...ofDelegate(system, lp)]),
    ...ofTreasury(system),
    ...system.lps.flatMap((lp) => ofParties(system, lp)),
  ];
}

/**
 * Returns what the configuration requires and the newest block does not have.
 * @returns `absent`: LPs and RWAs whose contract is not created yet. Calls of it would do nothing without failing, so
 * `open` contains nothing about them
 * @throws Failure when one key controls an account that the deployment script does not check, and the file does not say so
 */
export async function openFindings(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  configuration: Configuration,
): Promise<{ readonly system: System; readonly open: Finding[]; readonly absent: readonly string[] }> {
  const system = systemOf(configuration, deployment);
  for (const { symbol, terms } of system.lps) {
    const { furtherIssuerAdmins, rwaColdStorage, stablecoinColdStorage } = terms;
    await requireNamedPlainAccounts(client, configuration, {
      [`furtherIssuerAdmins of ${symbol}`]: furtherIssuerAdmins,
      [`rwaColdStorage of ${symbol}`]: rwaColdStorage,
      [`stablecoinColdStorage of ${symbol}`]: stablecoinColdStorage,
    });
  }
  const blockNumber = await client.getBlockNumber();
  const created = [
    ...system.lps.map(({ symbol, contract }) => ({ subject: `lp:${symbol}`, address: contract.address })),
    ...system.rwas.map(({ symbol, adapter }) => ({ subject: `rwa:${symbol}`, address: adapter.address })),
  ].map(async (named) =>
    (await client.getCode({ address: named.address, blockNumber })) === undefined ? [named] : [],
  );
  const absent = (await Promise.all(created)).flat();
  const found = await findings(client, expectationsOf(system), blockNumber);
  const open = found.filter(
    ({ isMet, subjects, view }) =>
      !isMet && !absent.some(({ subject, address }) => subjects.includes(subject) || isAddressEqual(view.to, address)),
  );
  return { system, open, absent: absent.map(({ subject }) => subject) };
}

/** The calls that meet the findings, each once. */
export function fixesOf(open: readonly Finding[]): PlannedCall[] {
  const fixes = open.flatMap(({ fix }) => (fix === null ? [] : [fix]));
  return [...new Map(fixes.map((fix) => [`${fix.to} ${fix.data}`, fix])).values()];
}
