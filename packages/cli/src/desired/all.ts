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

/** What the configuration says and the newest block does not have. */
export async function openFindings(
  { client, deployment }: Pick<Context, "client" | "deployment">,
  configuration: Configuration,
): Promise<{ readonly system: System; readonly open: Finding[] }> {
  const system = systemOf(configuration, deployment);
  const found = await findings(client, expectationsOf(system), await client.getBlockNumber());
  return { system, open: found.filter(({ isMet }) => !isMet) };
}

/** The calls that make findings so, each once. */
export function fixesOf(open: readonly Finding[]): PlannedCall[] {
  const fixes = open.flatMap(({ fix }) => (fix === null ? [] : [fix]));
  return [...new Map(fixes.map((fix) => [`${fix.to} ${fix.data}`, fix])).values()];
}
