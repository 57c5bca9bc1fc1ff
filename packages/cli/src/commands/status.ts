/** `core status`: prints the state of a deployment. */
import { connect, type NodeClient, readFailure } from "../chain/connect.ts";
import { type Deployment, readDeployment } from "../chain/deployment.ts";
import { blocksOption, jsonOption, nodeCommand } from "../commandLine.ts";
import { attention } from "../status/attention.ts";
import { type Queue, readQueue } from "../status/queue.ts";
import { readStatus } from "../status/read.ts";
import { renderStatus, section } from "../status/screen.ts";
import { readSolvency, solvencyLines } from "../status/solvency.ts";
import { showJson } from "../text.ts";

export const statusCommand = nodeCommand("status", "state of a deployment at the newest block")
  .description(
    "Shows roles, pauses, prices with their ages, rates with missing days, custody balances with their approvals, used " +
      "caps, and what is queued in the timelock, all at one block.",
  )
  .addOption(blocksOption)
  .addOption(jsonOption)
  .option("--solvency", "also the solvency of the treasury: reads all events")
  .action(async (options) => {
    const deployment = readDeployment(options.network);
    const client = await connect(deployment, options.rpcUrl);
    const { blocksPerRequest } = options;
    const status = await readStatus(deployment, client);
    const [queue, solvency] = await Promise.all([
      readQueueOrProblem(client, deployment, status.blockNumber, blocksPerRequest),
      options.solvency ? readSolvency(client, deployment, status.blockNumber, blocksPerRequest) : null,
    ]);
    if (!options.json) {
      const lines = solvency === null ? [] : section("Solvency", solvencyLines(solvency, deployment));
      console.log([renderStatus(status, queue), ...lines].join("\n"));
      return;
    }
    const attended = attention(status, queue);
    console.log(showJson({ ...status, queue, ...(solvency === null ? {} : { solvency }), attention: attended }));
  });

/** Some nodes give few events at once, or none of old blocks. What else they know must be shown all the same. */
async function readQueueOrProblem(
  client: NodeClient,
  deployment: Deployment,
  blockNumber: bigint,
  blocksPerRequest: bigint,
): Promise<Queue> {
  const { timelock } = deployment;
  if (timelock === undefined) return [];
  try {
    return await readQueue(client, deployment, timelock, blockNumber, blocksPerRequest);
  } catch (error) {
    return { problem: readFailure(error) };
  }
}
