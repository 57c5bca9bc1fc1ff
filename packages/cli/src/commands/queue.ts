/** `core queue` and `core cancel`: list and cancel operations that are queued in the timelock. */
import { timelockControllerAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, isHex, size } from "viem";
import { connect } from "../chain/connect.ts";
import { contractNamed } from "../chain/contracts.ts";
import { type Deployment, readDeployment } from "../chain/deployment.ts";
import { blocksOption, jsonOption, nodeCommand } from "../commandLine.ts";
import { Failure } from "../failure.ts";
import { OPERATION_STATES, queueLines, readQueue } from "../status/queue.ts";
import { showJson } from "../text.ts";
import { writeCommand } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export const queueCommand = nodeCommand("queue", "operations that are queued in the timelock")
  .description(
    "Lists the operations that are queued in the timelock: their calls, who scheduled them, and the time from which they can be " +
      "executed.",
  )
  .addOption(blocksOption)
  .addOption(jsonOption)
  .action(async (options) => {
    const deployment = readDeployment(options.network);
    const timelock = timelockOf(deployment);
    const client = await connect(deployment, options.rpcUrl);
    const { number, timestamp } = await client.getBlock();
    const queue = await readQueue(client, deployment, timelock, number, options.blocksPerRequest);
    if (options.json) {
      console.log(showJson(queue));
      return;
    }
    console.log(queue.length === 0 ? "Nothing is queued in the timelock" : queueLines(queue, timestamp).join("\n"));
  });

export const cancelCommand = writeCommand("cancel", "cancel an operation that is queued in the timelock")
  .description(
    "Cancels an operation that is queued in the timelock: the guardian does it, and names itself with --from.",
  )
  .argument("<operation>", "its ID, which core queue lists")
  .action(async (id, options) => {
    if (!isHex(id) || size(id) !== 32) throw new Failure(`the operation is "${id}", expected 32 bytes in hex`);
    await runPlan(options, async ({ client, deployment, contracts }) => {
      const view = { address: timelockOf(deployment), abi, functionName: "getOperationState", args: [id] } as const;
      const state = await client.readContract(view);
      const name = OPERATION_STATES[state];
      if (name === "not scheduled" || name === "done")
        throw new Failure(`operation ${id} is ${name}: there is nothing to cancel`);
      return {
        title: `Cancel operation ${id}`,
        whenRunAgain: "skips what is done",
        // The timelock does not list who may cancel. The simulation refuses an account that may not.
        calls: callsOn(
          contractNamed(contracts, "timelock"),
          [],
          [encodeFunctionData({ abi, functionName: "cancel", args: [id] })],
        ),
        observations: [observe("the operation", view, (found) => OPERATION_STATES[found] ?? String(found))],
      };
    });
  });

/**
 * Returns the timelock of the deployment.
 * @throws Failure when the deployment has none
 */
function timelockOf({ timelock }: Deployment): Address {
  if (timelock === undefined) throw new Failure("the deployment has no timelock");
  return timelock;
}
