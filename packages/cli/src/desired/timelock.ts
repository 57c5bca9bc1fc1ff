/** What the configuration requires of the timelock. */
import { timelockControllerAbi } from "@coreswap/abi";
import type { Address } from "viem";
import { roleId } from "../chain/contracts.ts";
import { seconds } from "../text.ts";
import { type Expectation, expects, fixesBy } from "./expectation.ts";
import { membership } from "./roles.ts";
import type { System } from "./system.ts";

/** The roles of the timelock with their holders, which the timelock itself does not list. */
export function timelockRoles({ configuration, deployment }: System): { role: string; holders: Address[] }[] {
  const { timelock: terms, roles } = configuration;
  if (deployment.timelock === undefined || !terms) return [];
  const proposers = terms.recovery === null ? [terms.proposer] : [terms.proposer, terms.recovery];
  return [
    { role: "DEFAULT_ADMIN_ROLE", holders: [deployment.timelock] },
    { role: "PROPOSER_ROLE", holders: proposers },
    { role: "EXECUTOR_ROLE", holders: proposers },
    { role: "CANCELLER_ROLE", holders: [roles.guardian] },
  ];
}

/** Requires the delay, and each role's holders. `findUnlisted` finds those that are not configured. */
export function ofTimelock(system: System): Expectation[] {
  const { configuration, deployment } = system;
  if (deployment.timelock === undefined || !configuration.timelock) return [];
  const view = { address: deployment.timelock, abi: timelockControllerAbi } as const;
  const contract = { name: "timelock", ...view };
  const { delaySeconds } = configuration.timelock;
  const fix = fixesBy(contract, timelockControllerAbi, [{ account: contract.address, as: "the timelock itself" }]);
  return [
    expects(["timelock"], "delay", { ...view, functionName: "getMinDelay" }, seconds, seconds(delaySeconds), {
      events: ["MinDelayChange"],
    }),
    ...timelockRoles(system).flatMap(({ role, holders }) =>
      holders.map((account) =>
        membership(
          "timelock",
          `${account} has ${role} of the timelock`,
          contract,
          { role, account, isHolder: true },
          fix("grantRole", [roleId(role), account]),
        ),
      ),
    ),
  ];
}
