/** Everything that a configuration says. */
import type { Context, PlannedCall } from "../write/plan.ts";
import type { Configuration } from "./configuration.ts";
import { type Expectation, type Finding, findings } from "./expectation.ts";
import { ofDelegate, ofParties } from "./lp.ts";
import { ofCoreSwap, ofRwa, ofStablecoin, ofTimelock, ofTreasury } from "./protocol.ts";
import { type System, systemOf } from "./system.ts";

/** In the order in which it can be made so. */
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
 * What the configuration says and the newest block does not have.
 * @returns `absent`: LPs and RWAs whose contract is not created yet. Calls to it would do nothing without failing, so
 * what concerns them is not in `open`
 */
export async function openFindings(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  configuration: Configuration,
): Promise<{ readonly system: System; readonly open: Finding[]; readonly absent: readonly string[] }> {
  const system = systemOf(configuration, deployment);
  const blockNumber = await client.getBlockNumber();
  const created = [
    ...system.lps.map(({ symbol, contract }) => ({ subject: `lp:${symbol}`, address: contract.address })),
    ...system.rwas.map(({ symbol, adapter }) => ({ subject: `rwa:${symbol}`, address: adapter.address })),
  ].map(async ({ subject, address }) =>
    (await client.getCode({ address, blockNumber })) === undefined ? [subject] : [],
  );
  const absent = (await Promise.all(created)).flat();
  const found = await findings(client, expectationsOf(system), blockNumber);
  const open = found.filter(({ isMet, subjects }) => !isMet && !subjects.some((subject) => absent.includes(subject)));
  return { system, open, absent };
}

/** The calls that make findings so, each once. */
export function fixesOf(open: readonly Finding[]): PlannedCall[] {
  const fixes = open.flatMap(({ fix }) => (fix === null ? [] : [fix]));
  return [...new Map(fixes.map((fix) => [`${fix.to} ${fix.data}`, fix])).values()];
}
