/** `core status`: prints the state of a deployment. */
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect, type NodeClient, reasonOf } from "../chain/connect.ts";
import { type Deployment, readDeployment } from "../chain/deployment.ts";
import { BLOCKS_OPTION, readBlocksPerRequest } from "../chain/events.ts";
import { attention } from "../status/attention.ts";
import { type Queue, readQueue } from "../status/queue.ts";
import { readStatus } from "../status/read.ts";
import { renderStatus, section } from "../status/screen.ts";
import { readSolvency, solvencyLines } from "../status/solvency.ts";
import { showJson } from "../text.ts";
import { NODE_OPTIONS } from "../write/options.ts";

export async function statusCommand(args: readonly string[]): Promise<void> {
  const { values } = commandLine(
    {
      usage: "pnpm core status",
      summary: `Shows roles, pauses, prices with their ages, rates with missing days, custody balances with their approvals, used caps,
and what is queued in the timelock, all at one block.`,
      options: {
        ...NODE_OPTIONS,
        ...BLOCKS_OPTION,
        json: { type: "boolean", default: false, help: "print JSON; integers are strings" },
        solvency: { type: "boolean", default: false, help: "also the solvency of the treasury: reads all events" },
      },
    },
    args,
  );
  const deployment = readDeployment(values.network);
  const client = await connect(deployment, values["rpc-url"]);
  const blocksPerRequest = readBlocksPerRequest(values);
  const status = await readStatus(deployment, client);
  const [queue, solvency] = await Promise.all([
    readQueueOrProblem(client, deployment, status.blockNumber, blocksPerRequest),
    values.solvency ? readSolvency(client, deployment, status.blockNumber, blocksPerRequest) : null,
  ]);
  if (!values.json) {
    const lines = solvency === null ? [] : section("Solvency", solvencyLines(solvency, deployment));
    console.log([renderStatus(status, queue), ...lines].join("\n"));
    return;
  }
  const attended = attention(status, queue);
  console.log(showJson({ ...status, queue, ...(solvency === null ? {} : { solvency }), attention: attended }));
}

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
    return { problem: reasonOf(error) };
  }
}
