/** `core upgrade`: has the timelock carry out the proposal of `pnpm contracts:upgrade`. */
import { deploymentPath } from "../chain/deployment.ts";
import { readImplementation, readProposal, requireNotOverdue, requireSimulatedCode } from "../chain/proposal.ts";
import { Failure } from "../failure.ts";
import { writeCommand } from "../write/options.ts";
import type { Context, Plan, PlannedCall } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const upgradeCommand = writeCommand("upgrade", "upgrade the contracts as contracts:upgrade proposed")
  .description(
    "Upgrades the proxies to the contracts that pnpm contracts:upgrade has created, by the proposal that it stored beside " +
      "the deployment file. Run it with --schedule, and after the delay with --execute. Refuses code that differs from " +
      "what was simulated, and a proxy that was upgraded otherwise since.",
  )
  .action((options) => {
    const path = deploymentPath(options.network).replace(/[.]json$/, ".proposal.json");
    return runPlan(options, (context) => upgradePlan(context, path));
  });

async function upgradePlan({ client, deployment, contracts }: Context, path: string): Promise<Plan> {
  const proposal = readProposal(path);
  if (proposal.timelock !== deployment.timelock) {
    throw new Failure(
      `${path} is for the timelock ${proposal.timelock}, and the deployment has ${deployment.timelock}`,
    );
  }
  await requireSimulatedCode(client, proposal);
  const steps = await Promise.all(
    proposal.upgrades.map(async (upgrade) => {
      const { proxy, implementation, data } = upgrade;
      const contract = contracts.find(({ address }) => address === proxy);
      if (contract === undefined)
        throw new Failure(`${path} upgrades ${proxy}, which is not a contract of the deployment`);
      const call: PlannedCall = { to: proxy, data, contract, mayCall: [{ role: "DEFAULT_ADMIN_ROLE" }] };
      const current = await readImplementation(client, proxy);
      requireNotOverdue(upgrade, current, contract.name);
      return { call, implementation, current };
    }),
  );
  const title = "Upgrade the contracts of the proposal";
  if (steps.every(({ implementation, current }) => implementation === current)) {
    return { title, whenRunAgain: "repeats all", calls: [], observations: [] };
  }
  return {
    title,
    whenRunAgain: "repeats all",
    calls: steps.map(({ call }) => call),
    observations: [],
    notes: steps.map(
      ({ call, current, implementation }) => `${call.contract.name} runs ${current}, then ${implementation}`,
    ),
  };
}
