/** `core queue` and `core cancel`: list and cancel operations that are queued in the timelock. */
import { timelockControllerAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, isHex, size } from "viem";
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { contractNamed } from "../chain/contracts.ts";
import { type Deployment, readDeployment } from "../chain/deployment.ts";
import { BLOCKS_OPTION, readBlocksPerRequest } from "../chain/events.ts";
import { Failure } from "../failure.ts";
import { OPERATION_STATES, queueLines, readQueue } from "../status/queue.ts";
import { showJson } from "../text.ts";
import { NODE_OPTIONS, WRITE_OPTIONS } from "../write/options.ts";
import { callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

export async function queueCommand(args: readonly string[]): Promise<void> {
  const { values } = commandLine(
    {
      usage: "pnpm core queue",
      summary:
        "Lists the operations that are queued in the timelock: their calls, who scheduled them, and from when on they can be executed.",
      options: { ...NODE_OPTIONS, ...BLOCKS_OPTION, json: { type: "boolean", default: false, help: "print JSON" } },
    },
    args,
  );
  const blocksPerRequest = readBlocksPerRequest(values);
  const deployment = readDeployment(values.network);
  const timelock = timelockOf(deployment);
  const client = await connect(deployment, values["rpc-url"]);
  const { number, timestamp } = await client.getBlock();
  const queue = await readQueue(client, deployment, timelock, number, blocksPerRequest);
  if (values.json) {
    console.log(showJson(queue));
    return;
  }
  console.log(queue.length === 0 ? "Nothing is queued in the timelock" : queueLines(queue, timestamp).join("\n"));
}

export async function cancelCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = commandLine(
    {
      usage: "pnpm core cancel <operation>",
      summary:
        "Cancels an operation that is queued in the timelock: the guardian does it, and names itself with --from.",
      allowPositionals: true,
      options: WRITE_OPTIONS,
    },
    args,
  );
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0)
    throw new Failure("cancel takes the ID of one operation: core queue lists them");
  if (!isHex(id) || size(id) !== 32) throw new Failure(`the operation is "${id}", expected 32 bytes in hex`);
  await runPlan(values, async ({ client, deployment, contracts }) => {
    const view = { address: timelockOf(deployment), abi, functionName: "getOperationState", args: [id] } as const;
    const state = await client.readContract(view);
    if (state === 0 || state === 3)
      throw new Failure(`operation ${id} is ${OPERATION_STATES[state]}: there is nothing to cancel`);
    return {
      title: `Cancel operation ${id}`,
      // The timelock does not list who may cancel. The simulation refuses an account that may not.
      calls: callsOn(
        contractNamed(contracts, "timelock"),
        [],
        [encodeFunctionData({ abi, functionName: "cancel", args: [id] })],
      ),
      observations: [observe("the operation", view, (found) => OPERATION_STATES[found] ?? String(found))],
    };
  });
}

/**
 * Returns the timelock of the deployment.
 * @throws Failure when the deployment has none
 */
function timelockOf({ timelock }: Deployment): Address {
  if (timelock === undefined) throw new Failure("the deployment has no timelock");
  return timelock;
}
